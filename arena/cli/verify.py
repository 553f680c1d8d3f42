"""`arena verify EVENT`: the proof of an event from its record alone."""

from pathlib import Path

import click

from arena import verify
from arena.cli import event_options


@click.command()
@event_options.event
def command(event: Path) -> None:
    """Prove an EVENT from its record alone, or name the first thing that does not fit (exit code 1).

    The revealed key is checked against the commitment, every deal is derived again, every game is played again with
    every message and judgement, and schedule, standings and ratings are computed again.

    \b
    Example:
      arena verify results/quickstart
    """
    with event_options.open_event(event) as store:
        for line in verify.checks(store):
            click.echo(f"{click.style('ok', fg='green')}  {line}")
