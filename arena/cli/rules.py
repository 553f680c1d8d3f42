"""`arena rules`: the page of a game."""

import inspect
from pathlib import Path

import click

import arena
from arena import games
from arena.cli import completion
from arena.errors import UsageError

HEAD_LINES = 6  # a page that serves several games names them this early


def page(name: str) -> str:
    """The page of the game called `name`, Markdown. Raises UnknownNameError, UsageError if it has none.

    Of Arena's own games: docs/games. Of a plug-in: `rules.md` beside its module, else its docstring.
    """
    game = games.load(name)
    if name in games.GAMES:
        return _own_page(name)
    if inspect.ismodule(game) and game.__file__ and (beside := Path(game.__file__).with_name("rules.md")).is_file():
        return beside.read_text("utf-8")
    if text := inspect.getdoc(game):
        return text + "\n"
    raise UsageError(f"the game {name!r} brings no page: there is no rules.md beside its module, and no docstring")


def _own_page(name: str) -> str:
    package = Path(arena.__file__).parent
    for folder in (package / "docs" / "games", package.parent / "docs" / "games"):  # a wheel, a checkout
        for path in [folder / f"{name}.md", *sorted(folder.glob("*.md"))]:
            if path.is_file():
                text = path.read_text("utf-8")
                if path.stem == name or f"`{name}`" in "\n".join(text.splitlines()[:HEAD_LINES]):
                    return text
    raise UsageError(f"this installation of Arena lacks the page of {name!r}, docs/games/{name}.md")


@click.command()
@click.argument("game", shell_complete=completion.game_names)
def command(game: str) -> None:
    """Print the rules of GAME: what a bot sees, what it may answer, how a game ends. (Markdown.)

    \b
    Example:
      arena rules hidden-leaders-duel
    """
    click.echo(page(game), nl=False)
