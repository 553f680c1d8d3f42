"""The life of a bot in a sandbox: start, release, stop and go, limits, kill, close."""

import os
import select
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from arena.errors import HostFailure, UsageError
from arena.model import Limits
from arena.sandbox import Child, Mode, Program, start, survey, tree
from arena.sandbox.attack import read_to_end
from arena.sandbox.starter import FIRST_UID, PLAIN, Shape, launch

LIMITS = Limits(memory_mb=128, processes=16, disk_mb=4)
SHAPES = {
    "full": survey().shape,
    "no proc": survey(frozenset({"proc"})).shape,
    "no filter": survey(frozenset({"seccomp"})).shape,
    "fallback": survey(frozenset({"userns"})).shape,
    "none": survey(frozenset({"userns", "landlock"})).shape,
    "off": PLAIN,
}
ECHO = "while read -r line; do echo got $line; done"


@contextmanager
def running(shape: Shape, *argv: str, folder: Path, limits: Limits = LIMITS, **more: object) -> Iterator[Child]:
    child = launch(shape, Program(argv=argv, folder=folder), limits, **more)  # type: ignore[arg-type]
    try:
        child.release(20)
        yield child
    finally:
        child.close()


def output(shape: Shape, *argv: str, folder: Path, limits: Limits = LIMITS, **more: object) -> str:
    with running(shape, *argv, folder=folder, limits=limits, **more) as child:
        out, errors = read_to_end(child, 30)
    assert not errors, errors.decode()
    return out.decode().strip()


def read_line(child: Child, timeout_s: float = 10) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        assert select.select([child.stdout], [], [], timeout_s)[0], "no line in time"
        part = os.read(child.stdout, 1)
        assert part, "end of output"
        line += part
    return line


