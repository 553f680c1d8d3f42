"""Makes a leak small enough to understand: the shortest history, the fewest fields that differ."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

import msgspec
from tabulate import tabulate

from arena.chance import Chance
from arena.game import Game
from arena.testing.play import Viewer, leaves, replaced, text, viewer_name
from arena.testing.stream import History, played

TRIES = 40
CELL = 60  # characters of a value in the table
LINE = 2000  # characters of a deal in the script
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


FORFEIT = "farewell after a forfeit"
Gets = Sequence[tuple[str, Sequence[bytes]]]  # all that a viewer gets, by a noun for a line
Lines = Callable[[History], Gets]


def same(one: Gets, other: Gets) -> bool:
    """Whether a viewer gets the same. A forfeit is compared where both histories allow one."""
    return all(left == right for _, left, right in _comparable(one, other))


def _comparable(one: Gets, other: Gets) -> Iterator[tuple[str, Sequence[bytes], Sequence[bytes]]]:
    for (noun, left), (_, right) in zip(one, other, strict=True):
        if noun != FORFEIT or (left and right):
            yield noun, left, right


def first_difference(lines: Lines, one: History, other: History) -> Difference | None:
    """Where what the viewer gets differs first, or None."""
    for noun, left, right in _comparable(lines(one), lines(other)):
        if left != right:
            return next(_differences(noun, left, right))
    return None


def shrink(
    game: Game,
    leak: Leak,
    lines: Lines,
    redealt: Callable[[History, Chance], History | None],
    rng: Chance,
) -> Leak:
    """A leak with the shortest history and few differing fields.

    `redealt` gives another twin of a history. Then fields are set back to what they were, one after the other, as long
    as only such places differ, and by such values, as differ in the twin that `redeal` gave: so the smaller pair still
    stands on the game's own word.
    """
    leak = _shortest(leak, lines)
    for _ in range(TRIES):
        other = redealt(leak.one, rng)
        if other is not None and len(differing(game, leak.one, other)) < len(differing(game, leak.one, leak.other)):
            difference = first_difference(lines, leak.one, other)
            if difference is not None:
                leak = _shortest(Leak(viewer=leak.viewer, one=leak.one, other=other, difference=difference), lines)
    return _set_back(game, leak, lines)


def _shortest(leak: Leak, lines: Lines) -> Leak:
    """The leak cut to the first ply at which it shows."""
    for plies in range(len(leak.one.actions)):
        one, other = leak.one.cut(plies), leak.other.cut(plies)
        difference = first_difference(lines, one, other)
        if difference is not None:
            return Leak(viewer=leak.viewer, one=one, other=other, difference=difference)
    return leak


def _set_back(game: Game, leak: Leak, lines: Lines) -> Leak:
    """The leak with as many fields of the twin's deal as possible set back."""
    allowed = _places(lines, leak.one, leak.other)
    smaller = True
    while smaller:
        smaller = False
        for deal in _deals_nearer(game, leak.one.deal, leak.other.deal):
            try:
                other = played(game, leak.one.options, deal, leak.other.actions)
            except ValueError:
                continue
            places = _places(lines, leak.one, other)
            if places and all(values == allowed.get(place) for place, values in places.items()):
                difference = first_difference(lines, leak.one, other)
                assert difference is not None
                leak = Leak(viewer=leak.viewer, one=leak.one, other=other, difference=difference)
                smaller = True
                break
    return leak


def _deals_nearer(game: Game, deal: Any, twin: Any) -> Iterator[Any]:
    """Deals like `twin` with one more field as in `deal`, and what stood there put where that value came from."""
    wanted, data = dict(leaves(game.to_json(deal))), game.to_json(twin)
    found = dict(leaves(data))
    wrong = [path for path in found if path in wanted and found[path] != wanted[path]]
    for path in wrong:
        sources = [other for other in wrong if other != path and found[other] == wanted[path]]
        for changes in [{path: wanted[path], other: found[path]} for other in sources] or [{path: wanted[path]}]:
            with contextlib.suppress(ValueError):
                yield game.from_json(replaced(data, changes), game.Deal)


def _places(lines: Lines, one: History, other: History) -> dict[str, tuple[str, str]]:
    """Every place at which what the viewer gets differs, with both values."""
    return {
        difference.place: (difference.one, difference.other)
        for noun, left, right in _comparable(lines(one), lines(other))
        for difference in _differences(noun, left, right)
    }


def _differences(noun: str, one: Sequence[bytes], other: Sequence[bytes]) -> Iterator[Difference]:
    for number, (line, twin) in enumerate(zip_longest(one, other), start=1):
        if line == twin:
            continue
        if line is None or twin is None:
            yield Difference(place=f"number of {noun}s", one=str(len(one)), other=str(len(other)))
            return
        data, twin_data = msgspec.json.decode(line), msgspec.json.decode(twin)
        type_ = f" ({data['type']})" if "type" in data else ""
        left, right = dict(leaves(data)), dict(leaves(twin_data))
        paths = [p for p in {**left, **right} if p not in left or p not in right or left[p] != right[p]]
        for path in paths:
            value, twin_value = (text(side[path]) if path in side else ABSENT for side in (left, right))
            yield Difference(place=f"{noun} {number}{type_}: {path}", one=value, other=twin_value)
        if not paths:
            place = f"{noun} {number}{type_}: order of keys, or spacing"
            yield Difference(place=place, one=line.decode().strip(), other=twin.decode().strip())


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
    deal = text(game.to_json(leak.one.deal))
    return (
        f"{viewer_name(leak.viewer)} can tell two histories of {plies} plies apart that it must not tell apart, "
        f"by {leak.difference.place}\n{table}\n\nThe one history, as a script of a golden game:\n"
        f"deal {deal if len(deal) <= LINE else deal[:LINE] + '…'}\n"
        + "".join(f"play {text(game.to_json(action))}\n" for action in leak.one.actions)
    ).rstrip("\n")


def _facts(game: Game, history: History) -> list[tuple[str, Any]]:
    facts = [(f"deal.{path}", value) for path, value in leaves(game.to_json(history.deal))]
    for ply, action in enumerate(history.actions):
        facts += [(f"ply {ply} {path}", value) for path, value in leaves(game.to_json(action))]
    return facts
