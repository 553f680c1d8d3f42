"""Replays packed for the page: groups of games, compressed, as text that stands safely inside a script element."""

import base64
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

GAMES_A_SHARD = 12  # opening a game decodes its shard: some megabytes of JSON
MAX_RAW_BYTES = 4_000_000


class Shard(msgspec.Struct, frozen=True, kw_only=True):
    """Some games: `data` is base64 of zlib-compressed JSON, `{number: replay}`."""

    numbers: tuple[int, ...]
    data: str


def packed(value: Any) -> str:
    """JSON, compressed, in an alphabet that HTML gives no meaning to; `unpacked` of assets/data.js reads it."""
    raw = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return base64.b64encode(zlib.compress(raw, 9)).decode()


def shards(games: Iterable[tuple[int, bytes]]) -> Iterator[Shard]:
    """Games (number and JSON) in groups, in the order given."""
    group: dict[int, bytes] = {}
    for number, data in games:
        group[number] = data
        if len(group) == GAMES_A_SHARD or sum(map(len, group.values())) > MAX_RAW_BYTES:
            yield _shard(group)
            group = {}
    if group:
        yield _shard(group)


def _shard(group: dict[int, bytes]) -> Shard:
    joined = b",".join(b'"%d":%s' % (number, data) for number, data in group.items())
    return Shard(numbers=tuple(group), data=packed(b"{" + joined + b"}"))
