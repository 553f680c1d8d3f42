"""An event as one HTML page: no network, nothing to install, opens from the disk. docs/report.md shows what is on it.

```
written = report.write(store, Path("report.html"))
```
`facts` says what is told, `charts` draws, `replays` and `delta` cut games down to what a viewer may see and changes,
`shards` packs them, `page` sets the templates, `assets/` runs in the browser.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from arena import schedule
from arena.errors import ArenaError
from arena.model import GameResult
from arena.record import recorded_config, recorded_entrants
from arena.report import charts, facts, shards
from arena.report.index import index
from arena.report.page import page
from arena.report.replays import Disclosure, replay_of
from arena.report.shards import Shard
from arena.report.thinking import Tally
from arena.store import Store
from arena.transcript import unpack

INLINE_BYTES = 4_000_000  # of packed replays in the page itself; further ones lie beside it


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """What `write` wrote."""

    path: Path
    size: int  # bytes of the page
    games: int
    replays: int  # in the page or beside it
    beside: Path | None  # the folder with further replays
    notes: tuple[str, ...]  # what is missing, and why


def write(store: Store, path: Path, *, notes: bool = False, inline_bytes: int = INLINE_BYTES) -> Written:
    """Write the report of an event, ended or not, to `path`.

    Replays that do not fit into `inline_bytes` go into the folder `NAME.games` beside the page, which loads them when
    one is opened. `notes` tells what the bots wrote in notes and on stderr, too; of an event that has not ended no
    report tells that. Raises ArenaError where nothing can be written.
    """
    is_over = store.meta("ended") is not None
    disclosure = Disclosure(seats=is_over, notes=notes and is_over)
    results, tally = list(store.results()), Tally()
    missing: list[str] = []
    packed = list(shards.shards(_replays(store, results, disclosure, tally, missing)))
    told = facts.gather(store, results, notes=disclosure.notes)
    inline, beside = _split(packed, inline_bytes)
    folder = path.with_name(f"{path.stem}.games") if beside else None
    replays = {number for shard in packed for number in shard.numbers}
    text = page(
        "report.html",
        load=bool(beside),
        **context(store, told, results, replays),
        usage=tally.usage(told.ids),
        sandboxes=sorted(tally.sandboxes - {""}),
        missing=missing,
        shards=inline,
        beside=shards.packed({"folder": folder.name, "shards": [shard.numbers for shard in beside]}) if folder else "",
    )
    try:
        if folder is not None:
            folder.mkdir(exist_ok=True)
            for number, shard in enumerate(beside):
                _write(folder / f"{number}.js", f'arenaShard({number},"{shard.data}");\n')
        _write(path, text)
    except OSError as error:
        raise ArenaError(f"{path}: the report cannot be written: {error.strerror or error}") from error
    return Written(
        path=path,
        size=len(text.encode()),
        games=len(results),
        replays=len(replays),
        beside=folder,
        notes=tuple(missing),
    )


def context(store: Store, told: facts.Facts, results: Sequence[GameResult], replays: set[int]) -> dict[str, Any]:
    """What `_event.html` needs: the facts, the pictures, the list of games."""
    config = recorded_config(store)
    ids = tuple(entrant.id for entrant in recorded_entrants(store))
    delays = np.array(store.host_delays_ms() or [0.0])
    return {
        "facts": told,
        "intervals": charts.intervals(told.lines),
        "history": charts.history(results, config, ids, told.lines),
        "delays": tuple((name, float(np.quantile(delays, q))) for name, q in _QUANTILES),
        "index": shards.packed(
            {
                "game": told.game,
                "over": told.is_over,
                "ids": ids,
                "names": [entrant.name for entrant in told.entrants],
                "games": index(results, ids, replays),
            }
        ),
    }


_QUANTILES = (("median", 0.5), ("99 % below", 0.99), ("longest", 1.0))


def withheld_deals(store: Store, results: Sequence[GameResult]) -> frozenset[int]:
    """The deals that games still to be played will have: their cards are not shown before."""
    if store.meta("ended") is not None:
        return frozenset()
    config = recorded_config(store)
    return frozenset(
        deal
        for _, parts in schedule.in_order(store.rounds(), config)
        for number, _, deal, _ in parts
        if number > len(results)
    )


def _replays(
    store: Store, results: Sequence[GameResult], disclosure: Disclosure, tally: Tally, missing: list[str]
) -> Iterator[tuple[int, bytes]]:
    """Each game's replay as JSON, in schedule order; what is left out goes into `missing`."""
    withheld = withheld_deals(store, results)
    left_out = 0
    for result, row in zip(results, store.rows(), strict=False):
        record = unpack(row.transcript)
        tally.add(result, record)
        if result.deal in withheld:
            left_out += 1
            continue
        try:
            yield result.number, msgspec.json.encode(replay_of(result.number, record, disclosure))
        except ArenaError as error:
            missing.append(f"Game {result.number} cannot be played again: {error}")
    if left_out:
        missing.append(f"{left_out} games have no replay yet, because their deals are still to be played by others.")


def _split(packed: Sequence[Shard], inline_bytes: int) -> tuple[list[Shard], list[Shard]]:
    used = 0
    for i, shard in enumerate(packed):
        used += len(shard.data)
        if used > inline_bytes:
            return list(packed[:i]), list(packed[i:])
    return list(packed), []


def _write(path: Path, text: str) -> None:
    """Put a file in place at once, so that nobody ever opens half of one."""
    half = path.with_name(f"{path.name}.part")
    half.write_text(text, encoding="utf-8")
    half.replace(path)


__all__ = ["Written", "context", "withheld_deals", "write"]
