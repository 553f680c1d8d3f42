"""Workers that die, and their way into the log."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from itertools import chain
from pathlib import Path

import pytest

from arena import match
from arena.errors import HostFailure
from arena.executor.local import LocalExecutor, cores_by_slot
from arena.executor.spread import spread
from arena.match import Sitting
from arena.sandbox import tree


class Job(Sitting, frozen=True, kw_only=True):
    """A sitting whose play the tests replace."""

    name: str


def job(name: str) -> Job:
    return Job(
        name=name,
        game="",
        options={},
        limits=None,  # type: ignore[arg-type]
        policies=None,  # type: ignore[arg-type]
        contenders=(),  # type: ignore[arg-type]
        games=(),
    )


def file_handler(path: Path) -> logging.Handler:
    handler = logging.FileHandler(path)
    handler.setFormatter(logging.Formatter("%(message)s"))
    return handler


def play_all(executor: LocalExecutor, names: list[str]) -> dict[str, object]:
    return {names[place]: found for place, found in chain.from_iterable(executor.play(job(name) for name in names))}


def test_the_worker_is_pinned_and_the_results_carry_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(sitting: Job, *, slot: int, cores: frozenset[int]) -> object:
        assert os.sched_getaffinity(0) == cores
        return sitting.name, slot

    monkeypatch.setattr(match, "play_sitting", play)
    names = [f"job {n}" for n in range(20)]
    with LocalExecutor(2) as executor:
        found = play_all(executor, names)
    assert {name for name, _ in found.values()} == set(names)  # type: ignore[misc]
    assert all(result[0] == name for name, result in found.items())  # type: ignore[index]
    assert {slot for _, slot in found.values()} == {0, 1}  # type: ignore[misc]


def test_what_came_in_meanwhile_is_handed_on_at_once_and_before_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(sitting: Job, *, slot: int, cores: frozenset[int]) -> object:
        if sitting.name == "fails":
            raise HostFailure("this machine cannot")
        return sitting.name

    monkeypatch.setattr(match, "play_sitting", play)
    names = ["a", "b", "fails", "c"]
    batches = []

    def collect(executor: LocalExecutor) -> None:
        for finished in executor.play(job(name) for name in names):
            batches.append([names[place] for place, _ in finished])
            while not all(waiting.future.done() for waiting in executor._slots[0]._jobs if waiting.future is not None):
                time.sleep(0.01)

    with LocalExecutor(1) as executor, pytest.raises(HostFailure, match="this machine cannot"):
        collect(executor)
    assert sorted(chain.from_iterable(batches)) in (["a", "b"], ["a", "b", "c"])
    assert len(batches) < 4


def test_a_sitting_that_kills_its_worker_is_tried_three_times_and_then_the_machine_is_blamed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def play(sitting: Job, *, slot: int, cores: frozenset[int]) -> object:
        if sitting.name == "bomb":
            os.kill(os.getpid(), signal.SIGKILL)
        return sitting.name

    monkeypatch.setattr(match, "play_sitting", play)
    with LocalExecutor(1) as executor, pytest.raises(HostFailure, match="lost its worker 3 times"):
        play_all(executor, ["a", "b", "bomb", "c"])


def test_a_dead_worker_costs_its_neighbours_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def play(sitting: Job, *, slot: int, cores: frozenset[int]) -> object:
        mark = tmp_path / sitting.name
        if sitting.name.startswith("bomb") and not mark.exists():
            mark.write_text("")
            os.kill(os.getpid(), signal.SIGKILL)
        return sitting.name

    monkeypatch.setattr(match, "play_sitting", play)
    names = [f"{'bomb' if n % 3 == 0 else 'job'} {n}" for n in range(12)]
    with LocalExecutor(2) as executor:
        assert play_all(executor, names) == {name: name for name in names}


def test_a_worker_that_dies_between_two_answers_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "play_sitting", lambda sitting, **_: [sitting.name])
    names = [f"job {n}" for n in range(6)]
    found = {}
    with LocalExecutor(1) as executor:
        for place, answers in chain.from_iterable(executor.play(job(name) for name in names)):
            found[names[place]] = answers
            if len(found) == 1:
                pool = executor._slots[0]._pool
                os.kill(executor._slots[0]._worker.result(), signal.SIGKILL)
                while not pool._broken:
                    time.sleep(0.01)
    assert found == {name: [name] for name in names}


def test_a_worker_killed_in_the_middle_of_a_record_hangs_nobody_and_loses_nobody_elses_records(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The victim writes records as fast as it can while it is killed; a dead process may hold its queue's lock."""
    log = logging.getLogger("arena.test")

    def play(sitting: Job, *, slot: int, cores: frozenset[int]) -> object:
        mark = tmp_path / sitting.name
        if sitting.name.startswith("victim") and not mark.exists():
            mark.write_text("")
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGKILL)).start()
            while True:
                log.info("x" * 50_000)
        for n in range(50):
            log.info("record %d of %s", n, sitting.name)
        return sitting.name

    monkeypatch.setattr(match, "play_sitting", play)
    handler = file_handler(tmp_path / "log")
    names = [f"{'victim' if n % 4 == 1 else 'job'} {n}" for n in range(12)]
    began_s = time.monotonic()
    logger = logging.getLogger("arena")
    level = logger.level
    logger.setLevel(logging.INFO)
    try:
        with LocalExecutor(2, handlers=[handler]) as executor:
            found = play_all(executor, names)
    finally:
        logger.setLevel(level)
        handler.close()
    assert found == {name: name for name in names}
    assert time.monotonic() - began_s < 20
    lines = set((tmp_path / "log").read_text().splitlines())
    missing = [f"record {n} of {name}" for name in names for n in range(50) if f"record {n} of {name}" not in lines]
    lost = {text.split(" of ")[1] for text in missing}
    assert not any(name.startswith("job") for name in lost), f"{len(missing)} records lost, of {sorted(lost)}"


