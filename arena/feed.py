"""A bot gets the exact bytes of a recorded game again, and its answers are compared with those of the record.

No opponent and no referee is needed: what a seat was sent is in the record. An answer that differs shows a bot that is
not deterministic, or another version of it; a forfeit shows again as it was, or does not.
"""

import time
from pathlib import Path
from typing import Any

import msgspec

from arena import games, replay, sandbox
from arena.bot import Reply, messages
from arena.bot.process import Process
from arena.clock import woken_first
from arena.errors import BotFault, UsageError
from arena.match import Contender
from arena.model import Fault
from arena.referee import STARTUP_CODES, legal_action
from arena.transcript import Message, Transcript

COMPARED = ("type", "id", "action", "index", "protocol")  # of an answer; notes, names and unknown fields may differ
GRACE_S = 1.0
LATE = ("timeout", "startup-timeout")


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that was not the recorded one."""

    answer: int  # its number, from 1: hello, ready, then the actions
    request: str  # the message that was answered
    recorded: str
    now: str


class Fed(msgspec.Struct, frozen=True, kw_only=True):
    """What came of feeding a game to a bot."""

    game_id: str
    seat: int
    sent: int  # messages
    answers: int  # that the bot gave and the record has
    reworded: int  # of them, those that differ in notes, names or spacing alone
    difference: Difference | None  # the first one
    fault: Fault | None  # the seat's last one in the record
    reproduced: bool | None  # whether the bot broke the same rule again; None: it broke none in the record
    ending: str  # how it went this time, in a sentence
    slowest_ms: float
    stderr: str

    @property
    def same(self) -> bool:
        """Whether the bot did now what it did then."""
        return self.difference is None and self.reproduced is not False


def feed(
    record: Transcript,
    contender: Contender,
    seat: int,
    *,
    mode: sandbox.Mode = sandbox.Mode.REQUIRED,
    patience_s: float = 60.0,
) -> Fed:
    """Start the bot, send it everything that `seat` was sent, and compare. Stops at the first difference.

    There is no clock but for an answer that was late in the record: that one has its limit again. Every other answer
    may take `patience_s`, so that a bot can be stepped through in a debugger.
    Raises UsageError for a seat that the game does not have, CheckFailed for a record that does not fit the rules.
    """
    if not 0 <= seat < len(record.seats):
        raise UsageError(f"there is no seat {seat} in a game of {len(record.seats)}; seats count from 0")
    lines = [message for message in replay.complete(record).messages if message.seat == seat]
    program = sandbox.Program(argv=contender.argv, folder=Path(contender.folder), env=contender.env)
    process = Process(sandbox.start(program, record.limits, mode=mode), ponder=True)
    meal = _Meal(record, seat, process, patience_s)
    try:
        with woken_first():
            meal.serve(lines)
            meal.wait_for_the_fault()
        process.finish(time.monotonic() + (0.0 if meal.fault_now else GRACE_S))
    finally:
        process.close()
    return meal.report(process.stderr.decode("utf-8", "backslashreplace"))


class _Meal:
    """One feeding, and what is known of it so far."""

    def __init__(self, record: Transcript, seat: int, process: Process, patience_s: float) -> None:
        self._record = record
        self._seat = seat
        self._process = process
        self._patience_s = patience_s
        faults = [fault for fault in record.faults if fault.seat == seat]
        self._fault = faults[-1] if faults else None
        self._sent = self._answers = self._reworded = 0
        self._request = ""
        self._asked_s = 0.0
        self._reply: bytes | None = None  # the last one, and how long it took
        self._took_s = self._slowest_s = 0.0
        self._difference: Difference | None = None
        self._answers_instead = False  # of a fault that was no line
        self.fault_now: BotFault | None = None

    @property
    def _forfeited(self) -> Fault | None:
        """The fault that ended the game for this seat, if its last one did."""
        double = self._record.outcome.reason == "double-forfeit"
        return self._fault if double or self._record.outcome.forfeit_by == self._seat else None

    def serve(self, lines: list[Message]) -> None:
        """Send and compare, up to the first difference or the bot's end."""
        self._asked_s = self._process.begin()
        try:
            for message in lines:
                if message.to == "bot":
                    if self._is_farewell(message):
                        return
                    self._send(message)
                elif not self._compare(message):
                    return
        except BotFault as fault:
            self.fault_now = fault

    def _is_farewell(self, message: Message) -> bool:
        """A forfeit is announced after the fault: the bot is to break the rule first."""
        return self._forfeited is not None and message.line.startswith(b'{"type":"game_over"')

    def _send(self, message: Message) -> None:
        self._request = message.line.decode()
        self._asked_s = self._process.send(message.line + b"\n", time.monotonic() + self._patience_s)
        self._sent += 1

    def _compare(self, message: Message) -> bool:
        reply = self._receive(time.monotonic() + self._patience_s)
        self._answers += 1
        if reply.line is not None and meaning(reply.line) == meaning(message.line):
            self._reworded += reply.line != message.line
            return True
        self._difference = Difference(
            answer=self._answers,
            request=self._request,
            recorded=messages.shown(message.line),
            now=f"nothing within {self._patience_s:g} s" if reply.line is None else messages.shown(reply.line),
        )
        return False

    def _receive(self, until_s: float) -> Reply:
        reply = self._process.receive(until_s)
        self._reply, self._took_s = reply.line, reply.at_s - self._asked_s
        if reply.line is not None:
            self._slowest_s = max(self._slowest_s, self._took_s)
        return reply

    def wait_for_the_fault(self) -> None:
        """Where the record ends with a fault that is no line, see whether the bot commits it again."""
        fault = self._forfeited
        if fault is None or self._difference or self.fault_now or self._said_it(fault):
            return
        wait_s = (fault.limit_ms or 0.0) / 1000 if fault.code in LATE else self._patience_s
        try:
            self._receive(self._asked_s + wait_s)
            self._after(fault)
        except BotFault as breach:
            self.fault_now = breach

    def _said_it(self, fault: Fault) -> bool:
        """Whether the fault was an answer that has been compared already."""
        return fault.code in ("protocol", "illegal-action", "handshake") or bool(
            fault.code in LATE and self._late_answer_is_recorded()
        )

    def _late_answer_is_recorded(self) -> bool:
        own = [message for message in self._record.messages if message.seat == self._seat]
        asked = [message for message in own if message.derived != "game_over"]
        return bool(asked) and asked[-1].to == "referee"

    def _after(self, fault: Fault) -> None:
        if self._reply is None:
            self.fault_now = BotFault("timeout", f"no reply within {self._took_s:.3f} s")
            return
        if self._is_late_again(fault):
            self.fault_now = BotFault("timeout", f"replied after {self._took_s:.3f} s")
            return
        self._answers_instead = True
        self._difference = Difference(
            answer=self._answers + 1,
            request=self._request,
            recorded=f"{fault.code}: {fault.text}",
            now=f"{messages.shown(self._reply)} after {self._took_s:.3f} s",
        )

    def _is_late_again(self, fault: Fault) -> bool:
        return fault.code in LATE and self._took_s * 1000 > (fault.limit_ms or 0.0)

    def report(self, stderr: str) -> Fed:
        fault = self._forfeited
        reproduced: bool | None = None
        if fault is not None:
            reproduced = self._difference is None and self._reproduces(fault)
        return Fed(
            game_id=self._record.game_id,
            seat=self._seat,
            sent=self._sent,
            answers=self._answers,
            reworded=self._reworded,
            difference=self._difference or self._unrecorded_fault(fault),
            fault=self._fault,
            reproduced=reproduced,
            ending=self._ending(fault, reproduced),
            slowest_ms=round(self._slowest_s * 1000, 3),
            stderr=stderr,
        )

    def _reproduces(self, fault: Fault) -> bool:
        if self.fault_now is None:
            return self._said_it(fault) and not (self._answered_late(fault) and not self._is_late_again(fault))
        code = self.fault_now.code
        return fault.code in (code, STARTUP_CODES.get(code, code))

    def _answered_late(self, fault: Fault) -> bool:
        """Whether the record has a whole request, left without an action because its answer was late."""
        requests = sum(message.seat == self._seat and message.derived == "act" for message in self._record.messages)
        decided = sum(action.seat == self._seat and not action.forced for action in self._record.actions)
        return fault.code == "timeout" and requests > decided

    def _unrecorded_fault(self, fault: Fault | None) -> Difference | None:
        if self.fault_now is None or fault is not None:
            return None
        return Difference(
            answer=self._answers + 1,
            request=self._request,
            recorded="no fault",
            now=f"{self.fault_now.code}: {self.fault_now.problem}",
        )

    def _ending(self, fault: Fault | None, reproduced: bool | None) -> str:
        now = "" if self.fault_now is None else f"{self.fault_now.code}: {self.fault_now.problem}"
        if fault is not None and reproduced:
            return f"reproduced {fault.code}: {now.partition(': ')[2] or fault.text}"
        if fault is not None:
            return self._otherwise(fault, now)
        return now or ("answered otherwise" if self._difference else "answered as recorded")

    def _otherwise(self, fault: Fault, now: str) -> str:
        """What the bot does now instead of the recorded fault."""
        if now:
            return f"another fault instead of {fault.code}: {now}"
        if self._difference is not None and not self._is_at(fault):
            return f"{fault.code} was not reached: the bot answers otherwise before it"
        if self._reply is None:
            return f"another fault instead of {fault.code}: no reply within {self._took_s:.3f} s"
        shown = f"{messages.shown(self._reply)} after {self._took_s:.3f} s"
        if not self._is_taken(self._reply):
            return f"another fault instead of {fault.code}: the bot now answers {shown}"
        return f"the {fault.code} is gone: the bot now answers {shown}"

    def _is_at(self, fault: Fault) -> bool:
        """Whether the last answer stands where the fault was."""
        recorded = sum(message.seat == self._seat and message.to == "referee" for message in self._record.messages)
        return self._answers_instead or (self._said_it(fault) and self._answers == recorded)

    def _is_taken(self, line: bytes) -> bool:
        """Whether the referee would take this answer to the last request."""
        asked = msgspec.json.decode(self._request)
        try:
            match asked["type"]:
                case "hello":
                    messages.decode_hello(line)
                case "new_game":
                    messages.decode_ready(line)
                case _:
                    game = games.load(self._record.game)
                    legal = [game.from_json(action, game.Action) for action in asked["legal"]]
                    legal_action(game, messages.decode_action(line, expected_id=asked["id"]), legal, line)
        except BotFault:
            return False
        return True


def meaning(line: bytes) -> Any:
    """What of an answer counts: two lines with the same meaning are the same answer. The bytes, if it is no JSON."""
    try:
        message = messages.parse(line)
    except BotFault:
        return line
    return {key: message[key] for key in COMPARED if key in message}
