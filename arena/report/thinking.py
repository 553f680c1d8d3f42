"""What the bots used, over all games: time, processor, memory, and what they called themselves."""

from array import array
from collections import defaultdict

import msgspec
import numpy as np

from arena.model import GameResult
from arena.transcript import Transcript


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant; times of its own decisions in milliseconds, 0 where it made none."""

    entrant: str
    names: tuple[str, ...]  # as its hellos said
    decisions: int
    median_ms: float
    p99_ms: float
    most_ms: float
    cpu_s: float | None
    peak_mb: float | None


class Tally:
    """Takes in one game after the other."""

    def __init__(self) -> None:
        self._took_ms: dict[str, array[float]] = defaultdict(lambda: array("f"))
        self._names: dict[str, set[str]] = defaultdict(set)
        self._cpu_s: dict[str, float] = {}
        self._peak_mb: dict[str, float] = {}
        self.sandboxes: set[str] = set()

    def add(self, result: GameResult, record: Transcript) -> None:
        self.sandboxes.add(record.sandbox)
        for entrant, seat in zip(result.entrants, record.seats, strict=True):
            if seat.name:
                self._names[entrant].add(f"{seat.name} {seat.version or ''}".strip())
            if seat.cpu_s is not None:
                self._cpu_s[entrant] = self._cpu_s.get(entrant, 0.0) + seat.cpu_s
            if seat.peak_memory_mb is not None:
                self._peak_mb[entrant] = max(self._peak_mb.get(entrant, 0.0), seat.peak_memory_mb)
        for action in record.actions:
            if action.took_ms is not None:
                self._took_ms[result.entrants[action.seat]].append(action.took_ms)

    def usage(self, ids: tuple[str, ...]) -> tuple[Usage, ...]:
        """Everybody in this order."""
        return tuple(self._of(entrant) for entrant in ids)

    def _of(self, entrant: str) -> Usage:
        took = np.array(self._took_ms[entrant] or [0.0])
        return Usage(
            entrant=entrant,
            names=tuple(sorted(self._names[entrant])),
            decisions=len(self._took_ms[entrant]),
            median_ms=float(np.median(took)),
            p99_ms=float(np.quantile(took, 0.99)),
            most_ms=float(took.max()),
            cpu_s=self._cpu_s.get(entrant),
            peak_mb=self._peak_mb.get(entrant),
        )
