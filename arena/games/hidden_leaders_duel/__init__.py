"""Hidden Leaders Duel, the card game by Michiel de Wit. Rules, rulings and JSON: docs/games/hidden-leaders-duel.md.

`rules` holds states and actions, `scoring` the end, `notation` the JSON, `view` what each seat sees, `knowledge` what
it cannot tell apart, `board` the picture for people. A `State` is a tuple of whole numbers, tuples and bit sets.
"""

from arena.game import from_json, to_json
from arena.games.hidden_leaders_duel.board import explain, render
from arena.games.hidden_leaders_duel.knowledge import determinize, redeal
from arena.games.hidden_leaders_duel.notation import (
    Action,
    Block,
    Collect,
    Deal,
    Event,
    Options,
    Place,
    Take,
    View,
)
from arena.games.hidden_leaders_duel.rules import (
    State,
    apply,
    deal,
    initial,
    legal_actions,
    max_plies,
    seat_to_act,
)
from arena.games.hidden_leaders_duel.scoring import Score, outcome, score
from arena.games.hidden_leaders_duel.view import events, view

NAME = "hidden-leaders-duel"
RULES_VERSION = 1
SEATS = 2

__all__ = [
    "NAME",
    "RULES_VERSION",
    "SEATS",
    "Action",
    "Block",
    "Collect",
    "Deal",
    "Event",
    "Options",
    "Place",
    "Score",
    "State",
    "Take",
    "View",
    "apply",
    "deal",
    "determinize",
    "events",
    "explain",
    "from_json",
    "initial",
    "legal_actions",
    "max_plies",
    "outcome",
    "redeal",
    "render",
    "score",
    "seat_to_act",
    "to_json",
    "view",
]
