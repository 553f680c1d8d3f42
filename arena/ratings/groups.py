"""Who is connected with whom by games, and what the games can therefore tell."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from arena.errors import UsageError
from arena.ratings.likelihood import Cells, Integers
from arena.ratings.pairs import Counts


def groups_of(counts: Counts) -> Integers:
    """The number of each entrant's group, from 0, the largest first (then by name); -1 for one without games."""
    near: dict[int, set[int]] = {}
    size = len(counts.entrants)
    for pair in np.unique(counts.first * size + counts.second).tolist():
        a, b = divmod(pair, size)
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    found: list[list[int]] = []
    left = set(near)
    for start in sorted(near):
        if start in left:
            members = _reached(start, near)
            left -= members
            found.append(sorted(members))
    numbers = np.full(len(counts.entrants), -1, dtype=np.int64)
    for number, group in enumerate(sorted(found, key=lambda group: (-len(group), group))):
        numbers[group] = number
    return numbers


def _reached(start: int, near: dict[int, set[int]]) -> set[int]:
    seen, edge = {start}, [start]
    while edge:
        edge = [there for there in {b for a in edge for b in near.get(a, ())} if there not in seen]
        seen.update(edge)
    return seen


def require_finite(cells: Cells, names: tuple[str, ...], group: Integers) -> None:
    """Raise UsageError unless everybody took points, directly or through others, from everybody in its group.

    Source: Ford, American Mathematical Monthly 64 (1957): else the likelihood has no finite maximum.
    """
    took = _edges(cells.zero, cells.one, cells.won + cells.drawn > 0)
    for loser, winner in _pairs(cells.one, cells.zero, cells.lost + cells.drawn > 0):
        took.setdefault(loser, set()).add(winner)
    gave: dict[int, set[int]] = {}
    for winner, losers in took.items():
        for loser in losers:
            gave.setdefault(loser, set()).add(winner)
    bad: set[int] = set()
    for number in range(int(group.max()) + 1):
        members = set(np.flatnonzero(group == number).tolist())
        core = max((_reached(who, took) & _reached(who, gave) for who in sorted(members)), key=len)
        bad |= members - core
    if bad:
        listed = ", ".join(names[who] for who in sorted(bad))
        raise UsageError(
            f"without a prior there is no finite rating for {listed}: all won or all lost; use prior draws"
        )


def _edges(start: Integers, end: Integers, where: NDArray[np.bool_]) -> dict[int, set[int]]:
    near: dict[int, set[int]] = {}
    for a, b in _pairs(start, end, where):
        near.setdefault(a, set()).add(b)
    return near


def _pairs(start: Integers, end: Integers, where: NDArray[np.bool_]) -> Iterable[tuple[int, int]]:
    return zip(start[where].tolist(), end[where].tolist(), strict=True)


def seat_shows(cells: Cells, group: Integers) -> bool:
    """Whether the games can tell the advantage of a seat from the strength of those who sat there."""
    games = cells.won + cells.drawn + cells.lost
    size = group.size
    between = np.bincount(cells.zero * size + cells.one, games, size * size).reshape(size, size)
    between = between + between.T
    laplace = np.diag(between.sum(axis=1)) - between + (group[:, None] == group[None, :])
    surplus = np.bincount(cells.zero, games, size) - np.bincount(cells.one, games, size)
    explained = float(surplus @ np.linalg.solve(laplace, surplus))
    return float(games.sum()) - explained > 1e-9 * float(games.sum())
