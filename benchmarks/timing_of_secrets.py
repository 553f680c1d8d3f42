"""Does the time until a bot's next message tell it anything about hidden cards?

    python benchmarks/timing_of_secrets.py hidden-leaders-duel --pairs 12 --repeats 400

For pairs of histories that a seat must not tell apart (made by the game's `redeal`), the referee plays both many times
in random order with bots in memory, and the time from the other seat's reply to the next message for this seat is
measured. A seat's own bot could measure the same, on top of the noise of pipes and schedulers. Printed is, over all
pairs and messages: how often a rank test at 1 % finds a difference (1 % if there is none), how large the differences
of the medians are, and the spread of single measurements, which a bot sees once a game. Exit code 1 if a difference
is larger than that spread.
"""

import argparse
import contextlib
import json
import math
import random
import statistics
import sys
import time
from collections import defaultdict
from typing import Any

from arena import games
from arena.bot import Reply
from arena.clock import WallClock
from arena.model import Limits, Policies
from arena.player import Player, Setup
from arena.referee import Referee
from arena.testing import History, played
from arena.testing.play import chance, random_play, text

Samples = dict[int, list[float]]


class EndOfHistory(Exception):  # noqa: N818 - not an error
    """A bot has no more actions."""


class TimedBot:
    """Plays its part of a history; notes when it was last heard and when each request reached it."""

    def __init__(self, actions: list[Any], heard: list[float], waits_us: list[float]) -> None:
        self._actions = iter(actions)
        self._heard = heard  # when any bot's reply was last taken, shared by all
        self._waits_us = waits_us
        self._request: dict[str, Any] = {}

    def begin(self) -> float:
        return time.monotonic()

    def send(self, message: bytes, until_s: float, /) -> float:  # noqa: ARG002
        at = time.perf_counter()
        if message.startswith(b'{"type":"act"'):
            self._waits_us.append((at - self._heard[0]) * 1e6)
        self._request = json.loads(message)
        return time.monotonic()

    def receive(self, until_s: float, /) -> Reply:  # noqa: ARG002
        answers = {"hello": {"type": "hello", "protocol": 1}, "new_game": {"type": "ready"}}
        answer = answers.get(self._request["type"])
        if answer is None:
            action = next(self._actions, None)
            if action is None:
                raise EndOfHistory
            answer = {"type": "action", "id": self._request["id"], "action": action}
        line = text(answer).encode()
        self._heard[0] = time.perf_counter()
        return Reply(line=line, at_s=time.monotonic())

    def rest(self) -> None:
        pass


def waits_us(game: Any, history: History, seat: int) -> list[float]:
    """Plays the history; the microseconds from the last reply of anybody to each request for `seat`."""
    asked: list[list[Any]] = [[], []]
    for state, action in zip(history.states, history.actions, strict=False):
        if len(game.legal_actions(state)) > 1:
            asked[game.seat_to_act(state)].append(game.to_json(action))
    heard, waits = [time.perf_counter()], ([], [])
    players = [Player(TimedBot(asked[s], heard, waits[s])) for s in (0, 1)]
    setup = Setup(
        game_id="timing",
        options=history.options,
        deal=history.deal,
        limits=Limits(move_s=60),
        policies=Policies(),
        random_seeds=(1, 2),
    )
    with contextlib.suppress(EndOfHistory):
        Referee(game, setup, players, WallClock()).play()
    return waits[seat]


def rank_test(one: list[float], other: list[float]) -> float:
    """Two-sided p-value of the rank-sum test (Mann and Whitney), by its normal approximation."""
    order = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    ranks = sum(rank for rank, (_, side) in enumerate(order, start=1) if side == 0)
    n, m = len(one), len(other)
    mean, deviation = n * (n + m + 1) / 2, math.sqrt(n * m * (n + m + 1) / 12)
    return math.erfc(abs(ranks - mean) / deviation / math.sqrt(2))


def compare(game: Any, number: int, repeats: int) -> list[tuple[float, float, float]]:
    """For each request of one pair: p-value, difference of the medians, spread of one measurement (µs)."""
    rng = chance(number, "timing")
    play = random_play(game, game.Options(), rng)
    seat = number % 2
    first = History(options=play.options, deal=play.deal, actions=play.actions, states=play.states)
    cut = first.cut(len(play.actions) // 2)
    deal, actions = game.redeal(cut.deal, cut.actions, seat, rng, play.options)
    pair = [cut, played(game, play.options, deal, actions)]
    samples: tuple[Samples, Samples] = (defaultdict(list), defaultdict(list))
    shuffler = random.Random(number)
    for _ in range(repeats):
        for side in shuffler.sample((0, 1), 2):
            for index, wait in enumerate(waits_us(game, pair[side], seat)):
                samples[side][index].append(wait)
    results = []
    for index in samples[0]:
        one, other = samples[0][index], samples[1][index]
        quarters = statistics.quantiles(one + other, n=4)
        difference = statistics.median(one) - statistics.median(other)
        results.append((rank_test(one, other), difference, quarters[2] - quarters[0]))
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="hidden-leaders-duel")
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--repeats", type=int, default=400)
    options = parser.parse_args()
    game = games.load(options.game)
    found = [one for number in range(options.pairs) for one in compare(game, number, options.repeats)]
    return report(found)


def report(found: list[tuple[float, float, float]]) -> int:
    significant = sum(p < 0.01 for p, _, _ in found) / len(found)
    differences = sorted(abs(difference) for _, difference, _ in found)
    spreads = sorted(spread for _, _, spread in found)
    worst = max(found, key=lambda one: abs(one[1]) / one[2])
    print(f"{len(found)} requests compared")
    print(f"rank test below 1 %: {significant:.1%} of them")
    print(f"difference of medians: median {statistics.median(differences):.2f} µs, largest {differences[-1]:.2f} µs")
    print(f"spread of one measurement (quartiles): median {statistics.median(spreads):.2f} µs")
    print(f"largest difference in spreads: {abs(worst[1]) / worst[2]:.2f} ({worst[1]:+.2f} µs of {worst[2]:.2f} µs)")
    return int(abs(worst[1]) > worst[2])


if __name__ == "__main__":
    sys.exit(main())
