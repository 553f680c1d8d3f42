"""Options and arguments that several commands share."""

import contextlib
from pathlib import Path

import click

from arena import starters
from arena.cli import completion
from arena.errors import ArenaError, UsageError
from arena.store import FILE, Store

results = click.option(
    "--results",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("results"),
    show_default=True,
    help="The folder with one folder an event.",
)
event = click.argument("event", type=click.Path(path_type=Path))
game = click.argument("game", metavar="GAME")
for_game = click.option(
    "--game",
    default="hidden-leaders-duel",
    show_default=True,
    shell_complete=completion.game_names,
    help="The game it is for; `arena games` lists them.",
)
language = click.option(
    "--lang",
    "language",
    default="python",
    show_default=True,
    metavar="LANGUAGE",
    shell_complete=completion.languages,
    help=f"The bot's; one of {', '.join(starters.languages())}.",
)
sandbox_mode = click.option(
    "--sandbox",
    "sandbox_mode",
    type=click.Choice(["required", "best-effort", "off"]),
    default="required",
    show_default=True,
    help="Refuse to run without the full sandbox, use what there is, or use none (own bots only).",
)
game_name = click.option(
    "--game", default="hidden-leaders-duel", show_default=True, help="The game's name; see `arena games`."
)
seed = click.option("--seed", help="Text or number that fixes the deals; else they are drawn by the operating system.")
move_s = click.option(
    "--move-s", type=click.FloatRange(0.001), default=1.0, show_default=True, help="Seconds for each action."
)
workers = click.option("--workers", type=click.IntRange(1, 1024), help="Games at a time; else one a core.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")


RESULTS = Path("results")


def open_event(path: Path) -> Store:
    """The record of an event, to read: given its folder, its file, or its name below `results`."""
    if (folder := _folder(path)) is not None:
        return Store(folder)
    known = sorted(found.parent.name for found in RESULTS.glob(f"*/{FILE}"))
    there = f" There are, below {RESULTS}: {', '.join(known)}" if known else ""
    raise ArenaError(f"{path}: there is no event here (no {FILE}).{there}")


def open_game(text: str) -> tuple[Store, int]:
    """The record of the event that has a game, and the game's number.

    `EVENT/GAME`, where EVENT is as for `open_event` and GAME a number or an id such as r1p2d0g1; or GAME alone, where
    one event below `results` has it.
    """
    if _folder(Path(text)) is not None:
        raise UsageError(f"{text} is an event; name one of its games as {text}/NUMBER, for instance {text}/1")
    event, _, game = text.rpartition("/")
    if event:
        store = open_event(Path(event))
        return store, store.find(game)
    found = []
    for path in sorted(RESULTS.glob(f"*/{FILE}")):
        with contextlib.suppress(ArenaError), contextlib.ExitStack() as opened:  # a damaged event is none of ours
            store = opened.enter_context(Store(path.parent))
            found.append((store, store.find(game)))
            opened.pop_all()
    if len(found) == 1:
        return found[0]
    for store, _ in found:
        store.close()
    if found:
        names = ", ".join(f"{store.folder.name}/{game}" for store, _ in found)
        raise UsageError(f"several events have a game {game!r}; say which: {names}")
    raise UsageError(f"no event below {RESULTS} has a game {game!r}; name one as EVENT/GAME, for instance quickstart/1")


def _folder(path: Path) -> Path | None:
    folders = (path, path.parent if path.name == FILE else path, RESULTS / path)
    return next((folder for folder in folders if (folder / FILE).is_file()), None)
