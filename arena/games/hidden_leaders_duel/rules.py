"""Hidden Leaders Duel: states and actions. Rule numbers refer to docs/games/hidden-leaders-duel.md."""

from collections import Counter
from functools import cache, lru_cache
from typing import NamedTuple, TypeVar

from arena.chance import Chance, shuffled
from arena.games.hidden_leaders_duel.notation import (
    CARD_NUMBER,
    CARDS,
    ROLE_NUMBER,
    ROLES,
    SPACE_NUMBER,
    SPACES,
    Action,
    Block,
    Collect,
    Deal,
    Options,
    Place,
    Take,
)

TURNS = 14  # H4
PLIES_A_TURN = 3
DECK = tuple(4 * faction + value for faction in range(4) for value in (0, 1, 1, 2, 2, 3, 3))  # H1
ALL_SPACES = (1 << len(SPACES)) - 1
EMPTY = -1
TAKE, PLACE, ACT = range(PLIES_A_TURN)
T = TypeVar("T")


class State(NamedTuple):
    """One whole position. A set of spaces is a bit set (bit 0 is A1); hands and collections are in card order."""

    turn: int  # plies // 3; TURNS when over
    step: int  # TAKE, PLACE or ACT
    roles: tuple[int, int]  # each known to its seat alone
    hands: tuple[tuple[int, ...], tuple[int, ...]]  # values known to the seat alone, factions to all
    collections: tuple[tuple[int, ...], tuple[int, ...]]  # as hands
    display: tuple[int, ...]  # by space; EMPTY while freed
    face_up: int  # spaces whose card's value is public
    freed: int
    blockers: tuple[int, ...]  # by space; EMPTY if none; values known to the seat that placed them (Q5)
    blocked: tuple[int, int]  # by seat: the spaces that it blocked
    pile: tuple[int, ...]  # top first; the top's faction is public, the rest secret


def max_plies(options: Options) -> int:  # noqa: ARG001 - the contract's signature
    return TURNS * PLIES_A_TURN


def deal(rng: Chance, options: Options) -> Deal:  # noqa: ARG001
    """Shuffle and deal (H3). All chance is here."""
    roles = shuffled(ROLES, rng)
    cards = shuffled(DECK, rng)
    return deal_of((ROLE_NUMBER[roles[0]], ROLE_NUMBER[roles[1]]), cards)


def deal_of(roles: tuple[int, int], cards: list[int]) -> Deal:
    """The deal of 28 cards in the order: 3 for seat 0, 3 for seat 1, 14 spaces, 8 of the draw pile."""
    words = [CARDS[card] for card in (*sorted(cards[:3]), *sorted(cards[3:6]), *cards[6:])]
    return Deal(
        roles=(ROLES[roles[0]], ROLES[roles[1]]),
        hands=((words[0], words[1], words[2]), (words[3], words[4], words[5])),
        display=dict(zip(SPACES, words[6:20], strict=True)),
        draw_pile=tuple(words[20:]),
    )


def dealt_cards(deal: Deal) -> list[int]:
    """The cards of a deal in the order of `deal_of`."""
    words = (*deal.hands[0], *deal.hands[1], *(deal.display[space] for space in SPACES), *deal.draw_pile)
    return [CARD_NUMBER[word] for word in words]


