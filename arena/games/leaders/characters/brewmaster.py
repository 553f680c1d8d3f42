"""L18 Brewmaster, active: moves an adjacent ally (the Leader, too) to an empty space adjacent to it (E13)."""

from arena.games.leaders.actions import shift_numbers
from arena.games.leaders.board import NEAR, spaces_of
from arena.games.leaders.cards import BREWMASTER
from arena.games.leaders.sight import Sight


def ability(sight: Sight, space: int) -> list[int]:
    numbers: list[int] = []
    for target in spaces_of(NEAR[space] & sight.own):
        ends = NEAR[target] & sight.empty
        safe = sight.leader_may_go(ends) if target == sight.leader else sight.own_may_go(target, ends)
        numbers += shift_numbers(BREWMASTER, target, safe)
    return numbers
