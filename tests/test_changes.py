"""What has changed since an event was registered, in words."""

import json
from typing import Any

from arena.changes import changes

CONFIG = {
    "deals_per_pairing": 2,
    "format_settings": {"rounds": 4},
    "limits": {"move_s": 1.0, "first_move_s": None},
    "bots": [{"id": "ann", "path": "ann.py", "args": []}, {"id": "bob", "path": "bob.py", "args": []}],
}
ENTRANTS = [{"id": "ann", "name": "Ann", "sha256": "a" * 64}, {"id": "bob", "name": "Bob", "sha256": "b" * 64}]


def registered(
    config: dict[str, Any] = CONFIG, entrants: list[dict[str, str]] = ENTRANTS, rules: int = 1
) -> dict[str, str]:
    return {"config": json.dumps(config), "entrants": json.dumps(entrants), "rules_version": str(rules)}


def test_nothing_has_changed() -> None:
    assert changes(registered(), registered()) == ()


def test_settings_are_named_with_what_they_were_and_are() -> None:
    now = {**CONFIG, "deals_per_pairing": 3, "format_settings": {}, "limits": {"move_s": 1.0, "first_move_s": 2.5}}
    assert changes(registered(), registered(now, rules=2)) == (
        "deals_per_pairing: 2 → 3",
        "format_settings.rounds: 4 → nothing",
        "limits.first_move_s: nothing → 2.5",
        "rules_version: 1 → 2",
    )


def test_a_bot_is_named_with_what_has_changed_of_it() -> None:
    bots = [{"id": "cid", "path": "cid.py", "args": []}, {"id": "bob", "path": "bob.py", "args": ["-v"]}]
    entrants = [{"id": "cid", "name": "Cid", "sha256": "c" * 64}, {"id": "bob", "name": "Bob", "sha256": "d" * 64}]
    assert changes(registered(), registered({**CONFIG, "bots": bots}, entrants)) == (
        "bot ann: no longer there",
        "bot cid: new",
        'bot bob: args: [] → ["-v"]',
        "bot bob: its files have changed (SHA-256 bbbbbbbbbbbb… → dddddddddddd…)",
    )


def test_another_order_is_said() -> None:
    now = {**CONFIG, "bots": CONFIG["bots"][::-1]}  # type: ignore[index]
    assert changes(registered(), registered(now, ENTRANTS[::-1])) == ("bots: the seeding order ann, bob → bob, ann",)
