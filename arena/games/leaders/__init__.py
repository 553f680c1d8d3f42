"""Leaders, drafted from a deck. Rules, rulings and JSON: docs/games/leaders.md."""

from collections.abc import Sequence

from arena.chance import Chance
from arena.game import from_json, to_json
from arena.games.leaders import dealing
from arena.games.leaders.diagram import render
from arena.games.leaders.notation import Action, Deal, Event, Options, View
from arena.games.leaders.rules import apply, legal_actions, max_plies, outcome, seat_to_act
from arena.games.leaders.state import State
from arena.games.leaders.view import events, view
from arena.games.leaders.wording import explain

NAME = "leaders"
RULES_VERSION = 1
SEATS = 2


def deal(rng: Chance, options: Options) -> Deal:  # noqa: ARG001 - the contract's signature
    """A shuffled deck, the first drawn first."""
    return dealing.deal(rng)


def initial(deal: Deal, options: Options) -> State:
    """The state before the first ply. Raises ValueError unless the deck holds each of the 16 cards once."""
    return dealing.initial(deal, options)


def redeal(
    deal: Deal,
    actions: Sequence[Action],
    seat: int | None,  # noqa: ARG001 - all see the same
    rng: Chance,
    options: Options,  # noqa: ARG001
) -> tuple[Deal, Sequence[Action]]:
    """The same history with the cards still in the deck in another order."""
    return dealing.redeal(deal, actions, rng), actions


def determinize(view: View, rng: Chance, options: Options) -> State:
    """A state that looks like `view`, the deck in a random order. See `dealing.determinize` about repetition."""
    return dealing.determinize(view, rng, options, expert=False)


__all__ = [
    "NAME", "RULES_VERSION", "SEATS", "Action", "Deal", "Event", "Options", "State", "View", "apply", "deal",
    "determinize", "events", "explain", "from_json", "initial", "legal_actions", "max_plies", "outcome", "redeal",
    "render", "seat_to_act", "to_json", "view",
]  # fmt: skip
