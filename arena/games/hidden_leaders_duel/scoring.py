"""Hidden Leaders Duel: how a finished game is scored (H6) and won (H7)."""

from typing import NamedTuple

from arena.game import Outcome
from arena.games.hidden_leaders_duel.notation import ROLE_FACTIONS
from arena.games.hidden_leaders_duel.rules import EMPTY, TURNS, State

ROW_LENGTH = 7


class FactionResult(NamedTuple):
    """H6 for one faction. `counts` goes by row, all else by seat; rows are 0 (A) and 1 (B)."""

    totals: tuple[int, int]
    counts: tuple[int, int]
    rows: tuple[int, int]  # assigned, received or not
    received: tuple[tuple[int, ...], tuple[int, ...]]  # in card order


class Score(NamedTuple):
    factions: tuple[FactionResult, ...]  # I, H, S, U
    points: tuple[int, int]
    received: tuple[int, int]  # number of cards
    winner: int | None  # None for a tie
    reason: str  # "points", "cards" or "tie"


def score(state: State) -> Score:
    """The score if everything were revealed now. Search bots may ask before the end."""
    rows = (_row(state, 0), _row(state, 1))
    factions = tuple([_faction(state, rows, faction) for faction in range(4)])
    points = [0, 0]
    received = [0, 0]
    for result in factions:
        for seat in (0, 1):
            points[seat] += sum([card & 3 for card in result.received[seat]])
            received[seat] += len(result.received[seat])
    winner, reason = _winner(points, received)
    return Score(factions, (points[0], points[1]), (received[0], received[1]), winner, reason)


def _row(state: State, row: int) -> list[int]:
    """The cards of a row: face up, face down, blocked and blocking."""
    spaces = slice(row * ROW_LENGTH, (row + 1) * ROW_LENGTH)
    cards = [*state.display[spaces], *state.blockers[spaces]]
    return sorted([card for card in cards if card != EMPTY])


def _faction(state: State, rows: tuple[list[int], list[int]], faction: int) -> FactionResult:
    held = [[card & 3 for card in collection if card >> 2 == faction] for collection in state.collections]
    own = [faction in ROLE_FACTIONS[role] for role in state.roles]
    totals = (sum(held[0]) + own[0], sum(held[1]) + own[1])
    cards = [tuple([card for card in row if card >> 2 == faction]) for row in rows]
    counts = (len(cards[0]), len(cards[1]))
    assigned = _assign(totals, counts)
    received = [cards[assigned[seat]] if own[seat] or held[seat] else () for seat in (0, 1)]
    return FactionResult(totals, counts, assigned, (received[0], received[1]))


def _assign(totals: tuple[int, int], counts: tuple[int, int]) -> tuple[int, int]:
    """The row assigned to each seat (H6): the nearer one when anything is equal."""
    if totals[0] == totals[1] or counts[0] == counts[1]:
        return 0, 1
    more = 0 if counts[0] > counts[1] else 1
    return (more, 1 - more) if totals[0] > totals[1] else (1 - more, more)


def _winner(points: list[int], received: list[int]) -> tuple[int | None, str]:
    """H7: more points, then more received cards, else a draw."""
    if points[0] != points[1]:
        return (0 if points[0] > points[1] else 1), "points"
    if received[0] != received[1]:
        return (0 if received[0] > received[1] else 1), "cards"
    return None, "tie"


def outcome(state: State) -> Outcome | None:
    """How the game ended; `details` repeat points, received cards and winner of the `scored` event."""
    if state.turn < TURNS:
        return None
    result = score(state)
    details = {"points": list(result.points), "received": list(result.received), "winner": result.winner}
    if result.winner is None:
        return Outcome.draw(reason=result.reason, details=details)
    return Outcome.win(result.winner, reason=result.reason, details=details)
