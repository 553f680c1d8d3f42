"""Actions, events and outcomes of any game as words for people."""

from collections.abc import Sequence
from typing import Any


def words(data: Any) -> str:
    """JSON data in one line: `{"type":"place","cards":{"A1":"I3"}}` is "place: cards (A1 I3)"."""
    if isinstance(data, dict):
        rest = dict(data)
        kind = rest.pop("type").replace("_", " ") if isinstance(rest.get("type"), str) else ""
        fields = ", ".join(
            f"{key.replace('_', ' ')} {words(value) if _short(value) else f'({words(value)})'}"
            for key, value in rest.items()
        )
        return ": ".join(part for part in (kind, fields) if part) or "nothing"
    if isinstance(data, list):
        return " ".join(map(words, data)) or "nothing"
    return "–" if data is None else str(data)


def asked(game: Any, action: dict[str, Any]) -> str:
    """An action of a game as text: the game's own words, or else its JSON read out."""
    return _explained(game, action, "Action") or words(action)


def told(game: Any, event: dict[str, Any], seat: int | None) -> str:
    """An event of a game as text from the point of view of `seat`: the game's own words, or else its JSON read out."""
    rest = dict(event)
    who = rest.pop("seat", None)
    by = "" if who is None else "You" if who == seat else f"Seat {who}"
    if (text := _explained(game, event, "Event")) is not None:
        return f"{by} {text}".strip()
    between = " " if isinstance(rest.get("type"), str) else ": "
    return f"{by}{between if by else ''}{words(rest)}"


def outcome_lines(outcome: dict[str, Any], seat: int | None, events: Sequence[dict[str, Any]] = ()) -> list[str]:
    """How a game ended, from the point of view of `seat`, whose points come first.

    Details that one of the `events` has told already are left out.
    """
    points = outcome["half_points"]
    verdicts = {2: "You win", 1: "A draw", 0: "You lose"}
    head = "The game ended" if seat is None else verdicts[points[seat]]
    in_order = points if seat is None else [points[seat], *points[:seat], *points[seat + 1 :]]
    score = " to ".join("½" if p == 1 else str(p // 2) for p in in_order)
    lines = [f"{head} ({score}) by {outcome['reason']}."]
    if outcome.get("code"):
        lines.append(f"Seat {outcome['forfeit_by']} forfeited: {outcome['code']}.")
    known = [item for event in events for item in event.items()]
    details = (outcome.get("details") or {}).items()
    lines += [f"  {key}: {words(value)}" for key, value in details if (key, value) not in known]
    return lines


def _explained(game: Any, data: dict[str, Any], type_: str) -> str | None:
    explain = getattr(game, "explain", None)
    text = None if explain is None else explain(game.from_json(data, getattr(game, type_)))
    return None if text is None else str(text)


def _short(value: Any) -> bool:
    return not isinstance(value, dict | list)
