"""The bot under test in `arena check`: its process, an opponent in memory, and everything about it measured."""

import contextlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena import sandbox
from arena.bot import Reply, messages
from arena.bot.process import Process
from arena.chance import KeyedChance
from arena.clock import WallClock, woken_first
from arena.errors import BotFault
from arena.game import Game
from arena.match import GRACE_S, Contender
from arena.model import Fault, Limits, Policies
from arena.player import Player, Setup
from arena.referee import STARTUP_CODES, Referee

KEY = b"arena check"  # draws deals and the opponent's actions: the same in each check
OFF_TURN_S = 0.02  # how long the bot is watched between two requests
OFF_TURN_TIMES = 10
LATE_S = 5.0  # how long an answer that missed its time is still waited for
RANDOM_SEED = 20
WEATHER = b'{"type":"weather","text":"a message that no version of the protocol has","degrees":21.5}\n'


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen of one process of the bot."""

    seat: int
    fault: Fault | None
    hello: messages.BotHello | None
    startup_ms: float | None
    took_ms: tuple[float, ...]
    answers: tuple[bytes, ...]
    off_turn: tuple[float, ...]  # shares of one core
    peak_memory_mb: float | None  # None: it was gone before anybody looked
    exit_status: int | None  # None: it had to be killed
    late_s: float | None  # how long after its time an answer came, while its input was open
    held_back: bytes  # what came only when its input had ended
    stdout: tuple[str, ...]
    stderr: tuple[str, ...]


class Guest:
    """One process of the bot, used for one visit. It is a `Bot` to the referee. Close it."""

    def __init__(
        self,
        contender: Contender,
        limits: Limits,
        mode: sandbox.Mode,
        *,
        unknown: bool = False,
        off_turn: bool = False,
        accept_host_delay: bool = False,
    ) -> None:
        self._limits = limits
        self._unknown = unknown
        self._watches = OFF_TURN_TIMES if off_turn else 0
        self._accept_host_delay = accept_host_delay
        program = sandbox.Program(argv=contender.argv, folder=Path(contender.folder), env=contender.env)
        self._child = sandbox.start(program, limits, mode=mode)
        self._process = Process(self._child, ponder=off_turn)
        self._closed = False
        self._began_s = 0.0
        self._startup_ms: float | None = None
        self._lines: list[bytes] = []
        self._missed = False  # an answer was not there in time
        self._late_s: float | None = None
        self._off_turn: list[float] = []

    # What may be done with it

    def play(self, rules: Game, seat: int, numbers: Sequence[int]) -> Visit:
        """One game after another in the same process, up to the first fault."""
        players = [Player(Opponent()) for _ in range(rules.SEATS)]
        players[seat] = Player(self)
        took_ms: list[float] = []
        fault: Fault | None = None
        with woken_first():
            for number in numbers:
                record = Referee(rules, self._setup(rules, number), players, WallClock()).play()
                took_ms += [a.took_ms for a in record.actions if a.seat == seat and a.took_ms is not None]
                if record.faults:
                    fault = record.faults[0]
                    break
        return self._visit(seat, fault, players[seat].hello, tuple(took_ms), farewell=True)

    def ask(self, rules: Game, seat: int, line: bytes) -> Visit:
        """Greet, and put one request without the game before it."""
        took_ms: list[float] = []
        fault: Fault | None = None
        hello: messages.BotHello | None = None
        try:
            hello = self._greet(rules, seat)
            asked_s = self.send(line, time.monotonic() + self._limits.move_s)
            reply = self.receive(asked_s + max(self._limits.move_s, self._limits.first_move_s or 0.0))
            if reply.line is None:
                raise BotFault("timeout", f"no reply after {reply.at_s - asked_s:.3f} s")
            answer = messages.decode_action(reply.line, expected_id=1)
            took_ms.append((reply.at_s - asked_s) * 1000)
            legal = msgspec.json.decode(line)["legal"]
            if answer.action not in legal and not (answer.index is not None and answer.index < len(legal)):
                raise BotFault("illegal-action", "the answer is not in `legal`")
        except BotFault as breach:
            fault = Fault(seat=seat, code=STARTUP_CODES.get(breach.code, breach.code), ply=None, text=breach.problem)
        return self._visit(seat, fault, hello, tuple(took_ms), farewell=True)

    def greet_and_leave(self, rules: Game) -> Visit:
        """Greet, and end its input without a word."""
        fault: Fault | None = None
        try:
            self._greet(rules, 0)
        except BotFault as breach:
            fault = Fault(seat=0, code=breach.code, ply=None, text=breach.problem)
        return self._visit(0, fault, None, (), farewell=False)

    def close(self) -> None:
        """Nothing of it is left afterwards."""
        if not self._closed:
            self._closed = True
            self._process.close()

    # What the referee asks of a bot

    def begin(self) -> float:
        self._began_s = self._process.begin()
        return self._began_s

    def send(self, message: bytes, until_s: float, /) -> float:
        if self._missed:  # what it says now must come of itself
            return time.monotonic()
        is_request = message.startswith(b'{"type":"act"')
        if is_request and self._watches:
            self._watches -= 1
            self._watch()
        if self._unknown:
            if is_request:
                self._process.send(WEATHER, until_s)
            message = with_unknown_fields(message)
        return self._process.send(message, until_s)

    def receive(self, until_s: float, /) -> Reply:
        reply = self._process.receive(until_s)
        self._missed = reply.line is None
        if reply.line is not None:
            self._late_s = reply.at_s - until_s if reply.at_s > until_s else None
            self._lines.append(reply.line)
            if len(self._lines) == 2:
                self._startup_ms = (reply.at_s - self._began_s) * 1000
        return reply

    def rest(self) -> None:
        self._process.rest()

    # How

    def _wait_for_what_is_late(self) -> None:
        """A bot that is slow answers while its input is open; one that holds its answer in a buffer does not."""
        missed_s = time.monotonic()
        with contextlib.suppress(BotFault):
            reply = self._process.receive(missed_s + LATE_S)
            if reply.line is not None:
                self._late_s = reply.at_s - missed_s
                self._lines.append(reply.line)

    def _setup(self, rules: Game, number: int) -> Setup:
        options = rules.from_json({}, rules.Options)
        return Setup(
            game_id=f"check{number}",
            options=options,
            deal=rules.deal(KeyedChance(KEY, f"deal/{number}"), options),
            limits=self._limits,
            policies=Policies(),
            random_seeds=tuple(RANDOM_SEED + seat for seat in range(rules.SEATS)),
            accept_host_delay=self._accept_host_delay,
        )

    def _greet(self, rules: Game, seat: int) -> messages.BotHello:
        options = rules.from_json({}, rules.Options)
        hello = messages.Hello(
            arena="check", game=rules.NAME, rules_version=rules.RULES_VERSION, options=options, limits=self._limits
        )
        clock = messages.Clock(move_ms=int(self._limits.move_s * 1000), bank_ms=0, used_ms=0)
        new_game = messages.NewGame(
            game_id="check", seat=seat, seats=rules.SEATS, random_seed=RANDOM_SEED + seat, clock=clock
        )
        until_s = self.begin() + self._limits.startup_s
        answers = []
        for message, awaited in ((hello, "hello"), (new_game, "ready")):
            self.send(messages.encode(message), until_s)
            reply = self.receive(until_s)
            if reply.line is None:
                raise BotFault("timeout", f"sent no {awaited} before its start-up time was over")
            answers.append(reply.line)
        messages.decode_ready(answers[1])
        return messages.decode_hello(answers[0])

    def _watch(self) -> None:
        """Let the bot run a little while nothing is asked, and see what CPU time it takes of what it could have had."""
        cpu_before_s, wait_before_s, began_s = self._child.cpu_s(), self._child.wait_s(), time.monotonic()
        time.sleep(OFF_TURN_S)
        cpu_s, wait_s = self._child.cpu_s() - cpu_before_s, self._child.wait_s() - wait_before_s
        self._off_turn.append(cpu_s / max(cpu_s, time.monotonic() - began_s - wait_s, 1e-9))

    def _visit(
        self,
        seat: int,
        fault: Fault | None,
        hello: messages.BotHello | None,
        took: tuple[float, ...],
        *,
        farewell: bool,
    ) -> Visit:
        """Say goodbye, and sum up."""
        if self._missed:
            self._wait_for_what_is_late()
        until_s = time.monotonic() + GRACE_S
        if farewell and fault is None:
            with contextlib.suppress(BotFault):
                self._process.send(messages.encode(messages.Quit()), until_s)
        left = self._process.finish(until_s)
        while (status := self._child.exit_status()) is None and time.monotonic() < until_s:
            time.sleep(0.002)
        peak_mb = self._process.usage().peak_memory_mb or None
        self.close()
        late = fault is not None and fault.code in ("timeout", "startup-timeout")
        stderr = self._process.stderr.decode("utf-8", "backslashreplace")
        return Visit(
            seat=seat,
            fault=fault,
            hello=hello,
            startup_ms=self._startup_ms,
            took_ms=took,
            answers=tuple(self._lines),
            off_turn=tuple(self._off_turn),
            peak_memory_mb=peak_mb,
            exit_status=status,
            late_s=self._late_s if late else None,
            held_back=left if self._missed and self._late_s is None and _is_message(left) else b"",
            stdout=tuple(messages.shown(line) for line in (*self._lines, *left.splitlines())[-20:]),
            stderr=tuple(messages.shown(line.encode()) for line in stderr.splitlines()[-20:]),
        )


class Opponent:
    """A `Bot` in memory that plays at random."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._chance = KeyedChance(KEY, "opponent")

    def begin(self) -> float:
        return time.monotonic()

    def send(self, message: bytes, until_s: float, /) -> float:  # noqa: ARG002 - never busy
        self._message = msgspec.json.decode(message)
        if self._message["type"] == "new_game":
            self._chance = KeyedChance(KEY, f"opponent/{self._message['game_id']}")
        return time.monotonic()

    def receive(self, until_s: float, /) -> Reply:  # noqa: ARG002 - never late
        message = self._message
        answer: dict[str, Any]
        match message["type"]:
            case "hello":
                answer = {"type": "hello", "protocol": messages.PROTOCOL}
            case "new_game":
                answer = {"type": "ready"}
            case _:
                index = self._chance.randrange(len(message["legal"]))
                answer = {"type": "action", "id": message["id"], "index": index}
        return Reply(line=msgspec.json.encode(answer), at_s=time.monotonic())

    def rest(self) -> None:
        """Nothing runs."""


def memory_text(peak_mb: float | None) -> str:
    """A peak for people: it is a sample, and a small process may be gone before the first one."""
    if peak_mb is None:
        return "not seen"
    return "below 1 MB" if peak_mb < 1 else f"{peak_mb:.0f} MB"


def with_unknown_fields(message: bytes) -> bytes:
    """The message with fields that this version of the protocol does not have, in front and at the end."""
    data = msgspec.json.decode(message)
    inner = {**data.get("clock", {}), "delay_ms": 0}
    later: dict[str, Any] = {"clock": inner} if "clock" in data else {}
    return (
        msgspec.json.encode({"revision": [1, {"of": None}], **data, **later, "remark": 'a "field" }{ of later'}) + b"\n"
    )


def _is_message(text: bytes) -> bool:
    """Whether the first line is something that a bot says to the referee."""
    try:
        return messages.parse(text.split(b"\n")[0]).get("type") in ("hello", "ready", "action")
    except BotFault:
        return False
