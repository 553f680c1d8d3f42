"""`arena report EVENT`: an event as one HTML file."""

from pathlib import Path

import click

from arena import report
from arena.cli import console, event_options


@click.command()
@event_options.event
@click.option(
    "--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="The file; else report.html in the event."
)
@click.option("--notes", is_flag=True, help="Tell also what the bots wrote in notes and on stderr (after the end).")
def command(event: Path, output: Path | None, notes: bool) -> None:
    """Write an EVENT as one HTML file: tables, pictures, faults, proof, and a replay of every game.

    The file needs no network and opens from the disk. Of an event that has not ended it holds what a spectator may
    see. Replays beyond four megabytes lie in a folder beside it, which belongs to it.

    \b
    Example:
      arena report results/quickstart -o quickstart.html
    """
    with event_options.open_event(event) as store:
        written = report.write(store, output or store.folder / "report.html", notes=notes)
    for note in written.notes:
        console.note(note)
    beside = f", the other replays in {written.beside}" if written.beside else ""
    click.echo(f"{written.path}: {written.games} games, {written.size / 1e6:.1f} MB{beside}")
