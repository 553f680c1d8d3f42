"""L25 Nemesis, special: no action; after an action that moved the enemy Leader it must move two spaces (two steps
through empty spaces, turning allowed, not ending where it began); if it cannot, one; if it cannot, it stays.

E9, Q11: its start counts as empty for the second step. Q5, E10: destinations that surround its own Leader are offered
only if every destination does.
"""

from arena.games.leaders.board import ALL, BIT, NEAR, beside, spaces_of
from arena.games.leaders.cards import NEMESIS


def owner(at: tuple[int, ...], bits: tuple[int, int]) -> int:
    """The seat of the Nemesis, which is on the board."""
    return 0 if bits[0] & BIT[at[NEMESIS]] else 1


def destinations(at: tuple[int, ...], bits: tuple[int, int], seat: int) -> int:
    """Where the Nemesis of `seat` may go; 0 if it stays."""
    space, occupied = at[NEMESIS], bits[0] | bits[1]
    one = NEAR[space] & ALL & ~occupied
    reachable = beside(one) & ~occupied or one
    breath = NEAR[at[seat]] & ~(occupied ^ BIT[space])
    kind = sum(BIT[to] for to in spaces_of(reachable) if breath & ~BIT[to])
    return kind or reachable
