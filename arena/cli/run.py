"""`arena run CONFIG`: a tournament from its first game, or from where it stopped."""

import json
import shlex
from pathlib import Path

import click

from arena import config as configs
from arena import sandbox
from arena.cli import console, event_options
from arena.cli.standings import print_standings
from arena.errors import UsageError
from arena.executor.dask import DaskExecutor
from arena.executor.local import LocalExecutor
from arena.record import tables
from arena.tournament import Event


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@event_options.results
@click.option("--workers", type=click.IntRange(1, 1024), help="Games at a time; else the config's, else one a core.")
@click.option(
    "--executor",
    "executor_name",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Play in worker processes of this machine, or on a Dask cluster.",
)
@click.option("--scheduler", metavar="ADDRESS", help="With dask: the address of the cluster's scheduler.")
@click.option("--accept-changes", is_flag=True, help="Go on although the config or the bots have changed.")
@click.option("--commit", is_flag=True, help="Only register the event and print the commitment to its deals.")
@click.option("--dry-run", is_flag=True, help="Print the schedule and play nothing.")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines as the event goes, numbered by `seq`.")
def command(
    config: Path,
    results: Path,
    workers: int | None,
    executor_name: str,
    scheduler: str | None,
    accept_changes: bool,
    commit: bool,
    dry_run: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Run the tournament of a CONFIG, or go on where it stopped; print its table.

    Everything goes to the folder RESULTS/EVENT: the event file, its log, the bots as they played. Killed at any
    instant, the same command goes on and ends with the same table.

    \b
    Example:
      arena run configs/quickstart.yaml
    """
    loaded = configs.load(config)
    if executor_name == "local" and not dry_run:
        sandbox.require(sandbox.Mode(loaded.sandbox))
    if dry_run:
        from arena.cli import dry_run as plan

        plan.print_plan(loaded, results / loaded.event)
        return
    folder = results / loaded.event
    with Event(loaded, folder, accept_changes=accept_changes) as event:
        if commit:
            facts = {"event": loaded.event, "commitment": event.store.meta("commitment"), "seal": event.store.seal}
            click.echo(json.dumps(facts))
            if not as_json:
                go_on = shlex.join(["arena", "run", str(config)])
                console.note(f"registered, and nothing played: publish this line, then `{go_on}`")
            return
        observer = console.JsonLines() if as_json else console.Progress(event.total_games(), event.store, quiet=quiet)
        if event.is_over:
            console.note(f"{folder}: this event has ended; its table:")
        else:
            console.note(f"{folder}: commitment {event.store.meta('commitment')}")
            try:
                with _executor(executor_name, scheduler, workers or loaded.workers, event) as executor:
                    event.play(executor, observer)
            finally:
                observer.stop()
        if isinstance(observer, console.JsonLines):
            observer.say("end", tables=tables(event.store))
        else:
            print_standings(event.store)


def _executor(name: str, scheduler: str | None, workers: int | None, event: Event) -> LocalExecutor | DaskExecutor:
    if name == "dask":
        if scheduler is None:
            raise UsageError("--executor dask needs --scheduler ADDRESS")
        return DaskExecutor(scheduler)
    return LocalExecutor(workers or configs.worker_count(), handlers=event.log_handlers)
