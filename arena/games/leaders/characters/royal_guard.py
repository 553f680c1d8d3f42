"""L13 Royal Guard, active: from anywhere to an empty space adjacent to its own Leader; may then move one more space.

E9: the first step goes to an empty space, so never to its own; its start counts as empty for the second step (Q11),
but it may not end there.
"""

from arena.games.leaders.actions import go_numbers
from arena.games.leaders.board import BIT, NEAR, beside
from arena.games.leaders.cards import ROYAL_GUARD
from arena.games.leaders.sight import Sight


def ability(sight: Sight, space: int) -> tuple[int, ...]:
    first = NEAR[sight.leader] & sight.empty
    second = beside(first) & sight.empty
    return go_numbers(ROYAL_GUARD, sight.own_may_go(space, (first | second) & ~BIT[space]))
