"""A person in a seat: the same referee and protocol as for any bot, but no clock."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena import games, sandbox
from arena.bot import Reply
from arena.bot.process import Process
from arena.chance import Chance, choice
from arena.clock import WallClock
from arena.commitment import Keys, Secret
from arena.game import Game
from arena.match import Contender
from arena.model import Limits, Policies
from arena.player import Player, Setup
from arena.referee import Referee
from arena.transcript import Transcript

HINT_S = 1.0  # for the random games behind a hint
HINT_BEST = 3  # actions that a hint tells apart


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What a person is asked, as a bot in the same seat would be: plain JSON data."""

    view: dict[str, Any]
    events: list[dict[str, Any]]
    legal: list[dict[str, Any]]


class Person:
    """A `Bot` whose answers come from `decide`, which is given a Request and returns an index into `legal`.

    `over` is called with the `game_over` message. What the person sees is what these two are given, and nothing else.
    """

    def __init__(self, decide: Callable[[Request], int], over: Callable[[dict[str, Any]], None]) -> None:
        self._decide = decide
        self._over = over
        self._message: dict[str, Any] = {}
        self._asked_at_s = 0.0

    def begin(self) -> float:
        return time.monotonic()

    def send(self, message: bytes, until_s: float, /) -> float:  # noqa: ARG002 - a person is never too slow
        self._message = msgspec.json.decode(message)
        self._asked_at_s = time.monotonic()
        if self._message["type"] == "game_over":
            self._over(self._message)
        return self._asked_at_s

    def receive(self, until_s: float, /) -> Reply:  # noqa: ARG002
        kind = self._message["type"]
        if kind == "hello":
            answer: dict[str, Any] = {"type": "hello", "protocol": 1, "name": "a person"}
        elif kind == "new_game":
            answer = {"type": "ready"}
        else:
            asked = Request(view=self._message["view"], events=self._message["events"], legal=self._message["legal"])
            answer = {"type": "action", "id": self._message["id"], "index": self._decide(asked)}
        return Reply(line=msgspec.json.encode(answer), at_s=self._asked_at_s)

    def rest(self) -> None:
        """A person may think at any time."""


def play(
    game_name: str,
    person: Person,
    bot: Contender,
    *,
    person_seat: int,
    seed: str | None = None,
    limits: Limits | None = None,
    mode: sandbox.Mode = sandbox.Mode.REQUIRED,
) -> Transcript:
    """One game of a person against a sandboxed bot."""
    game = games.load(game_name)
    options = game.from_json({}, game.Options)
    keys = Keys(Secret.draw(seed))
    limits = limits or Limits()
    program = sandbox.Program(argv=bot.argv, folder=Path(bot.folder), env=bot.env)
    process = Process(sandbox.start(program, limits, mode=mode))
    players = [Player(process), Player(process)]
    players[person_seat] = Player(person)
    setup = Setup(
        game_id="play",
        options=options,
        deal=keys.deal(game, options, 0),
        limits=limits,
        policies=Policies(),
        random_seeds=(keys.random_seed(1, 0), keys.random_seed(1, 1)),
    )
    try:
        return Referee(game, setup, players, WallClock()).play()
    finally:
        process.close()


class Trial(msgspec.Struct):
    """What random games say of an action: its place in the legal list, its points in so many games."""

    index: int
    half_points: int = 0
    games: int = 0

    @property
    def share(self) -> float:
        return self.half_points / (2 * self.games)


def hint(game: Game, view: Any, legal: Sequence[Any], rng: Chance, options: Any) -> list[tuple[int, float]]:
    """Places in `legal`, best first, each with its mean share of the points over random games to the end."""
    return [(trial.index, trial.share) for trial in trials(game, view, legal, rng, options)]


def trials(
    game: Game, view: Any, legal: Sequence[Any], rng: Chance, options: Any, *, seconds: float = HINT_S
) -> list[Trial]:
    """All legal actions after random games, best first.

    Each is tried once at least. After each equal part of the time the better half goes on, so that most of the games
    tell the best ones apart (Karnin and others, Almost Optimal Exploration in Multi-Armed Bandits, 2013). Only what the
    seat knows goes in: each random game begins in a state drawn from its view.
    """
    ranked = [Trial(index) for index in range(len(legal))]
    sizes = [len(ranked)]
    while sizes[-1] > HINT_BEST:
        sizes.append(max(HINT_BEST, sizes[-1] // 2))
    began_s = time.monotonic()
    for part, size in enumerate(sizes, start=1):
        until_s = began_s + seconds * part / len(sizes)
        while not ranked[0].games or time.monotonic() < until_s:
            for trial in ranked[:size]:
                trial.half_points += _random_game(game, view, legal[trial.index], rng, options)
                trial.games += 1
        ranked[:size] = sorted(ranked[:size], key=lambda trial: -trial.share)
    return ranked


def _random_game(game: Game, view: Any, action: Any, rng: Chance, options: Any) -> int:
    """Half points of the seat to act after this action and random ones to the end."""
    state = game.determinize(view, rng, options)
    seat = game.seat_to_act(state)
    assert seat is not None
    state = game.apply(state, action)
    while game.seat_to_act(state) is not None:
        state = game.apply(state, choice(game.legal_actions(state), rng))
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.half_points[seat]
