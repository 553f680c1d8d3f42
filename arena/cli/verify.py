"""`arena verify EVENT`: the proof of an event from its record alone."""

from pathlib import Path

import click

from arena import config as configs
from arena import verify
from arena.cli import console, event_options
from arena.executor.spread import spread


@click.command()
@event_options.event
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes that play games again; else one a core.")
def command(event: Path, workers: int | None) -> None:
    """Prove an EVENT from its record alone, or name the first thing that does not fit (exit code 1).

    The revealed key is checked against the commitment, every deal is derived again, every game is played again with
    every message and judgement, and schedule, standings and ratings are computed again.

    \b
    Example:
      arena verify results/quickstart
    """
    with (
        event_options.open_event(event) as store,
        spread(workers or configs.worker_count()) as side_by_side,
        console.Bar("games played again") as bar,
    ):
        for line in verify.checks(store, spread=side_by_side, told=bar.show):
            click.echo(f"{click.style('ok', fg='green')}  {line}")
        click.echo(f"{store.folder}: all of it fits")
