"""What a ply of Connect Four costs in other frameworks, whose bots are functions in the same process.

`python benchmarks/peers.py`, by an interpreter that has kaggle-environments and open_spiel; needs nothing of Arena.
Both bots draw a legal column at random. Neither framework sandboxes, times or records at this price.
"""

import argparse
import random
import time
from collections.abc import Callable
from importlib.metadata import version


def open_spiel(plies: int) -> tuple[str, int, float]:
    """Version, plies played and seconds, of OpenSpiel's own loop with two bots in Python."""
    import pyspiel

    class Bot:
        def step(self, state: "pyspiel.State") -> int:
            return random.choice(state.legal_actions())

    game, bots, done = pyspiel.load_game("connect_four"), (Bot(), Bot()), 0
    start_s = time.perf_counter()
    while done < plies:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
            done += 1
    return version("open_spiel"), done, time.perf_counter() - start_s


def kaggle_environments(plies: int) -> tuple[str, int, float]:
    """The same of kaggle-environments."""
    import kaggle_environments as kaggle

    def bot(observation: dict, configuration: dict) -> int:
        return random.choice([c for c in range(configuration["columns"]) if observation["board"][c] == 0])

    done = 0
    start_s = time.perf_counter()
    while done < plies:
        done += len(kaggle.make("connectx").run([bot, bot])) - 1
    return kaggle.__version__, done, time.perf_counter() - start_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    random.seed(1)
    measured: list[tuple[str, Callable[[int], tuple[str, int, float]], int]] = [
        ("OpenSpiel", open_spiel, 20_000),
        ("kaggle-environments", kaggle_environments, 100),
    ]
    for name, function, plies in measured:
        try:
            found = [function(plies) for _ in range(given.repeats)]
        except ImportError as error:
            print(f"{name}: not installed ({error})")
            continue
        best = min(seconds / done for _, done, seconds in found)
        print(f"{name} {found[0][0]}: {best * 1e6:,.1f} µs a ply")


if __name__ == "__main__":
    main()
