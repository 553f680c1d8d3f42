"""L23 Vizier, passive: its Leader may move one additional space in its own action: up to two steps through empty
spaces, turning allowed.
"""

from arena.games.leaders.board import BIT, NEAR, beside
from arena.games.leaders.cards import VIZIER


def leader_steps(at: tuple[int, ...], own: int, empty: int, leader: int) -> int:
    """The spaces the Leader on `leader` can reach by its own move, with the Vizier on its side or without."""
    one = NEAR[leader] & empty
    return one | beside(one) & empty if BIT[at[VIZIER]] & own else one
