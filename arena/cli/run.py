"""`arena run CONFIG`: a tournament from its first game, or from where it stopped."""

import json
from pathlib import Path

import click

from arena import config as configs
from arena import sandbox
from arena.cli import console, event_options
from arena.cli.standings import print_standings
from arena.executor.local import LocalExecutor
from arena.tournament import Event


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@event_options.results
@click.option("--workers", type=click.IntRange(1, 1024), help="Games at a time; else the config's, else one a core.")
@click.option("--accept-changes", is_flag=True, help="Go on although the config or the bots have changed.")
@click.option("--commit", is_flag=True, help="Only register the event and print the commitment to its deals.")
@click.option("--dry-run", is_flag=True, help="Print the schedule and play nothing.")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
def command(
    config: Path,
    results: Path,
    workers: int | None,
    accept_changes: bool,
    commit: bool,
    dry_run: bool,
    quiet: bool,
) -> None:
    """Run the tournament of a CONFIG, or go on where it stopped; print its table.

    Everything goes to the folder RESULTS/EVENT: the event file, its log, the bots as they played. Killed at any
    instant, the same command goes on and ends with the same table.

    \b
    Example:
      arena run configs/quickstart.yaml
    """
    loaded = configs.load(config)
    sandbox.require(sandbox.Mode(loaded.sandbox))
    if dry_run:
        from arena.cli import dry_run as plan

        plan.print_plan(loaded)
        return
    folder = results / loaded.event
    with Event(loaded, folder, accept_changes=accept_changes) as event:
        if commit:
            facts = {"event": loaded.event, "commitment": event.store.meta("commitment"), "seal": event.store.seal}
            click.echo(json.dumps(facts))
            return
        if event.is_over:
            console.note(f"{folder}: this event has ended; its table:")
        else:
            console.note(f"{folder}: commitment {event.store.meta('commitment')}")
            progress = console.Progress(event.total_games(), quiet=quiet)
            try:
                with LocalExecutor(
                    workers or loaded.workers or configs.worker_count(), handlers=event.log_handlers
                ) as executor:
                    event.play(executor, progress)
            finally:
                progress.stop()
        print_standings(event.store)
