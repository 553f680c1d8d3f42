"""The formats that make rounds, and what they have in common. To add one: docs/adding-a-format.md.

```
format = formats.load("swiss")
field = Field(entrants=("ann", "bob", "cid", "dan"), rounds=())
format.next_round(field, format.Settings(rounds=3))     a Round, or None when the format is finished
```
A format is a pure function of the field and its settings: calling it again with the same rounds gives the same
pairings, so that resuming an event is calling it again.
"""

import importlib
from collections.abc import Iterable
from typing import Any, Protocol, cast

import msgspec

from arena.errors import UnknownNameError
from arena.formats.scoring import Scoring
from arena.model import Pairing, PairingResult


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a format may look at: who takes part and what came of the finished rounds."""

    entrants: tuple[str, ...]  # ids in seeding order (the config's), strongest first
    rounds: tuple[tuple[PairingResult, ...], ...] = ()  # finished rounds, oldest first; each holds its byes, too
    absent: frozenset[str] = frozenset()  # withdrawn or disqualified: paired no more

    @property
    def present(self) -> tuple[str, ...]:
        """Those who can still be paired, in seeding order."""
        return tuple(entrant for entrant in self.entrants if entrant not in self.absent)


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """The pairings of one round, numbered from 1, byes last, and sentences that the report must show."""

    pairings: tuple[Pairing, ...]
    notes: tuple[str, ...] = ()


class Format(Protocol):
    """The contract. A module of this package fits if it has these names."""

    @property
    def NAME(self) -> str: ...  # noqa: N802 - a constant of the module
    @property
    def FIXED(self) -> bool:  # noqa: N802
        """True: `next_round` reads of `field.rounds` only how many there are, so that rounds can be played ahead."""

    @property
    def Settings(self) -> Any: ...  # noqa: N802 - a frozen msgspec.Struct whose fields all have defaults

    def next_round(self, field: Field, settings: Any, /) -> Round | None:
        """The round after the finished ones; None when the format is finished.

        Everybody present is in exactly one pairing, unless the format says otherwise (docs/formats.md). Raises
        UsageError for settings that do not fit the field.
        """

    def total_rounds(self, entrants: int, settings: Any, /) -> int | None:
        """How many rounds so many entrants play if nobody withdraws; None: that depends on the results."""

    def scoring(self, settings: Any, /) -> Scoring:
        """How this format counts points and byes."""

    def precedence(self, field: Field, settings: Any, /) -> dict[str, int]:
        """Who stands above others whatever their points, the higher number first; {}: points alone decide."""


FORMATS: dict[str, str] = {
    "gauntlet": "arena.formats.gauntlet",
    "knockout": "arena.formats.knockout",
    "round-robin": "arena.formats.round_robin",
    "swiss": "arena.formats.swiss",
    "swiss-fide": "arena.formats.swiss_fide",
}


def load(name: str) -> Format:
    """The module of the format called `name`; raises UnknownNameError, which lists the known ones."""
    if name not in FORMATS:
        raise UnknownNameError("format", name, list(FORMATS))
    return cast("Format", importlib.import_module(FORMATS[name]))


def numbered(round_number: int, entrants: Iterable[tuple[str, str | None]]) -> tuple[Pairing, ...]:
    """Pairings of round `round_number`, numbered from 1 in the given order, byes moved to the end."""
    in_order = sorted(entrants, key=lambda pair: pair[1] is None)
    return tuple(
        Pairing(round=round_number, number=number, entrants=pair) for number, pair in enumerate(in_order, start=1)
    )


def plan(format_: Format, field: Field, settings: Any) -> tuple[Round, ...]:
    """Every round that is still to come in a format that is `FIXED`, given who is absent now."""
    if not format_.FIXED:
        raise ValueError(f"the rounds of {format_.NAME} depend on the results")
    rounds: list[Round] = []
    while (
        found := format_.next_round(
            msgspec.structs.replace(field, rounds=(*field.rounds, *[()] * len(rounds))), settings
        )
    ) is not None:
        rounds.append(found)
    return tuple(rounds)
