"""Kuhn poker (H. W. Kuhn, 1950): three cards, one bet. The smallest game with hidden information.

K1 Three cards, J < Q < K. Each seat antes one chip and gets one card; the third stays unseen.
K2 Seat 0 checks or bets one chip. After a check seat 1 checks or bets; whoever faces a bet calls or folds.
K3 After two checks or a call the cards are shown and the higher one takes the pot. After a fold they are not.
K4 Whoever takes the pot wins the game; `details.chips` says what each seat gained.

Perfect play costs seat 0 one eighteenth of a chip a game.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from arena.chance import Chance, choice, shuffled
from arena.game import Outcome, from_json, to_json

__all__ = ["from_json", "to_json"]  # the two names of the contract that are taken as they are

NAME = "kuhn-poker"
RULES_VERSION = 1
SEATS = 2

Card = Literal["J", "Q", "K"]
Kind = Literal["check", "bet", "call", "fold"]
DECK: tuple[Card, ...] = ("J", "Q", "K")  # K1, lowest first


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """There is nothing to set."""


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: tuple[Card, Card, Card]  # of seat 0, of seat 1, unseen


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: Kind


class View(msgspec.Struct, frozen=True, kw_only=True):
    seat: int | None
    seat_to_act: int | None
    card: Card | None  # None for the spectator
    history: tuple[Kind, ...]  # oldest first
    chips: tuple[int, int]  # paid by each seat so far


class Acted(msgspec.Struct, frozen=True, tag_field="type", tag="acted"):
    seat: int
    action: Kind


class Shown(msgspec.Struct, frozen=True, tag_field="type", tag="shown"):
    cards: tuple[Card, Card]


Event = Acted | Shown


class State(NamedTuple):
    cards: tuple[Card, Card, Card]
    history: tuple[Kind, ...] = ()


def max_plies(options: Options) -> int:  # noqa: ARG001 - the same for all
    return 3


def deal(rng: Chance, options: Options) -> Deal:  # noqa: ARG001
    first, second, third = shuffled(DECK, rng)
    return Deal((first, second, third))


def initial(deal: Deal, options: Options) -> State:  # noqa: ARG001
    if sorted(deal.cards) != sorted(DECK):
        raise ValueError(f"K1: expected each of {', '.join(DECK)} once, found {', '.join(deal.cards)}")
    return State(deal.cards)


def seat_to_act(state: State) -> int | None:
    if state.history in ((), ("check", "bet")):
        return 0
    return 1 if state.history in (("check",), ("bet",)) else None


def legal_actions(state: State) -> Sequence[Action]:
    if seat_to_act(state) is None:
        return ()
    kinds: tuple[Kind, ...] = ("call", "fold") if state.history[-1:] == ("bet",) else ("check", "bet")  # K2
    return tuple(Action(kind) for kind in kinds)


def apply(state: State, action: Action) -> State:
    return state._replace(history=(*state.history, action.type))


def outcome(state: State) -> Outcome | None:
    if seat_to_act(state) is not None:
        return None
    if state.history[-1] == "fold":
        winner = len(state.history) % 2  # the seat that did not act last
        reason = "fold"
    else:
        winner = 0 if DECK.index(state.cards[0]) > DECK.index(state.cards[1]) else 1
        reason = "showdown"
    stake = min(_chips(state))
    return Outcome.win(winner, reason=reason, details={"chips": [stake, -stake] if winner == 0 else [-stake, stake]})


def view(state: State, seat: int | None) -> View:
    return View(
        seat=seat,
        seat_to_act=seat_to_act(state),
        card=None if seat is None else state.cards[seat],
        history=state.history,
        chips=_chips(state),
    )


def events(before: State, action: Action, after: State, seat: int | None) -> list[Event]:  # noqa: ARG001 - same for all
    actor = seat_to_act(before)
    assert actor is not None
    acted = Acted(actor, action.type)
    shown = seat_to_act(after) is None and action.type != "fold"  # K3
    return [acted, Shown(after.cards[:2])] if shown else [acted]


def redeal(
    deal: Deal, actions: Sequence[Action], seat: int | None, rng: Chance, options: Options
) -> tuple[Deal, Sequence[Action]]:
    """Actions are public and never depend on the cards; so only cards that were not shown may change."""
    state = initial(deal, options)
    for action in actions:
        state = apply(state, action)
    if seat_to_act(state) is None and state.history[-1] != "fold":
        return deal, actions
    if seat is None:
        first, second, third = shuffled(DECK, rng)
        return Deal((first, second, third)), actions
    return Deal(_others_shuffled(deal.cards[seat], seat, rng)), actions


def determinize(view: View, rng: Chance, options: Options) -> State:  # noqa: ARG001
    if view.card is None or view.seat is None:
        return State(_others_shuffled(choice(DECK, rng), 0, rng), view.history)
    return State(_others_shuffled(view.card, view.seat, rng), view.history)


def render(view: View) -> str:
    line = " ".join(view.history) or "no bets yet"
    return f"your card: {view.card or 'hidden'}\npot: {sum(view.chips)} chips\n{line}"


def _chips(state: State) -> tuple[int, int]:
    paid = [1, 1]
    for ply, kind in enumerate(state.history):
        paid[ply % 2] += kind in ("bet", "call")
    return paid[0], paid[1]


def _others_shuffled(card: Card, seat: int, rng: Chance) -> tuple[Card, Card, Card]:
    """The three cards with `card` at `seat` and the other two in a random order."""
    one, other = shuffled([c for c in DECK if c != card], rng)
    return (card, one, other) if seat == 0 else (one, card, other)
