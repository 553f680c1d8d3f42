"""Everything that a viewer receives in a given history, byte for byte, from the referee itself.

The referee plays the history with bots in memory. Each seat's bot first gives some wrong answers to every request, so
that the texts of errors are part of the stream; the other seat may forfeit at the end.
"""

import contextlib
import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from arena.bot import Reply
from arena.clock import FakeClock
from arena.game import Game
from arena.model import Limits, Policies
from arena.player import Player, Setup
from arena.referee import Referee
from arena.testing.play import Viewer, replay

PROBES = 2  # wrong answers to every request
NO_ACTION: dict[str, Any] = {"type": "no-such-action"}


class History(msgspec.Struct, frozen=True, kw_only=True):
    """A game up to some ply; `states[ply]` is the state before action `ply`, and one more.

    `forfeits`: at the end the seat to act breaks the rules instead of acting.
    """

    options: Any
    deal: Any
    actions: tuple[Any, ...]
    states: tuple[Any, ...]
    forfeits: bool = False

    def cut(self, plies: int) -> "History":
        """The first `plies` plies of it."""
        return msgspec.structs.replace(self, actions=self.actions[:plies], states=self.states[: plies + 1])


def played(game: Game, options: Any, deal: Any, actions: Sequence[Any]) -> History:
    """The history of these actions. Raises ValueError for a deal or an action against the rules."""
    actions = tuple(actions)
    return History(options=options, deal=deal, actions=actions, states=replay(game, options, deal, actions))


Stream = Callable[[Game, History, int], list[bytes]]


def stream(game: Game, history: History, seat: int) -> list[bytes]:
    """Every line that the referee sends to `seat` up to the end of the history, in order.

    The last item holds the events that the seat has not been sent yet.
    """
    return _play(game, history, seat, Referee)


def feed(game: Game, history: History, viewer: Viewer) -> list[bytes]:
    """What a viewer who looks at every ply is shown: the events and the view before each ply, then the outcome."""
    lines = []
    for ply, state in enumerate(history.states):
        told = game.events(history.states[ply - 1], history.actions[ply - 1], state, viewer) if ply else []
        shown = {
            "events": [game.to_json(event) for event in told],
            "view": game.to_json(game.view(state, viewer)),
            "seat_to_act": game.seat_to_act(state),
            "outcome": msgspec.to_builtins(game.outcome(state)),
        }
        lines.append(json.dumps(shown, separators=(",", ":"), ensure_ascii=False).encode())
    return lines


def _play(game: Game, history: History, seat: int, referee: type[Referee]) -> list[bytes]:
    stopping = _Stopping(game, len(history.actions))
    clock = FakeClock()
    bots = [_HistoryBot(stopping, history, clock) for _ in range(game.SEATS)]
    players = [Player(bot) for bot in bots]
    setup = Setup(
        game_id="r1p1d0g1",
        options=history.options,
        deal=history.deal,
        limits=Limits(),
        policies=Policies(on_illegal="retry", retries=PROBES),
        random_seeds=tuple(range(1, game.SEATS + 1)),
    )
    with contextlib.suppress(_EndOfHistory):
        referee(stopping, setup, players, clock).play()
    unsent = [msgspec.to_builtins(event) for event in players[seat].events]
    return [*bots[seat].received, json.dumps({"type": "not sent yet", "events": unsent}).encode()]


class _EndOfHistory(Exception):  # noqa: N818 - not an error
    pass


class _Stopping:
    """A game that counts its plies and goes no further than the history."""

    def __init__(self, game: Game, plies: int) -> None:
        self._game = game
        self._plies = plies
        self.ply = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def apply(self, state: Any, action: Any) -> Any:
        if self.ply >= self._plies:
            raise _EndOfHistory
        self.ply += 1
        return self._game.apply(state, action)


class _HistoryBot:
    """Answers as the history says, after its wrong answers."""

    def __init__(self, game: Any, history: History, clock: FakeClock) -> None:
        self.received: list[bytes] = []
        self._game = game
        self._history = history
        self._clock = clock
        self._request: dict[str, Any] = {}
        self._tries = 0

    def begin(self) -> float:
        return self._clock.now_s()

    def send(self, message: bytes, until_s: float, /) -> float:  # noqa: ARG002
        self.received.append(message)
        data = msgspec.json.decode(message)
        if data["type"] == "act":
            self._tries = 0
        if data["type"] != "error":
            self._request = data
        return self._clock.now_s()

    def receive(self, until_s: float, /) -> Reply:  # noqa: ARG002 - never late
        return Reply(line=msgspec.json.encode(self._answer()), at_s=self._clock.now_s())

    def _answer(self) -> dict[str, Any]:
        if self._request["type"] == "hello":
            return {"type": "hello", "protocol": 1}
        if self._request["type"] == "new_game":
            return {"type": "ready"}
        self._tries += 1
        answer = {"type": "action", "id": self._request["id"]}
        at_end = self._game.ply >= len(self._history.actions)
        if self._tries > PROBES and at_end and not self._history.forfeits:
            raise _EndOfHistory
        if self._tries > PROBES and not at_end:
            return answer | {"action": self._game.to_json(self._history.actions[self._game.ply])}
        return answer | ({"index": len(self._request["legal"])} if self._tries == 1 else {"action": NO_ACTION})

    def rest(self) -> None:
        """Nothing to stop."""
