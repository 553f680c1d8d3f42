"""Leaders in expert mode (L30, L31): all cards open, two banishments, no chance. docs/games/leaders-expert.md."""

from collections.abc import Sequence

from arena.chance import Chance
from arena.game import from_json, to_json
from arena.games.leaders import dealing
from arena.games.leaders.diagram import render
from arena.games.leaders.notation import Action, Event, ExpertDeal, Options, View
from arena.games.leaders.rules import apply, legal_actions, max_plies, outcome, seat_to_act
from arena.games.leaders.state import State
from arena.games.leaders.view import events, view
from arena.games.leaders.wording import explain

NAME = "leaders-expert"
RULES_VERSION = 1
SEATS = 2
Deal = ExpertDeal


def deal(rng: Chance, options: Options) -> ExpertDeal:  # noqa: ARG001 - no chance here
    """Nothing: `{}`."""
    return ExpertDeal()


def initial(deal: ExpertDeal, options: Options) -> State:
    """The state before the opening banishment."""
    return dealing.initial_expert(deal, options)


def redeal(
    deal: ExpertDeal,
    actions: Sequence[Action],
    seat: int | None,  # noqa: ARG001 - nothing is hidden
    rng: Chance,  # noqa: ARG001
    options: Options,  # noqa: ARG001
) -> tuple[ExpertDeal, Sequence[Action]]:
    """The same: nothing is hidden from anybody."""
    return deal, actions


def determinize(view: View, rng: Chance, options: Options) -> State:
    """The state that looks like `view`. See `arena.games.leaders.dealing.determinize` about repetition."""
    return dealing.determinize(view, rng, options, expert=True)


__all__ = [
    "NAME", "RULES_VERSION", "SEATS", "Action", "Deal", "Event", "Options", "State", "View", "apply", "deal",
    "determinize", "events", "explain", "from_json", "initial", "legal_actions", "max_plies", "outcome", "redeal",
    "render", "seat_to_act", "to_json", "view",
]  # fmt: skip
