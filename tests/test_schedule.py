"""Numbered games from pairings: each deal in both seats, once, in sittings that end."""

from pathlib import Path
from typing import Any

import pytest

from arena import config as configs
from arena import schedule
from arena.config import Config
from arena.formats import Round
from arena.model import Pairing

CONFIG = """
event: long
game: hidden-leaders-duel
format: round-robin
scope: {scope}
deals: {deals}
paired: {paired}
deals_per_pairing: {count}
bots: [{{id: a, path: bot.py}}, {{id: b, path: bot.py}}, {{id: c, path: bot.py}}]
"""
ROUNDS = [
    Round(
        pairings=(Pairing(round=1, number=1, entrants=("a", "b")), Pairing(round=1, number=2, entrants=("c", None))),
    ),
    Round(
        pairings=(Pairing(round=2, number=1, entrants=("b", "c")), Pairing(round=2, number=2, entrants=("a", None))),
    ),
]


def made(tmp_path: Path, **facts: Any) -> Config:
    (tmp_path / "bot.py").write_text("print()\n")
    path = tmp_path / "long.yaml"
    path.write_text(CONFIG.format(**{"scope": "sitting", "deals": "shared", "paired": "true", "count": 250} | facts))
    return configs.load(path)


@pytest.mark.parametrize("deals", ["shared", "per-pairing"])
@pytest.mark.parametrize("paired", ["true", "false"])
@pytest.mark.parametrize("scope", ["game", "sitting"])
def test_every_deal_is_played_once_in_each_leg_and_by_no_process_twice(
    tmp_path: Path, scope: str, paired: str, deals: str
) -> None:
    config = made(tmp_path, scope=scope, paired=paired, deals=deals)
    sittings = list(schedule.in_order(ROUNDS, config))
    parts = [part for _, sitting in sittings for part in sitting]
    assert [number for number, *_ in parts] == list(range(1, len(parts) + 1))
    assert len(parts) == sum(schedule.game_count(round_, config) for round_ in ROUNDS)
    legs = (0, 1) if paired == "true" else (0,)
    expected = {(1, deal, leg) for deal in range(250) for leg in legs}
    # The next round has deals of its own, shared or not.
    expected |= {(2, 250 + deal, leg) for deal in range(250) for leg in legs}
    assert {(pairing.round, deal, leg) for _, pairing, deal, leg in parts} == expected
    for seats, sitting in sittings:
        (pairing,) = {(pairing.round, pairing.entrants) for _, pairing, _, _ in sitting}
        (leg,) = {leg for *_, leg in sitting}
        assert seats == (pairing[1] if leg == 0 else pairing[1][::-1])
        assert len({deal for _, _, deal, _ in sitting}) == len(sitting)


def test_a_sitting_ends_after_a_hundred_games(tmp_path: Path) -> None:
    sittings = [parts for _, parts in schedule.in_order(ROUNDS[:1], made(tmp_path))]
    assert [(len(parts), parts[0][3], parts[0][2]) for parts in sittings] == [
        (100, 0, 0),
        (100, 1, 0),
        (100, 0, 100),
        (100, 1, 100),
        (50, 0, 200),
        (50, 1, 200),
    ]
