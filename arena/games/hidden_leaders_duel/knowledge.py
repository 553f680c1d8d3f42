"""Hidden Leaders Duel: histories and states that one seat cannot tell apart.

`redeal` follows the 28 cards of a deal through a history as *tokens*, numbered by where they were dealt. What a seat
learns of a token is its faction (public once it is dealt, turned up on the draw pile or played) and, at times, its
value. When another seat plays a card, the seat sees a card leave a hand but not which token it was (Q7). So each
faction is a small puzzle of its own: for every card played, choose a token of that hand that may be this card. Any
solution, with the values nobody showed dealt out at random, is a history that looks the same.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import UNSET

from arena.chance import Chance, shuffle, shuffled
from arena.games.hidden_leaders_duel.notation import (
    CARD_NUMBER,
    CARDS,
    FACTIONS,
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
    View,
)
from arena.games.hidden_leaders_duel.rules import (
    DECK,
    EMPTY,
    TAKE,
    TURNS,
    State,
    apply,
    deal_of,
    dealt_cards,
    initial,
)
from arena.games.hidden_leaders_duel.view import STEPS

FIRST_SPACE, FIRST_OF_PILE, TOKENS = 6, 20, 28
UNKNOWN = -1
COPIES = Counter(DECK)


class Gain(NamedTuple):
    """A token enters a hand: dealt or drawn (`token`), or taken from a space."""

    seat: int
    token: int | None
    space: int


class Play(NamedTuple):
    """A token leaves a hand: onto a space (placed), or hidden (a blocker or a collected card)."""

    seat: int
    space: int | None  # None: hidden
    ply: int
    card: int  # UNKNOWN if the seat never learns it
    reordered: bool  # the card is one of those revealed in the collection, any of them


class _Story:
    """What one seat saw of a history: by faction, how cards moved; by token, the values that it knows for certain."""

    def __init__(self, deal: Deal, actions: Sequence[Action], seat: int | None, options: Options) -> None:
        self.seat = seat
        self.dealt = dealt_cards(deal)
        self.known = [UNKNOWN] * TOKENS
        self.moves: tuple[list[Gain | Play], ...] = ([], [], [], [])
        self.over = len(actions) == TURNS * 3
        self.drawn = 0
        self.untaken = set(range(len(SPACES)))
        for token in range(FIRST_SPACE):
            self._gain(token // 3, token)
        state = initial(deal, options)
        for ply, action in enumerate(actions):
            self._follow(state, ply, action)
            state = apply(state, action)
        self.collections = state.collections
        if self.over:  # scored: the cards still face down are revealed
            for space in self.untaken:
                self._learn(FIRST_SPACE + space)

    def _learn(self, token: int) -> None:
        self.known[token] = self.dealt[token]

    def _gain(self, seat: int, token: int) -> None:
        self.moves[self.dealt[token] >> 2].append(Gain(seat, token, EMPTY))
        if seat == self.seat:
            self._learn(token)

    def _follow(self, state: State, ply: int, action: Action) -> None:
        actor = state.turn % 2
        if type(action) is Take:
            for taken in action.spaces:
                self._follow_taken(state, actor, SPACE_NUMBER[taken])
        elif type(action) is Place:
            for space, word in action.cards.items():
                self._play(Play(actor, SPACE_NUMBER[space], ply, CARD_NUMBER[word], reordered=False))
        elif type(action) is Block or type(action) is Collect:
            card = CARD_NUMBER[action.card]
            hidden = actor != self.seat
            reordered = hidden and self.over and type(action) is Collect
            seen = not hidden or (self.over and type(action) is Block)
            self._play(Play(actor, None, ply, card if seen else UNKNOWN, reordered), faction=card >> 2)
            if state.pile:
                self._gain(actor, FIRST_OF_PILE + self.drawn)
                self.drawn += 1

    def _follow_taken(self, state: State, actor: int, space: int) -> None:
        self.moves[state.display[space] >> 2].append(Gain(actor, None, space))
        if space in self.untaken:
            self.untaken.remove(space)
            if actor == self.seat:
                self._learn(FIRST_SPACE + space)

    def _play(self, play: Play, faction: int | None = None) -> None:
        self.moves[play.card >> 2 if faction is None else faction].append(play)


class _Puzzle:
    """The choice of tokens for one faction's plays; `cards[token]` and `played[ply]` hold the solution."""

    def __init__(self, story: _Story, faction: int, rng: Chance) -> None:
        self.moves = story.moves[faction]
        self.rng = rng
        self.cards = list(story.known)
        self.used = Counter(card for card in story.known if card != UNKNOWN)
        self.display = {space: FIRST_SPACE + space for space in range(len(SPACES))}
        self.hands: tuple[list[int], list[int]] = ([], [])
        self.revealed = tuple(Counter(card for card in cards if card >> 2 == faction) for cards in story.collections)
        self.played: dict[int, int] = {}

    def solve(self, i: int = 0) -> bool:
        """Depth first; the real history is one of the branches, so the first call always succeeds."""
        if i == len(self.moves):
            return True
        move = self.moves[i]
        hand = self.hands[move.seat]
        if isinstance(move, Gain):
            hand.append(self.display[move.space] if move.token is None else move.token)
            if self.solve(i + 1):
                return True
            hand.pop()
            return False
        return any(self._try(i, move, token, card) for token, card in self._candidates(move))

    def _try(self, i: int, move: Play, token: int, card: int) -> bool:
        hand, before, display = self.hands[move.seat], self.cards[token], dict(self.display)
        kept = list(hand)
        hand.remove(token)
        self._fix(token, card)
        self.revealed[move.seat][card] -= move.reordered
        if move.space is None:
            self.played[move.ply] = token
        else:
            self.display[move.space] = token
        if self.solve(i + 1):
            return True
        self.revealed[move.seat][card] += move.reordered
        self._fix(token, before)
        self.display = display
        hand[:] = kept
        return False

    def _fix(self, token: int, card: int) -> None:
        self.used[self.cards[token]] -= 1
        self.used[card] += 1
        self.cards[token] = card

    def _candidates(self, move: Play) -> Iterator[tuple[int, int]]:
        """The tokens that may be the card played, with the card they then are, in random order.

        Tokens of equal knowledge in one hand have equal futures: one of them stands for all.
        """
        alike: dict[int, int] = {}
        for token in shuffled(self.hands[move.seat], self.rng):
            alike.setdefault(self.cards[token], token)
        if move.reordered:
            wanted = shuffled([card for card, count in sorted(self.revealed[move.seat].items()) if count > 0], self.rng)
        else:
            wanted = [move.card]
        for card in wanted:
            for known, token in list(alike.items()):
                if card in (UNKNOWN, known):
                    yield token, known
                elif known == UNKNOWN and self.used[card] < COPIES[card]:
                    yield token, card


