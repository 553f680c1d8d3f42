"""Swiss: equals meet equals, nobody meets anybody twice while that can be helped. Rules S1 to S10: docs/formats.md.

Each round is the perfect matching that costs least by the priorities of `_cost`, the most important first. There is
always one, however small the field and however many the rounds: where the rules cannot all be kept, the least
important gives way, and the round carries a note.
"""

import hashlib
from collections import Counter
from itertools import combinations

import msgspec

from arena.formats import Field, Round, numbered
from arena.formats.history import History, histories, ranked
from arena.formats.matching import Edge, cheapest
from arena.formats.scoring import Bye, Points, Scoring
from arena.formats.seats import SeatCost, both, seat_cost, seated

NAME = "swiss"
FIXED = False


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`rounds`: None is `default_rounds`. `points` and `bye`: see arena.formats.scoring."""

    rounds: int | None = None
    points: Points = "matches"
    bye: Bye = "win"

    def __post_init__(self) -> None:
        if self.rounds is not None and self.rounds < 1:
            raise ValueError(f"rounds: expected at least 1, found {self.rounds}")


def next_round(field: Field, settings: Settings) -> Round | None:
    """The least bad pairing of those present by their points so far."""
    if len(field.rounds) >= total_rounds(len(field.entrants), settings) or len(field.present) < 2:
        return None
    past = histories(field, scoring(settings))
    return pair(ranked([past[entrant] for entrant in field.present]), len(field.rounds) + 1)


def total_rounds(entrants: int, settings: Settings) -> int:
    if entrants < 2:
        return 0
    return default_rounds(entrants) if settings.rounds is None else settings.rounds


def default_rounds(entrants: int) -> int:
    """Two more than a knockout of so many would need, but no more than can always be played without a rematch."""
    return min((entrants - 1).bit_length() + 2, (entrants + 1) // 2)


def scoring(settings: Settings) -> Scoring:
    return Scoring(points=settings.points, bye=settings.bye, unplayed="count")


def precedence(field: Field, settings: Settings) -> dict[str, int]:  # noqa: ARG001
    """Points alone decide."""
    return {}


def pair(order: list[History], round_number: int) -> Round:
    """The cheapest round for entrants in the order of their rank."""
    size = len(order) + len(order) % 2  # an odd field's last node, one beyond the entrants, is the bye
    places = _places(order)
    seats = [(seat_cost(entrant, 0), seat_cost(entrant, 1)) for entrant in order]
    levels = sorted({entrant.half_points for entrant in order})
    costs: dict[Edge, tuple[int, ...]] = {
        (i, j): _bye_cost(order, i, levels) if j == len(order) else _cost(order, i, j, places, seats)
        for i, j in combinations(range(size), 2)
    }
    lots = {(i, j): _lot(round_number, order, i, j) for i, j in costs}
    pairs: list[tuple[str, str | None]] = []
    notes: list[str] = []
    for i, j in cheapest(size, costs, lots):
        if j == len(order):
            pairs.append((order[i].entrant, None))
            notes += _bye_note(order[i])
        else:
            pairs.append(seated(order[i], order[j]))
            notes += _rematch_note(order[i], order[j])
    return Round(pairings=numbered(round_number, pairs), notes=tuple(notes))


# The costs of a pair and of a bye by the same levels: S2 second bye, S3 rematches, S4 bye's score group, S5 seats
# out of bounds, S6 gap in points, S7 seat balance, S8 alternation, S9 the upper half of a group meets the lower half.


def _cost(
    order: list[History], i: int, j: int, places: list[tuple[int, int]], seats: list[tuple[SeatCost, SeatCost]]
) -> tuple[int, ...]:
    a, b = order[i], order[j]
    gap = a.half_points - b.half_points
    if gap == 0:
        (place_a, group), (place_b, _) = places[i], places[j]
        distance = place_b - place_a - group // 2
    else:
        distance = j - i - 1
    out, balance, repeated = min(both(seats[i][0], seats[j][1]), both(seats[i][1], seats[j][0]))
    return (0, a.met[b.entrant] ** 2, 0, out, gap**2, balance, repeated, distance**2)


def _bye_cost(order: list[History], i: int, levels: list[int]) -> tuple[int, ...]:
    return (order[i].byes, 0, levels.index(order[i].half_points), 0, 0, 0, 0, (len(order) - 1 - i) ** 2)


def _places(order: list[History]) -> list[tuple[int, int]]:
    """For each entrant its place in its score group, from 0, and the size of the group."""
    sizes = Counter(entrant.half_points for entrant in order)
    seen: Counter[int] = Counter()
    places = []
    for entrant in order:
        places.append((seen[entrant.half_points], sizes[entrant.half_points]))
        seen[entrant.half_points] += 1
    return places


def _lot(round_number: int, order: list[History], i: int, j: int) -> int:
    """32 bits drawn for a pair in a round: the same whoever asks, and no entrant's advantage."""
    names = sorted(order[k].entrant if k < len(order) else "" for k in (i, j))
    digest = hashlib.sha256("\0".join([str(round_number), *names]).encode()).digest()
    return int.from_bytes(digest[:4], "big")


def _bye_note(entrant: History) -> list[str]:
    if not entrant.byes:
        return []
    return [f"{entrant.entrant} has bye number {entrant.byes + 1}: nobody present has had fewer"]


def _rematch_note(a: History, b: History) -> list[str]:
    if not a.met[b.entrant]:
        return []
    return [f"{a.entrant} and {b.entrant} meet again: the round could not be paired without a rematch"]
