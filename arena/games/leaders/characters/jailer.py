"""L21 Jailer, passive: an enemy adjacent to it when its active ability would start cannot use it.

E13: basic moves, the Vizier's step, Hermit & Cub and the Nemesis are untouched.
"""

from arena.games.leaders.board import BIT, NEAR
from arena.games.leaders.cards import JAILER


def jail(at: tuple[int, ...], enemy: int) -> int:
    """The spaces where abilities of the other side cannot start; `enemy` is the mask of the possible Jailer's side."""
    space = at[JAILER]
    return NEAR[space] if BIT[space] & enemy else 0
