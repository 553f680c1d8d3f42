"""Differences of JSON data, so that a replay holds what changes and not every position in full.

`assets/data.js` puts them together again (`patched`).
"""

from collections.abc import Iterable
from typing import Any

REMOVED = 0


def difference(before: Any, after: Any) -> Any:
    """What makes `after` of `before`: `[value]` a new value, `{key: difference}` changes inside, 0 a key left out.

    Lists of one length change inside, by index; nothing changed is `{}`. True and 1 count as the same:
    the JSON types of a game's fields do not change.
    """
    changes: dict[str, Any] = {}
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in after.items():
            if key not in before:
                changes[key] = [value]
            elif value is not (old := before[key]) and value != old:
                changes[key] = difference(old, value)
        if not before.keys() <= after.keys():
            changes.update(dict.fromkeys(before.keys() - after.keys(), REMOVED))
        return changes
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for i, value in enumerate(after):
            if value != before[i]:
                changes[str(i)] = difference(before[i], value)
        return changes
    return {} if before == after else [after]


def series(values: Iterable[Any]) -> list[Any]:
    """The first value in full and then the difference of each to the one before it."""
    found: list[Any] = []
    last: Any = None
    for value in values:
        found.append(difference(last, value) if found else value)
        last = value
    return found


def patched(before: Any, change: Any) -> Any:
    """`after`, given `before` and their difference."""
    if isinstance(change, list):
        return change[0]
    if isinstance(before, list):
        return [patched(value, change[str(i)]) if str(i) in change else value for i, value in enumerate(before)]
    if not change:
        return before
    kept = {key: value for key, value in before.items() if change.get(key) != REMOVED}
    new = {key: patched(before.get(key), inner) for key, inner in change.items() if inner != REMOVED}
    return {**kept, **new}