def test_workers_die_with_their_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    parent = os.fork()
    if parent == 0:
        os.close(reader)
        monkeypatch.setattr(match, "play_sitting", lambda *_, **__: os.write(writer, b"up ") and time.sleep(60))
        list(LocalExecutor(2).play([job("a"), job("b")]))
        os._exit(0)
    os.close(writer)
    assert len(os.read(reader, 3)) == 3
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    while os.read(reader, 100):  # the end of the pipe: nobody holds its other side any more
        pass
    os.close(reader)


def test_cores_are_shared_out() -> None:
    cores = sorted(os.sched_getaffinity(0))
    assert cores_by_slot(1) == [frozenset(cores)]
    assert [set(part) for part in cores_by_slot(len(cores))] == [{core} for core in cores]
    assert len(cores_by_slot(3 * len(cores))) == 3 * len(cores)


def slow_square(number: int) -> int:
    time.sleep(0.05 if number == 0 else 0)
    if number == 7:
        raise ValueError("seven")
    return number * number


@pytest.mark.parametrize("workers", [1, 3])
def test_results_of_a_spread_come_in_order_and_an_exception_in_its_place(workers: int) -> None:
    found = []
    with pytest.raises(ValueError, match="seven"), spread(workers) as side_by_side:  # noqa: PT012
        for square in side_by_side(slow_square, range(20)):
            found.append(square)  # noqa: PERF402
    assert found == [0, 1, 4, 9, 16, 25, 36]


def test_a_process_of_a_spread_that_dies_is_said() -> None:
    with spread(2) as side_by_side, pytest.raises(HostFailure, match="a process died at work"):
        list(side_by_side(_die, range(4)))


def _die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


SPREAD = """
import os, time
from arena.cli import interrupt
from arena.executor.spread import spread

def work(number):
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(30)

with interrupt.once(), spread(2) as side_by_side:
    list(side_by_side(work, range(6)))
"""


@pytest.mark.parametrize("signals", [[signal.SIGINT], [signal.SIGINT] * 2, [signal.SIGTERM], [signal.SIGKILL]])
def test_nothing_is_left_of_a_spread_that_is_stopped_at_work(signals: list[int], tmp_path: Path) -> None:
    path = tmp_path / "spread.py"
    path.write_text(SPREAD)
    argv = [sys.executable, str(path)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        children = [int(process.stdout.readline()) for _ in range(2)]
        for number in signals:
            process.send_signal(number)
            time.sleep(0.05)
        assert process.wait(10) != 0
    until_s = time.monotonic() + 5
    while any(tree.state(pid) not in ("", "Z") for pid in children):
        assert time.monotonic() < until_s, "a child works on"
        time.sleep(0.02)
