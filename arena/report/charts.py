"""Where things stand in the pictures of the report: numbers for inline SVG, no markup."""

import math
from collections.abc import Sequence

import msgspec

from arena.config import Config
from arena.model import GameResult
from arena.ratings import bradley_terry
from arena.ratings.table import RatingTable
from arena.report.facts import Line

LINES_SHOWN = 8  # of ratings over time: more cannot be told apart
MOMENTS = 12
NAME_WIDTH = 124


class Tick(msgspec.Struct, frozen=True, kw_only=True):
    at: float
    label: str


class Whisker(msgspec.Struct, frozen=True, kw_only=True):
    """A rating with its interval, `y` down the picture."""

    name: str
    y: float
    x: float
    low: float
    high: float
    label: str


class Intervals(msgspec.Struct, frozen=True, kw_only=True):
    width: float
    height: float
    ticks: tuple[Tick, ...]
    whiskers: tuple[Whisker, ...]
    left: float = NAME_WIDTH


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant's rating over time: points of a line, where its label stands, the ratings as numbers."""

    name: str
    points: str
    end: tuple[float, float]
    label_y: float
    ratings: tuple[int | None, ...]


class History(msgspec.Struct, frozen=True, kw_only=True):
    width: float
    height: float
    plot: tuple[float, float, float, float]  # left, top, right, bottom
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    courses: tuple[Course, ...]
    games: tuple[int, ...]
    left_out: int


def intervals(lines: Sequence[Line]) -> Intervals | None:
    """The ratings as dots on whiskers, best first; None without any."""
    rated = [line for line in lines if line.rating is not None]
    if not rated:
        return None
    rated.sort(key=lambda line: -(line.rating or 0.0))
    low = min(line.low if line.low is not None else line.rating or 0.0 for line in rated)
    high = max(line.high if line.high is not None else line.rating or 0.0 for line in rated)
    left, right, row = NAME_WIDTH, 480.0, 26.0
    scale = _Scale(low, high, left + 12, right - 12)
    whiskers = tuple(
        Whisker(
            name=line.entrant,
            y=34 + row * i,
            x=scale.at(line.rating or 0.0),
            low=scale.at(line.low if line.low is not None else line.rating or 0.0),
            high=scale.at(line.high if line.high is not None else line.rating or 0.0),
            label=f"{line.rating:.0f}",
        )
        for i, line in enumerate(rated)
    )
    return Intervals(width=right, height=34 + row * len(rated), ticks=scale.ticks(), whiskers=whiskers)


def history(
    results: Sequence[GameResult], config: Config, entrants: Sequence[str], final: Sequence[Line]
) -> History | None:
    """Ratings after a dozen moments of the event, each fitted to the games until then; None for a short event."""
    moments = _moments(results)
    if len(moments) < 3:
        return None
    tables = [_fit(results[:count], config, entrants) for count in moments]
    best = sorted((line for line in final if line.rating is not None), key=lambda line: -(line.rating or 0.0))
    shown = [line.entrant for line in best[:LINES_SHOWN]]
    ratings = {name: [_rating(table, name) for table in tables] for name in shown}
    known = [value for values in ratings.values() for value in values if value is not None]
    if not known:
        return None
    left, top, right, bottom = 44.0, 12.0, 372.0, 240.0
    down = _Scale(min(known), max(known), bottom, top)
    across = _Scale(0, moments[-1], left, right)
    ends = _spread([(name, down.at(values[-1])) for name, values in ratings.items() if values[-1] is not None])
    courses = []
    for name, values in ratings.items():
        places = [
            (across.at(count), down.at(value))
            for count, value in zip(moments, values, strict=True)
            if value is not None
        ]
        courses.append(
            Course(
                name=name,
                points=" ".join(f"{x:.1f},{y:.1f}" for x, y in places),
                end=places[-1],
                label_y=ends.get(name, places[-1][1]),
                ratings=tuple(None if value is None else round(value) for value in values),
            )
        )
    return History(
        width=500.0,
        height=280.0,
        plot=(left, top, right, bottom),
        x_ticks=across.ticks(),
        y_ticks=down.ticks(),
        courses=tuple(courses),
        games=tuple(moments),
        left_out=max(0, len(best) - LINES_SHOWN),
    )


def _moments(results: Sequence[GameResult]) -> list[int]:
    """Numbers of games to look back from: the ends of rounds where there are enough of them, else even steps."""
    count = len(results)
    ends = [i + 1 for i in range(count) if i + 1 == count or results[i + 1].round != results[i].round]
    if len(ends) < 4:
        ends = sorted({count * k // MOMENTS for k in range(1, MOMENTS + 1)} - {0})
    while len(ends) > 2 * MOMENTS:
        ends = sorted({*ends[::2], ends[-1]})
    return ends


def _fit(results: Sequence[GameResult], config: Config, entrants: Sequence[str]) -> RatingTable:
    return bradley_terry.fit(
        (result for result in results if any(result.half_points)),
        entrants=entrants,
        anchor=config.rating.anchor,
        anchor_rating=config.rating.anchor_rating,
    )


def _rating(table: RatingTable, name: str) -> float | None:
    return table.row(name).rating


def _spread(labels: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Places for labels near the wanted ones, none closer than a line to another."""
    placed: dict[str, float] = {}
    last = -math.inf
    for name, y in sorted(labels, key=lambda label: label[1]):
        last = max(y, last + 15)
        placed[name] = last
    over = max(0.0, last - 262.0)
    return {name: y - over for name, y in placed.items()}


class _Scale:
    """A straight line from values to places, with round ticks."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        margin = (high - low) * 0.04 or 1.0
        self._low, self._high = (low, high) if low == 0 else (low - margin, high + margin)
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        share = (value - self._low) / (self._high - self._low)
        return round(self._start + share * (self._end - self._start), 1)

    def ticks(self) -> tuple[Tick, ...]:
        span = self._high - self._low
        step = 10 ** math.floor(math.log10(span / 4))
        step = next(step * factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 7)
        first = math.ceil(self._low / step)
        last = math.floor(self._high / step)
        return tuple(Tick(at=self.at(k * step), label=f"{k * step:g}") for k in range(first, last + 1))
