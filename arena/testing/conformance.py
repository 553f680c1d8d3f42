"""Does a game keep the contract of `arena.game`? Random games, every promise looked at on every ply."""

import copy
import graphlib
import itertools
import json
import re
from typing import Any

import msgspec

from arena.chance import Chance
from arena.game import Game, Outcome
from arena.testing.play import Play, chance, random_action, random_play, replay, text, viewer_name, viewers
from arena.testing.report import Tally

NAMES = tuple(name for name in dir(Game) if not name.startswith("_"))
TYPES = ("Options", "Deal", "Action", "View", "Event")
MAX_INTEGER = 1 << 53
MAX_DEPTH = 32
DETERMINIZED_PLIES = 4  # a game and seat
REASON = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
CONTROL = re.compile(r"[^\n\x20-\x7e\xa0-\U0010ffff]")


def check_names(game: Any, tally: Tally) -> bool:
    """First of all, so that a game that is half written gets a list instead of an exception."""
    missing = [name for name in NAMES if not hasattr(game, name)]
    where = getattr(game, "__name__", type(game).__name__)
    return tally.expect(
        "names",
        not missing,
        f"{where} lacks {', '.join(missing)}: docs/adding-a-game.md and arena/game.py say what each of them is",
    )


def check_types(game: Game, tally: Tally) -> bool:
    try:
        game.Options()
        for name in TYPES:
            msgspec.json.schema(getattr(game, name))
    except TypeError as error:
        tally.fail("types", str(error))
        return False
    return tally.expect("types", True)


def check_conformance(game: Game, tally: Tally, *, games: int, seed: int, options: Any) -> int:
    """All checks but those of leaks. Returns the number of plies that were played."""
    plies = 0
    order: dict[str, set[str]] = {}
    round_trip(game, options, game.Options, tally, "options")
    for number in range(games):
        where = f"game {number} of seed {seed}"
        try:
            play = random_play(game, options, chance(seed, f"game {number}"))
            _check_deal(game, play, random_play(game, options, chance(seed, f"game {number}")), tally, where)
            _Walk(game, play, tally, where, order, chance(seed, f"walk {number}")).run()
            _check_determinism(game, play, tally, where)
        except Exception as error:  # noqa: BLE001 - any exception of the game is the finding
            tally.fail("plays", f"{where}: {error!r} in {_innermost(error)}")
            continue
        tally.expect("plays", True)
        plies += len(play.actions)
    _check_order(order, tally)
    return plies


def round_trip(game: Game, value: Any, type_: Any, tally: Tally, where: str) -> None:
    """The value as JSON holds plain data only and comes back equal."""
    data = game.to_json(value)
    problem = not_plain(data)
    if problem:
        tally.fail("json", f"{where}: {problem} in {value!r}")
        return
    try:
        back = game.from_json(json.loads(text(data)), type_)
    except msgspec.ValidationError as error:
        tally.fail("json", f"{where}: from_json does not take what to_json gave: {error}: {text(data)}")
        return
    wire = json.loads(msgspec.json.encode(value))
    if not tally.expect("json", wire == data, f"{where}: on the wire it is {text(wire)}, in to_json {text(data)}"):
        return
    same = game.to_json(back) == data and back == value
    tally.expect("json", same, f"{where}: comes back from JSON as {back!r}, was {value!r}")


def not_plain(data: Any, *, floats: bool = False, depth: int = 0) -> str:
    """What keeps the data from being JSON of the protocol, or nothing."""
    if depth > MAX_DEPTH:
        return f"nested deeper than {MAX_DEPTH}"
    if data is None or isinstance(data, bool):
        return ""
    if isinstance(data, str):
        return "" if data.isprintable() or "\n" in data else f"a control character in {data!r}"
    if isinstance(data, int):
        return "" if abs(data) <= MAX_INTEGER else f"{data} is beyond ±2^53"
    if isinstance(data, float):
        return "" if floats and data == data and abs(data) != float("inf") else f"the float {data!r}"
    if isinstance(data, dict):
        if not all(isinstance(key, str) for key in data):
            return "an object's key that is no string"
        inner = [not_plain(value, floats=floats, depth=depth + 1) for value in data.values()]
    elif isinstance(data, list):
        inner = [not_plain(value, floats=floats, depth=depth + 1) for value in data]
    else:
        return f"a {type(data).__name__}, which to_json must turn into JSON data"
    return next(filter(None, inner), "")


