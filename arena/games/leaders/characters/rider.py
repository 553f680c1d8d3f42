"""L11 Rider, active: moves exactly two spaces in a straight line, both empty."""

from arena.games.leaders.actions import go_numbers
from arena.games.leaders.board import LEAPS
from arena.games.leaders.cards import RIDER
from arena.games.leaders.sight import Sight


def ability(sight: Sight, space: int) -> tuple[int, ...]:
    mask = 0
    for middle, end in LEAPS[space]:
        if not sight.occupied & (middle | end):
            mask |= end
    return go_numbers(RIDER, sight.own_may_go(space, mask))
