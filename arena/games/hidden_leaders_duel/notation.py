"""Hidden Leaders Duel: the words of its JSON. Rule numbers refer to docs/games/hidden-leaders-duel.md.

Inside, a card is a whole number 0–15 (4 x faction + value: equal cards are one number), a faction 0–3, a space 0–13,
a role 0–5. `CARDS`, `HIDDEN`, `FACTIONS`, `SPACES` and `ROLES` give the words for them.
"""

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

Faction = Literal["I", "H", "S", "U"]
KnownCard = Literal[
    "I0", "I1", "I2", "I3", "H0", "H1", "H2", "H3", "S0", "S1", "S2", "S3", "U0", "U1", "U2", "U3"
]  # fmt: skip
HiddenCard = Literal["I?", "H?", "S?", "U?"]
SeenCard = Literal[KnownCard, HiddenCard]
Row = Literal["A", "B"]
Space = Literal["A1", "A2", "A3", "A4", "A5", "A6", "A7", "B1", "B2", "B3", "B4", "B5", "B6", "B7"]
RoleName = Literal["Lemron", "Cyra", "Myrad", "Xiadul", "Pavyr", "Enned"]
Step = Literal["take", "place", "act", "over"]

FACTIONS: tuple[Faction, ...] = get_args(Faction)
CARDS: tuple[KnownCard, ...] = get_args(KnownCard)
HIDDEN: tuple[HiddenCard, ...] = tuple(hidden for hidden in get_args(HiddenCard) for _ in range(4))  # by card
ROWS: tuple[Row, ...] = get_args(Row)
SPACES: tuple[Space, ...] = get_args(Space)
ROLES: tuple[RoleName, ...] = get_args(RoleName)
ROLE_FACTIONS = ((1, 2), (0, 2), (1, 3), (0, 3), (0, 1), (2, 3))  # H2, in the order of ROLES
CARD_NUMBER: dict[str, int] = {word: card for card, word in enumerate(CARDS)}
SPACE_NUMBER: dict[str, int] = {word: space for space, word in enumerate(SPACES)}
ROLE_NUMBER: dict[str, int] = {word: role for role, word in enumerate(ROLES)}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game has no settings."""


class Deal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that chance decides (H3): hands in card order, the draw pile with its top card first."""

    roles: tuple[RoleName, RoleName]
    hands: tuple[tuple[KnownCard, KnownCard, KnownCard], tuple[KnownCard, KnownCard, KnownCard]]
    display: dict[Space, KnownCard]
    draw_pile: Annotated[tuple[KnownCard, ...], Meta(min_length=8, max_length=8)]


class Take(msgspec.Struct, frozen=True, tag_field="type", tag="take", forbid_unknown_fields=True):
    """H5 (1): the spaces in space order; one alone in the case of Q2."""

    spaces: Annotated[tuple[Space, ...], Meta(min_length=1, max_length=2)]


class Place(msgspec.Struct, frozen=True, tag_field="type", tag="place", forbid_unknown_fields=True):
    """H5 (2): one hand card for each freed space."""

    cards: Annotated[dict[Space, KnownCard], Meta(min_length=1, max_length=2)]


class Block(msgspec.Struct, frozen=True, tag_field="type", tag="block", forbid_unknown_fields=True):
    """H5 (3): a hand card goes face down onto the card on an unblocked space."""

    card: KnownCard
    space: Space


class Collect(msgspec.Struct, frozen=True, tag_field="type", tag="collect", forbid_unknown_fields=True):
    """H5 (3): a hand card goes face down into the own collection."""

    card: KnownCard


Action = Take | Place | Block | Collect


class Role(msgspec.Struct, frozen=True, kw_only=True):
    name: RoleName
    factions: tuple[Faction, Faction]


class DisplayCard(msgspec.Struct, frozen=True, kw_only=True):
    card: SeenCard
    face_up: bool
    blocker: SeenCard | None


class Cards(msgspec.Struct, frozen=True, kw_only=True):
    """What is public of a seat's cards: their factions, in card order."""

    hand: tuple[HiddenCard, ...]
    collection: tuple[HiddenCard, ...]


class DrawPile(msgspec.Struct, frozen=True, kw_only=True):
    count: int
    top: HiddenCard | None  # Q6; None when the pile is empty


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat may see. The spectator's has `seat` None and `players` instead of what is a seat's own."""

    round: int  # from 1 to 7
    turn: int  # from 0 to 13; 14 when over
    step: Step
    seat: int | None
    seat_to_act: int | None
    near_row: Row | UnsetType = UNSET
    role: Role | UnsetType = UNSET
    hand: tuple[KnownCard, ...] | UnsetType = UNSET
    collection: tuple[KnownCard, ...] | UnsetType = UNSET
    opponent: Cards | UnsetType = UNSET
    players: tuple[Cards, Cards] | UnsetType = UNSET
    display: dict[Space, DisplayCard | None]  # None while freed
    freed: tuple[Space, ...]
    draw_pile: DrawPile


class Took(msgspec.Struct, frozen=True, tag_field="type", tag="took"):
    seat: int
    cards: dict[Space, SeenCard]


class Placed(msgspec.Struct, frozen=True, tag_field="type", tag="placed"):
    seat: int
    cards: dict[Space, KnownCard]


class Blocked(msgspec.Struct, frozen=True, tag_field="type", tag="blocked"):
    seat: int
    card: SeenCard
    space: Space


class Collected(msgspec.Struct, frozen=True, tag_field="type", tag="collected"):
    seat: int
    card: SeenCard


class Drew(msgspec.Struct, frozen=True, tag_field="type", tag="drew"):
    seat: int
    card: SeenCard


class RevealedCard(msgspec.Struct, frozen=True, kw_only=True):
    card: KnownCard
    blocker: KnownCard | None


class FactionScore(msgspec.Struct, frozen=True, kw_only=True):
    """H6 for one faction. Tuples go by seat; `rows` names the row assigned, received or not."""

    totals: tuple[int, int]
    counts: dict[Row, int]
    rows: tuple[Row, Row]
    received: tuple[tuple[KnownCard, ...], tuple[KnownCard, ...]]


class Scored(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="scored"):
    """The end: everything is revealed to everybody, the unplayed roles excepted."""

    roles: tuple[RoleName, RoleName]
    collections: tuple[tuple[KnownCard, ...], tuple[KnownCard, ...]]
    display: dict[Space, RevealedCard]
    factions: dict[Faction, FactionScore]
    points: tuple[int, int]
    received: tuple[int, int]  # number of cards
    winner: int | None  # None for a tie


Event = Took | Placed | Blocked | Collected | Drew | Scored
