"""`arena compare A B`: play until it is known which bot is better."""

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from arena import config as configs
from arena import sandbox
from arena.cli import console, event_options
from arena.cli.match import two_bots
from arena.executor.local import LocalExecutor
from arena.formats import Round
from arena.match import Played
from arena.ratings import sequential
from arena.ratings.sprt import sprt
from arena.tournament import Event

A_IS_BETTER, B_IS_BETTER, UNDECIDED = 0, 1, 5
SHOW_EVERY = 10  # pairs


@click.command()
@click.argument("first", metavar="A", type=click.Path(path_type=Path))
@click.argument("second", metavar="B", type=click.Path(path_type=Path))
@event_options.game_name
@click.option("--max-pairs", type=click.IntRange(1, 10000), default=500, show_default=True, help="Give up after these.")
@click.option("--alpha", type=click.FloatRange(0.0001, 0.5), default=0.05, show_default=True, help="Risk of an error.")
@click.option(
    "--sprt",
    "bounds",
    nargs=2,
    type=float,
    metavar="ELO0 ELO1",
    help="Decide between these two differences by a sequential probability ratio test instead.",
)
@event_options.seed
@event_options.move_s
@event_options.workers
@event_options.sandbox_mode
@click.option("--keep", type=click.Path(path_type=Path), help="Keep the record in this folder; run again to go on.")
@event_options.as_json
def command(
    first: Path,
    second: Path,
    game: str,
    max_pairs: int,
    alpha: float,
    bounds: tuple[float, float] | None,
    seed: str | None,
    move_s: float,
    workers: int | None,
    sandbox_mode: str,
    keep: Path | None,
    as_json: bool,
) -> None:
    """Play A against B, both seats of each deal, until it is known which is better.

    The test may be looked at after every pair: it names the wrong bot with a probability of --alpha at most, however
    long it runs. Exit code 0: A is better (with --sprt: ELO1 is accepted); 1: B is better (ELO0 is accepted);
    5: undecided after --max-pairs.

    \b
    Example:
      arena compare bots/hidden_leaders_greedy.py bots/random_bot.py
      arena compare new.py old.py --sprt 0 20 --max-pairs 2000
    """
    sandbox.require(sandbox.Mode(sandbox_mode))
    config = two_bots(first, second, game=game, deals=max_pairs, seed=seed, move_s=move_s, sandbox_mode=sandbox_mode)
    judge = _sprt_judge(bounds, alpha) if bounds else _betting_judge(alpha)
    with (
        tempfile.TemporaryDirectory(prefix="arena-") as scratch,
        Event(config, keep or Path(scratch) / "event") as event,
    ):
        watch = Watch(config.bots[0].id, judge, quiet=as_json)
        for result in event.store.results():
            watch.add(result.entrants, result.half_points)
        if not watch.decided:
            slots = workers or configs.worker_count()
            with contextlib.suppress(_Decided), LocalExecutor(slots, handlers=event.log_handlers) as executor:
                event.play(executor, watch)
    verdict = watch.verdict()
    names = [bot.id for bot in config.bots]
    if as_json:
        click.echo(msgspec.json.encode({"bots": names, "better": verdict.better, **verdict.facts}))
    else:
        words = {0: f"{names[0]} is better", 1: f"{names[1]} is better", None: "undecided"}
        if bounds:
            words |= {0: f"{bounds[1]:g} Elo is accepted", 1: f"{bounds[0]:g} Elo is accepted"}
        click.echo(f"{verdict.text}\n{words[verdict.better]} after {watch.pairs} pairs")
    raise click.exceptions.Exit({0: A_IS_BETTER, 1: B_IS_BETTER, None: UNDECIDED}[verdict.better])


class Verdict(msgspec.Struct, frozen=True):
    """What is known so far: `better` is 0 or 1 for the first or second bot, None while undecided."""

    better: int | None
    text: str
    facts: dict[str, Any]


Judge = Callable[[sequential.Counts], Verdict]


class _Decided(Exception):  # noqa: N818 - the good end
    """The answer is known: play no more."""


class Watch:
    """An observer that looks after every pair and stops the event when the answer is known."""

    def __init__(self, first: str, judge: Judge, *, quiet: bool) -> None:
        self._first = first
        self._judge = judge
        self._quiet = quiet
        self._counts = sequential.NOTHING
        self._half: int | None = None  # what the first bot took of the first leg
        self.decided = False

    @property
    def pairs(self) -> int:
        return sum(self._counts)

    def verdict(self) -> Verdict:
        return self._judge(self._counts)

    def add(self, entrants: tuple[str, str], half_points: tuple[int, int]) -> None:
        """One more game, in schedule order: the two legs of a deal follow each other."""
        mine = half_points[entrants.index(self._first)]
        if self._half is None:
            self._half = mine
            return
        self._counts = sequential.add(self._counts, self._half + mine)
        self._half = None
        verdict = self.verdict()
        self.decided = verdict.better is not None
        if not self._quiet and (self.pairs % SHOW_EVERY == 0 or self.decided):
            console.note(verdict.text)

    def round_paired(self, round_: Round) -> None:
        """Two bots have one round."""

    def game_finished(self, played: Played, done: int, total: int | None) -> None:
        del done, total
        self.add(played.result.entrants, played.result.half_points)
        if self.decided:
            raise _Decided


def _betting_judge(alpha: float) -> Judge:
    def judge(counts: sequential.Counts) -> Verdict:
        look = sequential.look(counts, alpha=alpha)
        elo = [_elo(value) for value in (look.elo_low, look.elo, look.elo_high)]
        text = (
            f"{look.pairs} pairs: score {look.share:.1%}, in [{look.low:.1%}, {look.high:.1%}] with "
            f"{1 - alpha:.0%} at all looks together; Elo {elo[1]} in [{elo[0]}, {elo[2]}]"
        )
        facts = {"pairs": look.pairs, "share": look.share, "low": look.low, "high": look.high, "counts": counts}
        return Verdict(look.better, text, facts)

    return judge


def _sprt_judge(bounds: tuple[float, float], alpha: float) -> Judge:
    def judge(counts: sequential.Counts) -> Verdict:
        state = sprt(counts, elo0=bounds[0], elo1=bounds[1], alpha=alpha, beta=alpha, model="logistic")
        text = f"{sum(counts)} pairs {counts}: LLR {state.llr:.2f} in [{state.lower:.2f}, {state.upper:.2f}]"
        better = {None: None, "elo1": 0, "elo0": 1}[state.accepted]
        return Verdict(better, text, {"pairs": sum(counts), "llr": state.llr, "counts": counts})

    return judge


def _elo(value: float | None) -> str:
    return "unbounded" if value is None else f"{value:+.0f}"
