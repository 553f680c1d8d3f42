"""False alarms and stopping times of `arena compare` by simulation: `python benchmarks/compare_alarms.py [RUNS]`.

Every run looks after every pair. A z-test at 5 % that is looked at as often stands beside it (from the 30th pair on).
"""

import math
import sys

import numpy as np
from tabulate import tabulate

from arena.ratings.sequential import SHARES, STAKES

Z95, ALPHA = 1.959964, 0.05
LOOKS = 5000
EQUAL = {
    "decisive deals": (0.05, 0.10, 0.70, 0.10, 0.05),
    "coin flips": (0.5, 0.0, 0.0, 0.0, 0.5),
    "noisy": (0.3, 0.15, 0.1, 0.15, 0.3),
    "mostly draws": (0.0, 0.05, 0.9, 0.05, 0.0),
    "skewed": (0.10, 0.0, 0.75, 0.10, 0.05),
}
BETTER_BY = (0.02, 0.05, 0.10, 0.20)


def first_answer(drawn: np.ndarray) -> tuple[int, int]:
    """The pair at which the betting test decides (0: never), and for whom."""
    capital = []
    for shares in (SHARES, SHARES[::-1]):
        sums = np.cumsum(np.log1p(STAKES[:, None] * (2 * shares - 1))[:, drawn], axis=1)
        top = sums.max(axis=0)
        capital.append(top + np.log(np.exp(sums - top).mean(axis=0)))
    over = np.array(capital) >= math.log(2 / ALPHA)
    if not over.any():
        return 0, 0
    at = int(over.any(axis=0).argmax())
    return at + 1, 0 if over[0, at] else 1


def z_test_alarms(drawn: np.ndarray) -> bool:
    number = np.arange(1, drawn.size + 1)
    mean = np.cumsum(SHARES[drawn]) / number
    variance = np.maximum(1e-12, np.cumsum(SHARES[drawn] ** 2) / number - mean**2)
    return bool((np.abs(mean - 0.5) / np.sqrt(variance / number) > Z95)[30:].any())


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    random = np.random.default_rng(1)
    rows = []
    for name, shares in EQUAL.items():
        drawn = [random.choice(5, size=LOOKS, p=shares) for _ in range(runs)]
        alarms = np.mean([first_answer(run)[0] > 0 for run in drawn])
        rows.append([name, f"{100 * alarms:.1f} %", f"{100 * np.mean([z_test_alarms(run) for run in drawn]):.1f} %"])
    print(tabulate(rows, ["equal bots", f"false alarms in {LOOKS} looks", "z-test"], tablefmt="github"))
    rows = []
    for better_by in BETTER_BY:
        shares = np.array([0.05 - better_by / 4, 0.10, 0.70 - better_by / 2, 0.10, 0.05 + better_by * 3 / 4])
        mean = float(shares @ SHARES)
        fixed = ((Z95 + 1.281552) / (mean - 0.5)) ** 2 * float(shares @ (SHARES - mean) ** 2)
        found = [first_answer(random.choice(5, size=20 * LOOKS, p=shares)[: int(20 * fixed)]) for _ in range(runs // 5)]
        stops = np.array([stop for stop, _ in found if stop])
        wrong = sum(who for _, who in found)
        rows.append(
            [
                f"{100 * mean:.1f} %",
                f"{100 * stops.size / len(found):.0f} %",
                wrong,
                f"{stops.mean():.0f}",
                f"{np.median(stops):.0f}",
                f"{np.quantile(stops, 0.9):.0f}",
                f"{fixed:.0f}",
            ]
        )
    head = ["true share", "decided", "wrong", "mean pairs", "median", "90 %", "fixed test, power 90 %"]
    print(tabulate(rows, head, tablefmt="github"))


if __name__ == "__main__":
    main()