def initial(deal: Deal, options: Options) -> State:  # noqa: ARG001
    """The state before the first ply. Raises ValueError unless roles and cards are those of H1–H3."""
    if missing := [space for space in SPACES if space not in deal.display]:
        raise ValueError(f"deal: display: expected a card on each of the 14 spaces, none on {', '.join(missing)}")
    if len(deal.draw_pile) != 8:
        raise ValueError(f"deal: draw_pile: expected 8 cards, found {len(deal.draw_pile)}")
    if deal.roles[0] == deal.roles[1]:
        raise ValueError(f"deal: roles: expected two different ones, found {deal.roles[0]} twice")
    cards = dealt_cards(deal)
    if tuple(sorted(cards)) != DECK:
        raise ValueError(f"deal: expected the 28 cards of the deck once each; {_difference(cards)}")
    return State(
        turn=0,
        step=TAKE,
        roles=(ROLE_NUMBER[deal.roles[0]], ROLE_NUMBER[deal.roles[1]]),
        hands=(tuple(sorted(cards[:3])), tuple(sorted(cards[3:6]))),
        collections=((), ()),
        display=tuple(cards[6:20]),
        face_up=0,
        freed=0,
        blockers=(EMPTY,) * len(SPACES),
        blocked=(0, 0),
        pile=tuple(cards[20:]),
    )


def _difference(cards: list[int]) -> str:
    found, deck = Counter(cards), Counter(DECK)
    missing = ", ".join(CARDS[card] for card in sorted((deck - found).elements()))
    excess = ", ".join(CARDS[card] for card in sorted((found - deck).elements()))
    return f"missing: {missing or 'none'}; too many: {excess or 'none'}"


def seat_to_act(state: State) -> int | None:
    """Seat 0 plays the first turn, then the seats alternate (H3, H4)."""
    return state.turn % 2 if state.turn < TURNS else None


def legal_actions(state: State) -> tuple[Action, ...]:
    """The actions of the seat to act, from what it sees alone: its hand and which spaces are free or blocked."""
    if state.turn >= TURNS:
        return ()
    if state.step == TAKE:
        return _takes(unblocked(state))
    hand = state.hands[state.turn % 2]
    if state.step == PLACE:
        return _places(state.freed, hand)
    return _acts(unblocked(state), hand)


def unblocked(state: State) -> int:
    """The spaces whose cards may be taken or blocked; a blocker cannot be blocked again (Q4)."""
    return ALL_SPACES & ~(state.blocked[0] | state.blocked[1])


def apply(state: State, action: Action) -> State:
    """The state after a legal action. Raises ValueError for one that breaks the rules of its step."""
    if state.turn < TURNS:
        if state.step == TAKE and type(action) is Take:
            return _take(state, action)
        if state.step == PLACE and type(action) is Place:
            return _place(state, action)
        if state.step == ACT and type(action) is Block:
            return _block(state, action)
        if state.step == ACT and type(action) is Collect:
            return _collect(state, action)
    raise _illegal(action)


def _illegal(action: Action) -> ValueError:
    return ValueError(f"{action} is not legal here")


def _take(state: State, action: Take) -> State:
    """H5 (1), Q1, Q2: the chosen cards go into the hand together."""
    spaces = [SPACE_NUMBER[space] for space in action.spaces]
    freed = sum({1 << space for space in spaces})
    free = unblocked(state)
    if freed & ~free or freed.bit_count() != min(2, free.bit_count()):
        raise _illegal(action)
    display = list(state.display)
    taken = [display[space] for space in spaces]
    for space in spaces:
        display[space] = EMPTY
    seat = state.turn % 2
    hand = tuple(sorted((*state.hands[seat], *taken)))
    return State(
        state.turn,
        PLACE,
        state.roles,
        _with(state.hands, seat, hand),
        state.collections,
        tuple(display),
        state.face_up & ~freed,
        freed,
        state.blockers,
        state.blocked,
        state.pile,
    )


def _place(state: State, action: Place) -> State:
    """H5 (2): a hand card face up on each freed space."""
    seat = state.turn % 2
    hand = list(state.hands[seat])
    display = list(state.display)
    filled = 0
    for space_word, card_word in action.cards.items():
        space, card = SPACE_NUMBER[space_word], CARD_NUMBER[card_word]
        if card not in hand:
            raise _illegal(action)
        hand.remove(card)
        display[space] = card
        filled |= 1 << space
    if filled != state.freed:
        raise _illegal(action)
    return State(
        state.turn,
        ACT,
        state.roles,
        _with(state.hands, seat, tuple(hand)),
        state.collections,
        tuple(display),
        state.face_up | filled,
        0,
        state.blockers,
        state.blocked,
        state.pile,
    )


