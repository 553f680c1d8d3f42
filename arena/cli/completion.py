"""What the Tab key offers for an argument (click's `shell_complete`). How a shell is told: docs/author.md."""

import click

from arena import games, starters


def game_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    return [name for name in games.names() if name.startswith(incomplete)]


def languages(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    return [name for name in starters.languages() if name.startswith(incomplete)]


def schemas(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    return [name for name in (*games.names(), "protocol", "bot", "config") if name.startswith(incomplete)]