class _Walk:
    """Looks at every state of one game."""

    def __init__(
        self, game: Game, play: Play, tally: Tally, where: str, order: dict[str, set[str]], rng: Chance
    ) -> None:
        self._game, self._play, self._tally, self._where = game, play, tally, where
        self._order, self._rng = order, rng

    def run(self) -> None:
        game, play = self._game, self._play
        deal_before = text(game.to_json(play.deal))
        for ply, state in enumerate(play.states):
            where = f"{self._where}, ply {ply}"
            before = copy.deepcopy(state)
            self._look(state, ply, where)
            if ply < len(play.actions):
                self._step(state, play.actions[ply], where)
            self._tally.expect("purity", _same(game, state, before), f"{where}: the state was altered by a look at it")
        self._tally.expect(
            "purity", text(game.to_json(play.deal)) == deal_before, f"{self._where}: the deal was altered by the game"
        )
        bound = game.max_plies(play.options)
        self._tally.expect(
            "length", len(play.actions) <= bound, f"{self._where}: {len(play.actions)} plies; max_plies says {bound}"
        )
        for seat in range(game.SEATS):
            for _ in range(min(DETERMINIZED_PLIES, len(play.actions))):
                self._determinize(self._rng.randrange(len(play.actions)), seat)

    def _look(self, state: Any, ply: int, where: str) -> None:
        game, tally = self._game, self._tally
        seat = game.seat_to_act(state)
        tally.expect("one-seat", seat is None or seat in range(game.SEATS), f"{where}: seat_to_act is {seat!r}")
        legal = list(game.legal_actions(state))
        shown = [text(game.to_json(action)) for action in legal]
        tally.expect(
            "legal",
            shown == [text(game.to_json(a)) for a in game.legal_actions(state)],
            f"{where}: listed twice, the legal actions differ",
        )
        tally.expect("legal", (seat is None) == (not legal), f"{where}: seat_to_act is {seat}, with {len(legal)} legal")
        twice = sorted({one for one in shown if shown.count(one) > 1}) if len(set(shown)) < len(shown) else []
        tally.expect("legal", not twice, f"{where}: listed more than once: {', '.join(twice[:3])}")
        for one, other in itertools.pairwise(shown):
            self._order.setdefault(f"seat {seat}: {other}", set()).add(f"seat {seat}: {one}")
        for action in legal[:: max(1, len(legal) // 8)]:
            round_trip(game, action, game.Action, tally, f"{where}, action")
        for viewer in viewers(game):
            view = game.view(state, viewer)
            round_trip(game, view, game.View, tally, f"{where}, view of {viewer_name(viewer)}")
            again = game.to_json(game.view(state, viewer))
            tally.expect("determinism", game.to_json(view) == again, f"{where}: looked at twice, the view differs")
            if ply % 4 == 0 or seat is None:
                _check_render(game.render(view), tally, f"{where}, {viewer_name(viewer)}")
        self._outcome(game.outcome(state), seat, where)

    def _step(self, state: Any, action: Any, where: str) -> None:
        game, tally = self._game, self._tally
        one, two = game.apply(state, action), game.apply(state, action)
        same = _same(game, one, two)
        tally.expect("determinism", same, f"{where}: applied twice, {text(game.to_json(action))} gives two states")
        for viewer in viewers(game):
            events = game.events(state, action, one, viewer)
            for event in events:
                round_trip(game, event, game.Event, tally, f"{where}, event for {viewer_name(viewer)}")
            again = [game.to_json(event) for event in game.events(state, action, one, viewer)]
            tally.expect(
                "determinism", [game.to_json(e) for e in events] == again, f"{where}: told twice, the events differ"
            )

    def _outcome(self, outcome: Outcome | None, seat: int | None, where: str) -> None:
        game, tally = self._game, self._tally
        if not tally.expect(
            "outcome", (outcome is None) == (seat is not None), f"{where}: seat_to_act is {seat}, the outcome {outcome}"
        ):
            return
        if outcome is None:
            return
        points = outcome.half_points
        fair = len(points) == game.SEATS and sum(points) == game.SEATS and all(0 <= p <= game.SEATS for p in points)
        tally.expect(
            "outcome", fair, f"{where}: half points {points}; expected {game.SEATS} of them that total {game.SEATS}"
        )
        tally.expect(
            "outcome", bool(REASON.fullmatch(outcome.reason)), f"{where}: {outcome.reason!r} is no reason code"
        )
        problem = not_plain(msgspec.to_builtins(outcome.details), floats=True)
        tally.expect("outcome", not problem, f"{where}: details hold {problem}")

    def _determinize(self, ply: int, seat: int) -> None:
        game, tally, state = self._game, self._tally, self._play.states[ply]
        where = f"{self._where}, ply {ply}, seat {seat}"
        view = game.view(state, seat)
        try:
            drawn = game.determinize(view, self._rng, self._play.options)
        except NotImplementedError as error:
            tally.skip("determinize", str(error) or "the game does not offer determinize")
            return
        expected, found = text(game.to_json(view)), text(game.to_json(game.view(drawn, seat)))
        tally.expect(
            "determinize", found == expected, f"{where}: the view of the drawn state is another:\n{found}\n{expected}"
        )
        if game.seat_to_act(state) == seat:
            expected, found = (text([game.to_json(a) for a in game.legal_actions(s)]) for s in (state, drawn))
            tally.expect(
                "determinize",
                found == expected,
                f"{where}: the drawn state has other legal actions:\n{found}\n{expected}",
            )
        for _ in range(game.max_plies(self._play.options) + 1):
            if game.seat_to_act(drawn) is None:
                break
            drawn = game.apply(drawn, random_action(game, game.legal_actions(drawn), self._rng))
        tally.expect(
            "determinize", game.outcome(drawn) is not None, f"{where}: the drawn state does not play to an end"
        )


def _check_deal(game: Game, play: Play, again: Play, tally: Tally, where: str) -> None:
    first, second = (text(game.to_json(p.deal)) for p in (play, again))
    tally.expect("deal", first == second, f"{where}: the same random numbers gave two deals:\n{first}\n{second}")
    round_trip(game, play.deal, game.Deal, tally, f"{where}, deal")


def _check_determinism(game: Game, play: Play, tally: Tally, where: str) -> None:
    """The record alone, read back from its bytes, gives the same game."""
    deal = game.from_json(json.loads(text(game.to_json(play.deal))), game.Deal)
    actions = [game.from_json(json.loads(text(game.to_json(action))), game.Action) for action in play.actions]
    states = replay(game, play.options, deal, actions)
    for viewer in viewers(game):
        for ply, (one, other) in enumerate(zip(play.states, states, strict=True)):
            same = game.to_json(game.view(one, viewer)) == game.to_json(game.view(other, viewer))
            tally.expect(
                "determinism", same, f"{where}, ply {ply}: the replay gives {viewer_name(viewer)} another view"
            )
    tally.expect("determinism", game.outcome(states[-1]) == game.outcome(play.states[-1]), f"{where}: another outcome")


def _check_order(order: dict[str, set[str]], tally: Tally) -> None:
    """Neighbours in all lists, taken together, must not form a circle."""
    if not order:
        return
    try:
        graphlib.TopologicalSorter(order).prepare()
    except graphlib.CycleError as error:
        circle = error.args[1]
        tally.fail("order", "these stand in another order elsewhere: " + " < ".join(circle))
    else:
        tally.expect("order", True)


def _check_render(board: Any, tally: Tally, where: str) -> None:
    found = CONTROL.search(board) if isinstance(board, str) else None
    tally.expect("render", isinstance(board, str) and bool(board.strip()), f"{where}: render gave {board!r}")
    tally.expect("render", found is None, f"{where}: render gave the control character {found and found[0]!r}")


def _same(game: Game, one: Any, other: Any) -> bool:
    """Equal states; if the type has no equality of its own, states that look equal to everybody."""
    equality: Any = type(one).__eq__
    if equality is not object.__eq__:
        return bool(one == other)
    return _looks(game, one) == _looks(game, other)


def _looks(game: Game, state: Any) -> list[str]:
    return [
        *(text(game.to_json(game.view(state, viewer))) for viewer in viewers(game)),
        *(text(game.to_json(action)) for action in game.legal_actions(state)),
    ]


def _innermost(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}" if trace else "an unknown place"
