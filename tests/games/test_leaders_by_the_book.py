"""The engine of Leaders against the slow one of `leaders_by_the_book`: games, views, events and legal lists agree."""

import random
from typing import Any

import pytest
from leaders_by_the_book import AXIAL, CARDS, Game, fallen, legal, look, play, start

from arena.games import load


def compare(name: str, seed: int, plies: int, max_turns: int = 200) -> str | None:
    """Both engines play the same random game; True if it came to its end."""
    rng = random.Random(seed)
    engine = load(name)
    options = engine.Options(max_turns=max_turns)
    deal = engine.deal(rng, options)
    state = engine.initial(deal, options)
    book = start(engine.to_json(deal).get("deck"), max_turns)
    for _ in range(plies):
        assert engine.to_json(engine.view(state, None)) == look(book)
        actions = [engine.to_json(action) for action in engine.legal_actions(state)]
        assert actions == ([] if book["result"] else legal(book)), look(book)
        if book["result"]:
            outcome, (reason, winner) = engine.outcome(state), book["result"]
            points = {None: (1, 1), 0: (2, 0), 1: (0, 2)}[winner]
            assert outcome is not None
            assert (outcome.reason, outcome.half_points) == (reason, points)
            return str(reason)
        number = rng.randrange(len(actions))
        action = engine.legal_actions(state)[number]
        after = engine.apply(state, action)
        book, told = play(book, actions[number])
        assert engine.to_json(engine.events(state, action, after, None)) == told
        assert engine.outcome(state) is None
        state = after
    return None


def opened(name: str, view: dict[str, Any]) -> Game:
    """A game to ask for its legal list alone."""
    secrets = {"deck": [], "expert": name == "leaders-expert", "max_turns": 200, "history": [], "result": None}
    return view | secrets


@pytest.mark.parametrize("name", ["leaders", "leaders-expert"])
def test_two_engines_play_the_same_games(name: str) -> None:
    compare(name, seed=1, plies=16)


@pytest.mark.parametrize("name", ["leaders", "leaders-expert"])
def test_every_thinkable_action_is_legal_in_both_engines_or_in_neither(name: str) -> None:
    engine, rng = load(name), random.Random(name)
    options = engine.Options()
    for plies in rng.sample(range(20, 140), 15):
        state = engine.initial(engine.deal(rng, options), options)
        for _ in range(plies):
            after = engine.apply(state, rng.choice(engine.legal_actions(state)))
            if engine.seat_to_act(after) is None:
                break
            state = after
        book = opened(name, engine.to_json(engine.view(state, None)))
        assert [engine.to_json(action) for action in engine.legal_actions(state)] == legal(book)


NARROW = [name for name, (q, r) in AXIAL.items() if max(abs(q - 1), abs(r), abs(q + r)) <= 3]


def crowded(rng: random.Random) -> dict[str, Any]:
    """The view of a position with ten cards on a part of the board, where figures meet, block, jail and protect."""
    active = rng.randrange(2)
    while True:
        cards, spaces = rng.sample(CARDS, 8), rng.sample(NARROW, 12)
        held = [["leader", *cards[:4]], ["leader", *cards[4:]]]
        pieces = [
            {"character": name, "seat": seat, "at": spaces.pop(), "acted": False}
            for seat, hand in enumerate(held)
            for card in hand
            for name in (("hermit", "cub") if card == "hermit_and_cub" else (card,))
        ]
        for piece in pieces:
            piece["acted"] = piece["seat"] == active and piece["character"] != "nemesis" and rng.random() < 0.2
        view = {
            "turn": 8 + active, "phase": "action", "seat": None, "seat_to_act": active, "active_seat": active,
            "pieces": sorted(pieces, key=lambda piece: (piece["seat"], piece["at"])), "cards": held, "market": [],
            "deck_count": 8, "banished": [], "recruits_left": 0, "repeats": 1,
        }  # fmt: skip
        if not fallen(view, 0) and not fallen(view, 1):
            return view


def check_crowded(seed: int) -> None:
    engine, rng = load("leaders"), random.Random(seed)
    view = crowded(rng)
    state = engine.determinize(engine.from_json(view, engine.View), rng, engine.Options())
    book = opened("leaders", view) | {"deck": [CARDS[card] for card in state.supply.deck]}
    actions = [engine.to_json(action) for action in engine.legal_actions(state)]
    assert actions == legal(book), view
    for action in rng.sample(actions, min(6, len(actions))):
        value = engine.from_json(action, engine.Action)
        after = engine.apply(state, value)
        next_book, told = play(book | {"history": ["elsewhere"]}, action)
        assert engine.to_json(engine.view(after, None)) == look(next_book), (view, action)
        assert engine.to_json(engine.events(state, value, after, None)) == told
        if next_book["phase"] == "nemesis":
            assert [engine.to_json(a) for a in engine.legal_actions(after)] == legal(next_book)


@pytest.mark.parametrize("seed", range(6))
def test_two_engines_agree_on_crowded_positions(seed: int) -> None:
    check_crowded(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_two_engines_agree_on_many_crowded_positions(seed: int) -> None:
    check_crowded(seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leaders", "leaders-expert"])
@pytest.mark.parametrize("seed", range(5))
def test_two_engines_play_the_same_games_to_the_end(name: str, seed: int) -> None:
    assert compare(name, seed, plies=10_000, max_turns=60)
