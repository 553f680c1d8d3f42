"""The sample bots of Leaders: they speak the protocol, keep the clock, and play as well as they claim."""

import importlib.util
import io
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from leaders_positions import LEADERS, position

from arena.games import load

BOTS = Path(__file__).parents[2] / "bots"
MODES = ["leaders", "leaders-expert"]
Chooser = Callable[[dict[str, Any], list[dict[str, Any]]], int]


def load_bot(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, BOTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


greedy, search = load_bot("leaders_greedy"), load_bot("leaders_search")


def points(name: str, first: Chooser, second: Chooser, deal_number: int, seat: int) -> int:
    """The half points of `first`, who sits in `seat`."""
    game = load(name)
    options = game.Options()
    choosers = (first, second) if seat == 0 else (second, first)
    state = game.initial(game.deal(random.Random(deal_number), options), options)
    while (actor := game.seat_to_act(state)) is not None:
        legal = game.legal_actions(state)
        rows = [game.to_json(action) for action in legal]
        state = game.apply(state, legal[choosers[actor](game.to_json(game.view(state, actor)), rows)])
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.half_points[seat]


def ticking(step_s: float) -> Callable[[], float]:
    """A clock that goes on by `step_s` whenever it is read: the search then ends after a fixed number of looks."""
    ticks: Iterator[float] = iter(step_s * number for number in range(1_000_000))
    return lambda: next(ticks)


def searching(name: str, looks: int) -> Chooser:
    game = load(name)

    def choose(view: dict[str, Any], _legal: list[dict[str, Any]]) -> int:
        state = game.determinize(game.from_json(view, game.View), random.Random(0), game.Options())
        return int(search.Search(game, state, looks, clock=ticking(1)).best())

    return choose


@pytest.mark.parametrize("name", MODES)
def test_greedy_beats_chance(name: str) -> None:
    rng = random.Random(1)
    total = sum(
        points(name, greedy.choose, lambda _, legal: rng.randrange(len(legal)), n // 2, n % 2) for n in range(8)
    )
    assert total >= 14


@pytest.mark.slow
@pytest.mark.parametrize("name", MODES)
def test_search_beats_greedy(name: str) -> None:
    total = sum(points(name, searching(name, looks=250), greedy.choose, n // 2, n % 2) for n in range(6))
    assert total >= 8


WINS = {
    "in one ply": "south leader D5, rider C6\nnorth leader D7",
    "in three": "south leader D1, rider D5, acrobat E5, vizier A1\nnorth leader D7",
    "by surrounding": "south leader A1, rider D4, archer F1\nnorth leader D7, jailer C6, vizier E6",
}


@pytest.mark.parametrize("text", WINS.values(), ids=WINS.keys())
def test_search_finds_a_win_within_its_turn(text: str) -> None:
    state = position(text)
    while LEADERS.seat_to_act(state) == 0:
        index = search.Search(LEADERS, state, 3000, clock=ticking(1)).best()
        state = LEADERS.apply(state, LEADERS.legal_actions(state)[index])
    outcome = LEADERS.outcome(state)
    assert outcome is not None
    assert outcome.half_points == (2, 0)


def test_search_ends_with_its_time_and_always_has_an_answer() -> None:
    state = position("south leader D1, wanderer D2, illusionist D3\nnorth leader D7, rider D6\nmarket archer, jailer")
    for looks in (0, 1, 5, 50):
        assert 0 <= search.Search(LEADERS, state, looks, clock=ticking(1)).best() < len(LEADERS.legal_actions(state))
    assert search.seconds_for({"move_ms": 1000, "bank_ms": 0, "used_ms": 3}) < 0.9
    assert search.seconds_for({"move_ms": 20, "bank_ms": 0, "used_ms": 3}) <= 0.02
    assert search.seconds_for({"move_ms": 0, "bank_ms": 60_000, "used_ms": 3}) > 0.5


def test_equal_looks_give_equal_answers() -> None:
    state = position("south leader D1, rider D5, acrobat D4\nnorth leader D7, manipulator C6\nmarket archer, jailer")
    answers = {search.Search(LEADERS, state, 200, clock=ticking(1)).best() for _ in range(3)}
    assert len(answers) == 1


@pytest.mark.parametrize("name", MODES)
@pytest.mark.parametrize("bot", [greedy, search], ids=["greedy", "search"])
def test_the_bots_speak_the_protocol_and_ignore_unknown_fields(
    bot: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load(name)
    state = game.initial(game.deal(random.Random(3), game.Options()), game.Options())
    legal = game.legal_actions(state)
    act = {"type": "act", "id": 7, "view": game.to_json(game.view(state, 0)), "events": [], "new": None}
    messages = [
        {"type": "hello", "protocols": [1], "game": name, "rules_version": 1, "options": {}, "limits": {}, "new": 1},
        {"type": "new_game", "game_id": "g", "seat": 0, "seats": 2, "random_seed": 5, "clock": {}},
        {"type": "what-is-this"},
        act
        | {"legal": [game.to_json(action) for action in legal], "clock": {"move_ms": 50, "bank_ms": 0, "used_ms": 0}},
        {"type": "game_over", "outcome": {}, "events": []},
        {"type": "quit"},
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(json.dumps(message) + "\n" for message in messages)))
    bot.main()
    hello, ready, answer = map(json.loads, capsys.readouterr().out.splitlines())
    assert (hello["type"], hello["protocol"], ready) == ("hello", 1, {"type": "ready"})
    assert (answer["type"], answer["id"]) == ("action", 7)
    assert 0 <= answer["index"] < len(legal)
