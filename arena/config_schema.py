"""JSON Schemas of the files that users write, so that editors complete them and mark mistakes."""

from collections.abc import Sequence
from typing import Any

import msgspec

from arena import config_keys, formats, games
from arena.bot.manifest import Manifest
from arena.errors import ArenaError
from arena.tiebreaks import TIEBREAKS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def manifest_schema() -> dict[str, Any]:
    """The JSON Schema of `bot.yaml`."""
    return {"$schema": DIALECT, **msgspec.json.schema(Manifest)}


def config_schema(game_names: Sequence[str] | None = None) -> dict[str, Any]:
    """The JSON Schema of a tournament config, with the settings of every format and the options of these games.

    Default: all that are installed, plug-ins included.
    """
    game_names = sorted(games.names() if game_names is None else game_names)
    schema = config_keys.SCHEMA
    definitions, properties = {**schema["$defs"]}, {**schema["properties"]}
    properties["game"] = {**properties["game"], "enum": game_names}
    properties["tie_breaks"] = {
        **properties["tie_breaks"],
        "anyOf": [{"type": "array", "items": {"enum": sorted(TIEBREAKS)}}, {"type": "null"}],
    }
    chosen: list[Any] = [{"enum": sorted(formats.FORMATS)}]
    for name in sorted(formats.FORMATS):
        found = _schema_of(f"format-{name}", formats.load(name).Settings, definitions)
        found["properties"] = {"type": {"const": name}, **found.get("properties", {})}
        found["required"] = ["type", *found.get("required", [])]
        chosen.append(found)
    properties["format"] = {**{k: v for k, v in properties["format"].items() if k != "anyOf"}, "anyOf": chosen}
    conditions = []
    for name in game_names:
        try:
            options = _schema_of(f"options-{name}", games.load(name).Options, definitions)
        except ArenaError:  # a broken plug-in: its options cannot be completed, everything else can
            continue
        conditions.append(
            {"if": {"properties": {"game": {"const": name}}}, "then": {"properties": {"options": options}}}
        )
    return {
        "$schema": DIALECT,
        **schema,
        "properties": properties,
        "allOf": conditions,
        "$defs": definitions,
    }


def _schema_of(prefix: str, type_: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a struct; the types it refers to join `definitions` under names of their own."""
    (found,), parts = msgspec.json.schema_components([type_], ref_template=f"#/$defs/{prefix}-{{name}}")
    definitions |= {f"{prefix}-{name}": part for name, part in parts.items() if name != type_.__name__}
    return dict(parts.get(type_.__name__, found))
