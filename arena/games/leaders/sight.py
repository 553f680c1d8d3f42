"""The board as the seat on move sees it, and the tests that keep its own Leader safe (L7, L8)."""

from typing import Literal

import msgspec

from arena.games.leaders.board import ALL, BIT, NEAR, spaces_of
from arena.games.leaders.cards import ARCHER, ASSASSIN, CUB
from arena.games.leaders.characters import archer, assassin, protector

Fall = Literal["captured", "surrounded"]


def fall(at: tuple[int, ...], bits: tuple[int, int], seat: int) -> Fall | None:
    """Whether the Leader of `seat` is captured or surrounded (L7); captured goes first (E5).

    `at[figure]` is a space, `bits[seat]` the seat's figures as a mask.
    """
    leader, enemy = at[seat], bits[1 - seat]
    near = NEAR[leader]
    if near & enemy or archer.REACH[leader] & enemy:
        weight = (near & enemy & ~(BIT[at[ARCHER]] | BIT[at[ASSASSIN]] | BIT[at[CUB]])).bit_count()
        if assassin.REACH[leader] & BIT[at[ASSASSIN]] & enemy:
            weight += assassin.WEIGHT
        if archer.REACH[leader] & BIT[at[ARCHER]] & enemy:
            weight += archer.WEIGHT
        if weight >= 2:
            return "captured"
    return "surrounded" if not near & ~(bits[0] | bits[1]) else None


class Sight(msgspec.Struct, frozen=True, gc=False):
    """One position from the side of the seat on move. Sets of spaces are masks.

    L8 is cheap because little can hurt the own Leader. A figure of its own hurts only by filling the last empty space
    beside it (`last`, 0 if there are several). An enemy that is moved hurts only from the Leader's `zone`. The Leader
    itself hurts by going to a space where enemies weigh 2.
    """

    at: tuple[int, ...]
    own: int
    enemy: int
    occupied: int
    empty: int
    leader: int  # the space of the own Leader
    last: int
    zone: int
    plain: int  # enemies that weigh 1 when adjacent
    assassin: int  # the enemy Assassin, 0 if there is none
    archer: int  # likewise
    protected: int  # enemies that abilities may not move (L22)

    def own_may_go(self, space: int, mask: int) -> int:
        """The part of `mask` to which an own figure on `space`, not the Leader, may go."""
        return mask if self.last & mask == 0 or BIT[space] & NEAR[self.leader] else mask & ~self.last

    def leader_may_go(self, mask: int) -> int:
        """The part of `mask` where the own Leader is not captured."""
        one, deadly = 0, 0
        for space in spaces_of(self.plain):
            deadly |= one & NEAR[space]
            one |= NEAR[space]
        for space in spaces_of(self.assassin):
            deadly |= assassin.REACH[space]
        for space in spaces_of(self.archer):
            deadly |= one & archer.REACH[space]
        return mask & ~deadly

    def leader_may_swap(self, space: int) -> bool:
        """Whether the own Leader is safe on `space` if another figure takes its place."""
        return bool(NEAR[space] & self.empty and self.leader_may_go(BIT[space]))

    def enemy_may_go(self, space: int, mask: int, occupied: int) -> int:
        """The part of `mask` to which the enemy on `space` may be moved.

        `occupied` is the position after the action but for the space it goes to.
        """
        if not mask & self.zone:
            return mask
        return sum(BIT[to] for to in spaces_of(mask) if self._enemy_may_stand(BIT[space], BIT[to], occupied))

    def _enemy_may_stand(self, start: int, end: int, occupied: int) -> bool:
        if not end & self.zone:
            return True
        near, moved = NEAR[self.leader], start | end
        plain = self.plain ^ moved if self.plain & start else self.plain
        weight = (near & plain).bit_count()
        if near & (self.assassin ^ moved if self.assassin & start else self.assassin):
            weight += assassin.WEIGHT
        if archer.REACH[self.leader] & (self.archer ^ moved if self.archer & start else self.archer):
            weight += archer.WEIGHT
        return weight < 2 and bool(near & ~(occupied | end))


def look(at: tuple[int, ...], bits: tuple[int, int], seat: int) -> Sight:
    """What generating the actions of `seat` needs to know."""
    own, enemy = bits[seat], bits[1 - seat]
    occupied = own | enemy
    leader = at[seat]
    free = NEAR[leader] & ~occupied
    their_assassin, their_archer = BIT[at[ASSASSIN]] & enemy, BIT[at[ARCHER]] & enemy
    return Sight(
        at,
        own,
        enemy,
        occupied,
        ALL & ~occupied,
        leader,
        0 if free & free - 1 else free,
        NEAR[leader] | archer.REACH[leader],
        enemy & ~(their_assassin | their_archer | BIT[at[CUB]]),
        their_assassin,
        their_archer,
        protector.shield(at, enemy),
    )
