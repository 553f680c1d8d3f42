"""`arena init`: a folder with a tournament that runs at once."""

import shlex
from pathlib import Path

import click

from arena import starters
from arena.cli import completion
from arena.starters import tournament


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--game",
    default="hidden-leaders-duel",
    show_default=True,
    shell_complete=completion.game_names,
    help="The game; `arena games` lists them.",
)
@click.option(
    "--lang",
    "language",
    default="python",
    show_default=True,
    metavar="LANGUAGE",
    shell_complete=completion.languages,
    help=f"Of your bot; one of {', '.join(starters.languages())}.",
)
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
