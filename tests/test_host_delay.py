"""Whose fault is it when a machine is too busy? Never that of a bot which needed less than its time."""

import contextlib
from pathlib import Path
from typing import Any

import pytest
import zoo
from test_misbehaving import loaded, nim

from arena import clock, match
from arena.executor.local import LocalExecutor
from arena.model import Limits

__all__ = ["nim"]  # a fixture
GAMES = 60
BUSY = 4  # busy processes on each core


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", [True, False], ids=["woken first", "without the right to be woken first"])
def test_no_honest_bot_loses_on_time_on_a_loaded_machine(
    first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every answer takes under a millisecond of CPU; the limit is less than a loaded core makes a process wait."""
    if not first:
        monkeypatch.setattr(match, "woken_first", contextlib.nullcontext)
    (row,) = [row for row in zoo.rows() if row.bot == "crlf"]
    limits = Limits(startup_s=5, move_s=0.01)
    with loaded(each=BUSY), LocalExecutor(2) as executor:
        sittings = [_with(zoo.sitting(row, tmp_path, seat=n % 2, first=n // 2 % 2), limits) for n in range(GAMES)]
        played = [game for finished in executor.play(sittings) for _, games in finished for game in games]
    assert len(played) == GAMES
    faults = [(fault.code, fault.text) for game in played for fault in game.result.faults]
    voids = sum(len(game.voids) for game in played)
    longest_ms = max(game.max_host_delay_ms for game in played)
    print(f"{GAMES} games, {voids} tries void, longest delay by the host {longest_ms:.1f} ms")
    assert not faults, f"{len(faults)} faults, {voids} voids"
    assert longest_ms > 1, "the machine was not loaded"


def _with(sitting: Any, limits: Limits) -> Any:
    import msgspec

    return msgspec.structs.replace(sitting, limits=limits)


def test_a_thread_is_woken_first_only_where_that_is_allowed_and_only_meanwhile() -> None:
    import os

    before = os.sched_getscheduler(0)
    with clock.woken_first():
        assert os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK in (os.SCHED_FIFO, before)
    assert os.sched_getscheduler(0) == before
