"""L14 Illusionist, active: switches places with a visible, non-adjacent character (any)."""

from arena.games.leaders.actions import ON_TARGET
from arena.games.leaders.board import BIT, OFF, spaces_of, visible
from arena.games.leaders.cards import ILLUSIONIST
from arena.games.leaders.sight import Sight


def ability(sight: Sight, space: int) -> list[int]:
    targets = spaces_of(visible(space, sight.occupied) & ~sight.protected)
    return [ON_TARGET[ILLUSIONIST, target, OFF, OFF] for target in targets if _may_switch(sight, space, target)]


def _may_switch(sight: Sight, space: int, target: int) -> bool:
    if target == sight.leader:
        return sight.leader_may_swap(space)
    # An ally in the Illusionist's place weighs as little on its own Leader as the Illusionist did.
    return not BIT[target] & sight.enemy or bool(sight.enemy_may_go(target, BIT[space], sight.occupied))
