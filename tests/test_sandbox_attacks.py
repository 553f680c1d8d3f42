"""The attack suite: nothing gets out of the full set, for root and for an ordinary user."""

import os
import re
import select
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from arena.model import Limits
from arena.sandbox import Program, attack, survey, tree
from arena.sandbox.attack import Verdict
from arena.sandbox.starter import PLAIN, Shape, launch

ROOT = Path(__file__).parents[1]
FULL = survey().shape
UNGROUPED = survey(frozenset({"cgroup"})).shape
FALLBACK = survey(frozenset({"userns"})).shape

# Attacks by family, from the programs themselves: a family that stops in the middle is no success.
LEAST = {"files": 69, "processes": 35, "kernel": 60, "channels": 21, "limits": 33, "network": 39}
HELD_BY_NAMESPACES_ALONE = {"host_name"}  # what the fallback lets through


def escapes(verdicts: list[Verdict]) -> dict[str, str]:
    return {verdict.attack: verdict.how for verdict in verdicts if verdict.escaped}


def test_every_family_has_its_program() -> None:
    assert set(LEAST) == set(attack.FAMILIES)
    source = attack.programs()
    assert source is not None
    assert {path.stem for path in source.glob("*.py")} == {*attack.FAMILIES, "attempt", "bombs"}


@pytest.mark.parametrize("family", attack.FAMILIES)
def test_nothing_gets_out_of_the_full_set(family: str) -> None:
    verdicts = attack.run(family, FULL)
    assert escapes(verdicts) == {}
    assert len(verdicts) >= LEAST[family]


@pytest.mark.parametrize(
    "family",
    [
        family if family in ("files", "processes") else pytest.param(family, marks=pytest.mark.slow)
        for family in attack.FAMILIES
    ],
)
def test_the_fallback_lets_through_what_it_is_known_to(family: str) -> None:
    verdicts = attack.run(family, FALLBACK)
    assert escapes(verdicts).keys() <= HELD_BY_NAMESPACES_ALONE
    assert len(verdicts) >= LEAST[family] - 2  # an ordinary user's bombs are ended by the watchdog


# As an ordinary user

PROBE = """
import json, sys
from arena.sandbox import attack, survey
from arena.sandbox.starter import PLAIN
shape = {"full": survey().shape, "fallback": survey(frozenset({"userns"})).shape, "off": PLAIN}[sys.argv[1]]
for family in attack.FAMILIES:
    for verdict in attack.run(family, shape):
        print(json.dumps([verdict.family, verdict.attack, verdict.verdict, verdict.how]))
"""


def python_for_everybody() -> str:
    """An interpreter of this version that an ordinary user can reach: root's own may be in root's home."""
    names = (sys.executable, f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}")
    for name in names:
        real = Path(name).resolve()
        if real.exists() and all(folder.stat().st_mode & 0o001 for folder in real.parents):
            return name
    pytest.skip("no interpreter that an ordinary user can reach")


@cache
def as_ordinary_user(level: str) -> tuple[Verdict, ...]:
    import msgspec

    packages = f"{ROOT}{os.pathsep}{Path(msgspec.__file__).parents[1]}"
    user = {"user": 12345, "group": 12345, "extra_groups": ()} if os.geteuid() == 0 else {}
    run = subprocess.run(
        [python_for_everybody(), "-c", PROBE, level],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1", "HOME": "/"},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        **user,  # type: ignore[call-overload]
    )
    assert run.returncode == 0, run.stderr[-3000:]
    import json

    return tuple(Verdict(*json.loads(line)) for line in run.stdout.splitlines())


def test_nothing_gets_out_of_an_ordinary_users_full_set() -> None:
    verdicts = list(as_ordinary_user("full"))
    assert escapes(verdicts) == {}
    assert len(verdicts) >= sum(LEAST.values())


@pytest.mark.slow
def test_an_ordinary_users_fallback_lets_through_what_it_is_known_to() -> None:
    assert escapes(list(as_ordinary_user("fallback"))).keys() <= HELD_BY_NAMESPACES_ALONE


