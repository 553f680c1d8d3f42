"""`arena new-bot`: a folder with a bot that runs at once."""

import shlex
from pathlib import Path

import click

from arena import starters
from arena.cli import event_options

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.argument("name")
@event_options.language
@event_options.for_game
@click.option(
    "--dir", "parent", type=FOLDER, default=Path(), metavar="FOLDER", help="Make the bot's folder in here (default: .)."
)
def command(name: str, language: str, game: str, parent: Path) -> None:
    """Make a folder NAME with a bot that plays at random, to write your own ideas into.

    \b
    Example:
      arena new-bot my-bot --lang rust --game leaders
    """
    home = starters.create(name, language=language, game=game, parent=parent)
    click.echo(f"Wrote {home}: your ideas go into `choose` in {starters.source(language).name}.")
    for program in starters.missing_programs(language):
        click.echo(f"This machine has no `{program}` on its PATH: install it first.")
    click.echo(f"Next: {shlex.join(['arena', 'check', str(home), '--game', game])}")