def await_exit(child: Child, timeout_s: float = 10) -> int:
    deadline_s = time.monotonic() + timeout_s
    while (status := child.exit_status()) is None:
        assert time.monotonic() < deadline_s, "it goes on"
        time.sleep(0.002)
    return status


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_bot_answers_and_its_end_shows(shape: Shape, tmp_path: Path) -> None:
    with running(shape, "sh", "-c", ECHO, folder=tmp_path) as child:
        os.write(child.stdin, b"one\n")
        assert read_line(child) == b"got one\n"
        assert child.exit_status() is None
        assert child.breach() is None
        child.kill()
        child.kill()
        assert select.select([child.stdout], [], [], 5)[0]
        assert os.read(child.stdout, 10) == b""


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_nothing_of_the_bot_runs_before_the_release(shape: Shape, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    child = launch(shape, Program(argv=("sh", "-c", "echo ran"), folder=tmp_path), LIMITS)
    try:
        time.sleep(0.1)
        assert child.cpu_s() == child.wait_s() == 0
        child.release(20)
        assert read_line(child) == b"ran\n"
    finally:
        child.close()


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize(
    ("script", "status"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", -9), ("kill -SEGV $$", -11)]
)
def test_the_exit_status_is_the_bots(shape: Shape, script: str, status: int, tmp_path: Path) -> None:
    with running(shape, "sh", "-c", script, folder=tmp_path) as child:
        assert await_exit(child) == status


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_python_is_the_referees_and_knows_the_games(shape: Shape, tmp_path: Path) -> None:
    code = "import arena.games, msgspec, sys; print(sys.version_info[:3] == tuple(map(int, sys.argv[1].split('.'))))"
    version = ".".join(map(str, sys.version_info[:3]))
    assert output(shape, "python3", "-c", code, version, folder=tmp_path) == "True"


def test_python_knows_nothing_else_of_the_host(tmp_path: Path) -> None:
    code = "import importlib.util as u; print([n for n in ('pytest', 'numpy', 'pydantic', 'click') if u.find_spec(n)])"
    assert output(SHAPES["full"], "python", "-c", code, folder=tmp_path) == "[]"


def test_the_environment_is_the_bots_own(tmp_path: Path) -> None:
    child = launch(SHAPES["full"], Program(argv=("env",), folder=tmp_path, env={"DEPTH": "a b'c\"ä"}), LIMITS)
    try:
        child.release(20)
        names = dict(line.split("=", 1) for line in read_to_end(child, 10)[0].decode().splitlines())
    finally:
        child.close()
    assert names["DEPTH"] == "a b'c\"ä"
    assert set(names) <= {
        "DEPTH", "HOME", "LANG", "LD_LIBRARY_PATH", "PATH", "PWD", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "TMPDIR",
    }  # fmt: skip
    assert str(tmp_path) not in str(names)


def test_no_word_of_a_bot_is_read_as_an_option_of_the_sandbox(tmp_path: Path) -> None:
    sly = Program(argv=("true",), folder=tmp_path, env={"A": "x\0--bind\0/\0/host"})
    with pytest.raises(UsageError, match="NUL"):
        launch(SHAPES["full"], sly, LIMITS)


def test_looking_at_the_machine_leaves_no_thread() -> None:
    """A worker forked from a process with threads may find their locks held for ever."""
    code = "import threading; from arena.sandbox import survey; survey(); print(threading.active_count())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "1"


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("name", ["mybot", "./mybot"])
def test_a_relative_name_is_one_of_the_bots_files(shape: Shape, name: str, tmp_path: Path) -> None:
    folder = tmp_path / 'bots of Jörg\'s "team"'
    folder.mkdir()
    (folder / "mybot").write_text('#!/bin/sh\necho "mine: $1"\n')
    (folder / "mybot").chmod(0o755)
    assert output(shape, name, "a b'c", folder=folder) == "mine: a b'c"


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user's bots are the user's own")
@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_a_bot_that_others_may_not_read_is_run_for_root(mode: int, tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir(mode=mode)
    (folder / "bot.sh").write_text("echo here\n")
    (folder / "bot.sh").chmod(0o600)
    assert output(SHAPES["full"], "sh", "bot.sh", folder=folder) == "here"
    assert output(SHAPES["fallback"], "sh", "bot.sh", folder=folder) == "here"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has a uid to drop")
@pytest.mark.parametrize("name", ["full", "no proc", "no filter", "fallback", "none"])
def test_root_drops_its_uid_however_little_else_there_is(name: str, tmp_path: Path) -> None:
    code = "import arena.games, os; print(*os.getresuid(), *os.getgroups())"
    uid = FIRST_UID if name in ("fallback", "none") else 65534
    assert output(SHAPES[name], "python3", "-c", code, folder=tmp_path).split() == [str(uid)] * 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has more than one uid to give")
def test_root_gives_each_slot_a_uid_of_its_own(tmp_path: Path) -> None:
    for slot in (0, 3):
        with running(SHAPES["full"], "sh", "-c", ECHO, folder=tmp_path, slot=slot) as child:
            owners = {tree.owner(pid) for pid in tree.descendants(child.pid)}
            assert owners == {(FIRST_UID + slot, FIRST_UID + slot)}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_bot_runs_on_the_cores_it_is_given(shape: Shape, tmp_path: Path) -> None:
    core = max(os.sched_getaffinity(0))
    code = "import os; print(os.sched_getaffinity(0))"
    assert output(shape, "python3", "-c", code, folder=tmp_path, cores=frozenset({core})) == f"{{{core}}}"
    assert output(shape, "nproc", folder=tmp_path) == str(len(os.sched_getaffinity(0)))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_stopped_bot_and_its_children_use_no_time(shape: Shape, tmp_path: Path) -> None:
    code = "import os\nfor _ in range(2): os.fork()\nprint('x', flush=True)\nwhile True: pass"
    with running(shape, "python3", "-c", code, folder=tmp_path) as child:
        read_line(child)
        child.pause()
        time.sleep(0.05)
        before_s = child.cpu_s()
        time.sleep(0.15)
        assert child.cpu_s() - before_s < 0.005
        child.resume()
        deadline_s = time.monotonic() + 10
        while child.cpu_s() - before_s < 0.02:
            assert time.monotonic() < deadline_s, "it did not go on"
            time.sleep(0.01)
        child.pause()
        child.kill()  # a stopped bot dies, too


def test_what_a_bot_used_is_counted_with_its_children(tmp_path: Path) -> None:
    code = """
        import os, time
        block = b"x" * (40 << 20)
        if os.fork() == 0:
            other = b"y" * (30 << 20)
            until = time.process_time() + 0.2
            while time.process_time() < until: pass
            time.sleep(0.1)
            os._exit(0)
        os.wait()
        print("done", flush=True)
        time.sleep(60)
    """
    with running(SHAPES["full"], "python3", "-c", textwrap.dedent(code), folder=tmp_path) as child:
        read_line(child)
        used = child.usage()
    assert 70 <= used.peak_memory_mb <= 125
    assert 0.2 <= used.cpu_s <= 1.0
    assert used.wait_s >= 0
    assert child.usage() == used or child.usage().cpu_s >= used.cpu_s  # known after the end, too


def test_the_referees_ends_are_non_blocking_and_not_inherited(tmp_path: Path) -> None:
    with running(SHAPES["full"], "sh", "-c", ECHO, folder=tmp_path) as child:
        for fd in (child.stdin, child.stdout, child.stderr):
            assert not os.get_blocking(fd)
            assert not os.get_inheritable(fd)


def test_a_sandbox_that_does_not_come_up_is_the_hosts_failure(tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: no luck today' >&2\nexit 1\n")
    broken.chmod(0o755)
    tmp_path.chmod(0o755)
    child = launch(Shape(kind="bubblewrap", binary=broken), Program(argv=("true",), folder=tmp_path), LIMITS)
    try:
        with pytest.raises(HostFailure, match="no luck today"):
            child.release(10)
    finally:
        child.close()


def test_a_sandbox_that_hangs_is_the_hosts_failure(tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\nexec sleep 60\n")
    broken.chmod(0o755)
    child = launch(Shape(kind="bubblewrap", binary=broken), Program(argv=("true",), folder=tmp_path), LIMITS)
    started_s = time.monotonic()
    try:
        with pytest.raises(HostFailure, match="in time"):
            child.release(0.2)
    finally:
        child.close()
    assert time.monotonic() - started_s < 5


def test_a_program_that_does_not_exist_is_the_bots_own_failure(tmp_path: Path) -> None:
    with running(SHAPES["full"], "./no-such-program", folder=tmp_path) as child:
        assert await_exit(child) == 127
        assert b"no-such-program" in os.read(child.stderr, 1000)


@pytest.mark.parametrize("name", ["full", "fallback", "off"])
def test_a_bot_dies_with_its_referee(name: str, tmp_path: Path) -> None:
    """The referee is killed while its bot is stopped, which no end of input would wake."""
    code = f"""
        import os, signal, time
        from pathlib import Path
        from arena.model import Limits
        from arena.sandbox import Program
        from arena.sandbox.starter import PLAIN, launch
        from arena.sandbox.survey import survey
        fallback = survey(frozenset({{"userns"}})).shape
        shape = {{"full": survey().shape, "fallback": fallback, "off": PLAIN}}[{name!r}]
        child = launch(shape, Program(argv=("sleep", "1000"), folder=Path({str(tmp_path)!r})), Limits())
        child.release(20)
        child.pause()
        from arena.sandbox import tree
        print(*tree.descendants(child.pid), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert run.returncode == -signal.SIGKILL, run.stderr
    pids = [int(word) for word in run.stdout.split()]
    assert pids
    deadline_s = time.monotonic() + 5
    while [pid for pid in pids if tree.state(pid) not in ("", "Z")]:
        assert time.monotonic() < deadline_s, "it outlived its referee"
        time.sleep(0.01)
    for pid in pids:  # this process has become a subreaper by its own sandboxes
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)


def test_starts_from_many_short_threads_live_on(tmp_path: Path) -> None:
    """The parent-death signal belongs to the thread that starts a process: the launcher's, not the caller's."""
    from concurrent.futures import ThreadPoolExecutor

    def begin() -> Child:
        return launch(SHAPES["full"], Program(argv=("sh", "-c", ECHO), folder=tmp_path), LIMITS)

    with ThreadPoolExecutor(4) as pool:
        children = [future.result() for future in [pool.submit(begin) for _ in range(4)]]
    try:
        for child in children:
            child.release(20)
            os.write(child.stdin, b"x\n")
            assert read_line(child) == b"got x\n"
    finally:
        for child in children:
            child.close()


def test_a_forked_worker_starts_bots_of_its_own(tmp_path: Path) -> None:
    import multiprocessing

    assert output(SHAPES["full"], "echo", "in the parent", folder=tmp_path) == "in the parent"
    context = multiprocessing.get_context("fork")
    reader, writer = context.Pipe()

    def work() -> None:
        writer.send(output(SHAPES["full"], "echo", "in the worker", folder=tmp_path))

    worker = context.Process(target=work)
    worker.start()
    try:
        assert reader.poll(20)
        assert reader.recv() == "in the worker"
    finally:
        worker.join(10)
        worker.close()
        reader.close()
        writer.close()


RUNTIMES = {
    "node": ("node", "-e", "const {Worker} = require('worker_threads'); console.log('hi')"),
    "java": ("java", "Main.java"),
    "the system's python": ("/usr/bin/python3", "-c", "print('hi')"),
    "perl": ("perl", "-e", "print 'hi'"),
}


@pytest.mark.parametrize("name", RUNTIMES)
@pytest.mark.parametrize("shape", ["full", pytest.param("fallback", marks=pytest.mark.slow)])
def test_runtimes_work_inside(name: str, shape: str, tmp_path: Path) -> None:
    argv = RUNTIMES[name]
    if shutil.which(argv[0]) is None:
        pytest.skip(f"no {argv[0]} here")
    (tmp_path / "Main.java").write_text(
        'class Main { public static void main(String[] a) { System.out.println("hi"); } }'
    )
    found = output(SHAPES[shape], *argv, folder=tmp_path, limits=Limits(memory_mb=512, disk_mb=64))
    assert found == "hi"


def test_mode_off_is_a_plain_process_with_the_same_life(tmp_path: Path) -> None:
    child = start(Program(argv=("sh", "-c", "pwd"), folder=tmp_path), LIMITS, mode=Mode.OFF)
    try:
        child.release(5)
        assert read_line(child).decode().strip() == str(tmp_path)
    finally:
        child.close()
