"""The board (L1–L3): 37 spaces as the bits of one whole number, and every table that follows from its shape.

A space is its index in the order of the names, `A1` 0 … `G4` 36; `OFF` (37) stands for "not on the board" and has no
bit. A set of spaces is a *mask*: bit i is space i.
"""

from functools import lru_cache
from itertools import pairwise
from typing import cast

from arena.games.leaders.notation import Space

RADIUS = 3
DIRECTIONS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # L1, axial, each 60° on from the one before


def _name(q: int, r: int) -> str:
    return f"{'ABCDEFG'[q + 3]}{min(RADIUS, RADIUS - q) - r + 1}"


def _axial_by_name() -> dict[str, tuple[int, int]]:
    span = range(-RADIUS, RADIUS + 1)
    return dict(sorted((_name(q, r), (q, r)) for q in span for r in span if abs(q + r) <= RADIUS))


AXIAL = tuple(_axial_by_name().values())  # axial coordinates of each space
NAMES = cast("tuple[Space, ...]", tuple(_axial_by_name()))
SPACE: dict[str, int] = {name: space for space, name in enumerate(NAMES)}
SPACES = range(len(NAMES))
OFF = len(NAMES)
BIT = (*(1 << space for space in SPACES), 0)  # BIT[OFF] is 0
ALL = (1 << len(NAMES)) - 1

_AT = {axial: space for space, axial in enumerate(AXIAL)}


def _ray(space: int, direction: int) -> tuple[int, ...]:
    (q, r), (dq, dr) = AXIAL[space], DIRECTIONS[direction % 6]
    steps = ((q + dq * n, r + dr * n) for n in range(1, 2 * RADIUS + 1))
    return tuple(_AT[axial] for axial in steps if axial in _AT)


def mask_of(spaces: tuple[int, ...]) -> int:
    """The set of these spaces."""
    return sum(BIT[space] for space in set(spaces))


@lru_cache(maxsize=1 << 15)
def spaces_of(mask: int) -> tuple[int, ...]:
    """The spaces in a set, ascending."""
    return tuple(space for space in SPACES if mask >> space & 1)


RAYS = tuple(tuple(_ray(space, direction) for direction in range(6)) for space in SPACES)  # nearest space first
NEAR = tuple(mask_of(tuple(ray[0] for ray in rays if ray)) for rays in RAYS)  # the adjacent spaces
TWO_AWAY = tuple(mask_of(tuple(ray[1] for ray in rays if len(ray) > 1)) for rays in RAYS)  # two on, straight
LEAPS = tuple(tuple((BIT[ray[0]], BIT[ray[1]]) for ray in rays if len(ray) > 1) for rays in RAYS)  # (over, landing)
# The first three directions lead to higher indices, the others to lower ones: the nearest bit is the lowest or highest.
_UP = tuple(tuple(mask_of(ray) for ray in rays[:3] if len(ray) > 1) for rays in RAYS)
_DOWN = tuple(tuple(mask_of(ray) for ray in rays[3:] if len(ray) > 1) for rays in RAYS)


def _push_table() -> dict[tuple[int, int], int]:
    table = {}
    for space in SPACES:
        for direction, ray in enumerate(RAYS[space]):
            if ray:
                onward = (_ray(ray[0], direction + turn)[:1] for turn in (-1, 0, 1))
                table[space, ray[0]] = mask_of(tuple(end[0] for end in onward if end))
    return table


def _line_table() -> dict[tuple[int, int], tuple[int, int]]:
    table = {}
    for space in SPACES:
        for ray in RAYS[space]:
            for before, end in pairwise(ray):
                table[space, end] = (before, ray[0])
    return table


PUSHES = _push_table()  # PUSHES[a, b] for neighbours: the spaces beyond b seen from a, straight on or 60° aside
LINE_ENDS = _line_table()  # LINE_ENDS[a, b] for a and b in line, not adjacent: (space beside b, space beside a)

LEADER_START = (SPACE["D1"], SPACE["D7"])  # L2
RECRUITMENT_SPACES = (  # L3, Q1
    mask_of(tuple(SPACE[name] for name in ("A1", "B1", "C1", "D1", "E1", "F1", "G1"))),
    mask_of(tuple(SPACE[name] for name in ("A4", "B5", "C6", "D7", "E6", "F5", "G4"))),
)


def visible(space: int, occupied: int) -> int:
    """The occupied spaces in line with `space`, not adjacent to it, nothing in between."""
    seen = 0
    for ray in _UP[space]:
        if hit := ray & occupied:
            seen |= hit & -hit
    for ray in _DOWN[space]:
        if hit := ray & occupied:
            seen |= BIT[hit.bit_length() - 1]
    return seen & ~NEAR[space]


def beside(mask: int) -> int:
    """The spaces adjacent to any space of the set."""
    near = 0
    for space in spaces_of(mask):
        near |= NEAR[space]
    return near
