"""L19 Archer, passive: weighs 0 on an adjacent enemy Leader and 1 on one exactly two spaces away in a straight line,
whatever stands between (L7).
"""

from arena.games.leaders.board import TWO_AWAY

WEIGHT = 1
REACH = TWO_AWAY  # REACH[leader]: the spaces from which it weighs
