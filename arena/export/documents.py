"""JSON: one document with everything, or one game a line."""

from typing import Any

import msgspec

from arena.export.event import Event, in_order
from arena.model import GameResult

FORMAT = 1  # goes up when a field changes its meaning or goes


def json_text(event: Event) -> str:
    """The event as one JSON document. Field names are those of the records in `arena.model`."""
    document = {
        "arena_export": FORMAT,
        "event": event.name,
        "game": event.game,
        "rounds": event.rounds,
        "entrants": event.entrants,
        "places": event.places,
        "games": [_game(game) for game in in_order(event)],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def jsonl_text(event: Event) -> str:
    """One JSON object a line for each game, in schedule order."""
    return "".join(msgspec.json.encode(_game(game)).decode() + "\n" for game in in_order(event))


def _game(game: GameResult) -> dict[str, Any]:
    """A game without what the sentence of a fault may tell about a bot's hand and its author."""
    faults = [{"seat": fault.seat, "code": fault.code, "ply": fault.ply} for fault in game.faults]
    return {"game_id": game.game_id, **msgspec.structs.asdict(game), "faults": faults}
