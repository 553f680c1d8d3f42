"""Non-interference: what a viewer receives is a function of what it may know.

For random histories and each viewer, `redeal` gives a twin that the viewer must not tell from the first. Then every
byte that the referee would send must be the same, and so must the view and the events at every ply. The canary does
without `redeal`: values of the deal are exchanged, and where the views do not change, no byte may change.
"""

from typing import Any

import msgspec

from arena.chance import Chance
from arena.game import Game
from arena.testing.coverage import Coverage
from arena.testing.play import Play, Viewer, chance, leaves, random_play, replay, scalars, text, viewer_name, viewers
from arena.testing.report import Tally
from arena.testing.shrink import Difference, Leak, describe, differing, first_difference, shrink
from arena.testing.stream import History, Stream, feed, stream

PREFIXES = 3  # random ones a game and viewer, besides the empty one and the whole game
TWINS = 2  # a prefix
EXCHANGES = 6  # a game and viewer


class Watcher:
    """All that one viewer receives in a history: by the referee, and looking at every ply."""

    def __init__(self, game: Game, viewer: Viewer, send: Stream) -> None:
        self._game, self._viewer, self._send = game, viewer, send
        self._last: tuple[History, list[bytes], list[bytes]] | None = None

    def bytes_of(self, history: History) -> tuple[list[bytes], list[bytes]]:
        """The lines that the referee sends to the viewer, and those of looking at every ply.

        Where it is another seat's turn at the end, that seat breaks the rules, and the viewer is told of it.
        """
        states = replay(self._game, history.options, history.deal, history.actions)
        shown = feed(self._game, states, history.actions, self._viewer)
        if self._viewer is None:
            return [], shown
        broken = self._game.seat_to_act(states[-1]) != self._viewer
        ending = msgspec.structs.replace(history, forfeits=broken)
        return self._send(self._game, ending, self._viewer), shown

    def told(self, history: History) -> frozenset[str]:
        """Every scalar and key that the viewer got, as JSON."""
        lines = (msgspec.json.decode(line) for part in self._first(history) for line in part)
        values = {(type(v), None if isinstance(v, list | dict) else v) for line in lines for v in scalars(line)}
        return frozenset(text(type_() if type_ in (list, dict) else value) for type_, value in values)

    def compare(self, one: History, other: History) -> Difference | None:
        (received, shown), (twin_received, twin_shown) = self._first(one), self.bytes_of(other)
        return first_difference(received, twin_received, "message") or first_difference(
            shown, twin_shown, "look at ply"
        )

    def shows_the_same(self, one: History, other: History) -> bool:
        """Whether the views and events at every ply are equal, whatever the referee sends."""
        states = replay(self._game, other.options, other.deal, other.actions)
        return self._first(one)[1] == feed(self._game, states, other.actions, self._viewer)

    def _first(self, history: History) -> tuple[list[bytes], list[bytes]]:
        """As `bytes_of`; the last history is kept, because it is compared with several."""
        if self._last is None or self._last[0] is not history:
            self._last = (history, *self.bytes_of(history))
        return self._last[1], self._last[2]


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
                _check_viewer(game, play, viewer, tally, coverage, rng, send, where)
        except Exception as error:  # noqa: BLE001 - any exception of the game is the finding
            tally.fail("plays", f"{where}: {error!r}")
    coverage.judge(tally)
    return coverage


def _check_viewer(
    game: Game, play: Play, viewer: Viewer, tally: Tally, coverage: Coverage, rng: Chance, send: Stream, where: str
) -> None:
    watcher = Watcher(game, viewer, send)
    total = len(play.actions)
    for plies in sorted({0, total, *(rng.randrange(total + 1) for _ in range(PREFIXES))}):
        history = History(options=play.options, deal=play.deal, actions=play.actions[:plies])
        told = watcher.told(history)
        for _ in range(TWINS):
            other = _twin(game, history, viewer, rng, tally, f"{where}, {viewer_name(viewer)}, {plies} plies")
            if other is None:
                break
            states = replay(game, other.options, other.deal, other.actions)
            coverage.redealt(viewer, (history, play.states[: plies + 1]), (other, states), told)
            _judge(game, watcher, viewer, history, other, tally, rng)
        coverage.choices(viewer, history, play.states, {rng.randrange(plies) for _ in range(2)} if plies else ())
    for _ in range(EXCHANGES):
        _exchange(game, play, viewer, watcher, tally, coverage, rng)


