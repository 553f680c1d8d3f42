"""Events and actions as words for people: each game's own, and JSON read out."""

from random import Random
from typing import Any

import pytest

from arena import games
from arena.cli.wording import asked, outcome_lines, told, words

GAMES = ["hidden-leaders-duel", "leaders", "leaders-expert"]


@pytest.mark.parametrize("name", GAMES)
def test_every_event_and_action_of_random_games_is_a_sentence(name: str) -> None:
    """The same for the same value, in a line, with no punctuation of JSON; a seat stands once, before what it did."""
    game = games.load(name)
    for number in range(4):
        rng = Random(number)
        state: Any = game.initial(game.deal(rng, game.Options()), game.Options())
        while (seat := game.seat_to_act(state)) is not None:
            action = rng.choice(game.legal_actions(state))
            after = game.apply(state, action)
            data = game.to_json(action)
            sentences = {asked(game, data)}
            for eyes in (0, 1, None):
                for event in map(game.to_json, game.events(state, action, after, eyes)):
                    before = str(event)
                    said = told(game, event, eyes)
                    assert told(game, event, eyes) == said
                    assert str(event) == before
                    if event["type"] != "scored":
                        sentences.add(said)
                    if event.get("seat") == seat:
                        assert said.startswith("You " if eyes == seat else f"Seat {seat} ")
            for sentence in sentences:
                assert not set('={}[]"_\n') & set(sentence), sentence
            state = after


@pytest.mark.parametrize(
    ("event", "seat", "said"),
    [
        ({"type": "took", "seat": 0, "cards": {"A1": "I?", "B2": "S3"}}, None, "Seat 0 took I? from A1 and S3 from B2"),
        ({"type": "placed", "seat": 1, "cards": {"A1": "I0"}}, 1, "You placed I0 on A1"),
        ({"type": "blocked", "seat": 1, "card": "H?", "space": "B5"}, 0, "Seat 1 blocked B5 with H?"),
        ({"type": "collected", "seat": 1, "card": "S?"}, None, "Seat 1 collected S?"),
        ({"type": "drew", "seat": 0, "card": "H2"}, 0, "You drew H2"),
    ],
)
def test_events_of_hidden_leaders(event: dict[str, Any], seat: int | None, said: str) -> None:
    assert told(games.load("hidden-leaders-duel"), event, seat) == said


def leaders_act(action: dict[str, Any], *moved: tuple[str, int, str, str]) -> dict[str, Any]:
    shifts = [{"character": who, "seat": seat, "from": a, "to": b} for who, seat, a, b in moved]
    return {"type": "acted", "seat": 0, "action": action, "moved": shifts}


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            leaders_act({"type": "move", "character": "leader", "to": "D2"}, ("leader", 0, "D1", "D2")),
            "Seat 0 moved Leader from D1 to D2",
        ),
        (
            leaders_act(
                {"type": "ability", "character": "bruiser", "target": "D3", "target_to": "D4"},
                ("bruiser", 0, "D2", "D3"),
                ("royal_guard", 1, "D3", "D4"),
            ),
            "Seat 0 used Bruiser: Bruiser from D2 to D3, enemy Royal Guard from D3 to D4",
        ),
        ({"type": "nemesis_moved", "seat": 0, "from": "D6", "to": "D4"}, "Seat 0 moved Nemesis from D6 to D4"),
        (
            {"type": "recruited", "seat": 0, "card": "hermit_and_cub", "at": "A1", "cub_at": "B1"},
            "Seat 0 recruited Hermit and Cub at A1, Cub at B1",
        ),
        ({"type": "market", "card": "rider"}, "Rider came into the market"),
        ({"type": "banished", "seat": 0, "card": "acrobat"}, "Seat 0 banished Acrobat"),
        ({"type": "turn", "seat": 0, "turn": 2}, "Seat 0 began turn 2"),
    ],
)
def test_events_of_leaders(event: dict[str, Any], said: str) -> None:
    assert told(games.load("leaders"), event, None) == said


@pytest.mark.parametrize(
    ("name", "action", "said"),
    [
        ("hidden-leaders-duel", {"type": "take", "spaces": ["A1", "B2"]}, "take A1 and B2"),
        ("hidden-leaders-duel", {"type": "place", "cards": {"A1": "I3", "B2": "S0"}}, "place I3 on A1 and S0 on B2"),
        ("hidden-leaders-duel", {"type": "block", "card": "I3", "space": "A1"}, "block A1 with I3"),
        ("leaders", {"type": "ability", "character": "royal_guard", "to": "D4"}, "use Royal Guard, going to D4"),
        (
            "leaders",
            {"type": "ability", "character": "manipulator", "target": "D3", "target_to": "D4"},
            "use Manipulator on D3, moving it to D4",
        ),
        ("leaders", {"type": "recruit", "card": "archer", "at": "A1"}, "recruit Archer at A1"),
        ("leaders", {"type": "end_actions"}, "end actions"),
    ],
)
def test_actions_are_orders(name: str, action: dict[str, Any], said: str) -> None:
    assert asked(games.load(name), action) == said


@pytest.mark.parametrize(
    ("event", "seat", "said"),
    [
        ({"type": "bet", "seat": 1}, 1, "You bet"),
        ({"type": "drew_card", "seat": 0, "card": "K"}, 1, "Seat 0 drew card: card K"),
        ({"seat": 0, "took": 3}, None, "Seat 0: took 3"),
        ({"type": "shown", "cards": {"a": ["K", "Q"], "b": []}}, None, "shown: cards (a (K Q), b (nothing))"),
    ],
)
def test_json_is_read_out_where_a_game_has_no_words(event: dict[str, Any], seat: int | None, said: str) -> None:
    assert told(object(), event, seat) == said


def test_nothing_and_numbers_have_words_too() -> None:
    assert [words(value) for value in ({}, [], None, [2, 21])] == ["nothing", "nothing", "–", "2 21"]


def test_details_that_an_event_told_are_not_told_again() -> None:
    outcome = {"half_points": [2, 0], "reason": "points", "details": {"points": [3, 1], "margin": 2}}
    assert outcome_lines(outcome, 0) == ["You win (1 to 0) by points.", "  points: 3 1", "  margin: 2"]
    assert outcome_lines(outcome, 1, [{"type": "scored", "points": [3, 1]}])[1:] == ["  margin: 2"]
