"""`arena check`: a bot is put through everything that a tournament will ask of it, step by step.

Every step plays real games under the referee, in the sandbox, against an opponent in memory that plays at random; a
step differs from the next in what is done to the bot. Steps go on after a failure where they still can say something.
"""

import contextlib
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from arena import games
from arena.bot import messages
from arena.chance import KeyedChance
from arena.check_guest import LATE_S, Guest, Visit, memory_text
from arena.errors import FAULTS, HostFailure
from arena.game import Game
from arena.match import Contender
from arena.model import Fault, Limits
from arena.player import request
from arena.sandbox import Mode
from arena.testing.play import random_play

LAST_LINES = 10
RANDOM_GAMES = 20  # to find the largest request in
CLOSE_TO = 0.8  # of a limit: worth a note
SHORT = 4  # the step `limits` divides the clock by it

STEPS = {
    "hello": "answers hello in time, and stays",
    "ready": "answers new_game with ready in time",
    "game": "whole games in both seats: every answer legal and in time",
    "flush": "each line is flushed before the next message is awaited",
    "sitting": "a second game in the same process",
    "unknown": "unknown fields and message types are ignored",
    "largest": "the largest request of many random games",
    "limits": "keeps to a shorter clock, and well below its limits",
    "repeat": "the same game again, answered alike",
    "end": "leaves at quit, and at the end of its input",
}
"""Every step with what it says, in the order in which they are reported."""

ADVICE = {
    "startup-timeout": "Answer hello and new_game, flushed; load less before ready.",
    "startup-exit": "It ended before the game began: start its `run` line by hand and read stderr.",
    "handshake": "stdout is for messages alone: print everything else to stderr.",
    "protocol": "Send exactly one line of JSON for each request, with the id of that request.",
    "line-too-long": "End every line, and keep notes short.",
    "output-limit": "Write less: stdout holds one short line for each request.",
    "timeout": "Look at `clock` in the request, stop in good time, and flush the answer.",
    "illegal-action": "Answer with one of the actions in `legal` of this very request, or its index from 0.",
    "exit": "It crashed: stderr says where; `arena feed` shows it again once it is in a recorded game.",
    "closed": "Keep stdin and stdout open until quit; leave the process when the reading loop ends.",
    "memory": "Bound what it keeps; `memory_mb` in hello counts all of its processes.",
    "cpu": "`cpu_s` in hello is for the whole game: think less, or in fewer threads.",
    "disk": "Remove the files it leaves in /tmp.",
}
"""What to do about each fault."""

Status = Literal["passed", "failed", "noted", "skipped"]


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step and what came of it. `noted`: nothing is wrong, but the author should know."""

    number: int
    name: str
    status: Status
    text: str
    stdout: tuple[str, ...] = ()  # the last lines, of a failed step
    stderr: tuple[str, ...] = ()


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """Figures over all games of the check; None where there was nothing to measure."""

    startup_ms: float | None  # from the start of the program to `ready`, the median
    actions: int
    action_p50_ms: float | None
    action_p99_ms: float | None
    peak_memory_mb: float | None
    off_turn_cpu: float | None  # share of one core, while nothing was asked and it was let run


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All steps of a check."""

    bot: str
    games: tuple[str, ...]
    limits: Limits
    sandbox: str
    steps: tuple[Step, ...]
    measured: Measured

    @property
    def ok(self) -> bool:
        return all(step.status != "failed" for step in self.steps)

    @property
    def failed(self) -> tuple[str, ...]:
        return tuple(step.name for step in self.steps if step.status == "failed")


def check(
    contender: Contender,
    names: Sequence[str],
    *,
    limits: Limits,
    mode: Mode = Mode.REQUIRED,
    count: int = 2,
    tell: Callable[[Step], None] = lambda _: None,
) -> Report:
    """Check a bot in the games called `names`, `count` games in each seat; `tell` hears of each step at once.

    Raises HostFailure when the machine fails.
    """
    return _Check(contender, [games.load(name) for name in names], limits, mode, count, tell).run()


