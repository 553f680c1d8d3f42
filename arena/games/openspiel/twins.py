"""Other histories of an OpenSpiel game that look the same to one seat, found by search.

OpenSpiel can resample some games' hidden state, but most not, and none by a history. So the tree is searched from its
root: the actions that the viewer knows are as they were, all else is free, and every position in which the viewer
would see something else is left. A search departs from the real history at some places, drawn at random: many at
first, then fewer. Elsewhere it tries the real choice first.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from arena.chance import Chance, shuffled
from arena.games.openspiel.position import Position, span
from arena.games.openspiel.words import DRAW_BOUND

BUDGET = 800  # positions looked at by one search
DEPARTURES = (1000, 8, 4, 2, 1, 1, 1, 1)  # at how many places each search may depart; the first: at half of all

Fits = Callable[[int, Any], bool]
"""Whether the viewer sees the same before this ply in the given state of OpenSpiel's."""


def twin(real: Position, fixed: Sequence[int | None], fits: Fits, rng: Chance) -> tuple[tuple[int, ...], list[int]]:
    """The draws and the players' actions of another history that ends where `real` does, as far as the viewer knows.

    The seats in `fixed` act as they did. If no search succeeds, only the draws are others, with the same effect.
    """
    if real.drawn > len(real.draws):  # derived draws cannot be chosen
        return real.draws, [action for action, (chance, _) in _decided(real) if not chance]
    free = [place for place, (_, (chance, seat)) in enumerate(_decided(real)) if chance or seat not in fixed]
    for count in DEPARTURES:
        places = frozenset(shuffled(free, rng)[: min(count, (len(free) + 1) // 2)])
        path = _path(real, fixed, fits, places, rng)
        if path is not None and path != real.spiel.history():
            return _record(real, path, rng)
    return _record(real, real.spiel.history(), rng)


def _decided(real: Position) -> list[tuple[int, tuple[bool, int]]]:
    """The real history from the root: each action with (by chance?, seat)."""
    state = real.spiel.get_game().new_initial_state()
    steps = []
    for action in real.spiel.history():
        steps.append((action, (bool(state.is_chance_node()), int(state.current_player()))))
        state.apply_action(action)
    return steps


def _path(
    real: Position, fixed: Sequence[int | None], fits: Fits, places: frozenset[int], rng: Chance
) -> list[int] | None:
    """All actions, chance included, of a history that fits; depth first, within the budget."""
    history = real.spiel.history()
    played = [action for action, (chance, _) in _decided(real) if not chance]
    stack: list[tuple[Any, int, int, Iterator[int]]] = []
    path: list[int] = []
    state, ply, drawn = real.spiel.get_game().new_initial_state(), 0, 0
    for _ in range(BUDGET):
        wanted = history[len(path)] if len(path) < len(history) else None
        if state.is_chance_node():
            likely = [a for a, p in state.chance_outcomes() if p * DRAW_BOUND > 2]
            options = (
                _ordered(likely, wanted, departs=len(path) in places, rng=rng) if drawn < len(real.draws) else iter(())
            )
        elif not fits(ply, state):
            options = iter(())
        elif ply == len(played):
            return path
        elif state.current_player() in fixed:
            options = iter([a for a in state.legal_actions() if a == played[ply]])
        else:
            options = _ordered(state.legal_actions(), wanted, departs=len(path) in places, rng=rng)
        stack.append((state, ply, drawn, options))
        while stack:
            state, ply, drawn, options = stack[-1]
            del path[len(stack) - 1 :]
            action = next(options, None)
            if action is not None:
                break
            stack.pop()
        else:
            return None
        path.append(action)
        by_chance = state.is_chance_node()
        state = state.child(action)
        ply, drawn = (ply, drawn + 1) if by_chance else (ply + 1, drawn)
    return None


def _ordered(actions: list[int], wanted: int | None, *, departs: bool, rng: Chance) -> Iterator[int]:
    """The actions in random order, the real one before all others, or after them where the search departs."""
    order = shuffled(actions, rng)
    if wanted in order:
        order.remove(wanted)
        order.insert(len(order) if departs else 0, wanted)
    return iter(order)


def _record(real: Position, path: list[int], rng: Chance) -> tuple[tuple[int, ...], list[int]]:
    """Draws that lead along the path, and the players' actions on it."""
    state = real.spiel.get_game().new_initial_state()
    draws: list[int] = []
    actions: list[int] = []
    for action in path:
        if state.is_chance_node():
            first, end = span(state.chance_outcomes(), action)
            draws.append(first + rng.randrange(end - first))
        else:
            actions.append(action)
        state.apply_action(action)
    rest = (rng.randrange(DRAW_BOUND) for _ in range(len(real.draws) - len(draws)))
    return (*draws, *rest), actions
