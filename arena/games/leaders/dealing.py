"""What chance decides, and what may be imagined in its place."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from arena.chance import Chance, shuffled
from arena.game import Outcome
from arena.games.leaders import state as phases
from arena.games.leaders.board import BIT, OFF, SPACE, mask_of, spaces_of
from arena.games.leaders.cards import ALL_CARDS, CARDS, FIGURE, FIGURES, FIGURES_OF
from arena.games.leaders.notation import Action, Deal, ExpertDeal, Options, Recruit, View
from arena.games.leaders.rules import REPETITIONS, start_turn
from arena.games.leaders.sight import fall
from arena.games.leaders.state import State, Supply, opening, position_key, unseen_cards

MARKET_SIZE = 3  # L6
T = TypeVar("T")


def deal(rng: Chance) -> Deal:
    """A shuffled deck."""
    return Deal(deck=tuple(shuffled(CARDS, rng)))


def initial(deal: Deal, options: Options) -> State:
    """The state before the first ply. Raises ValueError unless the deck holds each card once."""
    deck = tuple(CARDS.index(card) for card in deal.deck)
    if sorted(deck) != list(range(len(CARDS))):
        raise ValueError(f"expected a deck of {len(CARDS)} different cards, found {', '.join(deal.deck)}")
    market = mask_of(deck[:MARKET_SIZE])
    return start_turn(
        opening(expert=False, max_turns=options.max_turns, market=market, deck=deck[MARKET_SIZE:]), turn=0
    )


def initial_expert(_deal: ExpertDeal, options: Options) -> State:
    """The state before the opening banishment (L31)."""
    return opening(expert=True, max_turns=options.max_turns, market=ALL_CARDS, deck=())


def redeal(deal: Deal, actions: Sequence[Action], rng: Chance) -> Deal:
    """Another deck that nobody can tell from `deal` by what these actions have shown of it."""
    seen = MARKET_SIZE + sum(isinstance(action, Recruit) for action in actions)
    return Deal(deck=(*deal.deck[:seen], *shuffled(deal.deck[seen:], rng)))


def determinize(view: View, rng: Chance, options: Options, *, expert: bool) -> State:
    """A state that looks like `view`: the unseen cards are the deck, in a random order.

    A view does not tell the positions of earlier turns. Where it shows the very start of a turn, the history holds that
    position as often as `repeats` says; else the repetitions (Q12) are counted anew from here.
    """
    at, bits, acted = _figures(view)
    supply = _supply(view, options, expert=expert)
    if not expert:
        supply = replace(supply, deck=tuple(shuffled(spaces_of(unseen_cards(supply)), rng)))
    phase = phases.PHASES.index(view.phase)
    at_start = phase == phases.ACTION and not acted
    history = (position_key(at, view.active_seat),) * view.repeats if at_start else ()
    state = State(supply, at, bits, acted, view.turn, phase, view.recruits_left, view.repeats, history)
    return replace(state, outcome=_final_outcome(state)) if phase == phases.OVER else state


def _figures(view: View) -> tuple[tuple[int, ...], tuple[int, int], int]:
    """Where each figure is, each seat's mask, and who has acted."""
    at, bits, acted = [OFF] * len(FIGURES), [0, 0], 0
    for piece in view.pieces:
        figure = piece.seat if piece.character == "leader" else FIGURE[piece.character]
        at[figure] = SPACE[piece.at]
        bits[piece.seat] |= BIT[at[figure]]
        acted |= piece.acted << figure
    return tuple(at), (bits[0], bits[1]), acted


def _supply(view: View, options: Options, *, expert: bool) -> Supply:
    south, north = ([CARDS.index(card) for card in held if card != "leader"] for held in view.cards)
    return Supply(
        expert=expert,
        max_turns=options.max_turns,
        cards=(tuple(south), tuple(north)),
        figures=((0, *_all_figures(south)), (1, *_all_figures(north))),
        market=mask_of(tuple(CARDS.index(card) for card in view.market)),
        deck=(),
        banished=tuple(CARDS.index(card) for card in view.banished),
    )


def _all_figures(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple(figure for card in cards for figure in FIGURES_OF[card])


def _final_outcome(state: State) -> Outcome:
    """The outcome that a finished position shows: a fallen Leader, else the draw that fits."""
    for loser in (state.active_seat, 1 - state.active_seat):  # Q6
        if reason := fall(state.at, state.bits, loser):
            return Outcome.win(1 - loser, reason=reason)
    return Outcome.draw(reason="repetition" if state.repeats >= REPETITIONS else "turn-limit")