class _Check:
    def __init__(
        self,
        contender: Contender,
        rules: Sequence[Game],
        limits: Limits,
        mode: Mode,
        count: int,
        tell: Callable[[Step], None],
    ) -> None:
        self._contender = contender
        self._rules = rules
        self._limits = limits
        self._mode = mode
        self._count = count
        self._tell = tell
        self._steps: list[Step] = []
        self._visits: list[Visit] = []  # measured in the regular games
        self._off_turn: list[float] = []
        self._fatal = False

    def run(self) -> Report:
        first = self._play(self._rules[0], seat=0, number=0)
        self._start_up(first)
        self._whole_games(first)
        for step in (self._sitting, self._unknown, self._largest, self._limits_kept, self._repeat, self._end):
            step()
        return Report(
            bot=self._contender.entrant,
            games=tuple(rules.NAME for rules in self._rules),
            limits=self._limits,
            sandbox=str(self._mode),
            steps=tuple(self._steps),
            measured=self._measured(),
        )

    # The steps

    def _start_up(self, visit: Visit) -> None:
        fault = visit.fault if visit.fault is not None and visit.fault.ply is None else None
        greeted = visit.hello is not None
        if fault is not None:
            self._fatal = True
            if greeted:
                self._pass("hello", "answered")
            self._fail("ready" if greeted else "hello", visit)
            if not greeted:
                self._skips("ready")
            return
        name = messages.shown((visit.hello.name or "").encode()) if visit.hello else ""
        self._pass("hello", f'calls itself "{name}"' if name else "gives no name")
        self._pass("ready", f"{visit.startup_ms or 0.0:.0f} ms after its start")

    def _flush(self, visit: Visit) -> None:
        """Whether an answer that did not come in time was there all the time, in the bot's own buffer."""
        if visit.held_back:
            shown = messages.shown(visit.held_back.splitlines()[0])
            text = (
                f"the answer did not come in {LATE_S:g} s more, but when its input ended: it lay in a buffer, "
                f"or the bot is as slow as that; flush after each line; {shown}"
            )
            self._add("flush", "failed", text, None)
        elif visit.late_s is not None:
            self._pass(
                "flush", f"the answer came {visit.late_s:.2f} s late by itself: the bot is slow, nothing is held back"
            )
        elif not visit.answers:
            self._add("flush", "skipped", "it sent no line", None)
        elif visit.fault is not None and visit.fault.code in ("timeout", "startup-timeout"):
            self._add("flush", "skipped", "nothing came, early or late", None)
        else:
            self._pass("flush", "every line arrived in time to be read")

    def _whole_games(self, first: Visit) -> None:
        if self._skips("game"):
            self._flush(first)
            return
        played = [first]
        for rules in self._rules:
            for number in range(2 * self._count):
                if played[-1].fault is not None:
                    break
                if number or rules is not self._rules[0]:
                    played.append(self._play(rules, seat=number % 2, number=number))
        self._visits = played
        if played[-1].fault is not None:
            self._fatal = True
            self._fail("game", played[-1], where=f"in game {len(played)}, seat {played[-1].seat}, ")
        else:
            actions = sum(len(visit.took_ms) for visit in played)
            names = ", ".join(rules.NAME for rules in self._rules)
            self._pass("game", f"{names}: {len(played)} games, {actions} actions, all legal and in time")
        self._flush(played[-1])

    def _sitting(self) -> None:
        if self._skips("sitting"):
            return
        visit = self._play(self._rules[0], seat=0, number=1, sitting=2)
        if visit.fault is not None:
            why = "a tournament with `scope: sitting` plays several games with one process; "
            self._fail("sitting", visit, where=why)
        else:
            self._pass("sitting", "two games in one process")

    def _unknown(self) -> None:
        if self._skips("unknown"):
            return
        visit = self._play(self._rules[0], seat=1, number=2, unknown=True)
        if visit.fault is not None:
            self._fail("unknown", visit, where="with unknown fields and messages among what it was sent, ")
        else:
            self._pass("unknown", "ignored")

    def _largest(self) -> None:
        if self._skips("largest"):
            return
        for rules in self._rules:
            line, seat = largest_request(rules)
            visit = self._ask(rules, seat, line)
            if visit.fault is not None:
                text = f"asked out of the blue in {rules.NAME} ({len(line)} bytes) it broke off: {visit.fault.text}"
                self._add("largest", "noted", text, visit)
                return
            took = f"answered in {visit.took_ms[-1]:.1f} ms" if visit.took_ms else "answered"
        self._pass("largest", f"{len(line)} bytes, {took}")

    def _limits_kept(self) -> None:
        if self._skips("limits"):
            return
        short = msgspec.structs.replace(self._limits, move_s=max(0.05, self._limits.move_s / SHORT), bank_s=0.0)
        visit = self._play(self._rules[0], seat=0, number=3, limits=short)
        slowest = max((ms for one in self._visits for ms in one.took_ms), default=0.0)
        peak_mb = self._peak_mb()
        notes = []
        if visit.fault is not None:
            notes.append(f"with move_s {short.move_s:g} it forfeits ({visit.fault.text}): does it look at `clock`?")
        if slowest > CLOSE_TO * self._limits.move_s * 1000:
            notes.append(f"its slowest answer took {slowest:.0f} ms of {self._limits.move_s * 1000:.0f} ms")
        if peak_mb is not None and peak_mb > CLOSE_TO * self._limits.memory_mb:
            notes.append(f"it used {peak_mb:.0f} of {self._limits.memory_mb} MB")
        if notes:
            self._add("limits", "noted", "; ".join(notes), visit)
        else:
            memory = f"peak memory {memory_text(peak_mb)} (limit {self._limits.memory_mb} MB)"
            self._pass("limits", f"in time with move_s {short.move_s:g}; {memory}")

    def _repeat(self) -> None:
        if self._skips("repeat"):
            return
        again = self._play(self._rules[0], seat=0, number=0, off_turn=True)
        self._off_turn += again.off_turn
        alike = again.answers == self._visits[0].answers
        if again.fault is not None:
            self._fail("repeat", again, where="when it was let run off turn, ")
        elif alike:
            self._pass("repeat", "the same answers: `arena feed` will show its faults again")
        else:
            text = "other answers with the same random_seed: faults may not show again in `arena feed`"
            self._add("repeat", "noted", text, again)

    def _end(self) -> None:
        if self._skips("end"):
            return
        for visit, what in ((self._visits[0], "quit"), (self._leave(), "the end of its input")):
            if visit.exit_status is None:
                self._add("end", "failed", f"did not leave within a second of {what}: it was killed", visit)
                return
            if visit.exit_status != 0:
                how = f"code {visit.exit_status}" if visit.exit_status > 0 else f"signal {-visit.exit_status}"
                self._add("end", "failed", f"left with {how} after {what}, as if it had crashed", visit)
                return
        self._pass("end", "left by itself")

    # What they are made of

    def _play(
        self,
        rules: Game,
        *,
        seat: int,
        number: int,
        sitting: int = 1,
        limits: Limits | None = None,
        unknown: bool = False,
        off_turn: bool = False,
    ) -> Visit:
        """Whole games, up to the first fault; a game that the host spoils is played again."""
        for _ in range(3):
            with contextlib.suppress(HostFailure), self._guest(limits, unknown=unknown, off_turn=off_turn) as guest:
                return guest.play(rules, seat, [number + k for k in range(sitting)])
        with self._guest(limits, unknown=unknown, off_turn=off_turn, accept_host_delay=True) as guest:
            return guest.play(rules, seat, [number + k for k in range(sitting)])

    def _ask(self, rules: Game, seat: int, line: bytes) -> Visit:
        with self._guest(None) as guest:
            return guest.ask(rules, seat, line)

    def _leave(self) -> Visit:
        with self._guest(None) as guest:
            return guest.greet_and_leave(self._rules[0])

    @contextlib.contextmanager
    def _guest(self, limits: Limits | None, **how: bool) -> Iterator[Guest]:
        guest = Guest(self._contender, limits or self._limits, self._mode, **how)
        try:
            yield guest
        finally:
            guest.close()

    def _skips(self, name: str) -> bool:
        """Nothing more can be learnt from a bot that does not get through a game."""
        if self._fatal:
            self._steps.append(Step(number=_number(name), name=name, status="skipped", text="see above"))
            self._tell(self._steps[-1])
        return self._fatal

    def _pass(self, name: str, text: str) -> None:
        self._add(name, "passed", text, None)

    def _fail(self, name: str, visit: Visit, *, where: str = "") -> None:
        assert visit.fault is not None
        self._add(name, "failed", f"{where}{plain_words(visit.fault)}", visit)

    def _add(self, name: str, status: Status, text: str, visit: Visit | None) -> None:
        streams: dict[str, Any] = {}
        if visit is not None and status == "failed":
            streams = {"stdout": visit.stdout[-LAST_LINES:], "stderr": visit.stderr[-LAST_LINES:]}
        self._steps.append(Step(number=_number(name), name=name, status=status, text=text, **streams))
        self._tell(self._steps[-1])

    def _peak_mb(self) -> float | None:
        return max((one.peak_memory_mb for one in self._visits if one.peak_memory_mb is not None), default=None)

    def _measured(self) -> Measured:
        peak_mb = self._peak_mb()
        took = sorted(ms for visit in self._visits for ms in visit.took_ms)
        starts = [visit.startup_ms for visit in self._visits if visit.startup_ms is not None]
        return Measured(
            startup_ms=statistics.median(starts) if starts else None,
            actions=len(took),
            action_p50_ms=took[len(took) // 2] if took else None,
            action_p99_ms=took[min(len(took) - 1, len(took) * 99 // 100)] if took else None,
            peak_memory_mb=None if peak_mb is None else round(peak_mb, 1),
            off_turn_cpu=round(statistics.mean(self._off_turn), 3) if self._off_turn else None,
        )


def plain_words(fault: Fault) -> str:
    """A fault for its author: the code, where, why, what it means, what to do."""
    where = "" if fault.ply is None else f" at ply {fault.ply}"
    line = f" The line was: {fault.offending}" if fault.offending and fault.offending not in fault.text else ""
    return f"{fault.code}{where}: {fault.text}.{line} That is: {FAULTS[fault.code]}. {ADVICE[fault.code]}"


def largest_request(rules: Game) -> tuple[bytes, int]:
    """The longest line that asks for an action in many random games, and the seat that it is for."""
    options = rules.from_json({}, rules.Options)
    clock = messages.Clock(move_ms=1000, bank_ms=0, used_ms=0)
    best, best_seat = b"", 0
    for number in range(RANDOM_GAMES):
        play = random_play(rules, options, KeyedChance(b"arena check", f"largest/{number}"))
        news: list[list[Any]] = [[] for _ in range(rules.SEATS)]
        for before, action, after in zip(play.states, play.actions, play.states[1:], strict=False):
            seat = rules.seat_to_act(before)
            assert seat is not None
            legal = rules.legal_actions(before)
            if len(legal) > 1:
                line = request(rules, before, seat, legal, news[seat], 1, clock)
                if len(line) > len(best):
                    best, best_seat = line, seat
                news[seat] = []
            for viewer in range(rules.SEATS):
                news[viewer] = news[viewer] + rules.events(before, action, after, viewer)
    return best, best_seat


def _number(name: str) -> int:
    return list(STEPS).index(name) + 1
