"""The games that one pair of bots plays in one sitting: start the bots, play, void and play again, clean up.

Everything here is plain data in and out, so that a worker process or another machine can do it.
"""

import contextlib
import logging
import time
from pathlib import Path

import msgspec

from arena import games, sandbox, transcript
from arena.bot import messages
from arena.bot.process import Process
from arena.clock import WallClock, woken_first
from arena.errors import BotFault, HostFailure
from arena.game import from_json
from arena.model import GameResult, Limits, Policies
from arena.player import Player, Setup
from arena.referee import Referee
from arena.transcript import Transcript

MAX_VOIDS = 3  # replays of a game before a reply that the host made late counts as in time
GRACE_S = 1.0  # a bot may take this long to leave after the end of its input

log = logging.getLogger("arena.match")


class Contender(msgspec.Struct, frozen=True, kw_only=True):
    """A bot ready to be started: its files are in `folder`, built and read-only."""

    entrant: str
    folder: str
    argv: tuple[str, ...]
    env: dict[str, str] = {}


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game of the schedule, its deal as JSON."""

    number: int
    round: int
    pairing: int
    deal_number: int
    leg: int
    deal: dict[str, object]
    random_seeds: tuple[int, int]
    wire_id: str = ""


class Sitting(msgspec.Struct, frozen=True, kw_only=True):
    """Games that the same two bots play in the same seats, by the same two processes where none of them fails.

    The legs of a deal are never in one sitting, and a game that is played again gets fresh processes: no process sees
    a deal twice.
    """

    game: str
    options: dict[str, object]
    limits: Limits
    policies: Policies
    sandbox: str = "required"
    ponder: bool = False
    contenders: tuple[Contender, Contender]  # by seat
    games: tuple[Game, ...]
    substitute_key: bytes = b""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game with its record. `voids` says why earlier tries at it did not count."""

    result: GameResult
    transcript: bytes  # as arena.transcript.pack makes it
    voids: tuple[str, ...] = ()
    max_host_delay_ms: float = 0.0


def play_sitting(sitting: Sitting, *, slot: int = 0, cores: frozenset[int] | None = None) -> list[Played]:
    """Play all games of a sitting, in order. Raises HostFailure when the machine cannot even start the bots."""
    deals = [game.deal_number for game in sitting.games]
    assert len(set(deals)) == len(deals), "a process would see the same deal twice"
    table = _Table(sitting, slot, cores)
    with woken_first():
        try:
            return [_play_until_valid(table, game) for game in sitting.games]
        finally:
            table.clear()


def _play_until_valid(table: "_Table", spec: Game) -> Played:
    voids: list[str] = []
    while True:
        try:
            record = table.play(spec, accept_host_delay=len(voids) >= MAX_VOIDS)
        except HostFailure as failure:
            voids.append(str(failure))
            log.warning("game %d is void (%d): %s", spec.number, len(voids), failure)
            table.clear()
            if len(voids) > MAX_VOIDS:
                raise HostFailure(
                    f"game {spec.number} was void {len(voids)} times; the last reason: {failure}"
                ) from failure
            continue
        log.info("game %d played: %d plies, %s", spec.number, len(record.actions), record.outcome.reason)
        return Played(
            result=result(spec, record),
            transcript=transcript.pack(record),
            voids=tuple(voids),
            max_host_delay_ms=record.max_host_delay_ms,
        )


def result(spec: Game, record: Transcript) -> GameResult:
    """What standings need to know of a played game."""
    first, second = (seat.entrant for seat in record.seats)
    a, b = record.outcome.half_points
    return GameResult(
        number=spec.number,
        round=spec.round,
        pairing=spec.pairing,
        deal=spec.deal_number,
        leg=spec.leg,
        entrants=(first, second),
        half_points=(a, b),
        reason=record.outcome.code or record.outcome.reason,
        plies=len(record.actions),
        wire_id=record.wire_id,
        forfeit_by=record.outcome.forfeit_by,
        faults=record.faults,
    )


class _Table:
    """The two bots at a slot: started when a game needs them, thrown out after a fault."""

    def __init__(self, sitting: Sitting, slot: int, cores: frozenset[int] | None) -> None:
        self._sitting = sitting
        self._slot = slot
        self._cores = cores
        self._game = games.load(sitting.game)
        self._options = from_json(sitting.options, self._game.Options)
        self._processes: list[Process] = []
        self._players: list[Player] = []

    def play(self, spec: Game, *, accept_host_delay: bool) -> Transcript:
        if not self._players:
            self._seat_bots()
        setup = Setup(
            game_id=f"r{spec.round}p{spec.pairing}d{spec.deal_number}g{spec.leg + 1}",
            options=self._options,
            deal=self._game.from_json(spec.deal, self._game.Deal),
            limits=self._sitting.limits,
            policies=self._sitting.policies,
            random_seeds=spec.random_seeds,
            wire_id=spec.wire_id,
            substitute_key=self._sitting.substitute_key,
            accept_host_delay=accept_host_delay,
        )
        record = Referee(self._game, setup, self._players, WallClock()).play()
        broken = record.outcome.reason in ("forfeit", "double-forfeit")
        if broken or spec is self._sitting.games[-1]:
            self._dismiss({fault.seat for fault in record.faults} if broken else set())
            record = self._with_bots(record)
            self.clear()
            return record
        return self._with_bots(record)

    def _seat_bots(self) -> None:
        for seat, contender in enumerate(self._sitting.contenders):
            child = sandbox.start(
                sandbox.Program(argv=contender.argv, folder=Path(contender.folder), env=contender.env),
                self._sitting.limits,
                mode=sandbox.Mode(self._sitting.sandbox),
                slot=2 * self._slot + seat,
                cores=self._cores,
            )
            self._processes.append(Process(child, ponder=self._sitting.ponder))
        for process in self._processes:
            process.meet([other for other in self._processes if other is not process])
        self._players = [Player(process) for process in self._processes]

    def _dismiss(self, guilty: set[int]) -> None:
        """Say quit and wait a little; with a bot that broke off there is nothing to be polite about."""
        until_s = time.monotonic() + GRACE_S
        staying = [process for seat, process in enumerate(self._processes) if seat not in guilty]
        for process in staying:
            with contextlib.suppress(BotFault):
                process.send(messages.encode(messages.Quit()), until_s)
        for process in staying:
            process.finish(until_s)

    def _with_bots(self, record: Transcript) -> Transcript:
        """The transcript with what the processes know: identity, stderr, memory, CPU time."""
        level = sandbox.survey().level if self._sitting.sandbox != "off" else "off"
        seats = []
        for seat, contender, process in zip(record.seats, self._sitting.contenders, self._processes, strict=True):
            usage = process.usage()
            seats.append(
                msgspec.structs.replace(
                    seat,
                    entrant=contender.entrant,
                    stderr=process.stderr.decode("utf-8", "backslashreplace"),
                    peak_memory_mb=round(usage.peak_memory_mb, 1),
                    cpu_s=round(usage.cpu_s, 3),
                )
            )
        faults = tuple(
            msgspec.structs.replace(fault, stderr_tail=_last_lines(seats[fault.seat].stderr)) for fault in record.faults
        )
        return msgspec.structs.replace(record, seats=tuple(seats), faults=faults, sandbox=level)

    def clear(self) -> None:
        """Nothing of the bots is left afterwards."""
        for process in self._processes:
            process.close()
        self._processes = []
        self._players = []


def _last_lines(text: str, *, lines: int = 10, characters: int = 2000) -> str:
    return "\n".join(text.splitlines()[-lines:])[-characters:]
