"""The wire, protocol version 1: one struct a message, encoding, and strict decoding of what bots send.

docs/protocol.md is the reference. What the referee sends is encoded by msgspec; what a bot sends is read by the
standard library's parser with hooks, because a repeated key, NaN or an integer that a double cannot hold must be a
fault and not a guess. Every decoding function raises `BotFault` with a sentence for the bot's author.
"""

import json
import re
from typing import Any, NoReturn

import msgspec

from arena.errors import BotFault
from arena.model import Limits

PROTOCOL = 1
MAX_LINE_BYTES = 64 * 1024  # of a line from a bot, its newline left out
MAX_DEPTH = 32
MAX_INTEGER = 1 << 53
MAX_NOTE_CHARACTERS = 1000
MAX_NAME_CHARACTERS = 100
SHOWN_BYTES = 200  # of an offending line in a fault


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """The referee's first message to a process."""

    protocols: tuple[int, ...] = (PROTOCOL,)
    arena: str
    game: str
    rules_version: int
    options: Any  # the game's Options
    limits: Limits


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's own clock, in milliseconds: due within `move_ms` plus the bank; `used_ms` is its total so far."""

    move_ms: int
    bank_ms: int
    used_ms: int


class NewGame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="new_game"):
    """A game begins. `random_seed` (below 2^53) is for the bot's own use and says nothing about the deal."""

    game_id: str
    seat: int
    seats: int
    random_seed: int
    clock: Clock


class Act(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="act"):
    """A request for one action. `events` holds everything since the last message of this kind."""

    id: int
    view: Any  # the game's View
    events: list[Any]  # of the game's Event
    legal: list[Any]  # of the game's Action, in canonical order
    clock: Clock


class Error(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="error"):
    """The reply to request `id` broke a rule and may be repeated; sent under a retry policy only."""

    id: int
    code: str
    text: str
    retries_left: int


class WireOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a game ended. After a forfeit `reason` is "forfeit", `code` the fault's and `forfeit_by` the seat."""

    half_points: tuple[int, ...]
    reason: str
    details: dict[str, Any] = {}
    forfeit_by: int | None = None
    code: str | None = None


class GameOver(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="game_over"):
    outcome: WireOutcome
    events: list[Any]


class Quit(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="quit"):
    """The last message; end of input follows."""