@pytest.mark.slow
def test_the_attacks_are_real_without_a_sandbox_they_succeed() -> None:
    got_out = escapes(list(as_ordinary_user("off")))
    assert len(got_out) >= 80
    assert {
        "read_secret",
        "write_own_program",
        "connect_tcp",
        "kill_sibling",
        "io_uring",
        "flock",
        "many_processes",
    } <= (got_out.keys())


@pytest.mark.skipif(os.geteuid() != 0, reason="for root alone")
def test_root_is_not_attacked_without_a_sandbox() -> None:
    with pytest.raises(ValueError, match="not for root"):
        attack.run("files", PLAIN)


# Bombs

BOMBS = Limits(memory_mb=64, processes=16, disk_mb=4, cpu_s=1)
QUICK = {"memory_one": "memory", "inodes_in_tmp": "disk", "inodes_in_shm": "disk", "disk": None}
HEAVY = {
    "memory_many": "memory",
    "memory_shared": "memory",
    "memory_swapped_between_children": "memory",
    "page_tables": "memory",
    "cpu": "cpu",
    "cpu_in_children": "cpu",
    "cpu_in_children_nobody_waits_for": "cpu",
}
ENDLESS = ("forks", "threads", "deaf", "many_descendants", "stdout_flood", "stderr_flood")
COUNTS = {"group": FULL, "watchdog": UNGROUPED, "fallback": FALLBACK}


def explode(name: str, shape: Shape, seconds: float) -> tuple[str | None, int | None, float]:
    """(breach, exit status, seconds from the decision to kill until all descendants were gone)"""
    source = attack.programs()
    assert source is not None
    child = launch(shape, Program(argv=("python3", "bombs.py", name), folder=source), BOMBS)
    try:
        child.release(20)
        deadline_s = time.monotonic() + seconds
        while child.exit_status() is None and time.monotonic() < deadline_s:
            time.sleep(0.005)
        status = child.exit_status()
        everybody = list(tree.descendants(child.pid))
        decided_s = time.monotonic()
        child.kill()
        while select.select([child.stdout], [], [], 5)[0]:
            if not os.read(child.stdout, 1 << 20):
                break
        gone_s = time.monotonic() - decided_s
        breach = child.breach()
    finally:
        child.close()
    assert [pid for pid in everybody if tree.state(pid) not in ("", "Z")] == []
    return breach, status, gone_s


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("count", ["group", "watchdog"])
def test_a_bomb_is_ended_and_named(name: str, count: str) -> None:
    breach, status, _ = explode(name, COUNTS[count], 30)
    assert breach == QUICK[name]
    assert status not in (None, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", HEAVY)
@pytest.mark.parametrize("count", COUNTS)
def test_a_heavy_bomb_is_ended_and_named(name: str, count: str) -> None:
    breach, status, _ = explode(name, COUNTS[count], 60)
    assert breach == HEAVY[name]
    assert status is None or status != 0


def test_a_fork_bomb_is_gone_within_a_tenth_of_a_second() -> None:
    gone_s = min(explode("forks", FULL, 0.5)[2] for _ in range(3))
    assert gone_s < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
@pytest.mark.parametrize("count", COUNTS)
def test_what_goes_on_for_ever_is_gone_within_a_tenth_of_a_second(name: str, count: str) -> None:
    gone_s = min(explode(name, COUNTS[count], 1.0)[2] for _ in range(3))
    assert gone_s < 0.1


@pytest.mark.parametrize("name", ["daemon", "holder_of_stdout"])
def test_nothing_outlives_the_bot(name: str) -> None:
    """The bot's own end takes its daemons with it, and closes the pipe that they hold."""
    breach, status, gone_s = explode(name, FULL, 10)
    assert (breach, status) == (None, 0)
    assert gone_s < 0.1


@pytest.mark.parametrize("name", ["daemon", "holder_of_stdout"])
def test_nothing_outlives_the_kill_in_the_fallback(name: str) -> None:
    assert explode(name, FALLBACK, 2)[2] < 1.0


def test_the_documentation_has_the_counts() -> None:
    text = (ROOT / "docs/sandbox.md").read_text(encoding="utf-8")
    found = re.search(r"\| all \| (\d+) \|", text)
    assert found is not None
    assert int(found[1]) >= sum(LEAST.values())
