"""One game between bots: ask, time, judge, record. `Referee.play` is the whole of it.

The referee knows the contract of a game and of a bot and never a particular one. Whatever a bot does wrong ends in a
`Fault` inside the transcript and is never raised; `HostFailure` is raised, and then nobody is to blame.
"""

import contextlib
import hashlib
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from arena import __version__, transcript
from arena.bot import Reply, messages
from arena.chance import KeyedChance, choice
from arena.clock import Clock
from arena.errors import BotFault, HostFailure
from arena.game import Game
from arena.model import Fault
from arena.player import Player, Setup, request
from arena.transcript import Message, Transcript, milliseconds

MAX_EXTENSION_S = 10.0  # a reply that the host holds up is waited for at most this long beyond its limit
GAME_OVER_S = 0.2  # a bot may take this long to read how the game ended
CRASHES = frozenset({"exit", "closed", "memory", "cpu", "disk", "startup-exit", "startup-timeout"})
STARTUP_CODES = {
    "timeout": "startup-timeout",
    "exit": "startup-exit",
    "closed": "startup-exit",
    "protocol": "handshake",
    "line-too-long": "handshake",
}


class _Forfeit(Exception):  # noqa: N818 - carries a fault to the end of the game
    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class Referee:
    """Plays one game from a setup. Use once: `Referee(game, setup, players, clock).play()`."""

    def __init__(self, game: Game, setup: Setup, players: Sequence[Player], clock: Clock) -> None:
        self._game = game
        self._setup = setup
        self._players = players
        self._clock = clock
        self._began_s = clock.now_s()
        self._log: list[Message] = []
        self._sent = [hashlib.sha256() for _ in players]
        self._actions: list[transcript.Action] = []
        self._faults: list[Fault] = []

    def play(self) -> Transcript:
        """Play to the end. A bot's fault ends the game and is never raised; HostFailure is."""
        try:
            self._start_up()
            outcome = self._plies()
        except _Forfeit as forfeit:
            outcome = self._forfeited(forfeit.fault)
        except _BothForfeit:
            outcome = messages.WireOutcome(half_points=(0,) * len(self._players), reason="double-forfeit")
        self._say_goodbye(outcome)
        return self._transcript(outcome)

    def _start_up(self) -> None:
        """Hello and ready, seat by seat; a seat that fails leaves the others their own try."""
        limit_s = self._setup.limits.startup_s
        failed: list[Fault] = []
        for seat, player in enumerate(self._players):
            player.new_game(self._setup.limits)
            started_s = player.bot.begin()
            until_s = started_s + limit_s
            try:
                if player.hello is None:
                    until_s += self._greet(seat, player, until_s)
                else:
                    self._log += self._greeting(player)
                    self._sent[seat].update(player.greeting[0].line + b"\n")
                self._send(seat, self._new_game(seat, player), until_s)
                line, _ = self._startup_line(seat, until_s, "ready")
                messages.decode_ready(line)
                player.bot.rest()
            except BotFault as fault:
                code = STARTUP_CODES.get(fault.code, fault.code)
                elapsed_s = self._clock.now_s() - started_s
                failed.append(self._fault(seat, code, fault, ply=None, elapsed_s=elapsed_s, limit_s=limit_s))
        self._faults += failed
        if len(failed) == 1:
            raise _Forfeit(failed[0])
        if failed:
            raise _BothForfeit

    def _greet(self, seat: int, player: Player, until_s: float) -> float:
        """Exchange the hellos; how long the host held the bot's up."""
        hello = messages.encode(
            messages.Hello(
                arena=__version__,
                game=self._game.NAME,
                rules_version=self._game.RULES_VERSION,
                options=self._setup.options,
                limits=self._setup.limits,
            )
        )
        self._send(seat, hello, until_s)
        line, host_delay_s = self._startup_line(seat, until_s, "hello")
        player.hello = messages.decode_hello(line)
        player.greeting, player.greeted_s = self._log[-2:], self._began_s
        return host_delay_s

    def _greeting(self, player: Player) -> list[Message]:
        """The handshake of an earlier game, by the clock of this one: at negative times."""
        earlier_ms = (self._began_s - player.greeted_s) * 1000
        return [
            msgspec.structs.replace(message, at_ms=round(message.at_ms - earlier_ms, 3)) for message in player.greeting
        ]

    def _startup_line(self, seat: int, until_s: float, awaited: str) -> tuple[bytes, float]:
        """A line in time, and how long the host held it up."""
        reply = self._receive(seat, until_s)
        if reply.line is None or reply.at_s - reply.host_delay_s > until_s:
            raise BotFault("timeout", f"sent no {awaited} before its start-up time was over")
        return reply.line, reply.host_delay_s

    def _new_game(self, seat: int, player: Player) -> bytes:
        return messages.encode(
            messages.NewGame(
                game_id=self._setup.wire_id or self._setup.game_id,
                seat=seat,
                seats=len(self._players),
                random_seed=self._setup.random_seeds[seat],
                clock=player.clock(),
            )
        )

    def _plies(self) -> messages.WireOutcome:
        """The loop of the game: whose ply, what is legal, ask (or play a forced action), tell both seats."""
        game = self._game
        state = game.initial(self._setup.deal, self._setup.options)
        while (seat := game.seat_to_act(state)) is not None:
            legal = game.legal_actions(state)
            if len(legal) == 1:
                action = legal[0]
                self._actions.append(
                    transcript.Action(ply=len(self._actions), seat=seat, action=game.to_json(action), forced=True)
                )
            else:
                action = self._ask(seat, state, legal)
            after = game.apply(state, action)
            for viewer, player in enumerate(self._players):
                player.events += game.events(state, action, after, viewer)
            state = after
        ended = game.outcome(state)
        assert ended is not None, f"{game.NAME}: no seat to act, yet no outcome"
        return messages.WireOutcome(half_points=ended.half_points, reason=ended.reason, details=ended.details)

    def _ask(self, seat: int, state: Any, legal: Sequence[Any]) -> Any:
        """One decision of a bot, judged by the policies. Raises _Forfeit."""
        player = self._players[seat]
        setup = self._setup
        limit_s = player.limit_s
        player.last_id += 1
        ply = len(self._actions)
        clock = player.clock()
        line = request(self._game, state, seat, legal, player.events, player.last_id, clock)
        player.events = []
        retries = setup.policies.retries if setup.policies.on_illegal == "retry" else 0
        asked_s = self._clock.now_s()
        try:
            asked_s = self._send(seat, line, asked_s + limit_s, derived="act", id_=player.last_id, clock=clock)
        except BotFault as breach:  # half a line may be in the pipe: no policy can forgive that
            took_s = self._clock.now_s() - asked_s
            fault = self._fault(seat, breach.code, breach, ply=ply, elapsed_s=took_s, limit_s=limit_s)
            self._faults.append(fault)
            raise _Forfeit(fault) from breach
        cpu_s, host_s = None, 0.0
        answer = messages.BotAction(id=player.last_id)
        substituted = False
        while True:
            try:
                reply, answer = self._answer(seat, asked_s, limit_s, player)
                cpu_s, host_s = reply.cpu_s, reply.host_delay_s
                action = legal_action(self._game, answer, legal, reply.line or b"")
                took_s = reply.at_s - asked_s
                break
            except BotFault as breach:
                took_s = self._clock.now_s() - asked_s
                fault = self._fault(seat, breach.code, breach, ply=ply, elapsed_s=took_s, limit_s=limit_s)
                self._faults.append(fault)
                if breach.code == "illegal-action" and retries > 0:
                    retries -= 1
                    error = messages.Error(
                        id=player.last_id, code=breach.code, text=breach.problem, retries_left=retries
                    )
                    self._send_quietly(seat, messages.encode(error), asked_s + limit_s)
                    continue
                if not self._forgives(breach.code, player):
                    raise _Forfeit(fault) from breach
                action, substituted = self._substitute(legal, ply), True
                break
        player.bot.rest()
        player.charge(max(0.0, took_s - host_s))
        self._actions.append(
            transcript.Action(
                ply=ply,
                seat=seat,
                action=self._game.to_json(action),
                forced=False,
                substituted=substituted,
                took_ms=milliseconds(took_s),
                cpu_ms=None if cpu_s is None else milliseconds(cpu_s),
                host_delay_ms=milliseconds(host_s) if host_s else None,
                note=answer.note,
            )
        )
        return action

    def _answer(self, seat: int, asked_s: float, limit_s: float, player: Player) -> tuple[Reply, messages.BotAction]:
        """The reply to the open request, in time. Raises BotFault; HostFailure when only the host made it late."""
        until_s = asked_s + limit_s
        while True:
            reply = self._receive(seat, until_s)
            if reply.line is None or reply.at_s > until_s:
                late_s = reply.at_s - asked_s - limit_s
                if reply.line is None or late_s > reply.host_delay_s:
                    player.forgiven_ids.add(player.last_id)
                    waited = "no reply" if reply.line is None else "replied"
                    raise BotFault(
                        "timeout", f"{waited} after {reply.at_s - asked_s:.3f} s; the limit was {limit_s:.3f} s"
                    )
                if not self._setup.accept_host_delay:
                    raise HostFailure(
                        f"seat {seat}: the machine held a reply up by {reply.host_delay_s * 1000:.1f} ms, "
                        f"which made it {late_s * 1000:.1f} ms late"
                    )
            if player.forgiven_ids and messages.answered_id(reply.line) in player.forgiven_ids:
                player.forgiven_ids.discard(messages.answered_id(reply.line) or 0)
                continue  # the late answer to a request that was decided without it
            return reply, messages.decode_action(reply.line, expected_id=player.last_id)

    def _receive(self, seat: int, until_s: float) -> Reply:
        """A bot's next line; the deadline moves by what the host itself takes away, within bounds."""
        bot = self._players[seat].bot
        reply = bot.receive(until_s)
        extended_s = 0.0
        while reply.line is None and extended_s < min(reply.host_delay_s, MAX_EXTENSION_S):
            extended_s = min(reply.host_delay_s, MAX_EXTENSION_S)
            reply = bot.receive(until_s + extended_s)
        if reply.line is not None:
            at_ms = milliseconds(reply.at_s - self._began_s)
            self._log.append(transcript.message(seat, "referee", at_ms, reply.line))
        return reply

    def _send(
        self,
        seat: int,
        line: bytes,
        until_s: float,
        *,
        derived: Literal["act", "game_over"] | None = None,
        id_: int | None = None,
        clock: messages.Clock | None = None,
    ) -> float:
        at_s = self._players[seat].bot.send(line, until_s)
        self._sent[seat].update(line)
        at_ms = milliseconds(at_s - self._began_s)
        if derived is None:
            self._log.append(transcript.message(seat, "bot", at_ms, line))
        else:
            self._log.append(Message(seat=seat, to="bot", at_ms=at_ms, derived=derived, id=id_, clock=clock))
        return at_s

    def _send_quietly(
        self, seat: int, line: bytes, until_s: float, *, derived: Literal["game_over"] | None = None
    ) -> None:
        """Send to a bot that may be gone; that it is will show at the next reading."""
        with contextlib.suppress(BotFault):
            self._send(seat, line, until_s, derived=derived)

    def _forgives(self, code: str, player: Player) -> bool:
        """Whether the policies let the game go on with an action of the referee's choice."""
        if code == "illegal-action":
            return self._setup.policies.on_illegal == "random"
        if code == "timeout" and self._setup.policies.on_timeout == "random":
            player.strikes += 1
            return player.strikes <= self._setup.policies.strikes
        return False

    def _substitute(self, legal: Sequence[Any], ply: int) -> Any:
        return choice(legal, KeyedChance(self._setup.substitute_key, f"{self._setup.game_id}/substitute/{ply}"))

    def _fault(
        self, seat: int, code: str, fault: BotFault, *, ply: int | None, elapsed_s: float, limit_s: float
    ) -> Fault:
        return Fault(
            seat=seat,
            code=code,
            ply=ply,
            text=fault.problem,
            offending=messages.shown(fault.offending),
            elapsed_ms=milliseconds(elapsed_s),
            limit_ms=milliseconds(limit_s),
        )

    def _forfeited(self, fault: Fault) -> messages.WireOutcome:
        """Both seats learn the code and whose fault it was, and nothing of the sentence: it may hold secrets."""
        return messages.WireOutcome(
            half_points=tuple(0 if seat == fault.seat else 2 for seat in range(len(self._players))),
            reason="forfeit",
            forfeit_by=fault.seat,
            code=fault.code,
        )

    def _say_goodbye(self, outcome: messages.WireOutcome) -> None:
        gone = {fault.seat for fault in self._faults if fault.code in CRASHES}
        until_s = self._clock.now_s() + GAME_OVER_S
        for seat, player in enumerate(self._players):
            if seat not in gone and player.hello is not None:
                message = messages.encode(messages.GameOver(outcome=outcome, events=player.events))
                self._send_quietly(seat, message, until_s, derived="game_over")

    def _transcript(self, outcome: messages.WireOutcome) -> Transcript:
        setup = self._setup
        hellos = [player.hello or messages.BotHello(protocol=messages.PROTOCOL) for player in self._players]
        return Transcript(
            arena=__version__,
            game_id=setup.game_id,
            wire_id=setup.wire_id or setup.game_id,
            game=self._game.NAME,
            rules_version=self._game.RULES_VERSION,
            options=self._game.to_json(setup.options),
            deal=self._game.to_json(setup.deal),
            limits=setup.limits,
            policies=setup.policies,
            seats=tuple(
                transcript.Seat(
                    name=hello.name,
                    version=hello.version,
                    random_seed=setup.random_seeds[seat],
                    sent_sha256=self._sent[seat].hexdigest(),
                )
                for seat, hello in enumerate(hellos)
            ),
            messages=tuple(self._log),
            actions=tuple(self._actions),
            outcome=outcome,
            faults=tuple(self._faults),
        )


