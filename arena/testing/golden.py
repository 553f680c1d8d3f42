"""Golden games: a script (deal and actions) above a line `---`, below it what every viewer saw, ply by ply.

A person writes the script and reads the rest once with care; from then on the file guards it. Format of a script:

    # comments: which rules this game shows
    options {json}        optional, once
    deal {json}           once
    play {json}           one line a ply

Only what changed since a viewer's previous view is printed (nested objects too); viewers who see the same share a line.
"""

import difflib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.errors import UsageError
from arena.game import Game

RULE = "---\n"


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a golden game above the rule, as values of the game. `lines[i]` is the line of action i, from 1."""

    options: Any
    deal: Any
    actions: tuple[Any, ...]
    lines: tuple[int, ...]


def narrate(game: Game, script: str) -> str:
    """What every viewer sees in the game of a script, as the text below the rule.

    Raises UsageError, with the number of the line, for a script that is not one or an action that is not legal.
    """
    parsed = read_script(game, script)
    return "".join(f"{line}\n" for line in _narration(game, parsed))


def check_golden(path: Path, game: Game, *, update: bool = False) -> None:
    """Compare a golden file with what its script gives now; rewrite it with `update`.

    Raises AssertionError that shows the difference.
    """
    script, _, recorded = path.read_text(encoding="utf-8").partition(RULE)
    produced = narrate(game, script)
    if not script.endswith("\n"):
        script += "\n"
    if update:
        path.write_text(script + RULE + produced, encoding="utf-8")
    elif produced != recorded:
        diff = difflib.unified_diff(recorded.splitlines(), produced.splitlines(), "recorded", "now", lineterm="")
        raise AssertionError("\n".join((f"{path}: the game reads differently (--update-golden rewrites it)", *diff)))


def write_script(game: Game, deal: Any, actions: Sequence[Any], *, options: Any = None, comment: str = "") -> str:
    """A script for a game that a program has played; `narrate` reads it back."""
    lines = [f"# {line}" for line in comment.splitlines()]
    if options is not None and game.to_json(options) != game.to_json(game.Options()):
        lines.append(f"options {compact(game.to_json(options))}")
    lines.append(f"deal {compact(game.to_json(deal))}")
    lines += [f"play {compact(game.to_json(action))}" for action in actions]
    return "".join(f"{line}\n" for line in lines)


def read_script(game: Game, script: str) -> Script:
    """The options, deal and actions of a script. Raises UsageError with the number of the line."""
    options: Any = game.Options()
    deal: Any = None
    actions: list[Any] = []
    lines: list[int] = []
    for number, line in enumerate(script.splitlines(), start=1):
        word, _, text = line.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        if word == "options":
            options = _value(game, number, text, game.Options)
        elif word == "deal":
            deal = _value(game, number, text, game.Deal)
        elif word == "play":
            actions.append(_value(game, number, text, game.Action))
            lines.append(number)
        else:
            raise UsageError(f"line {number}: expected `#`, `options`, `deal` or `play`, found {word!r}")
    if deal is None:
        raise UsageError("the script has no line `deal {…}`")
    return Script(options=options, deal=deal, actions=tuple(actions), lines=tuple(lines))


def compact(data: Any) -> str:
    """JSON on one line, without spaces, letters as they are."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def _value(game: Game, number: int, text: str, type_: Any) -> Any:
    try:
        return game.from_json(json.loads(text), type_)
    except ValueError as error:  # both json and msgspec raise kinds of it
        raise UsageError(f"line {number}: {error}") from error


def _narration(game: Game, script: Script) -> Iterator[str]:
    state = game.initial(script.deal, script.options)
    viewers: tuple[int | None, ...] = (*range(game.SEATS), None)
    seen: dict[int | None, Any] = dict.fromkeys(viewers)
    told: dict[int | None, Any] = {viewer: [] for viewer in viewers}
    for ply, (action, line) in enumerate(zip(script.actions, script.lines, strict=True)):
        seat = game.seat_to_act(state)
        yield f"ply {ply}"
        yield from _sight(game, state, viewers, seen, told)
        legal = list(game.legal_actions(state))
        text = compact(game.to_json(action))
        if action not in legal:
            sample = ", ".join(compact(game.to_json(a)) for a in legal[:10])
            raise UsageError(f"line {line}: {text} is not legal at ply {ply}; of {len(legal)} legal: {sample}")
        yield f"  seat {seat} has {len(legal)} legal; plays {text}"
        after = game.apply(state, action)
        told = {
            viewer: [game.to_json(event) for event in game.events(state, action, after, viewer)] for viewer in viewers
        }
        state = after
    yield f"ply {len(script.actions)}"
    yield from _sight(game, state, viewers, seen, told)
    end = game.outcome(state)
    if end is None:
        yield f"  seat {game.seat_to_act(state)} has {len(game.legal_actions(state))} legal; the record stops here"
    else:
        yield f"end {compact(msgspec.to_builtins(end))}"


def _sight(
    game: Game, state: Any, viewers: Sequence[int | None], seen: dict[int | None, Any], told: dict[int | None, Any]
) -> Iterator[str]:
    """The events and the changed part of the view of each viewer; updates `seen`."""
    for index in range(max(map(len, told.values()))):
        heard = {v: compact(told[v][index]) for v in viewers if index < len(told[v])}
        yield from (f"  {who} told {text}" for who, text in _grouped(heard, len(viewers)))
    news: dict[int | None, str] = {}
    for viewer in viewers:
        now = game.to_json(game.view(state, viewer))
        changed = _changed(seen[viewer], now)
        seen[viewer] = now
        if changed not in ({}, _SAME):
            news[viewer] = compact(changed)
    for who, text in _grouped(news, len(viewers)):
        yield f"  {who} {'see' if ',' in who or who == 'all' else 'sees'} {text}"


def _grouped(texts: dict[int | None, str], of: int) -> Iterator[tuple[str, str]]:
    """Each distinct text with the names of those who get it."""
    for text in dict.fromkeys(texts.values()):
        who = [("spectator" if v is None else f"seat {v}") for v, t in texts.items() if t == text]
        yield ("all" if len(who) == of else ", ".join(who)), text


_SAME = object()


def _changed(before: Any, now: Any) -> Any:
    """The part of `now` that differs from `before`; objects with the same keys are compared key by key."""
    if before == now:
        return _SAME
    if isinstance(before, dict) and isinstance(now, dict) and before.keys() == now.keys():
        return {key: _changed(before[key], now[key]) for key in now if before[key] != now[key]}
    return now
