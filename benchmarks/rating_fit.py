"""How long a rating table takes: `python benchmarks/rating_fit.py [BOTS] [GAMES]`, by default 100 bots and 10^6 games.

Games are drawn from known strengths, in pairs with exchanged seats; once with a deal for each pair, once with deals
that all pairings share. Times are of one process; `count` reads the records, `fit` does all else.
"""

import random
import sys
import time
from statistics import median

from arena.model import GameResult
from arena.ratings.bradley_terry import fit
from arena.ratings.pairs import count


def games_of(bots: int, games: int, *, shared: bool) -> tuple[list[str], list[GameResult]]:
    chance = random.Random(1)
    names = [f"bot{k:03d}" for k in range(bots)]
    strength = {name: chance.gauss(0, 150) for name in names}
    pairings = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    found: list[GameResult] = []
    deal = 0
    while len(found) < games:
        for number, (a, b) in enumerate(pairings, start=1):
            for leg, (zero, one) in enumerate(((a, b), (b, a))):
                expected = 1 / (1 + 10 ** ((strength[one] - strength[zero] - 20) / 400))
                drawn = chance.random()
                half_points = (2, 0) if drawn < expected - 0.05 else (1, 1) if drawn < expected + 0.05 else (0, 2)
                found.append(
                    GameResult(
                        number=len(found) + 1,
                        round=1,
                        pairing=number,
                        deal=deal if shared else deal * len(pairings) + number,
                        leg=leg,
                        entrants=(zero, one),
                        half_points=half_points,
                        reason="simulated",
                    )
                )
            if len(found) >= games:
                return names, found
        deal += 1
    return names, found


def main() -> None:
    bots = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    games = int(float(sys.argv[2])) if len(sys.argv) > 2 else 1_000_000
    print(f"{bots} bots, {games} games")
    for shared in (False, True):
        names, results = games_of(bots, games, shared=shared)
        started = time.perf_counter()
        counts = count(results, names)
        counted = time.perf_counter() - started
        times = []
        for _ in range(5):
            started = time.perf_counter()
            table = fit(counts)
            times.append(time.perf_counter() - started)
        kind = "shared deals" if shared else "a deal each  "
        print(
            f"{kind}  count {counted:6.2f} s   fit with intervals and {len(names) ** 2} probabilities "
            f"{median(times):6.2f} s   rows of counts {len(counts.times)}"
        )
        print(f"    best {table.rows[0].entrant} {table.rows[0].rating:.0f} ± {table.rows[0].ci95:.1f}")


if __name__ == "__main__":
    main()
