"""A game for benchmarks: a fixed number of plies with two legal actions each, small messages, no thinking in it."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from arena.chance import Chance
from arena.game import Outcome, from_json, to_json

NAME = "steps"
RULES_VERSION = 1
SEATS = 2


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    plies: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 40


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    first_seat: int


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    step: int


class View(msgspec.Struct, frozen=True):
    left: int
    sum: int
    seat: int | None


class Event(msgspec.Struct, frozen=True):
    seat: int
    step: int


State = tuple[int, int, int]  # plies left, sum of the steps, seat to act
ACTIONS = (Action(1), Action(2))


def max_plies(options: Options) -> int:
    return options.plies


def deal(rng: Chance, options: Options) -> Deal:
    del options
    return Deal(first_seat=rng.randrange(2))


def initial(deal: Deal, options: Options) -> State:
    return options.plies, 0, deal.first_seat


def seat_to_act(state: State) -> int | None:
    return state[2] if state[0] else None


def legal_actions(state: State) -> Sequence[Action]:
    return ACTIONS if state[0] else ()


def apply(state: State, action: Action) -> State:
    return state[0] - 1, state[1] + action.step, 1 - state[2]


def outcome(state: State) -> Outcome | None:
    return None if state[0] else Outcome.win(state[1] % 2, reason="parity")


def view(state: State, seat: int | None) -> View:
    return View(left=state[0], sum=state[1], seat=seat)


def events(before: State, action: Action, after: State, seat: int | None) -> list[Event]:
    del after, seat
    return [Event(seat=before[2], step=action.step)]


def redeal(deal: Deal, actions: Sequence[Any], seat: int | None, rng: Chance, options: Options) -> Any:
    del seat, rng, options
    return deal, actions


def determinize(view: View, rng: Chance, options: Options) -> State:
    del rng, options
    return view.left, view.sum, view.seat or 0


def render(view: View) -> str:
    return f"{view.left} to go, {view.sum} so far"


__all__ = ["from_json", "to_json"]
