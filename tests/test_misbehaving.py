"""The hostile zoo: real processes in the full sandbox, each row of the table against its exact verdict."""

import multiprocessing
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import pytest
import zoo

from arena import games, sandbox
from arena.errors import FAULTS
from arena.executor.local import LocalExecutor

TABLE = zoo.rows()
TIMES = 20
PAGE = zoo.ROOT / "docs" / "misbehaving.md"
PROTOCOL = (zoo.ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module", autouse=True)
def nim() -> Iterator[None]:
    """The tiny game among the games of Arena, for workers that are forked from here on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(games.GAMES, "nim", "nim")
        games.load.cache_clear()
        yield
    games.load.cache_clear()


needs_sandbox = pytest.mark.skipif(
    sandbox.survey().level != "full", reason="the full sandbox is not to be had on this machine"
)


def play(rows: list[zoo.Row], folder: Path, *, turn: int = 0) -> dict[str, str]:
    """Play each row once; the problem of each bot whose verdict was not the table's.

    Seats and who begins change with `turn`, so that over four turns each bot has been in all positions.
    """
    problems = {}
    with LocalExecutor(2) as executor:
        places = [((turn + k) % 2, (turn // 2 + k // 2) % 2) for k in range(len(rows))]
        sittings = [
            zoo.sitting(row, folder, seat=seat, first=first) for row, (seat, first) in zip(rows, places, strict=True)
        ]
        for place, played in chain.from_iterable(executor.play(sittings)):
            row = rows[place]
            if problem := zoo.problem(row, zoo.found(played, seat=places[place][0])):
                problems[row.bot] = problem
    return problems


@needs_sandbox
def test_every_bot_of_the_zoo_meets_its_verdict_and_the_event_goes_on(tmp_path: Path) -> None:
    assert not play(TABLE, tmp_path)


@needs_sandbox
@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_every_verdict_is_met_20_times_in_a_row_on_loaded_cores(tmp_path: Path) -> None:
    with loaded():
        for turn in range(TIMES):
            problems = play(TABLE, tmp_path, turn=turn)
            assert not problems, f"turn {turn + 1} of {TIMES}"


@contextmanager
def loaded(*, each: int = 1) -> Iterator[None]:
    """`each` busy processes pinned to every core."""
    context = multiprocessing.get_context("fork")
    cores = sorted(os.sched_getaffinity(0)) * each
    burners = [context.Process(target=_burn, args=(core,), daemon=True) for core in cores]
    for burner in burners:
        burner.start()
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.join()


def _burn(core: int) -> None:
    os.sched_setaffinity(0, {core})
    while True:
        pass


def test_the_zoo_has_a_row_for_every_bot_and_a_bot_for_every_fault() -> None:
    assert len(TABLE) >= 50
    assert sorted(row.bot for row in TABLE) == sorted(path.stem for path in zoo.FOLDER.glob("*.py"))
    assert {row.verdict for row in TABLE} == {*FAULTS, "fine"}
    assert len({row.does for row in TABLE}) == len(TABLE)


def test_every_bot_says_what_the_table_says() -> None:
    for row in TABLE:
        assert row.path.read_text(encoding="utf-8").startswith(f'"""{row.does}"""\n'), row.bot


def test_the_fault_codes_are_those_of_the_protocols_page() -> None:
    section = PROTOCOL.split("\n## Faults\n")[1].split("\n### ")[0]
    assert dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", section, flags=re.MULTILINE)) == FAULTS


def test_the_page_is_made_from_the_table(update_golden: bool) -> None:
    if update_golden:
        PAGE.write_text(zoo.page(TABLE), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == zoo.page(TABLE)
