"""Non-interference: what a viewer receives is a function of what it may know.

For random histories and each viewer, `redeal` gives a twin that the viewer must not tell from the first. Then every
byte that the referee would send must be the same, and so must the view and the events at every ply. The canary does
without `redeal`: values of the deal are exchanged, and where the views do not change, no byte may change.
"""

import re
from typing import Any

import msgspec

from arena.chance import Chance, shuffled
from arena.game import Game
from arena.testing.coverage import Coverage
from arena.testing.play import Play, Viewer, chance, leaves, random_play, replaced, text, viewer_name, viewers
from arena.testing.report import Tally
from arena.testing.shrink import FORFEIT, Gets, Leak, Lines, describe, first_difference, same, shrink
from arena.testing.stream import History, Stream, feed, played, stream

PREFIXES = 3  # random ones a game and viewer, besides the empty one and the whole game
TWINS = 2  # a prefix
EXCHANGES = 6  # a game and viewer
CHOICES = 24  # actions of others a prefix, for coverage

TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?[0-9]+|true|false|null|\[\]|\{\}')  # a scalar in JSON, or an empty container


class Watcher:
    """All that one viewer gets in a history: what the referee sends, and what looking at every ply shows."""

    def __init__(self, game: Game, viewer: Viewer, send: Stream) -> None:
        self._game, self._viewer, self._send = game, viewer, send
        self._last: tuple[History, Gets] | None = None

    def gets(self, history: History) -> Gets:
        """The lines of each kind. The answer for the last history is kept: one history is compared with several."""
        if self._last is None or self._last[0] is not history:
            sent, farewell = self._sent(history)
            lines = [("message", sent), (FORFEIT, farewell), ("look at ply", self.shown(history))]
            self._last = (history, lines)
        return self._last[1]

    def shown(self, history: History) -> list[bytes]:
        return feed(self._game, history, self._viewer)

    def told(self, history: History) -> frozenset[str]:
        """Every scalar and key that the viewer got, as JSON."""
        lines = b"\n".join(line for _, part in self.gets(history) for line in part)
        return frozenset(token.decode() for token in set(TOKEN.findall(lines)))

    def _sent(self, history: History) -> tuple[list[bytes], list[bytes]]:
        """What the referee sends up to the end of the history; and what if the other seat then breaks the rules.

        The second is empty where the other seat is not asked: it does not act, or has a single legal action.
        """
        if self._viewer is None:
            return [], []
        if self._game.seat_to_act(history.states[-1]) in (self._viewer, None):
            return self._send(self._game, history, self._viewer), []
        lines = self._send(self._game, msgspec.structs.replace(history, forfeits=True), self._viewer)
        farewell = [
            line for line in lines if b'"game_over"' in line and msgspec.json.decode(line)["type"] == "game_over"
        ]
        return [line for line in lines if line not in farewell], farewell


def check_non_interference(
    game: Game, tally: Tally, *, games: int, seed: int, options: Any, send: Stream = stream
) -> Coverage:
    """The checks `redeal`, `non-interference`, `canary` and `coverage`. `send` gives what the referee sends."""
    coverage = Coverage(game)
    for number in range(games):
        rng = chance(seed, f"leaks {number}")
        where = f"game {number} of seed {seed}"
        try:
            play = random_play(game, options, rng)
            for viewer in viewers(game):
                if not tally.failures("non-interference"):
                    _check_viewer(game, play, viewer, tally, coverage, rng, send, where)
        except Exception as error:  # noqa: BLE001 - any exception of the game is the finding
            tally.fail("plays", f"{where}: {error!r}")
        if tally.failures("non-interference"):  # one leak at a time: the rest may follow from it
            for name in ("canary", "coverage"):
                tally.skip(name, f"a leak was found first, in {where}")
            return coverage
    coverage.judge(tally)
    return coverage


