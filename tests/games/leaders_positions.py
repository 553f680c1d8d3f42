"""Positions written out in full, and short questions about them, for the tests of Leaders."""

import random
from typing import Any

from arena.game import Game
from arena.games import load
from arena.games.leaders.diagram import parse
from arena.games.leaders.state import State

LEADERS, EXPERT = load("leaders"), load("leaders-expert")


def position(text: str, *, expert: bool = False, max_turns: int = 200) -> State:
    """The state of a position in the form of `arena.games.leaders.diagram`; what is unseen is the deck."""
    game: Game = EXPERT if expert else LEADERS
    state: State = game.determinize(parse(text), random.Random(0), game.Options(max_turns=max_turns))
    return state


def legal(state: State, **fields: str) -> list[dict[str, Any]]:
    """The legal actions that have these fields, as JSON."""
    rows = [LEADERS.to_json(action) for action in LEADERS.legal_actions(state)]
    return [row for row in rows if row == row | fields]


def ends(state: State, character: str, kind: str = "ability", **fields: str) -> set[str]:
    """The spaces in the field `to` of a character's actions."""
    return {row["to"] for row in legal(state, type=kind, character=character, **fields) if "to" in row}


def steps(state: State, character: str) -> set[str]:
    """Where a character's basic move may lead."""
    return ends(state, character, "move")


def shifts(state: State, character: str) -> set[str]:
    """The pairs `target>target_to` of a character's ability."""
    rows = legal(state, type="ability", character=character)
    return {f"{row['target']}>{row['target_to']}" for row in rows if "target_to" in row}


def targets(state: State, character: str) -> set[str]:
    """The targets that a character's ability may name."""
    return {row["target"] for row in legal(state, type="ability", character=character)}


def play(state: State, **action: str) -> State:
    """The state after one action, which must be legal."""
    assert action in legal(state), f"{action} is not among {legal(state)}"
    after: State = LEADERS.apply(state, LEADERS.from_json(action, LEADERS.Action))
    return after


def told(state: State, **action: str) -> list[dict[str, Any]]:
    """The events of one action, as JSON."""
    value = LEADERS.from_json(action, LEADERS.Action)
    return [LEADERS.to_json(event) for event in LEADERS.events(state, value, play(state, **action), None)]


def where(state: State) -> set[str]:
    """Every figure with seat and space: `0 leader D1`."""
    return {f"{piece.seat} {piece.character} {piece.at}" for piece in LEADERS.view(state, None).pieces}


def acted(state: State) -> set[str]:
    """The figures that can no longer act this turn."""
    return {piece.character for piece in LEADERS.view(state, None).pieces if piece.acted}


def result(state: State) -> tuple[str, tuple[int, ...]] | None:
    """Reason and half points, None while the game goes on."""
    outcome = LEADERS.outcome(state)
    return (outcome.reason, outcome.half_points) if outcome else None


def reachable(text: str, *, expert: bool = False) -> set[tuple[str, tuple[int, ...]]]:
    """The results that one more action can bring about."""
    state = position(text, expert=expert)
    after = (LEADERS.apply(state, action) for action in LEADERS.legal_actions(state))
    return {found for next_state in after if (found := result(next_state))}