def legal_action(game: Game, answer: messages.BotAction, legal: Sequence[Any], line: bytes) -> Any:
    """The legal action that an answer names. Raises BotFault `illegal-action`.

    The sentence names the seat's own legal actions: it goes to this seat, its author and the organizer alone.
    """
    if answer.index is not None:
        if answer.index < len(legal):
            return legal[answer.index]
        problem = f"index {answer.index} is beyond the {len(legal)} legal actions (0 to {len(legal) - 1})"
        raise BotFault("illegal-action", problem, offending=line)
    try:
        action = game.from_json(answer.action, game.Action)
    except (msgspec.ValidationError, ValueError, TypeError) as error:
        shown = messages.shown(msgspec.json.encode(answer.action))
        raise BotFault("illegal-action", f"not an action of {game.NAME} ({error}): {shown}", offending=line) from error
    if action in legal:
        return action
    few = [msgspec.json.encode(option).decode() for option in legal[:10]]
    more = f" and {len(legal) - 10} more" if len(legal) > 10 else ""
    shown = messages.shown(msgspec.json.encode(answer.action))
    raise BotFault("illegal-action", f"{shown} is not legal here; legal: {', '.join(few)}{more}", offending=line)


class _BothForfeit(Exception):  # noqa: N818 - two bots that cannot even start
    """Neither seat came up: nobody wins."""
