"""Actions, events and outcomes of any game as words for people."""

from typing import Any


def words(data: Any) -> str:
    """JSON data in one line: `{"type":"place","cards":{"A1":"I3"}}` is "place A1=I3"."""
    if isinstance(data, dict):
        if not isinstance(data.get("type"), str):
            return " ".join(f"{key}={words(value)}" for key, value in data.items())
        rest = [
            f"{key}={words(value)}" if _short(value) else words(value) for key, value in data.items() if key != "type"
        ]
        return " ".join([data["type"].replace("_", " "), *rest])
    if isinstance(data, list):
        return " ".join(map(words, data)) or "nothing"
    return "–" if data is None else str(data)


def told(game: Any, event: dict[str, Any], seat: int | None) -> str:
    """An event of a game as text from the point of view of `seat`: the game's own words, or else its JSON read out."""
    explain = getattr(game, "explain", None)
    if explain is not None and (text := explain(game.from_json(event, game.Event))) is not None:
        return str(text)
    rest = dict(event)
    who = rest.pop("seat", None)
    by = "" if who is None else "you: " if who == seat else f"seat {who}: "
    if "type" in rest:
        kind = rest.pop("type")
        return by + words({"type": kind, **rest})
    return by + words(rest)


def outcome_lines(outcome: dict[str, Any], seat: int | None) -> list[str]:
    """How a game ended, from the point of view of `seat`, whose points come first."""
    points = outcome["half_points"]
    verdicts = {2: "You win", 1: "A draw", 0: "You lose"}
    head = "The game ended" if seat is None else verdicts[points[seat]]
    in_order = points if seat is None else [points[seat], *points[:seat], *points[seat + 1 :]]
    score = " to ".join("½" if p == 1 else str(p // 2) for p in in_order)
    lines = [f"{head} ({score}) by {outcome['reason']}."]
    if outcome.get("code"):
        lines.append(f"Seat {outcome['forfeit_by']} forfeited: {outcome['code']}.")
    lines += [f"  {key}: {words(value)}" for key, value in (outcome.get("details") or {}).items()]
    return lines


def _short(value: Any) -> bool:
    return not isinstance(value, dict | list)
