"""Events played in memory for the tests of formats and standings: any format, random results, withdrawals."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from arena import formats
from arena.formats import Field, Round
from arena.formats.scoring import bye_result
from arena.model import Pairing, PairingResult

VECTORS = Path(__file__).parent / "vectors"
HALF_POINTS = {"1": 2, "=": 1, "0": 0, "+": 2, "-": 0, "U": 2, "H": 1, "Z": 0}


def vectors(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))


def names(count: int) -> tuple[str, ...]:
    return tuple(f"b{k}" for k in range(1, count + 1))


def result(pairing: Pairing, first: int, games: int = 1) -> PairingResult:
    """The first entrant's half points; the second has the rest."""
    return PairingResult(pairing=pairing, half_points=(first, 2 * games - first), games=games)


def play(
    name: str,
    settings: Any,
    entrants: int,
    rng: Random,
    *,
    games: int = 2,
    withdraw_percent: int = 0,
    most_rounds: int = 200,
) -> tuple[Field, list[Round]]:
    """The event to its end, with the rounds as the format gave them. After each round some may withdraw."""
    format_ = formats.load(name)
    field = Field(entrants=names(entrants))
    rounds: list[Round] = []
    while (made := format_.next_round(field, settings)) is not None:
        assert len(rounds) < most_rounds, "the format does not end"
        rounds.append(made)
        results = tuple(
            bye_result(pairing, format_.scoring(settings), games_per_pairing=games)
            if pairing.is_bye
            else result(pairing, rng.randint(0, 2 * games), games)
            for pairing in made.pairings
        )
        gone = {entrant for entrant in field.entrants if rng.randrange(100) < withdraw_percent}
        field = Field(entrants=field.entrants, rounds=(*field.rounds, results), absent=field.absent | gone)
    return field, rounds


def pairs(rounds: list[Round]) -> Counter[frozenset[str]]:
    """How often each pair met."""
    return Counter(frozenset(p.entrants) for made in rounds for p in made.pairings if not p.is_bye)  # type: ignore[arg-type]


def byes(rounds: list[Round]) -> Counter[str]:
    return Counter(p.entrants[0] for made in rounds for p in made.pairings if p.is_bye)


def imbalances(rounds: list[Round]) -> Counter[str]:
    """How much oftener each sat in seat 0 than in seat 1."""
    found: Counter[str] = Counter()
    for made in rounds:
        for pairing in made.pairings:
            if not pairing.is_bye:
                found[pairing.entrants[0]] += 1
                found[str(pairing.entrants[1])] -= 1
    return found


def published(case: dict[str, Any]) -> Field:
    """A position of the vectors as a field. Where white was not drawn for the top seed, the seats are exchanged."""
    ids = names(case["players"])
    exchanged = case["initial_seat"] == "black"
    rounds = []
    for number, rows in enumerate(case["history"], start=1):
        results: list[PairingResult] = []
        for player, opponent, seat, took in rows:
            pairing = Pairing(
                round=number,
                number=len(results) + 1,
                entrants=(ids[player - 1], ids[opponent - 1] if opponent else None),
            )
            if opponent and (seat == "w") != exchanged:
                results.append(result(pairing, HALF_POINTS[took]))
            elif took == "U":
                results.append(PairingResult(pairing=pairing, half_points=(2, 0), games=0))
        rounds.append(tuple(results))
    absent = frozenset(ids[int(player) - 1] for player in case.get("absent_next", {}))
    return Field(entrants=ids, rounds=tuple(rounds), absent=absent)


def seat_pairs(made: Round, *, exchanged: bool) -> list[list[int]]:
    """The round as pairs of numbers, white first, 0 for a bye, sorted."""
    found = []
    for pairing in made.pairings:
        a, b = (int(entrant[1:]) if entrant else 0 for entrant in pairing.entrants)
        found.append([b, a] if exchanged and b else [a, b])
    return sorted(found)
