"""Games a second of 40 plies with bots that answer at once: `python benchmarks/games_per_second.py`.

Scope `game` starts both bots anew for each game, scope `sitting` plays `--games` with the same two processes. `CPU` is
what the worker and its bots used for a game: on a machine with other work it says more than the games a second, which
are those of the fastest of several repeats. The floor is a bare start of each interpreter, `fork` to exit, in the same
run, two for each game; `x floor` is what a game takes beside it. Each worker has one core; efficiency is the
speed-up by the second one, halved.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import trivial_bots
from per_ply import play, plies_of, workers_cpu_s
from tabulate import tabulate

from arena.executor.local import LocalExecutor
from arena.match import Contender
from arena.sandbox import tree

BARE = {"c": ["/bin/true"], "python": [sys.executable, "-P", "-s", "-c", "pass"], "node": ["node", "-e", ""]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--languages", nargs="+", default=list(trivial_bots.ARGV), choices=list(trivial_bots.ARGV))
    parser.add_argument("--sandbox", default="required", choices=("required", "off"))
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--starts", type=int, default=30, help="games in scope game, for each worker")
    parser.add_argument("--games", type=int, default=200, help="games of one sitting, one sitting for each worker")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for language in filter(trivial_bots.available, given.languages):
            bot = trivial_bots.contender(language, folder)
            floor_s = 2 * min(start_s(BARE[language]) for _ in range(10))
            for scope in ("game", "sitting"):
                alone = None
                for workers in (1, 2):
                    found = [rates(given, bot, workers, scope) for _ in range(given.repeats)]
                    rate = max(rate for rate, _, _ in found)
                    referee_s, bots_s = (min(row[column] for row in found) for column in (1, 2))
                    alone = alone or rate
                    efficiency = "" if workers == 1 else f"{rate / alone / workers:.2f}"
                    beside = f"{workers / rate / floor_s:.1f}" if scope == "game" else ""
                    cpu_ms = [f"{referee_s * 1e3:.2f}", f"{bots_s * 1e3:.2f}"]
                    rows.append([language, scope, workers, f"{rate:,.1f}", *cpu_ms, efficiency, beside])
    headers = ["bots", "scope", "workers", "games/s", "worker CPU ms", "bots CPU ms", "efficiency", "x floor"]
    print(f"{given.plies} plies a game, sandbox {given.sandbox}, {os.cpu_count()} cores")
    print(tabulate(rows, headers, disable_numparse=True, colalign=("left", "left", *["right"] * 6)))


def start_s(argv: list[str]) -> float:
    """Wall time of one program from its start to its end."""
    began_s = time.perf_counter()
    subprocess.run(argv, check=True)
    return time.perf_counter() - began_s


def rates(given: argparse.Namespace, bot: Contender, workers: int, scope: str) -> tuple[float, float, float]:
    """Games a second, and CPU seconds a game of the workers and of all that they started."""
    each = given.games if scope == "sitting" else 1
    count = workers if scope == "sitting" else given.starts * workers
    jobs = trivial_bots.sittings(bot, count=count, games_each=each, plies=given.plies, sandbox=given.sandbox)
    with trivial_bots.on_cores(workers), LocalExecutor(workers) as executor:
        play(executor, jobs[:1] * workers if scope == "game" else jobs)  # every worker has started a sandbox
        before_s, below_s, start = workers_cpu_s(), below_workers_s(), time.perf_counter()
        played = play(executor, jobs)
        wall_s = time.perf_counter() - start
        referee_s, bots_s = workers_cpu_s() - before_s, below_workers_s() - below_s
    games = plies_of(played) / given.plies
    return games / wall_s, referee_s / games, bots_s / games


def below_workers_s() -> float:
    """CPU time of the ended processes that workers of this one have waited for."""
    return sum(map(tree.reaped_cpu_s, tree.children(os.getpid())))


if __name__ == "__main__":
    main()
