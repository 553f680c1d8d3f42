"""What follows from the record of an event: config, entrants, rounds, standings, ratings. Derived, never stored."""

import itertools
import json
from collections import Counter
from collections.abc import Iterable

import msgspec

from arena import config as configs
from arena import formats, schedule, standings
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
    return Counter({entrant: codes.total() for entrant, codes in faults_by_code(faults).items()})


def faults_by_code(faults: Iterable[FaultCount]) -> dict[str, Counter[str]]:
    """How often each entrant broke which rule, in the order in which it first was."""
    found: dict[str, Counter[str]] = {}
    for fault in faults:
        found.setdefault(fault.entrant, Counter())[fault.code] += fault.count
    return found


class Departure(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant that is paired no more after `last_round` (0: not once): withdrawn, or disqualified for `faults`."""

    entrant: str
    last_round: int
    faults: int | None = None

    @property
    def text(self) -> str:
        """For people."""
        when = f"after round {self.last_round}" if self.last_round else "before the first round"
        if self.faults is None:
            return f"{self.entrant} withdrew {when}"
        return f"{self.entrant} was disqualified {when}: {self.faults} faults"


def departures(store: Store, config: Config) -> tuple[Departure, ...]:
    """Who is paired no more, in the order in which they left."""
    found = [Departure(entrant=entrant, last_round=last) for entrant, last in store.withdrawals().items()]
    most = config.policies.disqualify_after_faults
    by_round: dict[tuple[int, str], int] = Counter()
    for fault in store.faults():
        by_round[fault.round, fault.entrant] += fault.count
    counts = Counter[str]()
    for (round_, entrant), count in sorted(by_round.items()):
        counts[entrant] += count
        if most is not None and counts[entrant] - count < most <= counts[entrant]:
            found.append(Departure(entrant=entrant, last_round=round_, faults=counts[entrant]))
    return tuple(sorted(found, key=lambda departure: departure.last_round))


def absent_after(rounds: int, gone: Iterable[Departure]) -> frozenset[str]:
    """Who is paired no more after the first `rounds` ones."""
    return frozenset(departure.entrant for departure in gone if departure.last_round <= rounds)


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far an event is: the round that is being played (else the last one), and how many of its games are."""

    round: int  # 0: none is paired yet
    rounds: int | None  # in all; None: that depends on the results
    finished: int
    games: int

    @property
    def text(self) -> str:
        """For people."""
        if not self.round:
            return "no round is paired yet"
        of = "" if self.rounds is None else f" of {self.rounds}"
        return f"round {self.round}{of}, {self.finished} of its {self.games} games"


def progress(store: Store, config: Config) -> Progress:
    """How far an event is."""
    rounds = formats.load(config.format).total_rounds(len(recorded_entrants(store)), config.format_settings)
    number = finished = games = 0
    for round_, results in zip(store.rounds(), store.round_results(), strict=True):
        number += 1
        finished, games = sum(result.games for result in results), schedule.game_count(round_, config)
        if finished < games:
            break
    return Progress(round=number, rounds=rounds, finished=finished, games=games)


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
    complete = tuple(
        itertools.takewhile(
            lambda round_: all(result.pairing.is_bye or result.games == config.games_per_pairing for result in round_),
            rounds,
        )
    )
    format_ = formats.load(config.format)
    return standings.table(
        ids,
        [result for round_ in rounds for result in round_ if result.games or result.pairing.is_bye],
        scoring=format_.scoring(config.format_settings),
        tiebreaks=config.tie_breaks,
        precedence=format_.precedence(Field(entrants=ids, rounds=complete), config.format_settings),
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
