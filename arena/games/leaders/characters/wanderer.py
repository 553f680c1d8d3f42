"""L17 Wanderer, active: moves to any empty space that is not adjacent to an enemy."""

from arena.games.leaders.actions import go_numbers
from arena.games.leaders.board import beside
from arena.games.leaders.cards import WANDERER
from arena.games.leaders.sight import Sight


def ability(sight: Sight, space: int) -> tuple[int, ...]:
    return go_numbers(WANDERER, sight.own_may_go(space, sight.empty & ~beside(sight.enemy)))