class BotHello(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """A bot's first line. Name and version are shown and are never an identity."""

    protocol: int
    name: str | None = None
    version: str | None = None


class BotReady(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="ready"):
    """Ends the start-up clock."""


class BotAction(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="action"):
    """A bot's answer: exactly one of `action` (as in `legal`) and `index` (into `legal`)."""

    id: int
    action: Any = None
    index: int | None = None
    note: str | None = None


REFEREE_MESSAGES = (Hello, NewGame, Act, Error, GameOver, Quit)
BOT_MESSAGES = (BotHello, BotReady, BotAction)

_encoder = msgspec.json.Encoder()
_PLAIN_INDEX = re.compile(rb'\{"type": ?"action", ?"id": ?(\d{1,15}), ?"index": ?(\d{1,9})\}\r?')


def encode(message: msgspec.Struct) -> bytes:
    """One line, its newline included."""
    return _encoder.encode(message) + b"\n"


def shown(line: bytes) -> str:
    """Bytes of a bot as text for people: decoded where possible, the rest escaped, cut to a readable length."""
    text = line[:SHOWN_BYTES].decode("utf-8", "backslashreplace")
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return text + (f"… ({len(line)} bytes)" if len(line) > SHOWN_BYTES else "")


def parse(line: bytes, *, code: str = "protocol") -> dict[str, Any]:
    """The JSON object on one line (newline left out), by the strict rules of the protocol.

    Raises BotFault with `code` for anything else.
    """

    def refuse(problem: str) -> NoReturn:
        raise BotFault(code, f"{problem}: {shown(line) or 'an empty line'}", offending=line)

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    refuse(f"the key {key!r} occurs twice in an object")
                seen.add(key)
        return result

    def whole(digits: str) -> int:
        if len(digits) > 17 or abs(int(digits)) > MAX_INTEGER:
            refuse("an integer is beyond ±2^53")
        return int(digits)

    def real(digits: str) -> float:
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            refuse("a number is beyond the range of a double")
        return value

    def constant(name: str) -> NoReturn:
        refuse(f"{name} is not JSON")

    if line.startswith(b"\xef\xbb\xbf"):
        refuse("the line begins with a byte-order mark")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        refuse(f"not UTF-8 at byte {error.start}")
    if line.count(b"{") + line.count(b"[") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        refuse(f"nested deeper than {MAX_DEPTH}")
    try:
        value = json.loads(text, object_pairs_hook=unique, parse_int=whole, parse_float=real, parse_constant=constant)
    except json.JSONDecodeError as error:
        refuse(f"not one JSON object a line ({error.msg} at character {error.pos + 1})")
    if not isinstance(value, dict):
        refuse("expected a JSON object")
    if "\\u" in text:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            refuse("half of a surrogate pair stands alone")
    return value


def decode_hello(line: bytes) -> BotHello:
    """A bot's `hello`; anything else, or no version in common, is a `handshake` fault."""
    message = parse(line, code="handshake")
    _require_type(message, "hello", line, code="handshake")
    protocol = message.get("protocol")
    if type(protocol) is not int or protocol != PROTOCOL:
        raise BotFault("handshake", f'expected "protocol": {PROTOCOL} in hello, found {protocol!r}', offending=line)
    return BotHello(
        protocol=protocol,
        name=_text(message, "name", MAX_NAME_CHARACTERS, line, code="handshake"),
        version=_text(message, "version", MAX_NAME_CHARACTERS, line, code="handshake"),
    )


def decode_ready(line: bytes) -> BotReady:
    """A bot's `ready`; anything else is a `handshake` fault."""
    _require_type(parse(line, code="handshake"), "ready", line, code="handshake")
    return BotReady()


def decode_action(line: bytes, *, expected_id: int) -> BotAction:
    """A bot's answer to request `expected_id`. Whether the action is legal is the referee's business."""
    plain = _PLAIN_INDEX.fullmatch(line)
    if plain and int(plain[1]) == expected_id and (plain[1][:1] != b"0" and (plain[2] == b"0" or plain[2][:1] != b"0")):
        return BotAction(id=expected_id, index=int(plain[2]))
    message = parse(line)
    _require_type(message, "action", line)
    id_ = message.get("id")
    if type(id_) is not int:
        raise BotFault("protocol", f'expected a whole number as "id", found {_found(message, "id")}', offending=line)
    if id_ != expected_id:
        raise BotFault("protocol", f"answered request {id_} when {expected_id} was asked", offending=line)
    if ("action" in message) == ("index" in message):
        raise BotFault("protocol", 'expected exactly one of "action" and "index"', offending=line)
    index = message.get("index")
    if "index" in message and (type(index) is not int or index < 0):
        raise BotFault(
            "protocol", f'expected a whole number from 0 as "index", found {_found(message, "index")}', offending=line
        )
    return BotAction(
        id=id_, action=message.get("action"), index=index, note=_text(message, "note", MAX_NOTE_CHARACTERS, line)
    )


def _require_type(message: dict[str, Any], type_: str, line: bytes, *, code: str = "protocol") -> None:
    if message.get("type") != type_:
        raise BotFault(code, f'expected a message of type "{type_}", found {_found(message, "type")}', offending=line)


def _text(message: dict[str, Any], key: str, most: int, line: bytes, *, code: str = "protocol") -> str | None:
    value = message.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise BotFault(code, f'expected text as "{key}", found {_found(message, key)}', offending=line)
    if len(value) > most:
        raise BotFault(code, f'"{key}" has {len(value)} characters; the limit is {most}', offending=line)
    return value


def _found(message: dict[str, Any], key: str) -> str:
    return json.dumps(message[key], ensure_ascii=False)[:80] if key in message else "none"


def _depth(text: str) -> int:
    """The deepest nesting of brackets outside of strings."""
    depth = deepest = 0
    for bracket in re.sub(r'"(?:[^"\\]|\\.)*"?', "", text, flags=re.DOTALL):
        if bracket in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif bracket in "}]":
            depth -= 1
    return deepest


def answered_id(line: bytes) -> int | None:
    """The id that a line answers, or None where it is no answer that can be read."""
    try:
        id_ = parse(line).get("id")
    except BotFault:
        return None
    return id_ if type(id_) is int else None
