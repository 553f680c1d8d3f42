"""Killed at any instant, and again and again: nothing stays behind."""

import os
import random
import secrets
import subprocess
import sys
import tempfile
import textwrap
import time
from contextlib import suppress
from pathlib import Path

import pytest

from arena.errors import HostFailure
from arena.model import Limits
from arena.sandbox import Program, cgroup, survey, tree
from arena.sandbox.starter import PLAIN, Shape, launch

LIMITS = Limits(memory_mb=64, processes=16, disk_mb=4)
SHAPES = {"full": survey().shape, "fallback": survey(frozenset({"userns"})).shape, "off": PLAIN}


def processes_with(word: str) -> list[int]:
    """Everything on this machine that has a word on its command line."""
    names = (path.name for path in Path("/proc").iterdir())
    return [int(name) for name in names if name.isdigit() and word in tree.read_text(f"/proc/{name}/cmdline")]


def zombies() -> list[int]:
    return [pid for pid in tree.children(os.getpid()) if tree.state(pid) == "Z"]


def belongings() -> dict[str, object]:
    """What this process holds of the machine."""
    groups = [str(path) for parent in cgroup.parents().values() for path in parent.glob(f"arena-{os.getpid()}-*")]
    threads = list(Path("/proc/self/task").iterdir())
    return {
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "groups": groups,
        "mounts of the launcher": max(len((thread / "mountinfo").read_text().splitlines()) for thread in threads),
        "temporary": sorted(path.name for path in Path(tempfile.gettempdir()).glob(f"arena-stage-{os.getpid()}-*")),
        "threads": len(threads),
        "zombies": zombies(),
    }


def kill_at_random(shape: Shape, times: int, folder: Path, seed: int) -> float:
    """Start bots and kill each at another instant of its start-up. Returns the longest time from kill to gone."""
    chance = random.Random(seed)
    longest_s = 0.0
    for _ in range(times):
        word = f"mark-{secrets.token_hex(8)}"
        script = "sleep 1000 & sleep 1000 & wait"
        child = launch(shape, Program(argv=("sh", "-c", script, word), folder=folder), LIMITS)
        if chance.random() < 0.5:
            time.sleep(chance.uniform(0, 0.03))
        else:
            with suppress(HostFailure):
                child.release(chance.uniform(0.001, 0.1))
            time.sleep(chance.choice([0, 0, 0.001, 0.005]))
        decided_s = time.monotonic()
        child.kill()
        child.close()
        longest_s = max(longest_s, time.monotonic() - decided_s)
        assert processes_with(word) == []
    return longest_s


@pytest.mark.parametrize("name", SHAPES)
def test_killed_at_any_instant_of_its_start_nothing_survives(name: str, tmp_path: Path) -> None:
    before = zombies()
    kill_at_random(SHAPES[name], 15, tmp_path, seed=1)
    assert zombies() == before


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", SHAPES)
def test_killed_hundreds_of_times_nothing_survives(name: str, tmp_path: Path) -> None:
    before = zombies()
    longest_s = kill_at_random(SHAPES[name], 300, tmp_path, seed=2)
    assert zombies() == before
    assert longest_s < 1.0


def play(shape: Shape, times: int, folder: Path) -> None:
    """What a game does with its bots, in short."""
    for number in range(times):
        pair = [
            launch(shape, Program(argv=("sh", "-c", "read -r x; echo $x; read -r x"), folder=folder), LIMITS, slot=seat)
            for seat in (0, 1)
        ]
        for child in pair:
            child.release(20)
            os.write(child.stdin, b"hello\n")
            child.pause()
        for child in pair:
            child.resume()
            child.cpu_s()
        if number % 2:
            pair[0].kill()
        for child in pair:
            child.usage()
            child.close()


@pytest.mark.parametrize("name", SHAPES)
def test_games_in_a_row_leave_nothing_behind(name: str, tmp_path: Path) -> None:
    play(SHAPES[name], 2, tmp_path)
    before = belongings()
    play(SHAPES[name], 10, tmp_path)
    assert belongings() == before
    assert before["groups"] == []


@pytest.mark.skipif(not cgroup.available(), reason="no groups can be made here")
def test_the_groups_of_a_killed_referee_are_swept(tmp_path: Path) -> None:
    code = f"""
        import os, signal
        from pathlib import Path
        from arena.sandbox import Program, survey
        from arena.sandbox.starter import launch
        from arena.model import Limits
        child = launch(survey().shape, Program(argv=("sleep", "1000"), folder=Path({str(tmp_path)!r})), Limits())
        os.kill(os.getpid(), signal.SIGKILL)
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], env=environment) as referee:
        referee.wait(20)
        pattern = f"arena-{referee.pid}-*"
    assert [folder for parent in cgroup.parents().values() for folder in parent.glob(pattern)]
    deadline_s = time.monotonic() + 5
    while [folder for parent in cgroup.parents().values() for folder in parent.glob(pattern)]:
        assert time.monotonic() < deadline_s
        time.sleep(0.01)
        cgroup.parents.cache_clear()


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.timeout(900)
def test_a_thousand_games_in_a_row_leave_nothing_behind(tmp_path: Path) -> None:
    play(SHAPES["full"], 2, tmp_path)
    before = belongings()
    play(SHAPES["full"], 1000, tmp_path)
    assert belongings() == before
    assert before["groups"] == []


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_referee_killed_at_any_instant_takes_its_bots_along(tmp_path: Path) -> None:
    code = """
        import random, sys, time
        from pathlib import Path
        from arena.model import Limits
        from arena.sandbox import Program, survey
        from arena.sandbox.starter import launch
        shape = survey().shape
        print("ready", flush=True)
        while True:
            child = launch(shape, Program(argv=("sleep", "1000", sys.argv[1]), folder=Path(sys.argv[2])), Limits())
            child.release(20)
            child.close()
    """
    chance = random.Random(3)
    for _ in range(40):
        word = f"{secrets.randbits(60)}"
        argv = [sys.executable, "-c", textwrap.dedent(code), word, str(tmp_path)]
        with subprocess.Popen(
            argv, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        ) as one:
            assert one.stdout is not None
            assert one.stdout.readline() == b"ready\n"
            time.sleep(chance.uniform(0, 0.1))
            one.kill()
        deadline_s = time.monotonic() + 2
        while processes_with(word):
            assert time.monotonic() < deadline_s, "a bot outlived its referee"
            time.sleep(0.01)
