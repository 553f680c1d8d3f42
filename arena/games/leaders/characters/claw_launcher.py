"""L15 Claw Launcher, active: with a visible, non-adjacent character (any) it moves along the line until adjacent to
it, or drags it along the line until adjacent.

E13: it may pull itself to a protected figure, but not drag a protected enemy.
"""

from arena.games.leaders.actions import ON_TARGET
from arena.games.leaders.board import BIT, LINE_ENDS, OFF, spaces_of, visible
from arena.games.leaders.cards import CLAW_LAUNCHER
from arena.games.leaders.sight import Sight


def ability(sight: Sight, space: int) -> list[int]:
    numbers = []
    for target in spaces_of(visible(space, sight.occupied)):
        beside_target, beside_me = LINE_ENDS[space, target]
        if sight.own_may_go(space, BIT[beside_target]):
            numbers.append(ON_TARGET[CLAW_LAUNCHER, target, beside_target, OFF])
        if _may_drag(sight, target, BIT[beside_me]):
            numbers.append(ON_TARGET[CLAW_LAUNCHER, target, OFF, beside_me])
    return numbers


def _may_drag(sight: Sight, target: int, end: int) -> int:
    if BIT[target] & sight.enemy:
        others = sight.occupied & ~BIT[target]
        return 0 if BIT[target] & sight.protected else sight.enemy_may_go(target, end, others)
    return sight.leader_may_go(end) if target == sight.leader else sight.own_may_go(target, end)
