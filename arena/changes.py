"""What has changed between two registrations of an event, in words."""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def changes(before: Mapping[str, str | None], now: Mapping[str, str]) -> tuple[str, ...]:
    """A line for each difference; () for none.

    Both hold `config` and `entrants` as canonical JSON and `rules_version`, as the record does.
    """
    old, new = (_data(registered) for registered in (before, now))
    if old == new:
        return ()
    return (
        *_settings(_flat(old["config"]), _flat(new["config"])),
        *_bots(_by_id(old), _by_id(new)),
        *_settings({"rules_version": old["rules_version"]}, {"rules_version": new["rules_version"]}),
    )


def _data(registered: Mapping[str, str | None]) -> dict[str, Any]:
    return {key: json.loads(registered[key] or "null") for key in ("config", "entrants", "rules_version")}


def _flat(config: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """The settings by dotted names, the bots left out."""
    found: dict[str, Any] = {}
    for key, value in config.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{above}{key}.")
        elif above or key != "bots":
            found[f"{above}{key}"] = value
    return found


def _settings(old: Mapping[str, Any], new: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for key in (*old, *(key for key in new if key not in old)):
        if old.get(key) != new.get(key):
            yield f"{above}{key}: {_text(old.get(key))} → {_text(new.get(key))}"


def _by_id(registered: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What is registered of each bot, in seeding order."""
    hashes = {entrant["id"]: entrant for entrant in registered["entrants"]}
    return {bot["id"]: {**hashes.get(bot["id"], {}), **bot} for bot in registered["config"]["bots"]}


def _bots(old: Mapping[str, dict[str, Any]], new: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    for id_ in old.keys() - new.keys():
        yield f"bot {id_}: no longer there"
    for id_, bot in new.items():
        if id_ not in old:
            yield f"bot {id_}: new"
            continue
        yield from _settings(_named(old[id_]), _named(bot), f"bot {id_}: ")
        if old[id_].get("sha256") != bot.get("sha256"):
            yield f"bot {id_}: its files have changed (SHA-256 {_short(old[id_])} → {_short(bot)})"
    both = [id_ for id_ in old if id_ in new]
    if both != [id_ for id_ in new if id_ in old]:
        yield f"bots: the seeding order {', '.join(old)} → {', '.join(new)}"


def _named(bot: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in bot.items() if key != "sha256"}


def _short(bot: Mapping[str, Any]) -> str:
    return f"{str(bot.get('sha256'))[:12]}…"


def _text(value: Any) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)
