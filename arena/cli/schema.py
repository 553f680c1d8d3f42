"""`arena schema`: JSON Schema of what a game, the protocol or a config holds."""

import json
from typing import Any

import click
import msgspec

from arena import games
from arena.bot import messages
from arena.cli import completion
from arena.game import Outcome

TYPES = ("view", "action", "event", "deal", "options", "outcome")
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def of_game(name: str, type_: str | None = None) -> dict[str, Any]:
    """The schema of one type of a game; without `type_`, of all of them, each under `$defs`."""
    game = games.load(name)
    types = {
        "view": game.View,
        "action": game.Action,
        "event": game.Event,
        "deal": game.Deal,
        "options": game.Options,
        "outcome": Outcome,
    }
    if type_ is not None:
        return _titled(msgspec.json.schema(types[type_]), f"{name} {type_}")
    return _collected(types, f"{name}, rules version {game.RULES_VERSION}")


def of_protocol() -> dict[str, Any]:
    """Every message of the protocol under `$defs`, named for its sender: `referee.act`, `bot.action`."""
    types = {
        f"{sender}.{type_.__struct_config__.tag}": type_
        for sender, group in (("referee", messages.REFEREE_MESSAGES), ("bot", messages.BOT_MESSAGES))
        for type_ in group
    }
    return _collected(types, f"Arena protocol {messages.PROTOCOL}")


def of_bot() -> dict[str, Any]:
    """The schema of `bot.yaml`."""
    from arena import config_schema

    return config_schema.manifest_schema()


def of_config() -> dict[str, Any]:
    """The schema of a tournament's config."""
    from arena import config_schema  # imported here: it loads pydantic, every game and every format

    return config_schema.config_schema()


def _collected(types: dict[str, Any], title: str) -> dict[str, Any]:
    schemas, components = msgspec.json.schema_components(types.values(), ref_template="#/$defs/{name}")
    return {"$schema": DIALECT, "title": title, "$defs": {**dict(zip(types, schemas, strict=True)), **components}}


def _titled(schema: dict[str, Any], title: str) -> dict[str, Any]:
    return {"$schema": DIALECT, **schema, "title": title}


@click.command()
@click.argument("what", metavar="GAME|protocol|bot|config", shell_complete=completion.schemas)
@click.option("--type", "type_", type=click.Choice(TYPES), help="Only this type of the game.")
def command(what: str, type_: str | None) -> None:
    """Print JSON Schema: of a GAME's values, of the protocol's messages, of bot.yaml, or of a tournament's config.

    An editor checks a config against it when the first line is `# yaml-language-server: $schema=config.schema.json`.

    \b
    Example:
      arena schema hidden-leaders-duel --type action
      arena schema config > config.schema.json
    """
    if what in ("protocol", "bot", "config"):
        if type_ is not None:
            raise click.UsageError(f"--type belongs to a game, found it with {what!r}")
        schema = {"protocol": of_protocol, "bot": of_bot, "config": of_config}[what]()
    else:
        schema = of_game(what, type_)
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
