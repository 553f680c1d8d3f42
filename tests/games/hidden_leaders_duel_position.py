"""Positions of Hidden Leaders Duel written out in full, for the tests."""

from arena.games.hidden_leaders_duel import State
from arena.games.hidden_leaders_duel.notation import CARD_NUMBER, ROLE_NUMBER
from arena.games.hidden_leaders_duel.rules import DECK, EMPTY

STEPS = {"take": 0, "place": 1, "act": 2}


def position(
    *,
    turn: int,
    step: str = "take",
    roles: str,
    hands: tuple[str, str],
    collections: tuple[str, str] = ("", ""),
    a: str,
    b: str,
    pile: str = "",
    whole: bool = True,
) -> State:
    """A state from words. In rows `a` and `b`: `s3` face down, `S3` face up, `--` freed, `S3/U2@0` blocked by seat 0.

    All 28 cards must be there, unless `whole` is false; then rows may be shorter than seven, too.
    """
    spaces = [word for row in (a, b) for word in (row + " --" * (7 - len(row.split()))).split()]
    display = [EMPTY if word == "--" else number(word.partition("/")[0].upper()) for word in spaces]
    blockers = [number(word[3:5]) if "/" in word else EMPTY for word in spaces]
    in_hands, collected = [[cards(words) for words in pair] for pair in (hands, collections)]
    state = State(
        turn=turn,
        step=STEPS[step],
        roles=(ROLE_NUMBER[roles.split()[0]], ROLE_NUMBER[roles.split()[1]]),
        hands=(in_hands[0], in_hands[1]),
        collections=(collected[0], collected[1]),
        display=tuple(display),
        face_up=bits(word[0].isupper() for word in spaces),
        freed=bits(word == "--" for word in spaces),
        blockers=tuple(blockers),
        blocked=(bits(word.endswith("@0") for word in spaces), bits(word.endswith("@1") for word in spaces)),
        pile=tuple(number(word) for word in pile.split()),
    )
    assert not whole or tuple(sorted(all_cards(state))) == DECK, "the 28 cards of H1"
    return state


def number(word: str) -> int:
    return CARD_NUMBER[word]


def cards(words: str) -> tuple[int, ...]:
    return tuple(sorted(number(word) for word in words.split()))


def bits(flags: object) -> int:
    return sum(1 << space for space, flag in enumerate(flags) if flag)  # type: ignore[arg-type, var-annotated]


def all_cards(state: State) -> list[int]:
    """Every card of the state, wherever it is."""
    on_table = [card for card in (*state.display, *state.blockers) if card != EMPTY]
    return [*on_table, *state.hands[0], *state.hands[1], *state.collections[0], *state.collections[1], *state.pile]
