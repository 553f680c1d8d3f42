"""L16 Manipulator, active: moves a visible, non-adjacent enemy to an empty space adjacent to it (E13)."""

from arena.games.leaders.actions import shift_numbers
from arena.games.leaders.board import BIT, NEAR, spaces_of, visible
from arena.games.leaders.cards import MANIPULATOR
from arena.games.leaders.sight import Sight


def ability(sight: Sight, space: int) -> list[int]:
    numbers: list[int] = []
    for target in spaces_of(visible(space, sight.occupied) & sight.enemy & ~sight.protected):
        others = sight.occupied & ~BIT[target]
        ends = sight.enemy_may_go(target, NEAR[target] & sight.empty, others)
        numbers += shift_numbers(MANIPULATOR, target, ends)
    return numbers
