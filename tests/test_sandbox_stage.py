"""Files that a bot's uid cannot reach: bound where root may mount, else copied, and gone with the process."""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

from arena.sandbox.stage import Stage

ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user's bots reach what the user reaches")

CODE = """
    import os, sys
    from pathlib import Path
    from arena.model import Limits
    from arena.sandbox import Mode, Program, start
    from arena.sandbox.attack import read_to_end
    argv = ("python3", "-c", "import arena.games; print(open('bot.txt').read())")
    child = start(Program(argv=argv, folder=Path(sys.argv[1])), Limits(), mode=Mode.REQUIRED)
    child.release(20)
    out, errors = read_to_end(child, 30)
    child.close()
    print(out.decode() + errors.decode(), end="")
"""


def closed_bot(tmp_path: Path) -> Path:
    folder = tmp_path / "closed" / "bot"
    folder.mkdir(parents=True)
    (folder / "bot.txt").write_text("mine")
    (folder / "bot.txt").chmod(0o600)
    folder.parent.chmod(0o700)
    return folder


def leftovers() -> list[Path]:
    """Folders of processes that are gone."""
    found = Path(tempfile.gettempdir()).glob("arena-stage-*-*")
    return [path for path in found if not Path(f"/proc/{path.name.split('-')[2]}").exists()]


def play(folder: Path, *before: str) -> str:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    argv = [*before, sys.executable, "-c", textwrap.dedent(CODE), str(folder)]
    return subprocess.run(argv, env=env, capture_output=True, text=True, check=True, timeout=110).stdout.strip()


@ROOT_ONLY
def test_root_reaches_a_closed_folder_by_mounts_that_nobody_sees(tmp_path: Path) -> None:
    mounts = Path("/proc/self/mountinfo").read_text()
    assert play(closed_bot(tmp_path)) == "mine"
    assert Path("/proc/self/mountinfo").read_text() == mounts
    assert leftovers() == []


@ROOT_ONLY
def test_sandboxes_are_started_among_fewer_mounts_and_everybody_else_keeps_theirs() -> None:
    code = """
        from pathlib import Path
        from arena.sandbox import cgroup
        from arena.sandbox.launcher import launcher

        def places(stage=None):
            lines = Path("/proc/thread-self/mountinfo").read_text().splitlines()
            return {line.split()[4] for line in lines}

        def group(stage):
            made = cgroup.Group(memory_mb=10, tasks=10)
            with made.entered():
                found = Path("/proc/thread-self/cgroup").read_text()
            made.close()
            return found

        before = places()
        assert "/sys" in before
        inside = launcher().run(places)
        assert {"/", "/proc"} < inside < before
        assert not any(place.startswith(("/sys", "/dev/pts")) for place in inside), inside
        assert places() == before
        assert not cgroup.available() or "/arena-" in launcher().run(group)
    """
    argv = [sys.executable, "-c", textwrap.dedent(code)]
    assert subprocess.run(argv, capture_output=True, text=True, timeout=60).stderr == ""


@ROOT_ONLY
@pytest.mark.slow
def test_root_without_the_right_to_mount_copies_and_cleans_up(tmp_path: Path) -> None:
    """As in a container with Docker's default capabilities."""
    setpriv = shutil.which("setpriv")
    assert setpriv is not None
    assert play(closed_bot(tmp_path), setpriv, "--bounding-set=-sys_admin,-sys_resource", "--") == "mine"
    assert leftovers() == []


def test_an_ordinary_users_paths_stay_as_they_are(tmp_path: Path) -> None:
    stage = Stage(private=False)
    folder = closed_bot(tmp_path)
    assert stage.place(folder) == stage.place_readable(folder) == folder
    assert stage.place_together((folder,), tmp_path) == tmp_path
