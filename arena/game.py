"""What a game is to Arena: a module with these names, every one a value or a pure function.

`State` is the game's own and nobody looks inside it. `Options`, `Deal`, `Action`, `View` and `Event` are msgspec
types (a `Struct`, or a union of tagged ones) whose JSON is exactly that of the game's page in docs/games/; their
schemas come from the types. Guide: docs/adding-a-game.md. `arena check-game NAME` puts a game through the contract.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from arena.chance import Chance

WIN, DRAW, LOSS = 2, 1, 0  # half points


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended.

    `half_points[seat]` is 2 for a win, 1 for a draw, 0 for a loss. `reason` is one of the codes of the game's page.
    `details` is JSON for people and reports; both seats and the spectator get it, so it holds nothing still secret.
    """

    half_points: tuple[int, ...]
    reason: str
    details: dict[str, Any] = {}

    @classmethod
    def win(cls, seat: int, *, reason: str, details: dict[str, Any] | None = None) -> "Outcome":
        """A win for `seat` in a game of two."""
        return cls(half_points=(WIN, LOSS) if seat == 0 else (LOSS, WIN), reason=reason, details=details or {})

    @classmethod
    def draw(cls, *, reason: str, details: dict[str, Any] | None = None) -> "Outcome":
        return cls(half_points=(DRAW, DRAW), reason=reason, details=details or {})


class Game(Protocol):
    """The contract. A module fits if it has these names; plug-ins come in by the entry-point group `arena.games`.

    It may also have `explain(value) -> str | None`: an event or action as text for people. What a seat did is told in
    the past tense without the seat, which is put before it: "drew H2". An action is an order: "collect H2". None, and
    for games without it everything, is read out from its JSON.
    """

    @property
    def NAME(self) -> str: ...  # noqa: N802 - a constant of the module
    @property
    def RULES_VERSION(self) -> int: ...  # noqa: N802
    @property
    def SEATS(self) -> int: ...  # noqa: N802

    @property
    def Options(self) -> Any: ...  # noqa: N802 - a msgspec.Struct whose fields all have defaults
    @property
    def Deal(self) -> Any: ...  # noqa: N802
    @property
    def Action(self) -> Any: ...  # noqa: N802
    @property
    def View(self) -> Any: ...  # noqa: N802
    @property
    def Event(self) -> Any: ...  # noqa: N802

    def max_plies(self, options: Any, /) -> int:
        """No game with these options has more plies than this."""

    def deal(self, rng: Chance, options: Any, /) -> Any:
        """Everything that chance decides, drawn from `rng` by `randrange` alone. Recorded in full."""

    def initial(self, deal: Any, options: Any, /) -> Any:
        """The state before the first ply. Raises ValueError for a deal that the rules do not allow."""

    def seat_to_act(self, state: Any, /) -> int | None:
        """The seat that decides the next ply; None when the game is over."""

    def legal_actions(self, state: Any, /) -> Sequence[Any]:
        """The actions of the seat to act: distinct, in the canonical order of the game's page; () when over."""

    def apply(self, state: Any, action: Any, /) -> Any:
        """The state after a legal action. Pure: the input stays as it was."""

    def outcome(self, state: Any, /) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def view(self, state: Any, seat: int | None, /) -> Any:
        """What one seat may see (None: the spectator). The one door to hidden information."""

    def events(self, before: Any, action: Any, after: Any, seat: int | None, /) -> list[Any]:
        """What happened by `action`, in the wording of one seat (None: the spectator). The same door."""

    def to_json(self, value: Any, /) -> Any:
        """Any of the game's values as plain JSON data. Usually `arena.game.to_json`."""

    def from_json(self, data: Any, type_: Any, /) -> Any:
        """The value of `type_` (Options, Deal, Action, View or Event) that `data` stands for.

        Usually `arena.game.from_json`. Raises msgspec.ValidationError with the path of what does not fit.
        """

    def redeal(
        self, deal: Any, actions: Sequence[Any], seat: int | None, rng: Chance, options: Any, /
    ) -> tuple[Any, Sequence[Any]]:
        """Another deal and history that `seat` cannot tell from these: it gets the same bytes all along.

        Every field hidden from the seat is drawn anew as far as the seat's knowledge allows. None: the spectator.
        """

    def determinize(self, view: Any, rng: Chance, options: Any, /) -> Any:
        """A state consistent with the view, drawn at random, for search bots."""

    def render(self, view: Any, /) -> str:
        """The view as text for a person in a terminal, several lines, no colour codes."""


def to_json(value: Any) -> Any:
    """A value of a game as plain JSON data (dicts, lists, strings, whole numbers, booleans, None)."""
    return msgspec.json.decode(msgspec.json.encode(value))  # to_builtins would leave tuples, which JSON does not have


def from_json(data: Any, type_: Any) -> Any:
    """The value of `type_` that plain JSON data stands for; msgspec.ValidationError says what does not fit."""
    return msgspec.convert(data, type_, strict=True)
