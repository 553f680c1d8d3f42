"""Hidden Leaders Duel: what each seat may see. Nothing else turns hidden fields of a `State` into words."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import cast

from msgspec import UNSET

from arena.games.hidden_leaders_duel.notation import (
    CARD_NUMBER,
    CARDS,
    FACTIONS,
    HIDDEN,
    ROLE_FACTIONS,
    ROLES,
    ROWS,
    SPACE_NUMBER,
    SPACES,
    Action,
    Block,
    Blocked,
    Cards,
    Collect,
    Collected,
    DisplayCard,
    DrawPile,
    Drew,
    Event,
    FactionScore,
    HiddenCard,
    KnownCard,
    Place,
    Placed,
    RevealedCard,
    Role,
    Scored,
    SeenCard,
    Space,
    Step,
    Take,
    Took,
    View,
)
from arena.games.hidden_leaders_duel.rules import EMPTY, TURNS, State, members, seat_to_act
from arena.games.hidden_leaders_duel.scoring import score

STEPS: tuple[Step, ...] = ("take", "place", "act")


def view(state: State, seat: int | None) -> View:
    """What `seat` may see; None is the spectator, who sees no hidden value at all (E5: the same shape at every ply)."""
    turn = state.turn
    return View(
        round=min(turn // 2 + 1, TURNS // 2),  # E2
        turn=turn,
        step=STEPS[state.step] if turn < TURNS else "over",
        seat=seat,
        seat_to_act=seat_to_act(state),
        near_row=UNSET if seat is None else ROWS[seat],
        role=UNSET if seat is None else _role(state.roles[seat]),
        hand=UNSET if seat is None else _known(state.hands[seat]),
        collection=UNSET if seat is None else _known(state.collections[seat]),
        opponent=UNSET if seat is None else _public(state, 1 - seat),
        players=(_public(state, 0), _public(state, 1)) if seat is None else UNSET,
        display=_display(state, seat),
        freed=_space_words(state.freed),
        draw_pile=_draw_pile(len(state.pile), HIDDEN[state.pile[0]] if state.pile else None),
    )


def _public(state: State, seat: int) -> Cards:
    return Cards(hand=_hidden(state.hands[seat]), collection=_hidden(state.collections[seat]))


def _display(state: State, seat: int | None) -> dict[Space, DisplayCard | None]:
    own_blocks = 0 if seat is None else state.blocked[seat]  # Q5
    display: dict[Space, DisplayCard | None] = {}
    for space, word in enumerate(SPACES):
        card, blocker = state.display[space], state.blockers[space]
        if card == EMPTY:
            display[word] = None
        else:
            display[word] = _display_card(card, state.face_up >> space & 1, blocker, own_blocks >> space & 1)
    return display


@cache
def _display_card(card: int, face_up: int, blocker: int, own_blocker: int) -> DisplayCard:
    return DisplayCard(
        card=_word(card, known=face_up == 1),
        face_up=face_up == 1,
        blocker=None if blocker == EMPTY else _word(blocker, known=own_blocker == 1),
    )


def _word(card: int, *, known: bool) -> SeenCard:
    return CARDS[card] if known else HIDDEN[card]


@lru_cache(maxsize=1 << 14)
def _known(cards: tuple[int, ...]) -> tuple[KnownCard, ...]:
    return tuple([CARDS[card] for card in cards])


@lru_cache(maxsize=1 << 14)
def _hidden(cards: tuple[int, ...]) -> tuple[HiddenCard, ...]:
    return tuple([HIDDEN[card] for card in cards])


@lru_cache(maxsize=1 << 10)
def _space_words(spaces: int) -> tuple[Space, ...]:
    return tuple([SPACES[space] for space in members(spaces)])


@cache
def _role(role: int) -> Role:
    first, second = ROLE_FACTIONS[role]
    return Role(name=ROLES[role], factions=(FACTIONS[first], FACTIONS[second]))


@cache
def _draw_pile(count: int, top: HiddenCard | None) -> DrawPile:
    return DrawPile(count=count, top=top)


def events(before: State, action: Action, after: State, seat: int | None) -> list[Event]:
    """What happened by `action`, in the wording of `seat` (E4); the acting seat alone sees hidden values."""
    actor = before.turn % 2
    word = cast("Callable[[int], SeenCard]", (CARDS if seat == actor else HIDDEN).__getitem__)
    if type(action) is Take:
        return [Took(actor, _took(before, action.spaces, word))]
    if type(action) is Place:
        return [Placed(actor, {space: action.cards[space] for space in sorted(action.cards)})]  # E1
    happened: list[Event] = []
    if type(action) is Block:
        happened.append(Blocked(actor, word(CARD_NUMBER[action.card]), action.space))
    elif type(action) is Collect:
        happened.append(Collected(actor, word(CARD_NUMBER[action.card])))
    if before.pile:
        happened.append(Drew(actor, word(before.pile[0])))
    if after.turn == TURNS:
        happened.append(scored(after))
    return happened


def _took(before: State, spaces: Sequence[Space], word: Callable[[int], SeenCard]) -> dict[Space, SeenCard]:
    cards: dict[Space, SeenCard] = {}
    for space_word in spaces:
        space = SPACE_NUMBER[space_word]
        card = before.display[space]
        cards[space_word] = CARDS[card] if before.face_up >> space & 1 else word(card)
    return cards


def scored(state: State) -> Scored:
    """The reveal (E3), alike for both seats and the spectator."""
    result = score(state)
    return Scored(
        roles=(ROLES[state.roles[0]], ROLES[state.roles[1]]),
        collections=(_known(state.collections[0]), _known(state.collections[1])),
        display={
            SPACES[space]: RevealedCard(card=CARDS[card], blocker=None if blocker == EMPTY else CARDS[blocker])
            for space, (card, blocker) in enumerate(zip(state.display, state.blockers, strict=True))
        },
        factions={
            FACTIONS[faction]: FactionScore(
                totals=part.totals,
                counts=dict(zip(ROWS, part.counts, strict=True)),
                rows=(ROWS[part.rows[0]], ROWS[part.rows[1]]),
                received=(_known(part.received[0]), _known(part.received[1])),
            )
            for faction, part in enumerate(result.factions)
        },
        points=result.points,
        received=result.received,
        winner=result.winner,
    )
