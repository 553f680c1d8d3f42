"""How long Swiss pairings take: `python benchmarks/swiss_pairing.py --entrants 33 200 --rounds 11 --fide`.

Results are drawn so that the better seed tends to win. Times are of the pairings alone, for all rounds together.
"""

import argparse
import time
from random import Random
from typing import Any

from tabulate import tabulate

from arena import formats
from arena.formats import Field
from arena.formats.scoring import bye_result
from arena.model import Pairing, PairingResult


def draw(pairing: Pairing, games: int, rng: Random) -> PairingResult:
    """A result in which each point of difference in seeding shifts the odds a little."""
    a, b = (int(str(entrant)) for entrant in pairing.entrants)
    odds = 1 / (1 + 10 ** ((a - b) / 40))
    first = sum(2 * (rng.random() < odds) for _ in range(games))
    return PairingResult(pairing=pairing, half_points=(first, 2 * games - first), games=games)


def run(name: str, entrants: int, rounds: int, games: int) -> list[Any]:
    """One row: the format, the size, seconds for all rounds, the slowest round and the number of notes."""
    format_ = formats.load(name)
    settings = format_.Settings(rounds=rounds)
    field, rng = Field(entrants=tuple(str(k) for k in range(entrants))), Random(entrants)
    times_s, notes = [], 0
    while True:
        start_s = time.perf_counter()
        made = format_.next_round(field, settings)
        times_s.append(time.perf_counter() - start_s)
        if made is None:
            return [name, entrants, len(field.rounds), games, f"{sum(times_s):.2f}", f"{max(times_s):.2f}", notes]
        notes += len(made.notes)
        results = tuple(
            bye_result(pairing, format_.scoring(settings), games_per_pairing=games)
            if pairing.is_bye
            else draw(pairing, games, rng)
            for pairing in made.pairings
        )
        field = Field(entrants=field.entrants, rounds=(*field.rounds, results))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, nargs="+", default=[33, 200])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--games", type=int, default=2, help="games of a match")
    parser.add_argument("--fide", action="store_true", help="measure swiss-fide, too")
    chosen = parser.parse_args()
    names = ["swiss", "swiss-fide"] if chosen.fide else ["swiss"]
    rows = [run(name, entrants, chosen.rounds, chosen.games) for entrants in chosen.entrants for name in names]
    headers = ["format", "entrants", "rounds", "games", "all rounds (s)", "slowest (s)", "notes"]
    print(tabulate(rows, headers, disable_numparse=True))


if __name__ == "__main__":
    main()
