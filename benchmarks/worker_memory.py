"""Does a worker grow? `python benchmarks/worker_memory.py --games 20000 --starts 500`.

One worker plays sittings of 100 games of 40 plies each, then games with fresh sandboxes; its resident memory and open
files are read after each fifth of them.
"""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import trivial_bots
from per_ply import play
from tabulate import tabulate

from arena.executor.local import LocalExecutor
from arena.match import Sitting
from arena.sandbox import tree

PARTS = 5
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000, help="in scope sitting")
    parser.add_argument("--starts", type=int, default=500, help="games in scope game")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        bot = trivial_bots.contender("c", folder)
        rows = []
        for scope, each, games in (("sitting", 100, given.games), ("game", 1, given.starts)):
            jobs = trivial_bots.sittings(bot, count=games // each, games_each=each, plies=40, sandbox="required")
            rows += [[scope, f"{done:,}", *figures] for done, figures in grow(jobs, each)]
    print(tabulate(rows, ["scope", "games", "MB", "open files"], disable_numparse=True, stralign="right"))


def grow(jobs: Sequence[Sitting], each: int) -> list[tuple[int, list[str]]]:
    """Games played so far, and what the worker holds then."""
    found = []
    with LocalExecutor(1) as executor:
        play(executor, jobs[:1])
        (worker,) = tree.children(os.getpid())
        step = len(jobs) // PARTS
        for part in range(PARTS):
            play(executor, jobs[part * step : (part + 1) * step])
            pages = int(Path(f"/proc/{worker}/statm").read_text().split()[1])
            files = len(list(Path(f"/proc/{worker}/fd").iterdir()))
            found.append(((part + 1) * step * each, [f"{pages * PAGE_MB:.1f}", str(files)]))
    return found


if __name__ == "__main__":
    main()
