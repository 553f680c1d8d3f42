"""The sample bots of Hidden Leaders Duel: they speak the protocol, keep the clock, and are as strong as they claim."""

import ast
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from arena.chance import KeyedChance
from arena.games import hidden_leaders_duel as game
from arena.games.hidden_leaders_duel import Options

ROOT = Path(__file__).parents[2]
BOTS = ("hidden_leaders_greedy", "hidden_leaders_search")
Chooser = Callable[[dict[str, Any], list[Any]], int]


def load_bot(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "bots" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


greedy, search = map(load_bot, BOTS)


def requests(seed: int) -> list[dict[str, Any]]:
    """What a seat on move is sent at each ply of a random game."""
    rng = Random(seed)
    state = game.initial(game.deal(rng, Options()), Options())
    asked = []
    while legal := game.legal_actions(state):
        asked.append({"view": game.to_json(game.view(state, game.seat_to_act(state))), "legal": game.to_json(legal)})
        state = game.apply(state, legal[rng.randrange(len(legal))])
    return asked


def share_of_first(first: Chooser, second: Chooser, deals: range) -> float:
    """The share of the points that `first` takes, each deal played in both seats."""
    total = 0
    for number in deals:
        deal = game.deal(KeyedChance(b"sample bots", str(number)), Options())
        for seat in (0, 1):
            choosers = (first, second) if seat == 0 else (second, first)
            state = game.initial(deal, Options())
            while (actor := game.seat_to_act(state)) is not None:
                legal = game.legal_actions(state)
                index = choosers[actor](game.to_json(game.view(state, actor)), game.to_json(legal))
                state = game.apply(state, legal[index])
            outcome = game.outcome(state)
            assert outcome is not None
            total += outcome.half_points[seat]
    return total / (4 * len(deals))


def test_greedy_beats_random_clearly() -> None:
    rng = Random(0)
    assert share_of_first(greedy.choose, lambda _, legal: rng.randrange(len(legal)), range(6)) >= 0.75


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.timeout(900)
def test_search_beats_greedy_clearly() -> None:
    """By far fewer playouts than it makes in earnest."""
    search.PLAYOUTS, kept = 80, search.PLAYOUTS
    rng = Random(0)
    share = share_of_first(lambda view, legal: search.choose(view, legal, rng), greedy.choose, range(30))
    search.PLAYOUTS = kept
    assert share >= 0.6


def test_every_choice_is_one_of_the_legal_actions() -> None:
    for asked in requests(1):
        assert 0 <= greedy.choose(asked["view"], asked["legal"]) < len(asked["legal"])
        assert 0 <= search.choose(asked["view"], asked["legal"], Random(1), 0.01) < len(asked["legal"])


def test_search_chooses_the_same_with_the_same_random_seed() -> None:
    for asked in requests(2)[20:40:5]:
        choices = {search.choose(asked["view"], asked["legal"], Random(5)) for _ in range(2)}
        assert len(choices) == 1


def test_search_stops_when_the_time_is_up() -> None:
    search.PLAYOUTS, kept = 10**6, search.PLAYOUTS
    asked = requests(3)[0]
    start = time.monotonic()
    search.choose(asked["view"], asked["legal"], Random(5), 0.05)
    search.PLAYOUTS = kept
    assert 0.05 <= time.monotonic() - start < 2  # one playout may be under way, on a busy machine


def test_search_takes_a_share_of_the_move_time_and_of_the_bank() -> None:
    assert search.time_for({"move_ms": 1000, "bank_ms": 0, "used_ms": 3}) == 0.5
    assert search.time_for({"move_ms": 0, "bank_ms": 60_000, "used_ms": 3}) == 2


def test_search_wins_in_the_last_action_if_it_can() -> None:
    """Collecting or blocking decides: with all known, the choice is the best by the score itself."""
    for seed in range(5):
        rng = Random(seed)
        state = game.initial(game.deal(rng, Options()), Options())
        while (state.turn, state.step) != (13, 2):
            legal = game.legal_actions(state)
            state = game.apply(state, legal[rng.randrange(len(legal))])
        legal = game.legal_actions(state)
        margins = []
        for action in legal:
            points = game.score(game.apply(state, action)).points
            margins.append(points[1] - points[0])
        # All that is hidden is made known: search must then agree with the true margins.
        drawn, search.game = search.game, _Open(state)
        choice = search.choose(game.to_json(game.view(state, 1)), game.to_json(legal), Random(0))
        search.game = drawn
        assert margins[choice] == max(margins)


class _Open:
    """The game for a bot that guesses every hidden card right."""

    def __init__(self, state: game.State) -> None:
        self._state = state

    def determinize(self, *_: object) -> game.State:
        return self._state

    def __getattr__(self, name: str) -> Any:
        return getattr(game, name)


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_speaks_the_protocol_ignores_unknown_fields_and_ends_with_the_input(name: str) -> None:
    asked = requests(4)
    limits = {"startup_s": 10, "move_s": 1, "memory_mb": 512, "surprise": 1}
    clock = {"move_ms": 100, "bank_ms": 0, "used_ms": 0, "surprise": 1}
    lines = [
        {"type": "hello", "protocols": [1], "arena": "0", "game": game.NAME, "rules_version": 1, "options": {},
         "limits": limits, "surprise": []},
        {"type": "new_game", "game_id": "g", "seat": 0, "seats": 2, "random_seed": 8714, "clock": clock, "surprise": 0},
        {"type": "act", "id": 0, **asked[0], "events": [], "clock": clock, "surprise": None},
        {"type": "act", "id": 6, **asked[6], "events": [], "clock": clock},
        {"type": "surprise"},
        {"type": "game_over", "outcome": {}, "events": []},
        {"type": "new_game", "game_id": "h", "seat": 1, "seats": 2, "random_seed": 1, "clock": clock},
        {"type": "act", "id": 3, **asked[3], "events": [], "clock": clock},
    ]  # fmt: skip
    for last in ([{"type": "quit"}], []):
        told = "".join(json.dumps(line) + "\n" for line in [*lines, *last])
        done = subprocess.run(
            [sys.executable, ROOT / "bots" / f"{name}.py"],
            input=told, capture_output=True, text=True, timeout=60, check=False,
            env={"PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        said = [json.loads(line) for line in done.stdout.splitlines()]
        assert [message["type"] for message in said] == ["hello", "ready", "action", "action", "ready", "action"]
        assert said[0]["protocol"] == 1
        assert [message["id"] for message in said if "id" in message] == [0, 6, 3]
        for message in said:
            if "id" in message:
                assert 0 <= message["index"] < len(asked[message["id"]]["legal"])


def test_greedy_needs_nothing_but_the_standard_library() -> None:
    tree = ast.parse((ROOT / "bots" / "hidden_leaders_greedy.py").read_text(encoding="utf-8"))
    imports = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imports |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imports == {"json", "math", "sys"}
