"""Options and arguments that several commands share."""

from pathlib import Path

import click

from arena.errors import ArenaError
from arena.store import FILE, Store

results = click.option(
    "--results",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("results"),
    show_default=True,
    help="The folder with one folder an event.",
)
event = click.argument("event", type=click.Path(path_type=Path))
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")


def open_event(path: Path) -> Store:
    """The record of an event, to read: given its folder, its file, or its name below `results`."""
    for folder in (path, path.parent if path.name == FILE else path, Path("results") / path):
        if (folder / FILE).is_file():
            return Store(folder)
    known = sorted(found.parent.name for found in Path("results").glob(f"*/{FILE}"))
    there = f" There are, below results: {', '.join(known)}" if known else ""
    raise ArenaError(f"{path}: there is no event here (no {FILE}).{there}")
