"""Any two-player sequential game of OpenSpiel as a game of Arena: `openspiel:NAME` or `openspiel:NAME(key=value,…)`.

Needs the extra `openspiel`. Guide, and what is known about each game's secrets: docs/openspiel.md.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from arena.chance import Chance
from arena.errors import UnknownNameError, UsageError
from arena.game import DRAW, LOSS, WIN, Game, Outcome, from_json, to_json
from arena.games.openspiel import words
from arena.games.openspiel.position import Position, resolved
from arena.games.openspiel.twins import twin

PREFIX = "openspiel:"
MAX_DRAWS = 256  # of a deal; a longer game derives further ones


@cache
def load(name: str) -> Game:
    """The game that `name` stands for, the prefix included.

    Raises UsageError when OpenSpiel is not installed or the game does not fit, UnknownNameError for an unknown one.
    """
    try:
        import pyspiel
    except ImportError as error:
        raise UsageError(f"{name!r} needs OpenSpiel: pip install 'arena-referee[openspiel]' ({error})") from error
    text = name.removeprefix(PREFIX)
    types = {type_.short_name: type_ for type_ in pyspiel.registered_games()}
    if text.partition("(")[0] not in types:
        raise UnknownNameError("OpenSpiel game", text.partition("(")[0], list(types))
    try:
        game = pyspiel.load_game(text)
    except (pyspiel.SpielError, IndexError, RuntimeError) as error:
        raise UsageError(f"OpenSpiel does not take {text!r}: {str(error).splitlines()[0]}") from error
    problem = _misfit(pyspiel, game)
    if problem:
        raise UsageError(f"{name!r} cannot be played here: {problem}")
    return cast("Game", OpenSpielGame(name, game))


def _misfit(pyspiel: Any, game: Any) -> str:
    """Why the bridge cannot play a game, or nothing."""
    type_ = game.get_type()
    if game.num_players() != 2:
        return f"it has {game.num_players()} players"
    if type_.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        return (
            f"players act at once; openspiel:turn_based_simultaneous_game(game={type_.short_name}()) lets them in turn"
        )
    if type_.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "its chance is drawn inside OpenSpiel and cannot be recorded"
    if not (type_.provides_information_state_string or type_.provides_observation_string):
        return "it has neither information states nor observations as text"
    return ""


class OpenSpielGame:
    """The contract of `arena.game` for one game of OpenSpiel, with these parameters."""

    RULES_VERSION = 1
    SEATS = 2
    Options, Deal, Action, View, Event = words.Options, words.Deal, words.Action, words.View, words.Event
    to_json = staticmethod(to_json)
    from_json = staticmethod(from_json)

    def __init__(self, name: str, game: Any) -> None:
        self.NAME = name
        self._game = game
        type_ = game.get_type()
        self._open = type_.information.name == "PERFECT_INFORMATION"
        self._recalls = type_.provides_information_state_string and not self._open
        chance = type_.chance_mode.name != "DETERMINISTIC"
        self._draws = min(game.max_chance_nodes_in_history(), MAX_DRAWS) if chance else 0

    def max_plies(self, options: words.Options) -> int:  # noqa: ARG002 - the same for all
        return int(self._game.max_game_length())

    def deal(self, rng: Chance, options: words.Options) -> words.Deal:  # noqa: ARG002
        return words.Deal(draws=tuple(rng.randrange(words.DRAW_BOUND) for _ in range(self._draws)))

    def initial(self, deal: words.Deal, options: words.Options) -> Position:  # noqa: ARG002
        if len(deal.draws) != self._draws:
            raise ValueError(f"expected {self._draws} draws, found {len(deal.draws)}")
        return resolved(self._game.new_initial_state(), deal.draws, 0)

    def seat_to_act(self, state: Position) -> int | None:
        return None if state.spiel.is_terminal() else int(state.spiel.current_player())

    def legal_actions(self, state: Position) -> Sequence[words.Action]:
        if state.spiel.is_terminal():
            return ()
        return tuple(self._action(state, number) for number in sorted(state.spiel.legal_actions()))

    def apply(self, state: Position, action: words.Action) -> Position:
        spiel = state.spiel.clone()
        spiel.apply_action(action.id)
        return resolved(spiel, state.draws, state.drawn)

    def outcome(self, state: Position) -> Outcome | None:
        """The higher return wins; `details.returns` has both, as OpenSpiel gives them."""
        if not state.spiel.is_terminal():
            return None
        first, second = state.spiel.returns()
        points = (DRAW, DRAW) if first == second else (WIN, LOSS) if first > second else (LOSS, WIN)
        return Outcome(half_points=points, reason="returns", details={"returns": [float(first), float(second)]})

    def view(self, state: Position, seat: int | None) -> words.View:
        """What OpenSpiel tells the seat. The spectator of a game with secrets sees only whose ply it is."""
        viewer = 0 if seat is None and self._open else seat
        if viewer is None:
            text = ""
        elif self._recalls:
            text = state.spiel.information_state_string(viewer)
        else:
            text = state.spiel.observation_string(viewer)
        return words.View(seat=seat, seat_to_act=self.seat_to_act(state), text=text)

    def events(self, before: Position, action: words.Action, after: Position, seat: int | None) -> list[words.Event]:  # noqa: ARG002
        """The action, where nothing is hidden; elsewhere the view tells a seat what it may know of it."""
        actor = self.seat_to_act(before)
        assert actor is not None
        return [words.Acted(seat=actor, action=action)] if self._open else []

    def redeal(
        self, deal: words.Deal, actions: Sequence[words.Action], seat: int | None, rng: Chance, options: words.Options
    ) -> tuple[words.Deal, Sequence[words.Action]]:
        """Another history with the same views for `seat` at every ply, and the same outcome.

        Found by search. If none is found soon: the same history from other draws.
        """
        states = [self.initial(deal, options)]
        for action in actions:
            states.append(self.apply(states[-1], action))
        known = [(self.view(state, seat), self.outcome(state)) for state in states]

        def fits(ply: int, spiel: Any) -> bool:
            state = Position(spiel, deal.draws, 0)
            return (self.view(state, seat), self.outcome(state)) == known[ply]

        fixed = (0, 1) if self._open else (seat,)  # the seats whose actions the viewer knows
        draws, numbers = twin(states[-1], fixed, fits, rng)
        state, other = self.initial(words.Deal(draws=draws), options), []
        for number in numbers:
            other.append(self._action(state, number))
            state = self.apply(state, other[-1])
        return words.Deal(draws=draws), other

    def determinize(self, view: words.View, rng: Chance, options: words.Options) -> Position:
        raise NotImplementedError("OpenSpiel has no way back from a view to a state")

    def render(self, view: words.View) -> str:
        return view.text or f"seat {view.seat_to_act} is to act"

    def explain(self, value: words.Event | words.Action) -> str:
        return f"played {value.action.text}" if isinstance(value, words.Acted) else value.text

    def _action(self, state: Position, number: int) -> words.Action:
        return words.Action(id=number, text=state.spiel.action_to_string(state.spiel.current_player(), number))
