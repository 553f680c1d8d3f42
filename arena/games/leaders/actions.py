"""Every action that the notation can express, once, numbered in the order of the legal list (E14).

The engine works with these numbers: sorting a list of them sorts the actions by their JSON text. `EFFECT[number]`
says what an action of the action phase does to the board, whoever's ability it is.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import UNSET

from arena.game import to_json
from arena.games.leaders.board import LINE_ENDS, NAMES, NEAR, OFF, RECRUITMENT_SPACES, SPACE, SPACES, spaces_of
from arena.games.leaders.cards import CARDS, FIGURE, FIGURES, LEADER, NEMESIS
from arena.games.leaders.notation import Ability, Action, Banish, EndActions, Move, NemesisMove, Recruit

GOERS = ("acrobat", "rider", "royal_guard", "wanderer")  # abilities that name where the character itself goes
SHIFTERS = ("brewmaster", "bruiser", "manipulator")  # abilities that name a target and where it goes

GO, SHIFT, PUSH, SWAP = range(4)
"""Effects, with a figure and two spaces a, b: the figure goes to a; whoever is on a goes to b; the same, then the
figure goes to a; the figure and whoever is on a change places."""


def _moves() -> Iterator[dict[str, str]]:
    movers = (name for name in FIGURES[1:] if name != FIGURES[NEMESIS])  # E1
    return ({"type": "move", "character": name, "to": to} for name in movers for to in NAMES)


def _abilities() -> Iterator[dict[str, str]]:
    for name in GOERS:
        yield from ({"type": "ability", "character": name, "to": to} for to in NAMES)
    for name in SHIFTERS:
        for target in SPACES:
            shift = {"type": "ability", "character": name, "target": NAMES[target]}
            yield from (shift | {"target_to": NAMES[to]} for to in spaces_of(NEAR[target]))
    yield from ({"type": "ability", "character": "illusionist", "target": target} for target in NAMES)
    for (_, target), (beside_target, beside_launcher) in LINE_ENDS.items():
        claw = {"type": "ability", "character": "claw_launcher", "target": NAMES[target]}
        yield claw | {"to": NAMES[beside_target]}
        yield claw | {"target_to": NAMES[beside_launcher]}


def _recruitments() -> Iterator[dict[str, str]]:
    for spaces in map(spaces_of, RECRUITMENT_SPACES):
        for at in spaces:
            place = {"type": "recruit", "at": NAMES[at]}
            yield from (place | {"card": card} for card in CARDS if card != "hermit_and_cub")
            both = place | {"card": "hermit_and_cub"}
            yield from (both | {"cub_at": NAMES[cub_at]} for cub_at in spaces if cub_at != at)


def _all_actions() -> Iterator[dict[str, str]]:
    yield {"type": "end_actions"}
    yield from _moves()
    yield from _abilities()
    yield from _recruitments()
    yield from ({"type": "nemesis_move", "to": to} for to in NAMES)
    yield from ({"type": "banish", "card": card} for card in CARDS)


def _canonical_text(action: Action) -> str:
    return json.dumps(to_json(action), sort_keys=True)


_DISTINCT: set[Action] = {msgspec.convert(row, Action) for row in _all_actions()}  # a claw's line has many launchers
ACTIONS: tuple[Action, ...] = tuple(sorted(_DISTINCT, key=_canonical_text))
NUMBER = {action: number for number, action in enumerate(ACTIONS)}
END_ACTIONS = NUMBER[EndActions()]


def _space(name: Any) -> int:
    return OFF if name is UNSET else SPACE[name]


def _effect(action: Action) -> tuple[int, int, int, int]:
    """(effect, figure, a, b); the Leader of either seat is figure 0 here."""
    if isinstance(action, Move):
        return GO, FIGURE[action.character], SPACE[action.to], OFF
    if not isinstance(action, Ability):
        return GO, LEADER, OFF, OFF
    figure, target, to, target_to = FIGURE[action.character], *map(_space, (action.target, action.to, action.target_to))
    if to != OFF:
        return GO, figure, to, OFF
    if target_to == OFF:
        return SWAP, figure, target, OFF
    return PUSH if action.character == "bruiser" else SHIFT, figure, target, target_to


EFFECT = tuple(map(_effect, ACTIONS))


def _numbers_of(kind: type[Any]) -> Iterator[tuple[int, Any]]:
    return ((number, action) for number, action in enumerate(ACTIONS) if isinstance(action, kind))


_STEP = {(FIGURE[a.character], SPACE[a.to]): number for number, a in _numbers_of(Move)}
_GO = {(FIGURE[a.character], SPACE[a.to]): number for number, a in _numbers_of(Ability) if a.character in GOERS}
ON_TARGET = {  # (figure, target, to, target_to), OFF for what is not named
    (FIGURE[a.character], _space(a.target), _space(a.to), _space(a.target_to)): number
    for number, a in _numbers_of(Ability)
}
BANISH = {CARDS.index(a.card): number for number, a in _numbers_of(Banish)}
NEMESIS_MOVE = {SPACE[a.to]: number for number, a in _numbers_of(NemesisMove)}
RECRUIT = {(CARDS.index(a.card), SPACE[a.at], _space(a.cub_at)): number for number, a in _numbers_of(Recruit)}


@lru_cache(maxsize=1 << 15)
def step_numbers(figure: int, mask: int) -> tuple[int, ...]:
    """The basic moves of a figure to each space of the set."""
    return tuple(_STEP[figure, space] for space in spaces_of(mask))


@lru_cache(maxsize=1 << 15)
def go_numbers(figure: int, mask: int) -> tuple[int, ...]:
    """The abilities by which a figure goes to each space of the set."""
    return tuple(_GO[figure, space] for space in spaces_of(mask))


@lru_cache(maxsize=1 << 15)
def shift_numbers(figure: int, target: int, mask: int) -> tuple[int, ...]:
    """The abilities by which a figure makes the target's go to each space of the set."""
    return tuple(ON_TARGET[figure, target, OFF, space] for space in spaces_of(mask))


@lru_cache(maxsize=1 << 12)
def recruit_numbers(card: int, mask: int) -> tuple[int, ...]:
    """The recruitments of a card with one figure on each space of the set."""
    return tuple(RECRUIT[card, space, OFF] for space in spaces_of(mask))