def _block(state: State, action: Block) -> State:
    """H5 (3): a hand card face down onto a display card; both stay where they are from now on."""
    space, card = SPACE_NUMBER[action.space], CARD_NUMBER[action.card]
    seat = state.turn % 2
    bit = 1 << space
    if not unblocked(state) & bit or card not in state.hands[seat]:
        raise _illegal(action)
    blockers = (*state.blockers[:space], card, *state.blockers[space + 1 :])
    blocked = _with(state.blocked, seat, state.blocked[seat] | bit)
    return _end_turn(state, card, state.collections, blockers, blocked)


def _collect(state: State, action: Collect) -> State:
    """H5 (3): a hand card face down into the own collection."""
    card = CARD_NUMBER[action.card]
    seat = state.turn % 2
    if card not in state.hands[seat]:
        raise _illegal(action)
    collection = tuple(sorted((*state.collections[seat], card)))
    return _end_turn(state, card, _with(state.collections, seat, collection), state.blockers, state.blocked)


def _end_turn(
    state: State,
    played: int,
    collections: tuple[tuple[int, ...], tuple[int, ...]],
    blockers: tuple[int, ...],
    blocked: tuple[int, int],
) -> State:
    """H5 (4): draw the top card while there is one; the turn is over."""
    seat = state.turn % 2
    hand = list(state.hands[seat])
    hand.remove(played)
    if state.pile:
        hand.append(state.pile[0])
        hand.sort()
    return State(
        state.turn + 1,
        TAKE,
        state.roles,
        _with(state.hands, seat, tuple(hand)),
        collections,
        state.display,
        state.face_up,
        0,
        blockers,
        blocked,
        state.pile[1:],
    )


def _with(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


# Equal actions are one object, made when first needed: search bots ask for the same few thousand again and again.


@lru_cache(maxsize=1 << 14)
def _takes(free: int) -> tuple[Take, ...]:
    spaces = members(free)
    if len(spaces) < 2:  # Q2
        return tuple(_take_of(space, space) for space in spaces)
    return tuple(_take_of(first, second) for i, first in enumerate(spaces) for second in spaces[i + 1 :])


def _places(freed: int, hand: tuple[int, ...]) -> tuple[Place, ...]:
    if freed & (freed - 1) == 0:  # Q2
        return tuple([_place_of(freed, card, card) for card in sorted(set(hand))])
    return tuple([_place_of(freed, first, second) for first, second in _ordered_pairs(hand)])


def _acts(free: int, hand: tuple[int, ...]) -> tuple[Action, ...]:
    cards = sorted(set(hand))
    spaces = members(free)
    acts: list[Action] = [_COLLECT[card] for card in cards]
    for card in cards:
        row = _BLOCK[card]
        acts += [row[space] for space in spaces]
    return tuple(acts)


@lru_cache(maxsize=1 << 14)
def members(bits: int) -> tuple[int, ...]:
    """The spaces of a bit set, in space order."""
    return tuple(space for space in range(len(SPACES)) if bits >> space & 1)


@lru_cache(maxsize=1 << 14)
def _ordered_pairs(hand: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Each distinct ordered choice of two cards of a hand, in order."""
    return tuple(sorted({(a, b) for i, a in enumerate(hand) for j, b in enumerate(hand) if i != j}))


@cache
def _take_of(first: int, second: int) -> Take:
    return Take((SPACES[first],) if first == second else (SPACES[first], SPACES[second]))


@cache
def _place_of(freed: int, first: int, second: int) -> Place:
    spaces = members(freed)
    return Place({SPACES[space]: CARDS[card] for space, card in zip(spaces, (first, second), strict=False)})


_BLOCK = [[Block(card, space) for space in SPACES] for card in CARDS]
_COLLECT = [Collect(card) for card in CARDS]
