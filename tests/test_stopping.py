"""Who is not on move is stopped: at once as a rule, and when the opponent takes its time after a quick answer."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena import sandbox
from arena.bot import process
from arena.bot.process import Process
from arena.model import Limits

ECHO = "import sys\nfor line in sys.stdin:\n    sys.stdout.write(line); sys.stdout.flush()\n"
SLEEPER = "import sys, time\nfor line in sys.stdin:\n    time.sleep(0.05); print('late', flush=True)\n"
PONDERER = f"import os\nwhile not os.fork():\n    while True: pass\n{ECHO}"


class Pair:
    """Two bots that play against each other, and the process of the first one."""

    def __init__(self, first: Process, second: Process, child: sandbox.Child) -> None:
        self.first, self.second, self.child = first, second, child

    def ask(self, bot: Process) -> None:
        until_s = time.monotonic() + 5
        bot.send(b"?\n", until_s)
        assert bot.receive(until_s).line is not None
        bot.rest()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def pair(stack: ExitStack, folder: Path, first: str, second: str) -> Pair:
    bots, children = [], []
    for name, source in (("first", first), ("second", second)):
        home = folder / name
        home.mkdir()
        (home / "bot.py").write_text(source)
        program = sandbox.Program(argv=("python3", "bot.py"), folder=home)
        children.append(sandbox.start(program, Limits(), mode=sandbox.Mode.OFF))
        bots.append(Process(children[-1]))
        stack.callback(bots[-1].close)
    for bot, other in (bots, reversed(bots)):
        bot.meet([other])
        bot.begin()
    return Pair(bots[0], bots[1], children[0])


def is_stopped(child: sandbox.Child) -> bool:
    until_s = time.monotonic() + 1
    while time.monotonic() < until_s:
        if Path(f"/proc/{child.pid}/stat").read_text().rpartition(") ")[2][0] == "T":
            return True
        time.sleep(0.001)
    return False


def test_a_slow_answer_is_followed_by_a_stop(stack: ExitStack, tmp_path: Path) -> None:
    both = pair(stack, tmp_path, SLEEPER, ECHO)
    both.ask(both.first)
    assert is_stopped(both.child)


def test_a_quick_answer_is_followed_by_a_stop_only_when_the_opponent_takes_its_time(
    stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "QUICK_S", 5.0)  # the machine may be slow
    both = pair(stack, tmp_path, ECHO, SLEEPER)
    both.ask(both.first)
    assert Path(f"/proc/{both.child.pid}/stat").read_text().rpartition(") ")[2][0] != "T"
    both.ask(both.second)
    assert is_stopped(both.child)
    both.ask(both.first)  # and it goes on when it is asked again


def test_an_opponent_that_does_not_read_has_the_other_one_stopped_too(
    stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "QUICK_S", 5.0)
    both = pair(stack, tmp_path, ECHO, SLEEPER)
    both.ask(both.first)
    until_s = time.monotonic() + 5
    both.second.send(b"?" * (1 << 20) + b"\n", until_s)  # more than a pipe holds
    assert is_stopped(both.child)


def test_who_used_its_opponents_turn_is_stopped_at_once_from_then_on(
    stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = pair(stack, tmp_path, PONDERER, ECHO)
    both.ask(both.first)
    monkeypatch.setattr(both.first, "_ponder", True)  # it was not stopped, whatever the reason
    until_s = time.thread_time() + 0.05
    both.ask(both.first)
    while time.thread_time() < until_s:
        os.getpid()
    time.sleep(0.1)
    monkeypatch.setattr(both.first, "_ponder", False)
    monkeypatch.setattr(process, "QUICK_S", 0.02)
    both.ask(both.first)
    assert is_stopped(both.child)
