"""Makes a leak small enough to understand: the shortest history, the fewest fields that differ."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

import msgspec
from tabulate import tabulate

from arena.chance import Chance
from arena.game import Game
from arena.testing.play import Viewer, leaves, text, viewer_name
from arena.testing.stream import History

TRIES = 120
CELL = 60  # characters of a value in the table
ABSENT = "—"


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The first place where two streams differ: a name for it and what stands there in each."""

    place: str
    one: str
    other: str


class Leak(msgspec.Struct, frozen=True, kw_only=True):
    """Two histories that a viewer should not, but can, tell apart."""

    viewer: Viewer
    one: History
    other: History
    difference: Difference


Compare = Callable[[History, History], Difference | None]


def first_difference(one: Sequence[bytes], other: Sequence[bytes], noun: str) -> Difference | None:
    """Where two lists of lines differ first, or None. `noun` names a line."""
    for number, (line, twin) in enumerate(zip_longest(one, other), start=1):
        if line == twin:
            continue
        if line is None or twin is None:
            return Difference(place=f"number of {noun}s", one=str(len(one)), other=str(len(other)))
        data, twin_data = msgspec.json.decode(line), msgspec.json.decode(twin)
        type_ = f" ({data['type']})" if "type" in data else ""
        left, right = dict(leaves(data)), dict(leaves(twin_data))
        for path in {**left, **right}:
            if path not in left or path not in right or left[path] != right[path]:
                values = (text(side[path]) if path in side else ABSENT for side in (left, right))
                found, expected = values
                return Difference(place=f"{noun} {number}{type_}: {path}", one=found, other=expected)
        return Difference(place=f"{noun} {number}{type_}: order or spacing", one=line.decode(), other=twin.decode())
    return None


def shrink(
    game: Game, leak: Leak, compare: Compare, redealt: Callable[[History, Chance], History | None], rng: Chance
) -> Leak:
    """A leak with the shortest history and few differing fields.

    `redealt` gives another twin of a history. It is driven by draws that mostly change nothing, so whatever comes of
    it still stands on the word of the game's own `redeal`.
    """
    leak = _shortest(leak, compare)
    for attempt in range(TRIES):
        other = redealt(leak.one, _Lazy(rng, one_in=(2, 4, 10, 30)[attempt % 4], identity_last=attempt % 8 < 4))
        if other is None or len(differing(game, leak.one, other)) >= len(differing(game, leak.one, leak.other)):
            continue
        difference = compare(leak.one, other)
        if difference is not None:
            leak = _shortest(Leak(viewer=leak.viewer, one=leak.one, other=other, difference=difference), compare)
    return leak


def differing(game: Game, one: History, other: History) -> list[tuple[str, str, str]]:
    """The fields of the deal and of the actions in which two histories differ, with both values."""
    return [
        (path, text(left), text(right))
        for (path, left), (_, right) in zip_longest(_facts(game, one), _facts(game, other), fillvalue=("", None))
        if left != right
    ]


def describe(game: Game, leak: Leak) -> str:
    """The pair side by side, and the script of the first history for a golden game."""
    rows = [*differing(game, leak.one, leak.other), (leak.difference.place, leak.difference.one, leak.difference.other)]
    cut = [[cell if len(cell) <= CELL else cell[: CELL - 1] + "…" for cell in row] for row in rows]
    table = tabulate(cut, headers=["", "one history", "the other"], disable_numparse=True)
    plies = len(leak.one.actions)
    return (
        f"{viewer_name(leak.viewer)} can tell two histories of {plies} plies apart that it must not tell apart, "
        f"by {leak.difference.place}\n{table}\n\nThe one history, as a script of a golden game:\n"
        f"deal {text(game.to_json(leak.one.deal))}\n"
        + "".join(f"play {text(game.to_json(action))}\n" for action in leak.one.actions)
    ).rstrip("\n")


def _facts(game: Game, history: History) -> list[tuple[str, Any]]:
    facts = [(f"deal.{path}", value) for path, value in leaves(game.to_json(history.deal))]
    for ply, action in enumerate(history.actions):
        facts += [(f"ply {ply} {path}", value) for path, value in leaves(game.to_json(action))]
    return facts


def _shortest(leak: Leak, compare: Compare) -> Leak:
    """The leak cut to the first ply at which it shows."""
    for plies in range(len(leak.one.actions)):
        one, other = (msgspec.structs.replace(h, actions=h.actions[:plies]) for h in (leak.one, leak.other))
        difference = compare(one, other)
        if difference is not None:
            return Leak(viewer=leak.viewer, one=one, other=other, difference=difference)
    return leak


class _Lazy:
    """Draws that mostly leave a shuffle as it is: the last choice (`arena.chance.shuffle`), or the first one."""

    def __init__(self, rng: Chance, *, one_in: int, identity_last: bool) -> None:
        self._rng = rng
        self._one_in = one_in
        self._identity_last = identity_last

    def randrange(self, stop: int, /) -> int:
        if self._rng.randrange(self._one_in) == 0:
            return self._rng.randrange(stop)
        return stop - 1 if self._identity_last else 0
