"""The complete record of one game: enough to play it again, to settle a dispute, and to prove the result.

What a bot said is kept to the byte. What it was sent follows from the deal, the actions and the clock, so a packed
transcript keeps the clock of each request and one hash of all the bytes sent to each seat; `arena.replay.complete`
writes the messages out again and proves by the hash that they are the very bytes.
"""

import base64
import zlib
from typing import Any, Literal

import msgspec

from arena.bot.messages import Clock, WireOutcome
from arena.errors import ArenaError
from arena.model import Fault, Limits, Policies

FORMAT = 1
ZLIB_LEVEL = 5  # 1 % larger than by the usual 6, in two thirds of the time
Viewer = int | Literal["spectator", "organizer"]


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line between the referee and a seat.

    Exactly the bytes (`text`, or `base64` where they are no UTF-8); or, in a packed transcript, what cannot be derived
    of a line to a bot: the id and the clock of an `act` (`request`), or nothing (`derived` names the type).
    """

    seat: int
    to: Literal["bot", "referee"]
    at_ms: float  # since the game began on the referee's clock
    text: str | None = None
    base64: str | None = None
    derived: Literal["act", "game_over"] | None = None
    id: int | None = None
    clock: Clock | None = None

    @property
    def line(self) -> bytes:
        """The bytes of the line, its newline left out."""
        assert self.derived is None or self.text is not None, "arena.replay.complete writes the messages out"
        return self.text.encode() if self.text is not None else base64.b64decode(self.base64 or "")


class Action(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One ply: who decided what, and how long it took."""

    ply: int  # from 0
    seat: int
    action: Any  # as in the game's JSON
    forced: bool  # the only legal action, played by the referee
    substituted: bool = False  # drawn by the referee after a forgiven fault
    took_ms: float | None = None  # wall clock from the request to the newline
    cpu_ms: float | None = None  # of the bot's whole tree meanwhile; not measured for an answer within a millisecond
    host_delay_ms: float | None = None  # of took_ms: waiting for the machine; left out where there was none
    note: str | None = None  # the bot's


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the bot in one seat."""

    entrant: str = ""
    name: str | None = None  # as its hello said
    version: str | None = None
    random_seed: int = 0
    sent_sha256: str = ""  # of all the bytes sent to the seat in this game, newlines included
    stderr: str = ""  # head and tail
    peak_memory_mb: float | None = None
    cpu_s: float | None = None


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """A game from its deal to its outcome."""

    format: int = FORMAT
    arena: str
    game_id: str
    wire_id: str = ""  # what the bots were told as `game_id`
    game: str
    rules_version: int
    options: Any
    deal: Any
    limits: Limits
    policies: Policies
    seats: tuple[Seat, ...]
    messages: tuple[Message, ...]
    actions: tuple[Action, ...]
    outcome: WireOutcome
    faults: tuple[Fault, ...] = ()
    sandbox: str = ""  # level the bots ran under

    @property
    def max_host_delay_ms(self) -> float:
        """The longest time that the machine alone kept a reply waiting."""
        return max((a.host_delay_ms or 0.0 for a in self.actions), default=0.0)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Transcript)


def message(seat: int, to: Literal["bot", "referee"], at_ms: float, line: bytes) -> Message:
    """The record of one line (its newline, if any, left out)."""
    line = line.removesuffix(b"\n")
    try:
        return Message(seat=seat, to=to, at_ms=at_ms, text=line.decode())
    except UnicodeDecodeError:
        return Message(seat=seat, to=to, at_ms=at_ms, base64=base64.b64encode(line).decode())


def milliseconds(seconds: float) -> float:
    """Seconds as milliseconds to the microsecond."""
    return int(seconds * 1e6 + 0.5) / 1000  # `round` is several times slower, at every ply


def pack(transcript: Transcript) -> bytes:
    """The transcript as compressed JSON."""
    return zlib.compress(_encoder.encode(transcript), ZLIB_LEVEL)


def unpack(data: bytes) -> Transcript:
    """The transcript that `pack` wrote. Raises ArenaError when the bytes are damaged."""
    try:
        return _decoder.decode(zlib.decompress(data))
    except (zlib.error, msgspec.DecodeError) as error:
        raise ArenaError(f"the stored transcript is damaged: {error}") from error


def without_times(transcript: Transcript) -> Transcript:
    """The transcript with every measured figure left out: equal for equal play, whatever the machine did.

    The clock that a bot was told is a measured figure too, and so the hash of the bytes with it.
    """
    replace = msgspec.structs.replace
    return replace(
        transcript,
        seats=tuple(
            replace(seat, peak_memory_mb=None, cpu_s=None, stderr="", sent_sha256="") for seat in transcript.seats
        ),
        messages=tuple(replace(message, at_ms=0.0, clock=None) for message in transcript.messages),
        actions=tuple(replace(action, took_ms=None, cpu_ms=None, host_delay_ms=None) for action in transcript.actions),
        faults=tuple(replace(fault, elapsed_ms=None, stderr_tail="", text="") for fault in transcript.faults),
    )