def _check_viewer(
    game: Game, play: Play, viewer: Viewer, tally: Tally, coverage: Coverage, rng: Chance, send: Stream, where: str
) -> None:
    watcher, twins = Watcher(game, viewer, send), Watcher(game, viewer, send)
    whole = History(options=play.options, deal=play.deal, actions=play.actions, states=play.states)
    total = len(play.actions)
    for plies in sorted({0, total, *(rng.randrange(total + 1) for _ in range(PREFIXES))}):
        history = whole.cut(plies)
        told = watcher.told(history)
        for _ in range(TWINS):
            other = _twin(game, history, viewer, rng, tally, f"{where}, {viewer_name(viewer)}, {plies} plies")
            if other is None:
                break
            coverage.redealt(viewer, history, other, told)
            if same(watcher.gets(history), twins.gets(other)):
                tally.expect("non-interference", True)
            else:
                _leaks(game, viewer, history, other, twins.gets, tally, rng)
                return
        coverage.choices(viewer, history, shuffled(range(plies), rng)[:CHOICES])
    for _ in range(EXCHANGES):
        plies = rng.randrange(total + 1) if rng.randrange(2) else 0
        _exchange(game, whole.cut(plies), viewer, watcher, tally, coverage, rng)


def _leaks(game: Game, viewer: Viewer, one: History, other: History, lines: Lines, tally: Tally, rng: Chance) -> None:
    """Report a pair that the viewer can tell apart, made small."""

    def redealt(history: History, draws: Chance) -> History | None:
        return _twin(game, history, viewer, draws, Tally(), "")

    difference = first_difference(lines, one, other)
    assert difference is not None, "the lines differ"
    leak = Leak(viewer=viewer, one=one, other=other, difference=difference)
    tally.fail("non-interference", describe(game, shrink(game, leak, lines, redealt, rng)))


def _twin(game: Game, history: History, viewer: Viewer, rng: Chance, tally: Tally, where: str) -> History | None:
    """Another history by the game's `redeal`, if it is one that may be compared."""
    try:
        deal, actions = game.redeal(history.deal, history.actions, viewer, rng, history.options)
    except NotImplementedError as error:
        for name in ("redeal", "non-interference", "coverage"):
            tally.skip(name, str(error) or "the game does not offer redeal: nothing is proved")
        return None
    try:
        other = played(game, history.options, deal, actions)
    except ValueError as error:
        tally.fail("redeal", f"{where}: redeal gave a history against the rules: {error}")
        return None
    if not tally.expect("redeal", len(actions) == len(history.actions), f"{where}: redeal gave {len(actions)} plies"):
        return None
    for ply, (before, after) in enumerate(zip(history.actions, actions, strict=True)):
        if game.seat_to_act(other.states[ply]) == viewer and game.to_json(before) != game.to_json(after):
            tally.fail("redeal", f"{where}: at ply {ply} redeal let the viewer itself act otherwise")
            return None
    return other


def _exchange(
    game: Game, history: History, viewer: Viewer, watcher: Watcher, tally: Tally, coverage: Coverage, rng: Chance
) -> None:
    """Exchange two values of the deal; if the viewer is shown the same at every ply, it is sent the same bytes."""
    data = game.to_json(history.deal)
    fields = list(leaves(data))
    (first, one), (second, other) = (fields[rng.randrange(len(fields))] for _ in range(2))
    if one == other or type(one) is not type(other):
        return
    try:
        deal = game.from_json(replaced(data, {first: other, second: one}), game.Deal)
        twin = played(game, history.options, deal, history.actions)
    except ValueError:
        return  # not a deal, or the actions are not legal after it
    gets = watcher.gets(history)
    if watcher.shown(twin) != gets[-1][1]:
        return
    if not {text(one), text(other)} <= watcher.told(history):  # else only their order is hidden: a deal may be sorted
        coverage.exchanged(viewer, first, second)
    if same(watcher.gets(twin), gets):
        tally.expect("canary", True)
        return
    difference = first_difference(watcher.gets, history, twin)
    assert difference is not None, "the lines differ"
    first_pair = Leak(viewer=viewer, one=history, other=twin, difference=difference)
    tally.fail("canary", "" if tally.failures("canary") else describe(game, first_pair))
