"""What a sandbox adds to a bot's start, and to a message: `python benchmarks/sandbox_start.py [STARTS]`.

The same program is started plainly and in each sandbox in turn, in one run, so that whatever else the machine does
falls on all of them alike. "ready" is from the call to the bot's first byte; "prepared" the same when the sandbox was
launched beforehand, as Arena does while the game before is played. CPU time until the first byte says most on a busy
machine; where a cgroup counts, it is that of the sandbox's own processes, too, else of the bot alone. A round trip is
one line to the bot and back.
"""

import os
import select
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tabulate import tabulate

from arena.model import Limits
from arena.sandbox import Child, Program, survey
from arena.sandbox.starter import PLAIN, Shape, launch

SHAPES = {
    "plain process": PLAIN,
    "full": survey().shape,
    "full, no cgroup": survey(frozenset({"cgroup"})).shape,
    "fallback": survey(frozenset({"userns"})).shape,
}
PROGRAMS = {
    "sh": ("sh", "-c", "echo ready; while read -r line; do echo $line; done"),
    "python3": ("python3", "-u", "-S", "-c", "import sys\nprint('ready')\nfor line in sys.stdin: print(line, end='')"),
}
ROUND_TRIPS = 200


def read_line(child: Child) -> None:
    while select.select([child.stdout], [], [], 20)[0]:
        if os.read(child.stdout, 4096).endswith(b"\n"):
            return
    raise TimeoutError("the bot says nothing")


def measure(shape: Shape, argv: tuple[str, ...], folder: Path) -> dict[str, float]:
    """Milliseconds, of one start."""
    began_s = time.perf_counter()
    child = launch(shape, Program(argv=argv, folder=folder), Limits())
    launched_s = time.perf_counter()
    child.release(20)
    released_s = time.perf_counter()
    read_line(child)
    ready_s = time.perf_counter()
    cpu_s = child.cpu_s()
    trips = []
    for _ in range(ROUND_TRIPS):
        sent_s = time.perf_counter()
        os.write(child.stdin, b"x\n")
        read_line(child)
        trips.append(time.perf_counter() - sent_s)
    stopped_s = time.perf_counter()
    child.pause()
    child.resume()
    resumed_s = time.perf_counter()
    child.close()
    closed_s = time.perf_counter()
    seconds = {
        "launch": launched_s - began_s,
        "ready": ready_s - began_s,
        "prepared": ready_s - released_s,
        "cpu": cpu_s,
        "round trip": statistics.median(trips),
        "stop and go": resumed_s - stopped_s,
        "close": closed_s - resumed_s,
    }
    return {name: value * 1000 for name, value in seconds.items()}


def main(starts: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        rows = []
        for program, argv in PROGRAMS.items():
            found: dict[str, list[dict[str, float]]] = {shape: [] for shape in SHAPES}
            for number in range(starts + 1):
                for shape in SHAPES:
                    figures = measure(SHAPES[shape], argv, folder)
                    if number:  # the first one fills caches
                        found[shape].append(figures)
            for shape, measured in found.items():
                medians = {key: statistics.median(one[key] for one in measured) for key in measured[0]}
                fastest = min(one["ready"] for one in measured)
                rows.append([program, shape, fastest, *medians.values()])
    headers = ["program", "sandbox", "fastest ready", *medians]
    print("milliseconds, medians but for the fastest")
    print(tabulate(rows, headers=headers, floatfmt=".3f"))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
