"""Everybody meets everybody, by the Berger tables (FIDE Handbook C.05); each cycle exchanges the seats."""

from collections.abc import Iterator

import msgspec

from arena.formats import Field, Round, numbered
from arena.formats.scoring import Points, Scoring

NAME = "round-robin"
FIXED = True


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`cycles`: how often each pair meets. `points`: see arena.formats.scoring."""

    cycles: int = 1
    points: Points = "games"

    def __post_init__(self) -> None:
        if self.cycles < 1:
            raise ValueError(f"cycles: expected at least 1, found {self.cycles}")


def next_round(field: Field, settings: Settings) -> Round | None:
    """The next line of the Berger table. Who meets an absent entrant has a bye instead."""
    played = len(field.rounds)
    if played >= total_rounds(len(field.entrants), settings) or len(field.present) < 2:
        return None
    return Round(pairings=numbered(played + 1, _round(field, played)))


def total_rounds(entrants: int, settings: Settings) -> int:
    return settings.cycles * _rounds_per_cycle(entrants)


def scoring(settings: Settings) -> Scoring:
    """A bye is worth nothing: in an odd field everybody has the same number of them."""
    return Scoring(points=settings.points, bye="none")


def precedence(field: Field, settings: Settings) -> dict[str, int]:  # noqa: ARG001
    """Points alone decide."""
    return {}


def _rounds_per_cycle(entrants: int) -> int:
    return 0 if entrants < 2 else entrants - 1 + entrants % 2


def _round(field: Field, played: int) -> Iterator[tuple[str, str | None]]:
    cycle, line = divmod(played, _rounds_per_cycle(len(field.entrants)))
    for a, b in berger(len(field.entrants), line):
        pair = (b, a) if cycle % 2 else (a, b)
        present = [field.entrants[i] for i in pair if i < len(field.entrants) and field.entrants[i] not in field.absent]
        if present:
            yield present[0], present[1] if len(present) == 2 else None


def berger(entrants: int, line: int) -> list[tuple[int, int]]:
    """Line `line` (from 0) of the Berger table as pairs (seat 0, seat 1) of indices from 0.

    An odd field plays the table of one more; who meets index `entrants` has the bye. The last index stays while the
    others turn by half a circle a round, so that seats alternate: nobody has one seat more than once oftener.
    """
    last = entrants - 1 + entrants % 2
    pivot = line * (last + 1) // 2 % last
    pairs = [(pivot, last) if line % 2 == 0 else (last, pivot)]
    pairs += [((pivot + k) % last, (pivot - k) % last) for k in range(1, (last + 1) // 2)]
    return pairs
