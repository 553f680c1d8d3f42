"""L20 Assassin, passive: weighs 2 on an adjacent enemy Leader, so it captures alone (L7)."""

from arena.games.leaders.board import NEAR

WEIGHT = 2
REACH = NEAR  # REACH[leader]: the spaces from which it weighs
