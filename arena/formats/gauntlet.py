"""One hero, or a few, against all the others. Rules G1 to G4: docs/formats.md."""

from collections.abc import Iterator

import msgspec

from arena.errors import UnknownNameError
from arena.formats import Field, Round, numbered
from arena.formats.scoring import Points, Scoring

NAME = "gauntlet"
FIXED = True


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`heroes`: ids of those who meet all the others, but not each other; (): the first entrant.

    `cycles`: how often each hero meets each challenger. `points`: see arena.formats.scoring.
    """

    heroes: tuple[str, ...] = ()
    cycles: int = 1
    points: Points = "games"

    def __post_init__(self) -> None:
        if self.cycles < 1:
            raise ValueError(f"cycles: expected at least 1, found {self.cycles}")
        if len(set(self.heroes)) != len(self.heroes):
            raise ValueError(f"heroes: expected each id once, found {', '.join(self.heroes)}")


def next_round(field: Field, settings: Settings) -> Round | None:
    """Each hero meets the next challenger. Whoever is not due in a round has no pairing, not even a bye."""
    heroes, challengers = _sides(field, settings)
    played = len(field.rounds)
    if played >= _rounds(len(heroes), len(challengers), settings):
        return None
    if not set(heroes) - field.absent or not set(challengers) - field.absent:
        return None
    return Round(pairings=numbered(played + 1, _round(heroes, challengers, played, field.absent)))


def total_rounds(entrants: int, settings: Settings) -> int:
    heroes = min(len(settings.heroes) or 1, entrants)
    return _rounds(heroes, entrants - heroes, settings)


def scoring(settings: Settings) -> Scoring:
    return Scoring(points=settings.points)


def precedence(field: Field, settings: Settings) -> dict[str, int]:
    """Heroes first: their points come from more games than the challengers'."""
    return dict.fromkeys(_sides(field, settings)[0], 1)


def _sides(field: Field, settings: Settings) -> tuple[list[str], list[str]]:
    for hero in settings.heroes:
        if hero not in field.entrants:
            raise UnknownNameError("entrant", hero, field.entrants)
    heroes = list(settings.heroes or field.entrants[:1])
    return heroes, [entrant for entrant in field.entrants if entrant not in heroes]


def _rounds(heroes: int, challengers: int, settings: Settings) -> int:
    return settings.cycles * max(heroes, challengers) if heroes and challengers else 0


def _round(
    heroes: list[str], challengers: list[str], played: int, absent: frozenset[str]
) -> Iterator[tuple[str, str | None]]:
    longer = max(len(heroes), len(challengers))
    cycle, line = divmod(played, longer)
    for k in range(min(len(heroes), len(challengers))):
        turned = (k + line) % longer
        h, c = (k, turned) if len(heroes) <= len(challengers) else (turned, k)
        pair = (heroes[h], challengers[c]) if (h + c + cycle) % 2 == 0 else (challengers[c], heroes[h])
        present = [entrant for entrant in pair if entrant not in absent]
        if present:
            yield present[0], present[1] if len(present) == 2 else None