def _judge(
    game: Game, watcher: Watcher, viewer: Viewer, one: History, other: History, tally: Tally, rng: Chance
) -> None:
    difference = watcher.compare(one, other)
    if difference is None:
        tally.expect("non-interference", True)
        return
    evidence = ""
    if not tally.failures("non-interference"):  # only the first failure is printed, so only that one is made small
        leak = Leak(viewer=viewer, one=one, other=other, difference=difference)

        def redealt(history: History, draws: Chance) -> History | None:
            return _twin(game, history, viewer, draws, Tally(), "")

        evidence = describe(game, shrink(game, leak, watcher.compare, redealt, rng))
    tally.fail("non-interference", evidence)


def _twin(game: Game, history: History, viewer: Viewer, rng: Chance, tally: Tally, where: str) -> History | None:
    """Another history by the game's `redeal`, if it is one that may be compared."""
    try:
        deal, actions = game.redeal(history.deal, history.actions, viewer, rng, history.options)
    except NotImplementedError as error:
        for name in ("redeal", "non-interference", "coverage"):
            tally.skip(name, str(error) or "the game does not offer redeal: nothing is proved")
        return None
    try:
        states = replay(game, history.options, deal, actions)
    except ValueError as error:
        tally.fail("redeal", f"{where}: redeal gave a history against the rules: {error}")
        return None
    if not tally.expect("redeal", len(actions) == len(history.actions), f"{where}: redeal gave {len(actions)} plies"):
        return None
    for ply, (one, other) in enumerate(zip(history.actions, actions, strict=True)):
        if game.seat_to_act(states[ply]) == viewer and game.to_json(one) != game.to_json(other):
            tally.fail("redeal", f"{where}: at ply {ply} redeal let the viewer itself act otherwise")
            return None
    return History(options=history.options, deal=deal, actions=tuple(actions))


def _exchange(
    game: Game, play: Play, viewer: Viewer, watcher: Watcher, tally: Tally, coverage: Coverage, rng: Chance
) -> None:
    """Exchange two values of the deal; if the viewer is shown the same at every ply, it is sent the same bytes."""
    data = game.to_json(play.deal)
    fields = list(leaves(data))
    if len(fields) < 2:
        return
    (first, one), (second, other) = (fields[rng.randrange(len(fields))] for _ in range(2))
    plies = rng.randrange(len(play.actions) + 1) if rng.randrange(2) else 0
    history = History(options=play.options, deal=play.deal, actions=play.actions[:plies])
    if one == other or type(one) is not type(other):
        return
    try:
        deal = game.from_json(_replaced(data, {first: other, second: one}), game.Deal)
        twin = History(options=play.options, deal=deal, actions=history.actions)
        same = watcher.shows_the_same(history, twin)
    except ValueError:
        return  # not a deal, or the actions are not legal after it
    if not same or not differing(game, history, twin):
        return
    coverage.exchanged(viewer, first, second)
    difference = watcher.compare(history, twin)
    evidence = ""
    if difference is not None and not tally.failures("canary"):
        evidence = describe(game, Leak(viewer=viewer, one=history, other=twin, difference=difference))
    tally.expect("canary", difference is None, evidence)


def _replaced(data: Any, values: dict[str, Any], path: str = "") -> Any:
    """JSON data with the scalars at the given paths replaced."""
    if isinstance(data, dict) and data:
        return {key: _replaced(value, values, f"{path}.{key}" if path else str(key)) for key, value in data.items()}
    if isinstance(data, list) and data:
        return [_replaced(value, values, f"{path}[{index}]") for index, value in enumerate(data)]
    return values.get(path, data)
