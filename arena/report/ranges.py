"""How far an ability reached: in Leaders, the spaces that the character who used it could have acted on at that ply."""

from collections.abc import Sequence
from typing import Any

from arena.game import to_json

SPACES = ("target", "to", "target_to")


def reach(action: Any, legal: Sequence[Any]) -> str:
    """The names of the spaces in the ability's legal actions, sorted, in one text; empty for any other action."""
    used = to_json(action)
    if not isinstance(used, dict) or used.get("type") != "ability":
        return ""
    options = [option for option in map(to_json, legal) if _who(option) == _who(used)]
    return " ".join(sorted({option[key] for option in options for key in SPACES if key in option}))


def _who(action: dict[str, Any]) -> tuple[object, object]:
    return action.get("type"), action.get("character")
