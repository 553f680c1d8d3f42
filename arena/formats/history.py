"""What the finished rounds say about each entrant, as Swiss pairings need it."""

from collections import Counter

import msgspec

from arena.formats import Field
from arena.formats.scoring import Scoring, points


class History(msgspec.Struct, kw_only=True):
    """One entrant's past. `seats` are those of the first legs, oldest first; points are half points."""

    entrant: str
    seed: int  # from 0, the strongest first
    half_points: int = 0
    seats: list[int] = []
    met: Counter[str] = msgspec.field(default_factory=Counter)
    byes: int = 0

    @property
    def imbalance(self) -> int:
        """How much oftener in seat 0 than in seat 1."""
        return len(self.seats) - 2 * sum(self.seats)


def histories(field: Field, scoring: Scoring) -> dict[str, History]:
    """The past of every entrant, absent ones included, in seeding order."""
    found = {entrant: History(entrant=entrant, seed=seed) for seed, entrant in enumerate(field.entrants)}
    for results in field.rounds:
        for result in results:
            a, b = result.pairing.entrants
            mine, theirs = points(result, scoring)
            found[a].half_points += mine
            if b is None:
                found[a].byes += 1
                continue
            found[b].half_points += theirs
            for entrant, opponent, seat in ((a, b, 0), (b, a, 1)):
                found[entrant].met[opponent] += 1
                found[entrant].seats.append(seat)
    return found


def ranked(past: list[History]) -> list[History]:
    """By points, then by seed."""
    return sorted(past, key=lambda entrant: (-entrant.half_points, entrant.seed))