def redeal(
    deal: Deal, actions: Sequence[Action], seat: int | None, rng: Chance, options: Options
) -> tuple[Deal, Sequence[Action]]:
    """Another deal and history that gives `seat` the same views, events and legal lists; None: the spectator.

    Drawn anew: the roles and values it has not seen, the order of the draw pile below the top, and which of its cards
    another seat blocked with or collected.
    """
    story = _Story(deal, actions, seat, options)
    cards = list(story.known)
    played: dict[int, int] = {}
    for faction in range(len(FACTIONS)):
        puzzle = _Puzzle(story, faction, rng)
        if not puzzle.solve():
            raise AssertionError("the real history solves the puzzle, and yet there is no solution")
        for token, card in enumerate(puzzle.cards):
            cards[token] = max(card, cards[token])
        played |= puzzle.played
    _deal_out_unknown(cards, story, rng)
    rewritten = [
        _rewritten(action, cards[played[ply]]) if ply in played else action for ply, action in enumerate(actions)
    ]
    return deal_of(_other_roles(deal, story, rng), cards), rewritten


def _deal_out_unknown(cards: list[int], story: _Story, rng: Chance) -> None:
    """Give every token a card: of its faction where that is public, which it is down to the top of the draw pile."""
    rest = list((Counter(DECK) - Counter(card for card in cards if card != UNKNOWN)).elements())
    shuffle(rest, rng)
    for token, card in enumerate(cards):
        if card == UNKNOWN:
            public = token <= FIRST_OF_PILE + story.drawn
            fits = [i for i, other in enumerate(rest) if not public or other >> 2 == story.dealt[token] >> 2]
            cards[token] = rest.pop(fits[0])


def _rewritten(action: Action, card: int) -> Action:
    if isinstance(action, Block):
        return Block(CARDS[card], action.space)
    return Collect(CARDS[card])


def _other_roles(deal: Deal, story: _Story, rng: Chance) -> tuple[int, int]:
    roles = [ROLE_NUMBER[name] for name in deal.roles]
    if not story.over:
        kept = [] if story.seat is None else [roles[story.seat]]
        others = shuffled([role for role in range(len(ROLES)) if role not in kept], rng)
        roles = [role if role in kept else others.pop() for role in roles]
    return roles[0], roles[1]


