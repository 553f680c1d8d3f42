"""A whole position, small enough to be made often: whole numbers and tuples of them. Nothing here ever changes."""

from typing import get_args

import msgspec

from arena.game import Outcome
from arena.games.leaders.board import BIT, LEADER_START, OFF
from arena.games.leaders.cards import ALL_CARDS, FIGURES, FIGURES_OF
from arena.games.leaders.notation import PhaseName

ACTION, NEMESIS, RECRUIT, BANISH, OVER = range(5)
PHASES: tuple[PhaseName, ...] = get_args(PhaseName)


class Supply(msgspec.Struct, frozen=True):
    """What changes only by recruiting and banishing. Sets of cards are masks, bit c for card c."""

    expert: bool
    max_turns: int
    cards: tuple[tuple[int, ...], tuple[int, ...]]  # of each seat in order of recruitment, without the Leader
    figures: tuple[tuple[int, ...], tuple[int, ...]]  # of each seat, the Leader first
    market: int
    deck: tuple[int, ...]  # next card first; the one thing nobody sees
    banished: tuple[int, ...]  # in order of banishment


class State(msgspec.Struct, frozen=True):
    """One position within a game. `at` and `bits` say the same in two ways."""

    supply: Supply
    at: tuple[int, ...]  # at[figure]: its space, OFF if it is not on the board
    bits: tuple[int, int]  # bits[seat]: the spaces of its figures as a mask
    acted: int  # the set of figures that can no longer act this turn (E2)
    turn: int
    phase: int
    recruits_left: int
    repeats: int  # how often the position at the start of this turn has occurred (E16); 0 before turn 0 has started
    history: tuple[bytes, ...]  # `position_key` at each start of a turn since the supply last changed
    outcome: Outcome | None = None

    @property
    def active_seat(self) -> int:
        return self.turn & 1


def opening(*, expert: bool, max_turns: int, market: int, deck: tuple[int, ...]) -> State:
    """Both Leaders on their spaces (L2), nothing started yet."""
    supply = Supply(expert, max_turns, ((), ()), ((0,), (1,)), market, deck, ())
    at = (*LEADER_START, *(OFF for _ in FIGURES[2:]))
    bits = (BIT[LEADER_START[0]], BIT[LEADER_START[1]])
    return State(supply, at, bits, 0, 0, BANISH if expert else ACTION, 1, 0, ())


def position_key(at: tuple[int, ...], seat_to_move: int) -> bytes:
    """Equal for equal positions (Q12), as long as the supply is the same one."""
    return bytes((seat_to_move, *at))


def recruit_count(turn: int, cards: tuple[int, ...]) -> int:
    """How many recruitments a turn starts with (L6, E8); `cards` of the seat without its Leader."""
    return min(2 if turn == 1 else 1, 4 - len(cards))


def taken(supply: Supply, seat: int, card: int) -> Supply:
    """The supply after `seat` took a card from the market, which the deck refills (L6)."""
    cards, figures = list(supply.cards), list(supply.figures)
    cards[seat] = (*cards[seat], card)
    figures[seat] = (*figures[seat], *FIGURES_OF[card])
    market, deck = supply.market & ~(1 << card), supply.deck
    if deck:
        market, deck = market | 1 << deck[0], deck[1:]
    return Supply(
        supply.expert, supply.max_turns, (cards[0], cards[1]), (figures[0], figures[1]), market, deck, supply.banished
    )


def without(supply: Supply, card: int) -> Supply:
    """The supply after a banishment (L31)."""
    return msgspec.structs.replace(supply, market=supply.market & ~(1 << card), banished=(*supply.banished, card))


def unseen_cards(supply: Supply) -> int:
    """The set of cards that are nowhere to be seen: in the deck if there is one."""
    seen = supply.market
    for card in (*supply.cards[0], *supply.cards[1], *supply.banished):
        seen |= 1 << card
    return ALL_CARDS & ~seen
