"""The JSON of OpenSpiel's games: actions are numbers with a text, views are texts."""

from typing import Annotated

import msgspec

DRAW_BOUND = 1 << 53


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters are part of the game's name: `openspiel:leduc_poker(players=2)`."""


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`draws[i]` decides the i-th chance node of the game, whatever node that turns out to be.

    A draw d stands for the point d / 2^53 of the outcomes' probabilities laid end to end in OpenSpiel's order.
    """

    draws: tuple[Annotated[int, msgspec.Meta(ge=0, lt=DRAW_BOUND)], ...]


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: int  # OpenSpiel's number
    text: str


class View(msgspec.Struct, frozen=True, kw_only=True):
    """`text` is OpenSpiel's information state, or its observation where there is none or nothing is hidden."""

    seat: int | None
    seat_to_act: int | None
    text: str


class Acted(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="acted"):
    seat: int
    action: Action


Event = Acted