def determinize(view: View, rng: Chance, options: Options) -> State:  # noqa: ARG001 - the contract's signature
    """A state with this view, every unseen card and role drawn at random; the view is a seat's or the spectator's."""
    unseen = _Unseen(view, rng)
    players = _players(view)
    shown = [view.display[space] for space in SPACES]
    hands = [unseen.cards(hand) for hand, _ in players]
    collections = [unseen.cards(collection) for _, collection in players]
    display = tuple([EMPTY if card is None else unseen.card(card.card) for card in shown])
    blockers = tuple([EMPTY if card is None or card.blocker is None else unseen.card(card.blocker) for card in shown])
    top = [] if view.draw_pile.top is None else [unseen.card(view.draw_pile.top)]
    pile = (*top, *unseen.rest())
    if len(pile) != view.draw_pile.count:
        raise ValueError(f"the view leaves {len(pile)} cards for a draw pile of {view.draw_pile.count}")
    return State(
        turn=view.turn,
        step=TAKE if view.step == "over" else STEPS.index(view.step),
        roles=_roles(view, rng),
        hands=(hands[0], hands[1]),
        collections=(collections[0], collections[1]),
        display=display,
        face_up=_bits(space for space, card in enumerate(shown) if card is not None and card.face_up),
        freed=_bits(SPACE_NUMBER[space] for space in view.freed),
        blockers=blockers,
        blocked=_blocked(view, rng),
        pile=pile,
    )


class _Unseen:
    """The cards whose place a view does not tell, by faction, shuffled."""

    def __init__(self, view: View, rng: Chance) -> None:
        on_display = [card for card in view.display.values() if card is not None]
        words: list[str] = [
            *(card.card for card in on_display),
            *(card.blocker for card in on_display if card.blocker is not None),
        ]
        words += [word for hand, collection in _players(view) for word in (*hand, *collection)]
        unseen = Counter(DECK) - Counter(CARD_NUMBER[word] for word in words if word in CARD_NUMBER)
        self._rng = rng
        self._by_faction: dict[str, list[int]] = {faction: [] for faction in FACTIONS}
        for card in shuffled(list(unseen.elements()), rng):
            self._by_faction[FACTIONS[card >> 2]].append(card)

    def card(self, word: str) -> int:
        """The card itself if its value is seen, else an unseen one of its faction."""
        known = CARD_NUMBER.get(word)
        return self._by_faction[word[0]].pop() if known is None else known

    def cards(self, words: Sequence[str]) -> tuple[int, ...]:
        return tuple(sorted([self.card(word) for word in words]))

    def rest(self) -> list[int]:
        return shuffled([card for cards in self._by_faction.values() for card in cards], self._rng)


def _players(view: View) -> list[tuple[Sequence[str], Sequence[str]]]:
    """Hand and collection of each seat, as far as the view shows them."""
    if view.players is not UNSET:
        return [(cards.hand, cards.collection) for cards in view.players]
    if view.hand is UNSET or view.collection is UNSET or view.opponent is UNSET:
        raise ValueError("the view is neither a seat's nor the spectator's")
    own, other = (view.hand, view.collection), (view.opponent.hand, view.opponent.collection)
    return [own, other] if view.seat == 0 else [other, own]


def _roles(view: View, rng: Chance) -> tuple[int, int]:
    own = None if view.role is UNSET else ROLE_NUMBER[view.role.name]
    others = shuffled([role for role in range(len(ROLES)) if role != own], rng)
    if own is None:
        return others[0], others[1]
    return (own, others[0]) if view.seat == 0 else (others[0], own)


def _blocked(view: View, rng: Chance) -> tuple[int, int]:
    """Who blocked where: a seat knows its own blockers (Q5); to the spectator any split fits that adds up.

    A seat has blocked in each finished turn in which it did not collect.
    """
    blocked = [
        space for space, card in enumerate(view.display.values()) if card is not None and card.blocker is not None
    ]
    if view.seat is None:
        of_seat_0 = (view.turn + 1) // 2 - len(_players(view)[0][1])
        order = shuffled(blocked, rng)
        return _bits(order[:of_seat_0]), _bits(order[of_seat_0:])
    own = _bits(space for space in blocked if _blocker(view, space) in CARD_NUMBER)
    return (own, _bits(blocked) & ~own) if view.seat == 0 else (_bits(blocked) & ~own, own)


def _blocker(view: View, space: int) -> str | None:
    card = view.display[SPACES[space]]
    return None if card is None else card.blocker


def _bits(spaces: Iterable[int]) -> int:
    return sum(1 << space for space in spaces)
