"""What a seat sees and is told. Everything is public but the order of the deck, so all seats see the same."""

from collections.abc import Iterator, Sequence
from typing import Any

from arena.game import DRAW
from arena.games.leaders.board import BIT, NAMES, OFF, spaces_of
from arena.games.leaders.cards import CARDS, FIGURES
from arena.games.leaders.notation import (
    Ability,
    Acted,
    Action,
    Banish,
    Banished,
    Event,
    MarketFilled,
    Move,
    NemesisMove,
    NemesisMoved,
    Piece,
    Recruit,
    Recruited,
    Shift,
    TurnBegan,
    View,
)
from arena.games.leaders.rules import seat_to_act
from arena.games.leaders.state import PHASES, State


def view(state: State, seat: int | None) -> View:
    """What `seat` sees (None: the spectator). The order of the deck stays here; `deck_count` alone leaves."""
    supply = state.supply
    return View(
        turn=state.turn,
        phase=PHASES[state.phase],
        seat=seat,
        seat_to_act=seat_to_act(state),
        active_seat=state.active_seat,
        pieces=tuple(_pieces(state)),
        cards=(_held(supply.cards[0]), _held(supply.cards[1])),
        market=tuple(CARDS[card] for card in spaces_of(supply.market)),
        deck_count=len(supply.deck),
        banished=tuple(CARDS[card] for card in supply.banished),
        recruits_left=state.recruits_left,
        repeats=state.repeats,
    )


def events(before: State, action: Action, after: State, seat: int | None) -> list[Event]:  # noqa: ARG001 - all public
    """What happened by `action`, in the order of E15. Every seat and the spectator are told the same."""
    begun = range(before.turn + 1, after.turn + (0 if _is_draw(after) else 1))  # a draw prevents its turn (E6)
    return [*_told(before, action, after), *(TurnBegan(seat=turn & 1, turn=turn) for turn in begun)]


def _told(before: State, action: Action, after: State) -> Iterator[Event]:
    actor: Any = seat_to_act(before)
    match action:
        case Move() | Ability():
            doer = (action.character, actor)
            moved = sorted(_shifts(before, after), key=lambda shift: (shift.character, shift.seat) != doer)
            yield Acted(seat=actor, action=action, moved=tuple(moved))
        case NemesisMove():
            (shift,) = _shifts(before, after)
            yield NemesisMoved(seat=actor, from_=shift.from_, to=shift.to)
        case Recruit():
            yield Recruited(seat=actor, card=action.card, at=action.at, cub_at=action.cub_at)
            yield from (MarketFilled(card=CARDS[card]) for card in before.supply.deck[:1])
        case Banish():
            yield Banished(seat=actor, card=action.card)


def _pieces(state: State) -> Iterator[Piece]:
    for seat, figures in enumerate(state.supply.figures):
        for figure in sorted(figures, key=state.at.__getitem__):
            acted = bool(state.acted >> figure & 1)
            yield Piece(character=FIGURES[figure], seat=seat, at=NAMES[state.at[figure]], acted=acted)


def _held(cards: Sequence[int]) -> tuple[Any, ...]:
    return ("leader", *(CARDS[card] for card in cards))


def _shifts(before: State, after: State) -> Iterator[Shift]:
    for figure, (start, end) in enumerate(zip(before.at, after.at, strict=True)):
        if start not in (end, OFF):
            seat = 0 if before.bits[0] & BIT[start] else 1
            yield Shift(character=FIGURES[figure], seat=seat, from_=NAMES[start], to=NAMES[end])


def _is_draw(state: State) -> bool:
    return state.outcome is not None and state.outcome.half_points == (DRAW, DRAW)
