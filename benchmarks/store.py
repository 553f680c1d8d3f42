"""What a long event costs: `python benchmarks/store.py --games 100000 1000000`.

An event is run from its config to its end with an executor that plays nothing: each game gets the packed transcript of
one real game of 40 plies. So everything else is real: deals, schedule, log, hash chain, transactions, final tables.
Printed are, for each tenth of the event, how fast games went in and how much memory the process holds (both are to
stay the same to the end); what a game takes on the disk; and how long `arena standings` and `arena status` take as
commands, the start of Python included, before and after the end.
"""

import argparse
import contextlib
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import trivial_bots
from tabulate import tabulate

from arena import config as configs
from arena import match
from arena.executor import Executor, Finished
from arena.formats import Round
from arena.match import Played, Sitting
from arena.tournament import Event

ENTRANTS = 20
PARTS = 10
CONFIG = """
event: long
game: hidden-leaders-duel
format: round-robin
deals_per_pairing: {deals}
sandbox: 'off'
seed: 1
scope: {scope}
bots:
{bots}
"""


class NoPlay:
    """An executor that hands out one and the same game, `batch` sittings at a time."""

    slots = 2

    def __init__(self, sample: Played) -> None:
        self._sample = sample

    def play(self, sittings: Iterable[Sitting]) -> Iterator[Finished]:
        for place, sitting in enumerate(sittings):
            yield [(place, [self._fake(sitting, game) for game in sitting.games])]

    def close(self) -> None:
        pass

    def _fake(self, sitting: Sitting, game: match.Game) -> Played:
        first, second = (contender.entrant for contender in sitting.contenders)
        stronger = first < second if game.number % 3 else first > second
        result = msgspec.structs.replace(
            self._sample.result,
            number=game.number,
            round=game.round,
            pairing=game.pairing,
            deal=game.deal_number,
            leg=game.leg,
            entrants=(first, second),
            half_points=(2, 0) if stronger else (0, 2),
        )
        return msgspec.structs.replace(self._sample, result=result)


class Meter:
    """Notes time and memory after each tenth of the event."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._last_s, self._last_cpu_s = time.perf_counter(), time.process_time()
        self.rows: list[list[str]] = []

    def round_paired(self, round_: Round) -> None:
        pass

    def game_finished(self, played: Played, done: int, total: int | None) -> None:
        del played, total
        step = self._total // PARTS
        if done % step == 0:
            now_s, cpu_s = time.perf_counter(), time.process_time()
            wall, cpu = step / (now_s - self._last_s), step / (cpu_s - self._last_cpu_s)
            self.rows.append([f"{done:,}", f"{wall:,.0f}", f"{cpu:,.0f}", f"{memory_mb():.0f}"])
            self._last_s, self._last_cpu_s = now_s, cpu_s


class Stop(Exception):  # noqa: N818
    """Before the tables of the end are computed."""


def memory_mb() -> float:
    """What this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def measure(games: int, scope: str, sample: Played, folder: Path) -> None:
    """One event of about so many games."""
    pairings = ENTRANTS * (ENTRANTS - 1) // 2
    deals = max(1, round(games / pairings / 2))
    bots = []
    for number in range(ENTRANTS):
        path = folder / f"bot{number:02}.py"
        path.write_text(f"print({number})\n")
        bots.append(f"  - {{id: b{number:02}, path: {path}}}")
    file = folder / "long.yaml"
    file.write_text(CONFIG.format(deals=deals, scope=scope, bots="\n".join(bots)))
    total = 2 * deals * pairings
    home = folder / f"event-{games}"
    event = Event(configs.load(file), home)
    tables = event._end
    event._end = _stop  # type: ignore[method-assign]
    meter = Meter(total)
    executor: Executor = NoPlay(sample)
    with event:
        with contextlib.suppress(Stop):
            event.play(executor, meter)
        size = len(sample.transcript)
        print(f"\n{total:,} games of {ENTRANTS} bots, scope {scope}; a packed transcript has {size:,} bytes")
        headers = ["games", "games/s", "games/CPU s", "memory MB"]
        print(tabulate(meter.rows, headers, disable_numparse=True, stralign="right"))
        stored = sum(path.stat().st_size for path in home.glob("event.sqlite*"))
        logged = (home / "event.log").stat().st_size
        print(f"on the disk: {stored / total:,.0f} bytes a game, and {logged / total:,.0f} in the log")
        rows = [["going on", *commands(home)]]
        start_s = time.perf_counter()
        tables()
        print(f"final tables: {time.perf_counter() - start_s:.1f} s; memory then {memory_mb():.0f} MB")
        rows.append(["ended", *commands(home)])
    print(tabulate(rows, ["event", "standings s", "status s"], disable_numparse=True))


def _stop() -> None:
    raise Stop


def commands(home: Path) -> list[str]:
    """Seconds that the two commands take: the faster of two tries."""
    return [f"{min(seconds(word, home) for _ in range(2)):.2f}" for word in ("standings", "status")]


def seconds(word: str, home: Path) -> float:
    start_s = time.perf_counter()
    subprocess.run([sys.executable, "-m", "arena", word, home], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=[100_000])
    parser.add_argument("--scope", choices=("game", "sitting"), default="game")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bot = trivial_bots.contender("c", folder / "bots")
        (job,) = trivial_bots.sittings(bot, count=1, games_each=1, plies=40, sandbox="off")
        (sample,) = match.play_sitting(job)
        for games in given.games:
            measure(games, given.scope, sample, folder)


if __name__ == "__main__":
    main()
