"""L22 Protector, passive: enemy abilities may not move the Protector or its allies adjacent to it.

E13: judged on the position before the action; abilities of its own side may move them.
"""

from arena.games.leaders.board import BIT, NEAR
from arena.games.leaders.cards import PROTECTOR


def shield(at: tuple[int, ...], side: int) -> int:
    """The figures of a side (a mask) that are protected: none if the Protector is not among them."""
    space = at[PROTECTOR]
    return (NEAR[space] | BIT[space]) & side if BIT[space] & side else 0
