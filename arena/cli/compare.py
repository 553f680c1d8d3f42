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
from arena.cli.standings import faults_lines, faults_text
from arena.executor.local import LocalExecutor
from arena.formats import Round
from arena.match import Played
from arena.ratings import sequential
from arena.ratings.sprt import sprt
from arena.record import faults_by_code
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
    names = [bot.id for bot in config.bots]
    with (
        tempfile.TemporaryDirectory(prefix="arena-") as scratch,
        Event(config, keep or Path(scratch) / "event") as event,
    ):
        watch = Watch(names[0], judge, most_pairs=max_pairs, quiet=as_json)
        for result in event.store.results():
            watch.add(result.entrants, result.half_points)
        if not watch.decided:
            slots = workers or configs.worker_count()
            with contextlib.suppress(_Decided), LocalExecutor(slots, handlers=event.log_handlers) as executor:
                event.play(executor, watch)
        verdict = watch.verdict()
        counted = event.store.faults()
        faults = faults_by_code(counted)
        ends = [(result.forfeit_by, result.reason) for result in event.store.results()]
        forfeits = [seat is not None or reason == "double-forfeit" for seat, reason in ends]
        fault_lines = faults_lines(event.store) if keep else list(faults_text(counted).values())
        if fault_lines and not keep:
            fault_lines.append("with --keep FOLDER the games can be looked at")
    if as_json:
        found = {"bots": names, "better": verdict.better, **verdict.facts}
        click.echo(msgspec.json.encode({**found, "faults": faults, "forfeits": sum(forfeits)}))
    else:
        words = {0: f"{names[0]} is better", 1: f"{names[1]} is better", None: "undecided"}
        if bounds:
            words |= {0: f"{bounds[1]:g} Elo is accepted", 1: f"{bounds[0]:g} Elo is accepted"}
        counts = ", ".join(map(str, verdict.facts["counts"]))
        points = f"pairs with 0, ½, 1, 1½, 2 points for {names[0]}: {counts}"
        for line in (verdict.text, verdict.how_to_read, points, *fault_lines):
            console.prose(line)
        if any(forfeits):
            were = "was" if sum(forfeits) == 1 else "were"
            console.prose(f"{sum(forfeits)} of {len(forfeits)} games {were} decided by a fault")
        console.prose(f"{words[verdict.better]} after {watch.pairs} pairs")
    raise click.exceptions.Exit({0: A_IS_BETTER, 1: B_IS_BETTER, None: UNDECIDED}[verdict.better])


class Verdict(msgspec.Struct, frozen=True):
    """What is known so far: `better` is 0 or 1 for the first or second bot, None while undecided."""

    better: int | None
    text: str
    how_to_read: str
    facts: dict[str, Any]


Judge = Callable[[sequential.Counts], Verdict]


class _Decided(Exception):  # noqa: N818 - the good end
    """The answer is known: play no more."""


class Watch:
    """An observer that looks after every pair and stops the event when the answer is known.

    It tells how things stand now and then, but not at the end, where the command does.
    """

    def __init__(self, first: str, judge: Judge, *, most_pairs: int, quiet: bool) -> None:
        self._first = first
        self._judge = judge
        self._most_pairs = most_pairs
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
        over = self.decided or self.pairs == self._most_pairs
        if not self._quiet and not over and self.pairs % SHOW_EVERY == 0:
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
        text = (
            f"{look.pairs} pairs: score {_percent(look.share)} %, {_percent(1 - alpha)} % interval "
            f"{_percent(look.low)}–{_percent(look.high)} %; Elo {_elo(look)}"
        )
        facts = {"pairs": look.pairs, "share": look.share, "low": look.low, "high": look.high, "counts": counts}
        return Verdict(look.better, text, "the interval is valid at every look, however often one looks", facts)

    return judge


def _sprt_judge(bounds: tuple[float, float], alpha: float) -> Judge:
    def judge(counts: sequential.Counts) -> Verdict:
        state = sprt(counts, elo0=bounds[0], elo1=bounds[1], alpha=alpha, beta=alpha, model="logistic")
        text = f"{sum(counts)} pairs: log-likelihood ratio {state.llr:.2f}"
        how = (
            f"at {state.lower:.2f} or below {bounds[0]:g} Elo is accepted, at {state.upper:.2f} or above {bounds[1]:g}"
        )
        better = {None: None, "elo1": 0, "elo0": 1}[state.accepted]
        return Verdict(better, text, how, {"pairs": sum(counts), "llr": state.llr, "counts": counts})

    return judge


def _percent(share: float) -> str:
    return f"{100 * share:.3g}"


def _elo(look: sequential.Look) -> str:
    low, high = look.elo_low, look.elo_high
    if low is None and high is None:
        return "not known yet"
    if high is None:
        return f"{low:+.0f} or more"
    if low is None:
        return f"{high:+.0f} or less"
    return f"{low:+.0f} to {high:+.0f}"
