"""A position of an OpenSpiel game that is never at a chance node, because the deal has decided those."""

from collections.abc import Sequence
from typing import Any, Self

from arena.chance import KeyedChance
from arena.games.openspiel.words import DRAW_BOUND


class Position:
    """OpenSpiel's state, the draws of the deal, and how many of them are used. Nobody alters `spiel`."""

    __slots__ = ("drawn", "draws", "spiel")

    def __init__(self, spiel: Any, draws: tuple[int, ...], drawn: int) -> None:
        self.spiel = spiel
        self.draws = draws
        self.drawn = drawn

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.draws == other.draws and bool(self.spiel.history() == other.spiel.history())

    def __hash__(self) -> int:
        return hash((self.draws, *self.spiel.history()))

    def __deepcopy__(self, memo: Any) -> Self:
        return type(self)(self.spiel.clone(), self.draws, self.drawn)


def resolved(spiel: Any, draws: tuple[int, ...], drawn: int) -> Position:
    """The position after all chance that is due now. Alters `spiel`, which nobody else may hold."""
    while spiel.is_chance_node():
        spiel.apply_action(drawn_outcome(spiel.chance_outcomes(), draw_at(draws, drawn)))
        drawn += 1
    return Position(spiel, draws, drawn)


def draw_at(draws: tuple[int, ...], number: int) -> int:
    """Draw `number`; beyond the list (of very long games) it follows from the whole list."""
    if number < len(draws):
        return draws[number]
    return KeyedChance(repr(draws).encode(), f"draw {number}").randrange(DRAW_BOUND)


def drawn_outcome(outcomes: Sequence[tuple[int, float]], draw: int) -> int:
    """The outcome on which a draw falls."""
    reached = 0.0
    for outcome, probability in outcomes:
        reached += probability
        if draw < reached * DRAW_BOUND:
            return outcome
    return next(outcome for outcome, probability in reversed(outcomes) if probability > 0)


def span(outcomes: Sequence[tuple[int, float]], wanted: int) -> tuple[int, int]:
    """The first draw that falls on `wanted`, and the first beyond it."""
    reached = 0.0
    for outcome, probability in outcomes:
        start, reached = reached, reached + probability
        if outcome == wanted:
            first, end = _first_from(start), _first_from(reached)
            return first, end if outcome != outcomes[-1][0] else DRAW_BOUND
    raise ValueError(f"{wanted} is no outcome here")


def _first_from(point: float) -> int:
    """The smallest draw that is not below a point of the interval from 0 to 1."""
    draw = int(point * DRAW_BOUND)
    return draw if draw >= point * DRAW_BOUND else draw + 1
