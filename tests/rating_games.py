"""Games for the tests of ratings and exports: from lists, and drawn at random from known strengths."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from arena.model import GameResult

VECTORS = Path(__file__).parent / "vectors"
HALF_POINTS = {"1-0": (2, 0), "1/2-1/2": (1, 1), "0-1": (0, 2)}


def vector(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text())


def game(
    number: int,
    zero: str,
    one: str,
    result: str = "1-0",
    *,
    deal: int | None = None,
    leg: int = 0,
    round_: int = 1,
    pairing: int = 1,
    forfeit_by: int | None = None,
) -> GameResult:
    return GameResult(
        number=number,
        round=round_,
        pairing=pairing,
        deal=number if deal is None else deal,
        leg=leg,
        entrants=(zero, one),
        half_points=HALF_POINTS[result],
        reason="test",
        plies=20,
        forfeit_by=forfeit_by,
    )


def listed(rows: Sequence[Sequence[str]]) -> list[GameResult]:
    """Games on deals of their own, from rows of seat 0, seat 1, result."""
    return [game(number, *row) for number, row in enumerate(rows, start=1)]


def names_in(rows: Sequence[Sequence[str]]) -> list[str]:
    return sorted({name for row in rows for name in row[:2]})


def event(
    random: Random,
    elo: Sequence[float],
    *,
    deals: int,
    luck: float,
    draws: float = 0.2,
    seat: float = 30.0,
    shared: bool = False,
    legs: int = 2,
) -> tuple[list[str], list[GameResult]]:
    """All meet all on `deals` deals with seats exchanged; each game's score has the Elo expectation exactly.

    With probability `luck` a game is decided by its deal's one number, which favours the same seat in all games on the
    deal; else by a number of its own.
    """
    names = [f"bot{k:02d}" for k in range(len(elo))]
    common = [random.random() for _ in range(deals)]
    games: list[GameResult] = []
    pairing = 0
    for i in range(len(elo)):
        for j in range(i + 1, len(elo)):
            pairing += 1
            for k in range(deals):
                deal_number = common[k] if shared else random.random()
                for leg, (zero, one) in enumerate(((i, j), (j, i))[:legs]):
                    drawn = deal_number if random.random() < luck else random.random()
                    expected = 1 / (1 + 10 ** (-(elo[zero] - elo[one] + seat) / 400))
                    half = min(draws / 2, expected, 1 - expected)
                    result = "1-0" if drawn < expected - half else "1/2-1/2" if drawn < expected + half else "0-1"
                    deal = k if shared else pairing * 10_000 + k
                    number = len(games) + 1
                    games.append(game(number, names[zero], names[one], result, deal=deal, leg=leg, pairing=pairing))
    return names, games
