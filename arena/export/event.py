"""What is exported: the results of an event, whole or so far."""

from collections.abc import Iterable

import msgspec

from arena.model import Entrant, GameResult, PairingResult


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """An event as the exports see it.

    `entrants` in seeding order; all that played are among them. `pairings` holds the finished pairings; TRF takes the
    byes from there. `places` are those of the standings, where there are any.
    """

    name: str
    game: str
    entrants: tuple[Entrant, ...]
    games: tuple[GameResult, ...]
    pairings: tuple[PairingResult, ...] = ()
    places: dict[str, int] = {}
    rounds: int | None = None  # as planned; None: as played


def in_order(event: Event) -> list[GameResult]:
    """The games in schedule order."""
    return sorted(event.games, key=lambda game: game.number)


def score(game: GameResult) -> str:
    """`1-0`, `0-1` or `1/2-1/2`, seat 0 first; `0-0` where neither bot could start."""
    return {(2, 0): "1-0", (1, 1): "1/2-1/2", (0, 2): "0-1", (0, 0): "0-0"}[game.half_points]


def unique(names: Iterable[str]) -> list[str]:
    """The same names, but copies marked `#2`, `#3` …, for readers that tell entrants apart by name."""
    given: list[str] = []
    for name in names:
        text, copy = name, 1
        while text in given:
            copy += 1
            text = f"{name} #{copy}"
        given.append(text)
    return given


def one_line(text: str) -> str:
    """The text without control characters; every run of white space is one blank."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
