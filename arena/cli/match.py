"""`arena match A B`: games between two bots, without a config."""

import shlex
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import click

from arena import config as configs
from arena import games, sandbox
from arena.bot import manifest
from arena.cli import console, event_options
from arena.cli.standings import print_standings
from arena.config import Config, ConfigBot, RatingScale
from arena.errors import UsageError
from arena.executor.local import LocalExecutor
from arena.formats import round_robin
from arena.game import from_json
from arena.model import GameResult, Limits, Policies
from arena.tournament import Event


@click.command()
@click.argument("first", metavar="A", type=click.Path(path_type=Path))
@click.argument("second", metavar="B", type=click.Path(path_type=Path))
@event_options.game_name
@click.option("--deals", type=click.IntRange(1, 10000), default=5, show_default=True, help="Deals; two games each.")
@event_options.seed
@event_options.move_s
@event_options.workers
@event_options.sandbox_mode
@click.option("--keep", type=click.Path(path_type=Path), help="Keep the event's record in this folder.")
def command(
    first: Path,
    second: Path,
    game: str,
    deals: int,
    seed: str | None,
    move_s: float,
    workers: int | None,
    sandbox_mode: str,
    keep: Path | None,
) -> None:
    """Play games between two bots, A and B, and print the table.

    Each deal is played twice, with seats exchanged. A bot is a `.py` file or a folder with `bot.yaml`.

    \b
    Example:
      arena match bots/random_bot.py bots/hidden_leaders_greedy.py --deals 10 --seed 7
    """
    sandbox.require(sandbox.Mode(sandbox_mode))
    config = two_bots(first, second, game=game, deals=deals, seed=seed, move_s=move_s, sandbox_mode=sandbox_mode)
    with tempfile.TemporaryDirectory(prefix="arena-") as scratch:
        folder = keep or Path(scratch) / "match"
        with Event(config, folder) as event:
            if event.is_over:
                console.note(f"{folder}: this match was played before; its table:")
            progress = console.Progress(event.total_games(), event.store)
            try:
                with LocalExecutor(workers or configs.worker_count(), handlers=event.log_handlers) as executor:
                    event.play(executor, progress)
            finally:
                progress.stop()
            print_standings(event.store, kept=keep is not None)
            faults = faults_lines(event.store.results())
    for line in faults:
        console.prose(console.plain(line))
    if faults and not keep:
        console.note("to look closer, play with --keep FOLDER; `arena show FOLDER/NUMBER` then shows a game")
    if keep:
        console.note(f"kept in {keep}; `{shlex.join(['arena', 'show', f'{keep}/1'])}` shows the first game")


def faults_lines(results: Iterable[GameResult]) -> list[str]:
    """Who broke which rule how often, and what happened at the first time."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for result in results:
        for fault in result.faults:
            kind = (result.entrants[fault.seat], fault.code)
            counts[kind] += 1
            where = "before the first request" if fault.ply is None else f"at ply {fault.ply}"
            words = fault.stderr_tail.strip().rpartition("\n")[2]
            last = f" (last line of stderr: {words})" if words else ""
            first.setdefault(kind, f"game {result.number} {where}: {fault.text}{last}")
    return [
        f"{who}: {code} {'once' if count == 1 else f'{count} times'}, first in {first[who, code]}"
        for (who, code), count in counts.items()
    ]


def two_bots(
    first: Path, second: Path, *, game: str, deals: int, seed: str | None, move_s: float, sandbox_mode: str
) -> Config:
    """The config of a match. Raises UsageError or ConfigError for what cannot be played."""
    rules = games.load(game)
    names = [path.resolve().stem for path in (first, second)]
    ids = [f"{names[0]}-a", f"{names[1]}-b"] if names[0] == names[1] else names
    bots = []
    for id_, path in zip(ids, (first, second), strict=True):
        if (problem := manifest.misplaced(path)) is not None:
            raise UsageError(f"{path}: {problem}")
        bot = manifest.read(path)
        bots.append(ConfigBot(id=id_, name=bot.name, path=str(path), location=path.resolve()))
    return Config(
        event="match",
        game=game,
        options=from_json({}, rules.Options),
        format="round-robin",
        format_settings=round_robin.Settings(),
        deals_per_pairing=deals,
        paired=True,
        deals="shared",
        scope="game",
        sandbox=sandbox_mode,  # type: ignore[arg-type]  # click has checked it
        ponder=False,
        limits=Limits(move_s=move_s),
        policies=Policies(),
        tie_breaks=(),
        rating=RatingScale(),
        bots=tuple(bots),
        seed=seed,
    )
