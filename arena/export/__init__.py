"""Results as text for other programs: pure functions of an event. docs/ratings.md says who reads what."""

from collections.abc import Callable

from arena.errors import UnknownNameError
from arena.export.documents import json_text, jsonl_text
from arena.export.event import Event
from arena.export.pgn import pgn_text
from arena.export.tables import games_csv, games_markdown
from arena.export.trf import trf_text

Export = Callable[[Event], str]

EXPORTS: dict[str, Export] = {
    "csv": games_csv,
    "json": json_text,
    "jsonl": jsonl_text,
    "markdown": games_markdown,
    "pgn": pgn_text,
    "trf": trf_text,
}


def find(name: str) -> Export:
    """The export of this name. Raises UnknownNameError."""
    if name not in EXPORTS:
        raise UnknownNameError("export", name, list(EXPORTS))
    return EXPORTS[name]
