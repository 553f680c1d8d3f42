"""L24 Hermit & Cub, special: one card, two figures; in an action phase one may move, or both one right after the other.
The Cub has capture weight 0.

Q8: after one has moved, the other may move only as the very next action. So at any time at most one of the two has
acted, and only if that was the last action: no state beyond `acted` is needed.
"""

from arena.games.leaders.actions import RECRUIT
from arena.games.leaders.board import BIT, spaces_of
from arena.games.leaders.cards import CUB, HERMIT, HERMIT_AND_CUB_CARD

PAIR = 1 << HERMIT | 1 << CUB


def forfeit(acted: int, figure: int) -> int:
    """`acted` (a set of figures) after an action of `figure`: a partner that did not follow at once is out (Q8)."""
    acted |= 1 << figure
    return acted | PAIR if acted & PAIR and not PAIR >> figure & 1 else acted


def placements(free: int, breath: int) -> list[int]:
    """Recruitments of the card on two of the `free` spaces that leave a space of `breath` open (Q9, L8)."""
    return [
        RECRUIT[HERMIT_AND_CUB_CARD, at, cub_at]
        for at in spaces_of(free)
        for cub_at in spaces_of(free & ~BIT[at])
        if breath & ~(BIT[at] | BIT[cub_at])
    ]
