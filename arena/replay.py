"""A recorded game played again from its deal and actions: positions, messages, proof."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from arena import games
from arena.bot import messages
from arena.errors import CheckFailed
from arena.game import Game
from arena.player import request
from arena.transcript import Message, Transcript


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One ply: the state it began in, what was legal, what was done, and the state after it."""

    ply: int
    seat: int
    before: Any
    legal: tuple[Any, ...]
    action: Any
    after: Any


def setup(record: Transcript) -> tuple[Game, Any]:
    """The game of a record and its state before the first ply. Raises CheckFailed if the deal does not fit."""
    game = games.load(record.game)
    if record.rules_version != game.RULES_VERSION:
        raise CheckFailed(
            f"{record.game_id}: played by version {record.rules_version} of the rules of {record.game}; "
            f"this Arena knows version {game.RULES_VERSION}"
        )
    try:
        options = game.from_json(record.options, game.Options)
        return game, game.initial(game.from_json(record.deal, game.Deal), options)
    except (msgspec.ValidationError, ValueError) as error:
        raise CheckFailed(f"{record.game_id}: the recorded deal is not one of {record.game}: {error}") from error


def steps(record: Transcript) -> Iterator[Step]:
    """The plies of a record, each checked against the rules. Raises CheckFailed at the first that does not fit."""
    game, state = setup(record)
    for ply, entry in enumerate(record.actions):
        seat = game.seat_to_act(state)
        if seat is None or entry.ply != ply or entry.seat != seat:
            to_act = "the game is over" if seat is None else f"seat {seat} is to act"
            raise CheckFailed(f"{record.game_id}: ply {entry.ply} of seat {entry.seat} is recorded where {to_act}")
        legal = tuple(game.legal_actions(state))
        action = _action(game, record, entry.action, ply)
        if action not in legal:
            raise CheckFailed(f"{record.game_id}: the action recorded at ply {ply} is not legal there: {entry.action}")
        if entry.forced != (len(legal) == 1):
            raise CheckFailed(
                f"{record.game_id}: ply {ply} is wrongly recorded as {'' if entry.forced else 'not '}forced"
            )
        after = game.apply(state, action)
        yield Step(ply=ply, seat=seat, before=state, legal=legal, action=action, after=after)
        state = after


def complete(record: Transcript, played: Sequence[Step] | None = None) -> Transcript:
    """The record with every message written out. Raises CheckFailed where they are not the bytes that were sent.

    `played`: the record's `steps`, where they are at hand.
    """
    game, state = setup(record)
    waiting = [[m for m in record.messages if m.seat == seat and m.derived] for seat in range(len(record.seats))]
    lines: dict[int, bytes] = {}
    events: list[list[Any]] = [[] for _ in record.seats]

    def ask(seat: int, state: Any, legal: tuple[Any, ...]) -> None:
        if waiting[seat] and waiting[seat][0].derived == "act":
            message = waiting[seat].pop(0)
            assert message.clock is not None
            assert message.id is not None
            lines[id(message)] = request(game, state, seat, legal, events[seat], message.id, message.clock)
            events[seat] = []

    for step in steps(record) if played is None else played:
        state = step.after
        if len(step.legal) > 1:
            ask(step.seat, step.before, step.legal)
        for viewer in range(len(events)):
            events[viewer] += game.events(step.before, step.action, step.after, viewer)
    asked = game.seat_to_act(state)
    if asked is not None:  # the request that a fault left without an action
        ask(asked, state, tuple(game.legal_actions(state)))
    for seat, left in enumerate(waiting):
        for message in left:
            if message.derived != "game_over":
                raise CheckFailed(f"{record.game_id}: request {message.id} to seat {seat} belongs to no ply")
            over = messages.GameOver(outcome=record.outcome, events=events[seat])
            lines[id(message)] = messages.encode(over)
    whole = tuple(_written(message, lines.get(id(message))) for message in record.messages)
    _require_same_bytes(record, whole)
    return msgspec.structs.replace(record, messages=whole)


def _written(message: Message, line: bytes | None) -> Message:
    if line is None:
        return message
    return Message(seat=message.seat, to="bot", at_ms=message.at_ms, text=line.decode().removesuffix("\n"))


def _require_same_bytes(record: Transcript, whole: tuple[Message, ...]) -> None:
    for seat, known in enumerate(record.seats):
        digest = hashlib.sha256()
        for message in whole:
            if message.seat == seat and message.to == "bot":
                digest.update(message.line + b"\n")
        if digest.hexdigest() != known.sent_sha256:
            raise CheckFailed(
                f"{record.game_id}: the messages to seat {seat}, derived again, are not the bytes that were sent "
                f"(played by Arena {record.arena})"
            )


def _action(game: Game, record: Transcript, data: Any, ply: int) -> Any:
    try:
        return game.from_json(data, game.Action)
    except (msgspec.ValidationError, ValueError) as error:
        raise CheckFailed(f"{record.game_id}: ply {ply} holds no action of {record.game}: {error}") from error
