"""What the page says about an event, in the page's order, ready to be set: names, numbers as text, nothing secret.

Everything is derived from the record. Before an event has ended, sentences about faults stay out: they may hold what
a seat alone knows while its deal is still being played.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from arena import formats, schedule, standings
from arena.config import Config
from arena.model import Entrant, GameResult
from arena.ratings.deal_effect import deal_effect
from arena.ratings.table import RatingTable
from arena.record import departures, fault_counts, finished_rounds, ratings_table, recorded_config, recorded_entrants
from arena.record import standings_table as derive_standings
from arena.standings import Standings
from arena.store import Store
from arena.tiebreaks import half_points_text

MATRIX_MOST = 40  # entrants; a larger crosstable helps nobody
DEALS_SHOWN = 10
FAULTS_SHOWN = 500


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the standings. Numbers as text; an empty text where there is none."""

    place: int
    entrant: str
    name: str
    points: str
    tiebreaks: tuple[str, ...]
    games: int
    wins: int
    draws: int
    losses: int
    byes: int
    faults: int
    rating: float | None
    low: float | None
    high: float | None
    note: str


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """What a row's entrant took from a column's. `shade` is the share of the points in fifths, 0 to 4."""

    points: str = ""
    games: int = 0
    shade: int | None = None


class FaultLine(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    game_id: str
    entrant: str
    code: str
    ply: int | None
    text: str
    offending: str
    stderr: str
    forfeit: bool


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """A pairing of a round and what has come of it."""

    number: int
    entrants: tuple[str, str | None]
    score: str
    games: int
    planned: int


class RoundLine(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    meetings: tuple[Meeting, ...]
    notes: tuple[str, ...]


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """The page, all but its replays."""

    event: str
    game: str
    format: str
    began: str
    ended: str
    games_played: int
    games_paired: int
    games_total: int | None  # None: that depends on the results
    departures: tuple[str, ...]  # who is paired no more, and why
    lines: tuple[Line, ...]
    tiebreaks: tuple[str, ...]
    rating_header: str
    rating_notes: tuple[str, ...]
    ids: tuple[str, ...]  # by place
    matrix: tuple[tuple[Cell, ...], ...]  # () where the field is too large
    rounds: tuple[RoundLine, ...]
    seats: tuple[tuple[str, str], ...]
    lengths: tuple[tuple[str, str], ...]
    deal_sentences: tuple[str, ...]
    deals: tuple[tuple[int, float], ...]  # number, and what the deal gives seat 0 beyond expectation, in points
    faults: tuple[FaultLine, ...]  # the first FAULTS_SHOWN
    faults_total: int
    voids: tuple[tuple[int, tuple[str, ...]], ...]
    settings: tuple[tuple[str, str], ...]
    entrants: tuple[Entrant, ...]
    paths: dict[str, str]
    proof: tuple[tuple[str, str], ...]
    changes: tuple[dict[str, Any], ...]

    @property
    def is_over(self) -> bool:
        return bool(self.ended)


def gather(store: Store, results: Sequence[GameResult], *, notes: bool = False) -> Facts:
    """The facts of an event as it stands; `notes` puts the bots' stderr beside their faults (after the end)."""
    config = recorded_config(store)
    entrants = recorded_entrants(store)
    table, rating = derive_standings(store), ratings_table(store)
    ids = tuple(row.entrant for row in table.rows)
    ended = store.meta("ended") or ""
    rated = [result for result in results if any(result.half_points)]  # not those that neither bot could start
    effect = deal_effect(rated, [entrant.id for entrant in entrants])
    rounds = store.rounds()
    return Facts(
        event=config.event,
        game=config.game,
        format=config.format,
        began=store.meta("began") or "",
        ended=ended,
        games_played=len(results),
        games_paired=sum(schedule.game_count(round_, config) for round_ in rounds),
        games_total=schedule.games_in_all(config, ids) if formats.load(config.format).FIXED else None,
        departures=tuple(departure.text for departure in departures(store, config)),
        lines=_lines(table, rating, entrants, fault_counts(store.faults())),
        tiebreaks=table.tiebreaks if _has_ties(table) else (),
        rating_header=rating.header,
        rating_notes=rating.notes,
        ids=ids,
        matrix=_matrix(ids, results),
        rounds=_rounds(store, config),
        seats=_seats(results, rating),
        lengths=_lengths(results),
        deal_sentences=effect.sentences() if effect else (),
        deals=tuple(sorted(effect.favours.items(), key=lambda item: -abs(item[1]))[:DEALS_SHOWN]) if effect else (),
        faults=_faults(results, tell=bool(ended), notes=notes)[:FAULTS_SHOWN],
        faults_total=sum(len(result.faults) for result in results),
        voids=tuple((number, reasons) for number, reasons in store.voids()),
        settings=_settings(config),
        entrants=entrants,
        paths={bot.id: " ".join((bot.path, *bot.args)) for bot in config.bots},
        proof=_proof(store, config),
        changes=tuple(json.loads(store.meta("changes") or "[]")),
    )


def _lines(
    table: Standings, rating: RatingTable, entrants: Sequence[Entrant], faults: Mapping[str, int]
) -> tuple[Line, ...]:
    names = {entrant.id: entrant.name for entrant in entrants}
    lines = []
    for row in table.rows:
        elo = rating.row(row.entrant)
        lines.append(
            Line(
                place=row.place,
                entrant=row.entrant,
                name=names[row.entrant],
                points=half_points_text(row.half_points),
                tiebreaks=tuple(map(standings.tiebreak_text, row.tiebreaks)) if _has_ties(table) else (),
                games=row.games,
                wins=row.wins,
                draws=row.draws,
                losses=row.losses,
                byes=row.byes,
                faults=faults.get(row.entrant, 0),
                rating=elo.rating,
                low=elo.low,
                high=elo.high,
                note=elo.note,
            )
        )
    return tuple(lines)


def _has_ties(table: Standings) -> bool:
    """Whether points alone leave anybody untold apart: else tie-breaks decide nothing and are not shown."""
    return len({row.half_points for row in table.rows}) < len(table.rows)


def _matrix(ids: Sequence[str], results: Sequence[GameResult]) -> tuple[tuple[Cell, ...], ...]:
    if len(ids) > MATRIX_MOST:
        return ()
    took: Counter[tuple[str, str]] = Counter()
    games: Counter[tuple[str, str]] = Counter()
    for result in results:
        a, b = result.entrants
        for one, other, half_points in ((a, b, result.half_points[0]), (b, a, result.half_points[1])):
            took[one, other] += half_points
            games[one, other] += 1
    return tuple(tuple(_cell(took[a, b], games[a, b]) for b in ids) for a in ids)


def _cell(half_points: int, games: int) -> Cell:
    if not games:
        return Cell()
    return Cell(points=half_points_text(half_points), games=games, shade=min(4, 5 * half_points // (2 * games)))


def _rounds(store: Store, config: Config) -> tuple[RoundLine, ...]:
    found = []
    for number, (round_, results) in enumerate(
        zip(store.rounds(), finished_rounds(store, config), strict=True), start=1
    ):
        meetings = tuple(
            Meeting(
                number=result.pairing.number,
                entrants=result.pairing.entrants,
                score="–".join(half_points_text(points) for points in result.half_points),
                games=result.games,
                planned=0 if result.pairing.is_bye else config.games_per_pairing,
            )
            for result in results
        )
        found.append(RoundLine(number=number, meetings=meetings, notes=round_.notes))
    return tuple(found)


def _seats(results: Sequence[GameResult], rating: RatingTable) -> tuple[tuple[str, str], ...]:
    if not results:
        return ()
    taken = [result.half_points[0] for result in results]
    share = sum(taken) / (2 * len(taken))
    found = [
        ("Games won by seat 0, drawn, won by seat 1", " – ".join(str(taken.count(points)) for points in (2, 1, 0))),
        ("Share of the points that seat 0 took", f"{100 * share:.1f} %"),
    ]
    for name, estimate, unit in (
        ("Worth of seat 0 between equals", rating.seat_advantage, "Elo"),
        ("Draws between equals", rating.draw_rate, "%"),
    ):
        if estimate is not None:
            factor = 100 if unit == "%" else 1
            low, value, high = (factor * number for number in (estimate.low, estimate.value, estimate.high))
            found.append((name, f"{value:.0f} {unit} (95 % interval {low:.0f} to {high:.0f})"))
    return tuple(found)


def _lengths(results: Sequence[GameResult]) -> tuple[tuple[str, str], ...]:
    if not results:
        return ()
    plies = np.array([result.plies for result in results])
    reasons = Counter(result.reason for result in results)
    return (
        ("Plies a game", f"median {np.median(plies):.0f}, from {plies.min()} to {plies.max()}"),
        ("Ended by", ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())),
    )


def _faults(results: Sequence[GameResult], *, tell: bool, notes: bool) -> tuple[FaultLine, ...]:
    return tuple(
        FaultLine(
            number=result.number,
            game_id=result.game_id,
            entrant=result.entrants[fault.seat],
            code=fault.code,
            ply=fault.ply,
            text=fault.text if tell else "",
            offending=fault.offending if tell else "",
            stderr=fault.stderr_tail if tell and notes else "",
            forfeit=result.forfeit_by == fault.seat or result.reason == "double-forfeit",
        )
        for result in results
        for fault in result.faults
    )


def _settings(config: Config) -> tuple[tuple[str, str], ...]:
    """The frozen config as one list; the bots stand in a table of their own."""
    data = config.canonical()
    found: list[tuple[str, str]] = []
    for key, value in data.items():
        if key == "bots":
            continue
        if isinstance(value, dict):
            found += [(f"{key}.{inner}", _word(part)) for inner, part in value.items()]
        else:
            found.append((key, _word(value)))
    return tuple(found)


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_word, value)) or "none"
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)


def _proof(store: Store, config: Config) -> tuple[tuple[str, str], ...]:
    found = [
        ("Seal", store.seal),
        ("Commitment", store.meta("commitment") or ""),
        ("Root key", store.meta("root") or "revealed when the event ends"),
        ("Salt", store.meta("salt") or "revealed when the event ends"),
        ("Entropy", config.entropy or "none"),
        ("Rules version", store.meta("rules_version") or ""),
        ("Arena", store.meta("arena") or ""),
        ("Python", store.meta("python") or ""),
    ]
    return tuple(found)
