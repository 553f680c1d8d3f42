"""Other histories of an OpenSpiel game that look the same to one seat, found by search.

OpenSpiel can resample some games' hidden state, but most not, and none by a history. So the tree is searched from its
root: the actions that the viewer knows are as they were, all else is free, and every position in which the
viewer would see something else is left. Choices are tried in random order, the real one first half of the time.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from arena.chance import Chance, shuffled
from arena.games.openspiel.position import Position, span
from arena.games.openspiel.words import DRAW_BOUND

BUDGET = 3000  # positions looked at

Fits = Callable[[int, Any], bool]
"""Whether the viewer sees the same before this ply in the given state of OpenSpiel's."""


def twin(
    real: Position, fixed: Sequence[int | None], fits: Fits, rng: Chance
) -> tuple[tuple[int, ...], list[int]] | None:
    """The draws and the players' actions of another history that ends where `real` does, as far as the viewer knows.

    The seats in `fixed` act as they did.
    """
    steps = _steps(real)
    if sum(chance for chance, _ in steps) > len(real.draws):
        return None
    path = _path(real, steps, fixed, fits, rng)
    return None if path is None else _record(real, path, rng)


def _steps(real: Position) -> list[tuple[bool, int]]:
    """The real history from the root: (by chance?, action)."""
    state = real.spiel.get_game().new_initial_state()
    steps = []
    for action in real.spiel.history():
        steps.append((bool(state.is_chance_node()), action))
        state.apply_action(action)
    return steps


def _path(
    real: Position, steps: list[tuple[bool, int]], fixed: Sequence[int | None], fits: Fits, rng: Chance
) -> list[int] | None:
    """All actions, chance included, of a history that fits; depth first, within the budget."""
    total = sum(not chance for chance, _ in steps)
    hints = {True: [a for chance, a in steps if chance], False: [a for chance, a in steps if not chance]}
    root = real.spiel.get_game().new_initial_state()
    stack: list[tuple[Any, int, int, Iterator[int]]] = []
    path: list[int] = []
    state, ply, drawn = root, 0, 0
    for _ in range(BUDGET):
        if state.is_chance_node():
            options = _ordered([a for a, p in state.chance_outcomes() if p > 0], hints[True], drawn, rng)
        elif not fits(ply, state):
            options = iter(())
        elif ply == total:
            return path
        elif state.current_player() in fixed:
            options = iter([hints[False][ply]])
        else:
            options = _ordered(state.legal_actions(), hints[False], ply, rng)
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


def _ordered(actions: list[int], real: list[int], index: int, rng: Chance) -> Iterator[int]:
    """The actions in random order; half of the time the real one first, so that long histories find an end."""
    order = shuffled(actions, rng)
    if index < len(real) and real[index] in order and rng.randrange(2):
        order.remove(real[index])
        order.insert(0, real[index])
    return iter(order)


def _record(real: Position, path: list[int], rng: Chance) -> tuple[tuple[int, ...], list[int]] | None:
    """Draws that lead along the path, and the players' actions on it; None if an outcome is too rare for a draw."""
    state = real.spiel.get_game().new_initial_state()
    draws: list[int] = []
    actions: list[int] = []
    for action in path:
        if state.is_chance_node():
            first, end = span(state.chance_outcomes(), action)
            if end <= first or len(draws) == len(real.draws):
                return None
            draws.append(first + rng.randrange(end - first))
        else:
            actions.append(action)
        state.apply_action(action)
    rest = (rng.randrange(DRAW_BOUND) for _ in range(len(real.draws) - len(draws)))
    return (*draws, *rest), actions
