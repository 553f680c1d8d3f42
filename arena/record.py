"""What follows from the record of an event: config, entrants, rounds, standings, ratings. Derived, never stored."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from arena import config as configs
from arena import formats, standings
from arena.config import Config
from arena.errors import ArenaError
from arena.formats import Field
from arena.formats.scoring import bye_result
from arena.model import Entrant, FaultCount, PairingResult
from arena.ratings import bradley_terry
from arena.ratings.pairs import count_marks
from arena.ratings.table import RatingTable
from arena.standings import Row, Standings
from arena.store import Store


def recorded_config(store: Store) -> Config:
    """The config that an event was begun with."""
    text = store.meta("config")
    if text is None:
        raise ArenaError(f"{store.folder}: the event was not begun; `arena run CONFIG` begins it")
    return configs.thaw(json.loads(text))


def recorded_entrants(store: Store) -> tuple[Entrant, ...]:
    """The entrants of an event in seeding order."""
    return msgspec.json.decode(store.meta("entrants") or "[]", type=tuple[Entrant, ...])


def finished_rounds(store: Store, config: Config) -> tuple[tuple[PairingResult, ...], ...]:
    """What came of each round, byes credited as the format has it; unfinished pairings as they stand."""
    scoring = formats.load(config.format).scoring(config.format_settings)
    return tuple(
        tuple(
            bye_result(result.pairing, scoring, games_per_pairing=config.games_per_pairing)
            if result.pairing.is_bye
            else result
            for result in round_
        )
        for round_ in store.round_results()
    )


def fault_counts(faults: Iterable[FaultCount]) -> Counter[str]:
    """How often each entrant broke a rule of play, forgiven breaches included."""
    counts = Counter[str]()
    for fault in faults:
        counts[fault.entrant] += fault.count
    return counts


def absent_after(
    rounds: int, faults: Iterable[FaultCount], config: Config, withdrawals: Mapping[str, int]
) -> frozenset[str]:
    """Who is paired no more after the first `rounds` ones: withdrawn, or disqualified for faults in them."""
    withdrawn = frozenset(entrant for entrant, last in withdrawals.items() if last <= rounds)
    most = config.policies.disqualify_after_faults
    if most is None:
        return withdrawn
    counts = fault_counts(fault for fault in faults if fault.round <= rounds)
    return withdrawn | {entrant for entrant, count in counts.items() if count >= most}


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """What people look at: the rows of the standings, the ratings, and each entrant's faults."""

    standings: tuple[Row, ...]
    ratings: RatingTable
    faults: dict[str, int]


def tables(store: Store) -> Tables:
    """The tables of an event: those published at its end (`arena verify` proves them), else as it stands."""
    final = store.meta("final")
    return computed_tables(store) if final is None else msgspec.json.decode(final, type=Tables)


def computed_tables(store: Store) -> Tables:
    """The tables computed from the marks of the games."""
    return Tables(
        standings=standings_table(store).rows,
        ratings=ratings_table(store),
        faults=dict(fault_counts(store.faults())),
    )


def standings_table(store: Store) -> Standings:
    """The standings of an event as it stands."""
    config = recorded_config(store)
    ids = tuple(entrant.id for entrant in recorded_entrants(store))
    rounds = finished_rounds(store, config)
    format_ = formats.load(config.format)
    return standings.table(
        ids,
        [result for round_ in rounds for result in round_ if result.games or result.pairing.is_bye],
        scoring=format_.scoring(config.format_settings),
        tiebreaks=config.tie_breaks,
        precedence=format_.precedence(Field(entrants=ids, rounds=rounds), config.format_settings),
    )


def ratings_table(store: Store) -> RatingTable:
    """The Elo ratings of an event as it stands. A game that neither bot could start says nothing about strength."""
    config = recorded_config(store)
    return bradley_terry.fit(
        count_marks(
            store.marks(),
            [pairing for round_ in store.rounds() for pairing in round_.pairings],
            [entrant.id for entrant in recorded_entrants(store)],
        ),
        anchor=config.rating.anchor,
        anchor_rating=config.rating.anchor_rating,
    )
