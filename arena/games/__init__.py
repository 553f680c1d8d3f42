"""The games that ship with Arena, and those that plug-ins bring. To add one: docs/adding-a-game.md."""

import importlib
import traceback
from functools import cache
from importlib.metadata import entry_points
from typing import cast

from arena.errors import UnknownNameError, UsageError
from arena.game import Game

GAMES: dict[str, str] = {
    "hidden-leaders-duel": "arena.games.hidden_leaders_duel",
    "leaders": "arena.games.leaders",
    "leaders-expert": "arena.games.leaders_expert",
}

BRIDGES: dict[str, str] = {"openspiel:": "arena.games.openspiel"}
"""Modules whose `load` finds games of other libraries: by the prefix of a name, not listed."""


def exists(name: str) -> bool:
    """Whether `load` would look for a game of this name, in a table or behind a bridge."""
    return name in names() or name.startswith(tuple(BRIDGES))


def names() -> list[str]:
    """The names of all games, plug-ins (entry-point group `arena.games`) included, sorted."""
    return sorted({*GAMES, *(point.name for point in entry_points(group="arena.games"))})


@cache
def load(name: str) -> Game:
    """The module of the game called `name`.

    Raises UnknownNameError for a name that is in no table, UsageError for a plug-in that cannot be imported.
    """
    if name in GAMES:
        return cast("Game", importlib.import_module(GAMES[name]))
    for prefix, module in BRIDGES.items():
        if name.startswith(prefix):
            return cast("Game", importlib.import_module(module).load(name))
    for point in entry_points(group="arena.games", name=name):
        try:
            return cast("Game", point.load())
        except (Exception, SystemExit) as error:
            why = _import_problem(error, point.module)
            raise UsageError(f"the game {name!r} of {point.value} cannot be imported: {why}") from error
    raise UnknownNameError("game", name, names())


def _import_problem(error: BaseException, module: str) -> str:
    """What went wrong, with file and line where the plug-in's own code is to blame."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_file(error.filename)}:{error.lineno}: {error.msg}"
    text = "".join(traceback.format_exception_only(error)).strip()
    package = module.partition(".")[0]
    frames = traceback.walk_tb(error.__traceback__)
    own = [(f, line) for f, line in frames if f.f_globals.get("__name__", "").partition(".")[0] == package]
    if not own:
        return text
    frame, line = own[-1]
    return f"{_file(frame.f_code.co_filename)}:{line}: {text}"


def _file(path: str) -> str:
    """A source file's name; that of a package with its folder's."""
    return "/".join(path.split("/")[-2 if path.endswith("/__init__.py") else -1 :])
