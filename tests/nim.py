"""A game for tests of everything but games: take 1 to 3 sticks; who takes the last one wins."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from arena.chance import Chance
from arena.game import Outcome, from_json, to_json

NAME = "nim"
RULES_VERSION = 1
SEATS = 2


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sticks: Annotated[int, msgspec.Meta(ge=1, le=100)] = 6


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    first_seat: int  # who begins


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    take: int


class View(msgspec.Struct, frozen=True):
    sticks: int
    seat: int | None


class Event(msgspec.Struct, frozen=True):
    seat: int
    took: int


State = tuple[int, int]  # sticks, seat to act


def max_plies(options: Options) -> int:
    return options.sticks


def deal(rng: Chance, options: Options) -> Deal:
    del options
    return Deal(first_seat=rng.randrange(2))


def initial(deal: Deal, options: Options) -> State:
    return options.sticks, deal.first_seat


def seat_to_act(state: State) -> int | None:
    return state[1] if state[0] else None


def legal_actions(state: State) -> Sequence[Action]:
    return [Action(take=n) for n in range(1, min(3, state[0]) + 1)]


def apply(state: State, action: Action) -> State:
    return state[0] - action.take, 1 - state[1]


def outcome(state: State) -> Outcome | None:
    return None if state[0] else Outcome.win(1 - state[1], reason="last-stick")


def view(state: State, seat: int | None) -> View:
    return View(sticks=state[0], seat=seat)


def events(before: State, action: Action, after: State, seat: int | None) -> list[Event]:
    del after, seat
    return [Event(seat=before[1], took=action.take)]


def redeal(deal: Deal, actions: Sequence[Any], seat: int | None, rng: Chance, options: Options) -> Any:
    del seat, rng, options
    return deal, actions


def determinize(view: View, rng: Chance, options: Options) -> State:
    del rng, options
    return view.sticks, view.seat or 0


def render(view: View) -> str:
    return "|" * view.sticks


__all__ = ["from_json", "to_json"]
