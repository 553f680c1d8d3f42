"""L10 Acrobat, active: jumps in a straight line over one adjacent character (any) onto the empty space behind; may
then jump once more, in any direction.

E9: its start counts as empty for the second jump, but it may not end there.
"""

from arena.games.leaders.actions import go_numbers
from arena.games.leaders.board import BIT, LEAPS, spaces_of
from arena.games.leaders.cards import ACROBAT
from arena.games.leaders.sight import Sight


def ability(sight: Sight, space: int) -> tuple[int, ...]:
    others = sight.occupied & ~BIT[space]
    once = _landings(space, others)
    twice = 0
    for landing in spaces_of(once):
        twice |= _landings(landing, others)
    return go_numbers(ACROBAT, sight.own_may_go(space, (once | twice) & ~BIT[space]))


def _landings(space: int, occupied: int) -> int:
    mask = 0
    for over, landing in LEAPS[space]:
        if over & occupied and not landing & occupied:
            mask |= landing
    return mask
