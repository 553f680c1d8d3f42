"""L12 Bruiser, active: moves onto an adjacent enemy's space and pushes it to one of the three spaces opposite
(straight on or 60° to either side) that is empty; unusable if none is.
"""

from arena.games.leaders.actions import shift_numbers
from arena.games.leaders.board import BIT, NEAR, PUSHES, spaces_of
from arena.games.leaders.cards import BRUISER
from arena.games.leaders.sight import Sight


def ability(sight: Sight, space: int) -> list[int]:
    numbers: list[int] = []
    others = sight.occupied & ~BIT[space]
    for target in spaces_of(NEAR[space] & sight.enemy & ~sight.protected):
        pushes = PUSHES[space, target] & sight.empty
        numbers += shift_numbers(BRUISER, target, sight.enemy_may_go(target, pushes, others))
    return numbers
