"""What is written down: names, options, deals, actions, views and events, exactly as docs/games/leaders.md has them."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

Space = Literal[
    "A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "B5", "C1", "C2", "C3", "C4", "C5", "C6", "D1", "D2", "D3", "D4",
    "D5", "D6", "D7", "E1", "E2", "E3", "E4", "E5", "E6", "F1", "F2", "F3", "F4", "F5", "G1", "G2", "G3", "G4",
]  # fmt: skip
Card = Literal[
    "acrobat", "archer", "assassin", "brewmaster", "bruiser", "claw_launcher", "hermit_and_cub", "illusionist",
    "jailer", "manipulator", "nemesis", "protector", "rider", "royal_guard", "vizier", "wanderer",
]  # fmt: skip
HeldCard = Literal[
    "leader", "acrobat", "archer", "assassin", "brewmaster", "bruiser", "claw_launcher", "hermit_and_cub",
    "illusionist", "jailer", "manipulator", "nemesis", "protector", "rider", "royal_guard", "vizier", "wanderer",
]  # fmt: skip
Character = Literal[
    "leader", "acrobat", "archer", "assassin", "brewmaster", "bruiser", "claw_launcher", "cub", "hermit",
    "illusionist", "jailer", "manipulator", "nemesis", "protector", "rider", "royal_guard", "vizier", "wanderer",
]  # fmt: skip
Mover = Literal[
    "leader", "acrobat", "archer", "assassin", "brewmaster", "bruiser", "claw_launcher", "cub", "hermit",
    "illusionist", "jailer", "manipulator", "protector", "rider", "royal_guard", "vizier", "wanderer",
]  # fmt: skip
Able = Literal[
    "acrobat", "brewmaster", "bruiser", "claw_launcher", "illusionist", "manipulator", "rider", "royal_guard",
    "wanderer",
]  # fmt: skip
PhaseName = Literal["action", "nemesis", "recruit", "banish", "over"]
Seat = Annotated[int, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0)]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`max_turns` turns of both seats together end the game as a draw (Q12)."""

    max_turns: Annotated[int, Meta(ge=1)] = 200


class Deal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The deck, the first drawn first; its first three cards are the opening market."""

    deck: tuple[Card, ...]


class ExpertDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing: expert mode has no chance (L30)."""


class _Action(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class Move(_Action, frozen=True, tag="move"):
    """The basic move of a character, or the Leader's (with the Vizier up to two spaces)."""

    character: Mover
    to: Space


class Ability(_Action, frozen=True, tag="ability"):
    """An active ability. Which of the optional fields stand depends on the character."""

    character: Able
    target: Space | UnsetType = UNSET
    to: Space | UnsetType = UNSET
    target_to: Space | UnsetType = UNSET


class EndActions(_Action, frozen=True, tag="end_actions"):
    """Leaves the action phase."""


class NemesisMove(_Action, frozen=True, tag="nemesis_move"):
    """The Nemesis' reaction (L25)."""

    to: Space


class Recruit(_Action, frozen=True, tag="recruit"):
    """Takes a card from the market and places its figure, or both figures of `hermit_and_cub`."""

    card: Card
    at: Space
    cub_at: Space | UnsetType = UNSET


class Banish(_Action, frozen=True, tag="banish"):
    """Takes an available card out of the game (L31)."""

    card: Card


Action = Move | Ability | EndActions | NemesisMove | Recruit | Banish


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A figure on the board. `acted`: it can no longer act this turn (E2)."""

    character: Character
    seat: Seat
    at: Space
    acted: bool


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat sees: everything but the order of the deck. `seat` is null for the spectator."""

    turn: Count
    phase: PhaseName
    seat: Seat | None
    seat_to_act: Seat | None
    active_seat: Seat
    pieces: tuple[Piece, ...]
    cards: tuple[tuple[HeldCard, ...], tuple[HeldCard, ...]]
    market: tuple[Card, ...]
    deck_count: Count
    banished: tuple[Card, ...]
    recruits_left: Count
    repeats: Count


class Shift(msgspec.Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """A figure that changed its space."""

    character: Character
    seat: Seat
    from_: Space
    to: Space


class Acted(msgspec.Struct, frozen=True, kw_only=True, tag="acted"):
    """A character acted; `moved` holds it first, then the figure it moved."""

    seat: Seat
    action: Move | Ability
    moved: tuple[Shift, ...]


class NemesisMoved(msgspec.Struct, frozen=True, kw_only=True, tag="nemesis_moved", rename={"from_": "from"}):
    """The Nemesis of `seat` reacted."""

    seat: Seat
    from_: Space
    to: Space


class Recruited(msgspec.Struct, frozen=True, kw_only=True, tag="recruited", omit_defaults=True):
    """A seat recruited a card; `cub_at` with `hermit_and_cub` alone."""

    seat: Seat
    card: Card
    at: Space
    cub_at: Space | UnsetType = UNSET


class MarketFilled(msgspec.Struct, frozen=True, kw_only=True, tag="market"):
    """A card was drawn into the market."""

    card: Card


class Banished(msgspec.Struct, frozen=True, kw_only=True, tag="banished"):
    """A card left the game."""

    seat: Seat
    card: Card


class TurnBegan(msgspec.Struct, frozen=True, kw_only=True, tag="turn"):
    """A turn began. There is none for turn 0."""

    seat: Seat
    turn: Count


Event = Acted | NemesisMoved | Recruited | MarketFilled | Banished | TurnBegan
