"""Random games for the checks, and the replay of a given one."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from arena.chance import Chance, KeyedChance, choice
from arena.game import Game

Viewer = int | None  # a seat, or None: the spectator


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """One game as it was played: `states[ply]` is the state before action `ply`, the last one has no action."""

    options: Any
    deal: Any
    actions: tuple[Any, ...]
    states: tuple[Any, ...]


def chance(seed: int, label: str) -> KeyedChance:
    """The stream of draws of a check: the same for the same seed and label, on every machine."""
    return KeyedChance(f"check {seed}".encode(), label)


def random_play(game: Game, options: Any, rng: Chance) -> Play:
    """A game of random actions. Stops one ply beyond `max_plies` if the game does not end by then."""
    deal = game.deal(rng, options)
    states = [game.initial(deal, options)]
    actions: list[Any] = []
    while game.seat_to_act(states[-1]) is not None and len(actions) <= game.max_plies(options):
        actions.append(random_action(game, game.legal_actions(states[-1]), rng))
        states.append(game.apply(states[-1], actions[-1]))
    return Play(options=options, deal=deal, actions=tuple(actions), states=tuple(states))


def random_action(game: Game, legal: Sequence[Any], rng: Chance) -> Any:
    """One of the actions; half of the time the kind is drawn first, so that rare kinds occur often enough."""
    if rng.randrange(2):
        return choice(legal, rng)
    kinds: dict[str, list[Any]] = {}
    for action in legal:
        kinds.setdefault(kind(game.to_json(action)), []).append(action)
    return choice(kinds[choice(sorted(kinds), rng)], rng)


def kind(action: Any) -> str:
    """The kind of an action in JSON: its field `type` if it has one."""
    return str(action.get("type", "")) if isinstance(action, dict) else ""


def replay(game: Game, options: Any, deal: Any, actions: Sequence[Any]) -> tuple[Any, ...]:
    """The states of a game. Raises ValueError for an action that is not legal or comes after the end."""
    states = [game.initial(deal, options)]
    for ply, action in enumerate(actions):
        if action not in game.legal_actions(states[-1]):
            raise ValueError(f"ply {ply}: {text(game.to_json(action))} is not legal")
        states.append(game.apply(states[-1], action))
    return tuple(states)


def viewers(game: Game) -> tuple[Viewer, ...]:
    """Every seat, then the spectator."""
    return (*range(game.SEATS), None)


def viewer_name(viewer: Viewer) -> str:
    return "spectator" if viewer is None else f"seat {viewer}"


def text(data: Any) -> str:
    """JSON on one line."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def leaves(data: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every scalar in JSON data with its path; an empty list or object counts as a scalar."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from leaves(value, f"{path}.{key}" if path else str(key))
    elif isinstance(data, list) and data:
        for index, value in enumerate(data):
            yield from leaves(value, f"{path}[{index}]")
    else:
        yield path, data


def replaced(data: Any, values: dict[str, Any], path: str = "") -> Any:
    """JSON data with the scalars at the given paths replaced."""
    if isinstance(data, dict) and data:
        return {key: replaced(value, values, f"{path}.{key}" if path else str(key)) for key, value in data.items()}
    if isinstance(data, list) and data:
        return [replaced(value, values, f"{path}[{index}]") for index, value in enumerate(data)]
    return values.get(path, data)
