"""`arena games`: the table of games."""

import json
from importlib.metadata import EntryPoint, entry_points
from typing import TypedDict

import click
from tabulate import tabulate

from arena import __version__, games
from arena.errors import ArenaError


class Row(TypedDict):
    """One game. A plug-in that cannot be imported has a `problem` and nothing known but its origin."""

    name: str
    rules_version: int | None
    seats: int | None
    origin: str
    problem: str | None


def rows() -> list[Row]:
    """Every game by name, with the package that it comes from."""
    plugins = {point.name: point for point in entry_points(group="arena.games")}
    return [_row(name, None if name in games.GAMES else plugins[name]) for name in games.names()]


def _row(name: str, point: EntryPoint | None) -> Row:
    origin = f"arena {__version__}"
    if point is not None:
        origin = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
    try:
        game = games.load(name)
        return Row(name=name, rules_version=game.RULES_VERSION, seats=game.SEATS, origin=origin, problem=None)
    except (ArenaError, AttributeError) as error:
        return Row(name=name, rules_version=None, seats=None, origin=origin, problem=str(error))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(*, as_json: bool) -> None:
    """List the games that can be played, with the version of their rules and where they come from.

    \b
    Example:
      arena games
    """
    table = rows()
    if as_json:
        click.echo(json.dumps(table, indent=2))
        return
    cells = [[r["name"], r["rules_version"], r["seats"], r["origin"]] for r in table]
    click.echo(tabulate(cells, headers=["game", "rules", "seats", "from"], disable_numparse=True, missingval="?"))
    for row in table:
        if row["problem"]:
            click.echo(f"\n{row['name']}: {row['problem']}")
