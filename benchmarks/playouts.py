"""How fast each game plays itself: `python benchmarks/playouts.py --games leaders leaders-expert --seconds 3`.

A ply is one list of legal actions, one random choice from it and one `apply`. Machines differ and other programs
disturb, so each figure stands beside a plain Python loop timed in the same run, both in CPU time: the last column says
how many steps of that loop a ply costs, and is the one to compare.
"""

import argparse
import time
from random import Random
from typing import Any

from tabulate import tabulate

from arena import games
from arena.game import Game

LOOP_STEPS = 200_000


def loop_steps_per_s() -> float:
    """Speed of the reference: small tuples are built and hashed, the everyday work of a rules engine."""
    start_s = time.process_time()
    total = 0
    for i in range(LOOP_STEPS):
        total ^= hash((i, total & 255))
    return LOOP_STEPS / (time.process_time() - start_s)


def playout(game: Game, rng: Random, options: Any) -> tuple[int, int]:
    """One random game: plies, and legal actions over all plies."""
    state = game.initial(game.deal(rng, options), options)
    plies = choices = 0
    while game.seat_to_act(state) is not None:
        actions = game.legal_actions(state)
        choices += len(actions)
        state = game.apply(state, actions[rng.randrange(len(actions))])
        plies += 1
    return plies, choices


def measure(name: str, seconds: float, seed: int) -> list[Any]:
    """One row: games, plies and actions a game, plies a second, loop steps a ply (reference timed before and after)."""
    game, rng = games.load(name), Random(seed)
    options = game.Options()
    for _ in range(20):  # fill the caches
        playout(game, rng, options)
    before = loop_steps_per_s()
    rows, start_s = [], time.process_time()
    while time.process_time() - start_s < seconds:
        rows.append(playout(game, rng, options))
    elapsed_s = time.process_time() - start_s
    plies, choices = (sum(column) for column in zip(*rows, strict=True))
    speed, steps = plies / elapsed_s, (before + loop_steps_per_s()) / 2
    return [
        name,
        len(rows),
        f"{plies / len(rows):.1f}",
        f"{choices / plies:.1f}",
        f"{speed:,.0f}",
        f"{steps / speed:.0f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=games.names(), help="names of games (default: all)")
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU time for each game")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rows = [measure(name, given.seconds, given.seed) for name in given.games]
    headers = ["game", "games", "plies/game", "actions/ply", "plies/s", "loop steps/ply"]
    print(tabulate(rows, headers, disable_numparse=True, colalign=("left", *["right"] * 5)))


if __name__ == "__main__":
    main()
