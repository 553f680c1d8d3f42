"""What a ply costs: whole games between trivial C bots, beside a plain pipe between two C programs in the same run.

    python benchmarks/per_ply.py                      all rows, 40 plies a game
    python benchmarks/per_ply.py --peers PYTHON       and what other frameworks take, by an interpreter that has them

A figure is the wall time of all games over the number of plies; with two workers both play at once, on a core each.
The ratio is to the pipe: one C program sends as many bytes as the referee does to another, which answers with as
many as the bot, as many of them at once as there are workers, on the same cores. `answer to request` is the referee's
share: from the bot's newline as it was read until the next request was wholly in its pipe, the rules of the game
included; the mean of a game, the median over games. `CPU` is the CPU time of the worker processes alone, a ply: what
the kernel does for them and what is done after a game included. Of several repeats the fastest counts.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import steps
import trivial_bots
from tabulate import tabulate

from arena import match, replay, transcript
from arena.bench import shares_us
from arena.executor.local import LocalExecutor, cores_by_slot
from arena.match import Contender, Played, Sitting
from arena.sandbox import tree

PIPE_ROUNDS = 20_000
PEERS = Path(__file__).parent / "peers.py"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, default=40, help="of a game")
    parser.add_argument("--games", type=int, default=200, help="in scope sitting, for each worker")
    parser.add_argument("--starts", type=int, default=20, help="games in scope game, for each worker")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter with kaggle-environments and open_spiel")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        measure(given, folder)
    if given.peers:
        subprocess.run([given.peers, PEERS], check=True)


def measure(given: argparse.Namespace, folder: Path) -> None:
    bot = trivial_bots.contender("c", folder)
    pipe = trivial_bots.compile_c(trivial_bots.SOURCES / "pipe.c", folder / "pipe")
    request, reply = bytes_a_ply(bot, given.plies)
    print(f"{given.plies} plies a game; a request has {request} bytes, a reply {reply}; {os.cpu_count()} cores")
    print(f"the rules of the game alone: {rules_us(given.plies):.1f} µs a ply")
    rows = []
    for workers in (1, 2):
        with trivial_bots.on_cores(workers):
            cores = cores_by_slot(workers)
        floor_us = min(pipe_us(pipe, request, reply, cores) for _ in range(given.repeats))
        if workers == 1:
            pipe_alone_us = floor_us
        rows.append(["pipe, C to C", "", workers, f"{floor_us:.1f}", "1.0", "", "", ""])
        for scope, sandbox in (("sitting", "off"), ("sitting", "required"), ("game", "off"), ("game", "required")):
            found = [played_us(given, bot, workers, scope, sandbox) for _ in range(given.repeats)]
            wall_us, share_us, cpu_us = (min(column) for column in zip(*found, strict=True))
            figures = [wall_us, wall_us / floor_us, share_us, share_us / pipe_alone_us, cpu_us]
            rows.append([f"scope {scope}", sandbox, workers, *(f"{figure:.1f}" for figure in figures)])
    headers = ["what", "sandbox", "workers", "µs/ply", "x pipe", "answer to request", "x pipe alone", "CPU"]
    print(tabulate(rows, headers, disable_numparse=True, colalign=("left", "left", *["right"] * 6)))


def played_us(
    given: argparse.Namespace, bot: Contender, workers: int, scope: str, sandbox: str
) -> tuple[float, float, float]:
    """Wall time a ply, the time from an answer to the next request, and the workers' CPU time a ply, in µs."""
    each = given.games if scope == "sitting" else 1
    count = workers if scope == "sitting" else given.starts * workers
    jobs = trivial_bots.sittings(bot, count=count, games_each=each, plies=given.plies, sandbox=sandbox)
    with trivial_bots.on_cores(workers), LocalExecutor(workers) as executor:
        play(executor, jobs[:1] * workers)  # every worker has started a sandbox
        cpu_before_s, start_s = workers_cpu_s(), time.perf_counter()
        games = play(executor, jobs)
        wall_s, cpu_s = time.perf_counter() - start_s, workers_cpu_s() - cpu_before_s
    plies = plies_of(games)
    return (
        wall_s / plies * 1e6,
        statistics.median(statistics.mean(shares_us(played)) for played in games),
        cpu_s / plies * 1e6,
    )


def play(executor: LocalExecutor, jobs: Sequence[Sitting]) -> list[Played]:
    """Play them all."""
    games = [played for finished in executor.play(jobs) for _, found in finished for played in found]
    assert not any(played.result.faults for played in games)
    return games


def plies_of(games: Sequence[Played]) -> int:
    return sum(played.result.plies for played in games)


def workers_cpu_s() -> float:
    """CPU time so far of the worker processes of this one."""
    return sum(map(tree.process_cpu_s, tree.children(os.getpid())))


def pipe_us(pipe: Path, request: int, reply: int, cores: Sequence[frozenset[int]]) -> float:
    """µs a round trip of the plain pipe, one pair of programs for each set of cores, all at once."""
    before = os.sched_getaffinity(0)
    running = []
    for own in cores:
        os.sched_setaffinity(0, own)
        argv = [pipe, str(PIPE_ROUNDS), str(request), str(reply)]
        running.append(subprocess.Popen(argv, stdout=subprocess.PIPE, text=True))
    os.sched_setaffinity(0, before)
    figures = [float(process.communicate()[0]) for process in running]
    return 1 / sum(1 / figure for figure in figures)


def bytes_a_ply(bot: Contender, plies: int) -> tuple[int, int]:
    """The mean length of a request and of a reply."""
    (job,) = trivial_bots.sittings(bot, count=1, games_each=1, plies=plies, sandbox="off")
    record = replay.complete(transcript.unpack(match.play_sitting(job)[0].transcript))
    asked = [len(message.line) + 1 for message in record.messages if message.line.startswith(b'{"type":"act"')]
    answered = [len(message.line) + 1 for message in record.messages if message.line.startswith(b'{"type":"action"')]
    return sum(asked) // len(asked), sum(answered) // len(answered)


def rules_us(plies: int) -> float:
    """What the game itself takes a ply: whose turn, legal actions, view, apply, events for both seats."""
    options = steps.Options(plies=plies)
    best = float("inf")
    for _ in range(20):
        state = steps.initial(steps.Deal(0), options)
        start = time.perf_counter()
        while (seat := steps.seat_to_act(state)) is not None:
            action = steps.legal_actions(state)[0]
            steps.view(state, seat)
            after = steps.apply(state, action)
            for viewer in range(2):
                steps.events(state, action, after, viewer)
            state = after
        best = min(best, time.perf_counter() - start)
    return best / plies * 1e6


if __name__ == "__main__":
    sys.exit(main())
