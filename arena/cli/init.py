"""`arena init`: a folder with a tournament that runs at once."""

import shlex
from pathlib import Path

import click

from arena import starters
from arena.cli import event_options
from arena.starters import tournament


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@event_options.for_game
@event_options.language
def command(folder: Path, game: str, language: str) -> None:
    """Make a FOLDER with a tournament, two bots and a README.

    \b
    Example:
      arena init my-tournament
      arena run my-tournament/tournament.yaml
    """
    config = tournament.create(folder, game=game, language=language)
    click.echo(f"Wrote {folder}: {config.name}, two bots in bots/, README.md.")
    for program in starters.missing_programs(language):
        click.echo(f"This machine has no `{program}` on its PATH: install it first.")
    click.echo(f"Next: {shlex.join(['arena', 'run', str(config)])}")
