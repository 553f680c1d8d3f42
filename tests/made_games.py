"""Games of made-up events in schedule order, with every way to end that a game has."""

from random import Random
from types import SimpleNamespace

from arena import schedule
from arena.formats import Round, numbered
from arena.model import Fault, GameResult, Pairing

ENDS = "WDLwl+-0"


def made_games(rng: Random, *, scope: str) -> tuple[list[str], list[Pairing], list[GameResult]]:
    """Entrants, pairings of all rounds and the games played so far."""
    names = rng.sample(["ann", "bob", "cid", "dan", "eve"], rng.randint(2, 5))
    config = SimpleNamespace(
        paired=rng.random() < 0.7,
        deals=rng.choice(["shared", "per-pairing"]),
        scope=scope,
        deals_per_pairing=rng.choice([1, 2, 3, 63, 64, 65, 150]),
    )
    rounds = []
    for number in range(1, rng.randint(1, 3) + 1):
        order = rng.sample(names, len(names))
        pairs = [(order[k], order[k + 1] if k + 1 < len(order) else None) for k in range(0, len(order), 2)]
        rounds.append(Round(pairings=numbered(number, pairs)))
    parts = [(*part, seats) for seats, sitting in schedule.in_order(rounds, config) for part in sitting]
    ends = rng.choice([ENDS, "WDL", "-", "+0", "WL"])
    played = rng.choice([len(parts), rng.randint(0, len(parts))])
    games = [
        _game(number, pairing, deal, leg, seats, rng.choice(ends), rng)
        for number, pairing, deal, leg, seats in parts[:played]
    ]
    return names, [pairing for round_ in rounds for pairing in round_.pairings], games


def _game(
    number: int, pairing: Pairing, deal: int, leg: int, seats: tuple[str, str], end: str, rng: Random
) -> GameResult:
    """A game that ended so for the pairing's first entrant, and perhaps with forgiven faults."""
    first, second = leg, 1 - leg  # their seats
    took = {"W": 2, "w": 2, "+": 2, "D": 1}.get(end, 0)
    half_points = [0, 0]
    half_points[first] = took
    half_points[second] = 0 if end == "0" else 2 - took
    loser = {"w": second, "+": second, "l": first, "-": first}.get(end)
    guilty = [0, 1] if end == "0" else [] if loser is None else [loser]
    forgiven = [rng.randrange(2) for _ in range(rng.choice([0, 0, 0, 2]))]
    return GameResult(
        number=number,
        round=pairing.round,
        pairing=pairing.number,
        deal=deal,
        leg=leg,
        entrants=seats,
        half_points=(half_points[0], half_points[1]),
        reason="double-forfeit" if end == "0" else "exit" if guilty else "points",
        plies=0 if end in "+-0" else rng.randint(1, 40),
        forfeit_by=loser,
        faults=tuple(
            Fault(seat=seat, code=rng.choice(["exit", "timeout"]), ply=0, text="it did") for seat in forgiven + guilty
        ),
    )
