"""Proof of an event from its record alone: every deal derived, every game played again, every table computed again.

`checks` yields one line for each thing that fits, and raises `CheckFailed` naming the first that does not.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from arena import config as configs
from arena import formats, games, match, replay, schedule
from arena.bot import messages
from arena.chance import KeyedChance, choice
from arena.commitment import Keys, Secret
from arena.config import Config
from arena.errors import BotFault, CheckFailed, ConfigError
from arena.executor.spread import Spread
from arena.formats import Field, Round
from arena.marks import EMPTY, Row, marked, row_of
from arena.match import Game
from arena.model import FaultCount, GameResult
from arena.record import (
    absent_after,
    computed_tables,
    departures,
    finished_rounds,
    recorded_config,
    recorded_entrants,
)
from arena.referee import legal_action
from arena.store import Store, link
from arena.transcript import Transcript, unpack

BLOCK = 100  # games that are played again at a time


def checks(store: Store, *, spread: Spread = map, told: Callable[[int, int], None] | None = None) -> Iterator[str]:
    """Verify an event, ended or not. Each line says what was proved; CheckFailed names the first misfit.

    Args:
        spread: a `map` that may play blocks of games again side by side.
        told: called with how many games have been played again, and of how many.
    """
    try:
        config = recorded_config(store)
        yield from _registration(store)
        keys = yield from _commitment(store, config)
        yield from _chain(store)
        yield from _games(store, keys, spread, told)
        yield from _marks(store)
        yield from _schedule(store, config)
        yield from _final(store)
    except (ConfigError, LookupError, TypeError, ValueError, AttributeError, msgspec.MsgspecError) as error:
        what = str(error) if isinstance(error, ConfigError) else f"{type(error).__name__}: {error}"
        raise CheckFailed(f"the record is damaged, and cannot be read to its end: {what}") from error


def _registration(store: Store) -> Iterator[str]:
    """What is in force is what was registered, but for recorded changes."""
    registered = json.loads(store.meta("registered") or "{}")
    changes = json.loads(store.meta("changes") or "[]")
    first = (
        changes[0]["before"] if changes else {key: store.meta(key) for key in ("config", "entrants", "rules_version")}
    )
    if store.meta("entropy_at") is not None:
        if json.loads(str(first["config"]))["entropy"] is None:
            raise CheckFailed("registration: entropy is said to have been added, and there is none")
        first["config"] = json.dumps(
            {**json.loads(str(first["config"])), "entropy": None}, sort_keys=True, ensure_ascii=False
        )
    for key, value in {**first, "commitment": store.meta("commitment")}.items():
        if registered.get(key) != value:
            raise CheckFailed(f"registration: {key} is not what was registered before play")
    known = {entrant.id for entrant in recorded_entrants(store)}
    for entrant, last in store.withdrawals().items():
        if entrant not in known or last > len(store.rounds()):
            raise CheckFailed(f"registration: {entrant} cannot have withdrawn after round {last}")
    yield f"registration: config, bots, rules and commitment are sealed by {store.seal}"
    yield from recorded_notes(store)


def recorded_notes(store: Store) -> Iterator[str]:
    """What was done to the event after its registration, as the record tells it."""
    if (mixed_in := store.meta("entropy_at")) is not None:
        entropy = json.loads(store.meta("config") or "{}").get("entropy")
        yield f"note: the entropy {entropy!r} was added after the commitment and before the first game ({mixed_in})"
    for departure in departures(store, recorded_config(store)):
        yield f"note: {departure.text}"
    for change in json.loads(store.meta("changes") or "[]"):
        yield f"note: changes were accepted after game {change['after_game']} ({change['at']}):\n{change['changes']}"


def _commitment(store: Store, config: Config) -> Generator[str, None, Keys | None]:
    committed = store.meta("commitment")
    root = store.meta("root")
    ending = {key: store.meta(key) for key in ("ended", "root", "salt", "final")}
    if None in ending.values() and set(ending.values()) != {None}:
        lacking = ", ".join(key for key, value in ending.items() if value is None)
        raise CheckFailed(f"commitment: the event has ended, yet what is published at the end is not there: {lacking}")
    if root is None:
        yield "commitment: the root key is revealed when the event ends; deals are not checked yet"
        return None
    secret = Secret(root=root, salt=store.meta("salt") or "")
    if secret.commitment != committed:
        raise CheckFailed(f"commitment: {committed} was published, but the revealed root gives {secret.commitment}")
    yield f"commitment: the revealed root key is the one committed to before play ({committed})"
    return Keys(secret, entropy=config.entropy)


def _chain(store: Store) -> Iterator[str]:
    chain = bytes.fromhex(store.seal)
    count = 0
    for row in store.rows():
        count += 1
        if row.number != count:
            raise CheckFailed(f"game {count}: the row is missing")
        chain = link(chain, row.result, row.transcript, row.voids)
        if chain != row.chain:
            raise CheckFailed(
                f"game {count}: the hash chain breaks here: its result, transcript, voids or link was altered"
            )
    if surplus := store.surplus():
        raise CheckFailed(f"hash chain: {surplus} rows of games or transcripts belong to no game")
    yield f"hash chain: {count} games, the last link is {chain.hex()}"


def _games(store: Store, keys: Keys | None, spread: Spread, told: Callable[[int, int], None] | None) -> Iterator[str]:
    total, forfeits, delays = store.game_count(), 0, Counter[float]()
    blocks = [(first, min(first + BLOCK - 1, total)) for first in range(1, total + 1, BLOCK)]
    work = partial(_played_again, store.folder, keys)
    for (_, last), (lost, longest) in zip(blocks, spread(work, blocks), strict=True):
        forfeits += lost
        delays.update(longest)
        if told is not None:
            told(last, total)
    if delays != store.host_delays():
        raise CheckFailed("games: the delays by the host that were counted are not those of the transcripts")
    dealt = "each from its derived deal" if keys else "from their recorded deals"
    yield f"games: {total} played again {dealt}, every message and judgement the same ({forfeits} forfeits)"


def _played_again(folder: Path, keys: Keys | None, block: tuple[int, int]) -> tuple[int, list[float]]:
    """Play the games of a block (first, last) again. Raises CheckFailed for the first misfit.

    Returns how many of them were forfeited, and the longest delay by the host in each, in ms.
    """
    forfeits, delays = 0, []
    with Store(folder) as store:
        known = {entrant.id for entrant in recorded_entrants(store)}
        config_of = _configs(store)
        for row in store.rows(*block):
            where = f"game {row.number}"
            try:
                result = msgspec.json.decode(row.result, type=GameResult)
            except msgspec.DecodeError as error:
                raise CheckFailed(f"{where}: its result cannot be read: {error}") from error
            record = unpack(row.transcript)
            if strangers := set(result.entrants) - known:
                raise CheckFailed(f"{where}: an entrant is not registered: {', '.join(sorted(strangers))}")
            game_check(where, result, record, config_of(row.number), keys)
            forfeits += result.forfeit_by is not None
            delays.append(record.max_host_delay_ms)
    return forfeits, delays


def game_check(where: str, result: GameResult, record: Transcript, config: Config, keys: Keys | None) -> None:
    """One game against its record. Raises CheckFailed."""
    if (record.game, record.limits, record.policies) != (config.game, config.limits, config.policies):
        raise CheckFailed(f"{where}: played with another game, other limits or other policies than the config's")
    game = games.load(record.game)
    if record.options != game.to_json(config.options):
        raise CheckFailed(f"{where}: played with other options than the config's")
    if record.game_id != result.game_id:
        raise CheckFailed(f"{where}: the transcript is that of {record.game_id}, the result that of {result.game_id}")
    if keys is not None:
        deal = game.to_json(keys.deal(game, config.options, result.deal))
        if deal != record.deal:
            raise CheckFailed(f"{where}: deal {result.deal} is not the one that the root key gives")
        if record.wire_id != keys.wire_id(result.number):
            raise CheckFailed(f"{where}: the bots were told another name of the game than the root key gives")
        seeds = tuple(keys.random_seed(result.number, seat) for seat in range(len(record.seats)))
        if seeds != tuple(seat.random_seed for seat in record.seats):
            raise CheckFailed(f"{where}: the bots were given other random seeds than the root key gives")
    try:
        played = tuple(replay.steps(record))
        replay.complete(record, played)
        _judgements(record, played, keys)
    except CheckFailed as misfit:
        raise CheckFailed(f"{where}: {misfit}") from misfit
    spec = Game(
        number=result.number,
        round=result.round,
        pairing=result.pairing,
        deal_number=result.deal,
        leg=result.leg,
        deal=record.deal,
        random_seeds=(0, 0),
    )
    if match.result(spec, record) != result:
        raise CheckFailed(f"{where}: the result is not that of its transcript")


def _judgements(record: Transcript, played: Sequence[replay.Step], keys: Keys | None) -> None:
    """The outcome is that of the rules or of a fault, and every action is what the bot answered."""
    game, state = replay.setup(record)
    answers = [[m.line for m in record.messages if m.seat == seat and m.to == "referee"] for seat in (0, 1)]
    by_id = [_by_id(lines) for lines in answers]
    requests = [
        iter([m.id for m in record.messages if m.seat == seat and m.derived == "act"])
        for seat in range(len(record.seats))
    ]
    for step, entry in zip(played, record.actions, strict=True):
        state = step.after
        if entry.forced:
            continue
        id_ = next(requests[step.seat], None)
        if entry.substituted:
            if keys is not None:
                rng = KeyedChance(keys.substitute_key, f"{record.game_id}/substitute/{entry.ply}")
                if choice(step.legal, rng) != step.action:
                    raise CheckFailed(f"ply {entry.ply}: the substituted action is not the one that the key gives")
            continue
        if not any(_names(game, answer, step.legal, step.action) for answer in by_id[step.seat].get(id_ or 0, ())):
            raise CheckFailed(f"ply {entry.ply}: the bot's answer to request {id_} is not the recorded action")
    outcome = record.outcome
    if outcome.reason in ("forfeit", "double-forfeit"):
        last = record.faults[-1] if record.faults else None
        if last is None or (
            outcome.forfeit_by is not None and (last.seat, last.code) != (outcome.forfeit_by, outcome.code)
        ):
            raise CheckFailed("the forfeit has no fault behind it")
        return
    found = game.outcome(state)
    if found is None or (found.half_points, found.reason) != (outcome.half_points, outcome.reason):
        raise CheckFailed(f"the rules give {found}, the record says {outcome.half_points} by {outcome.reason}")


def _by_id(lines: list[bytes]) -> dict[int, list[messages.BotAction]]:
    found: dict[int, list[messages.BotAction]] = {}
    for line in lines:
        id_ = messages.answered_id(line)
        if id_ is None:
            continue
        try:
            found.setdefault(id_, []).append(messages.decode_action(line, expected_id=id_))
        except BotFault:
            continue
    return found


def _names(game: Any, answer: messages.BotAction, legal: tuple[Any, ...], action: Any) -> bool:
    try:
        return bool(legal_action(game, answer, legal, b"") == action)
    except BotFault:
        return False


def _schedule(store: Store, config: Config) -> Iterator[str]:
    """The rounds are those that the format pairs, and the games those of the schedule."""
    rounds = store.rounds()
    changed = bool(json.loads(store.meta("changes") or "[]"))
    if not changed:
        _rounds(store, config, rounds)
    misplaced = schedule.misplaced(store.results(), rounds, config)
    if misplaced is not None:
        raise CheckFailed(misplaced)
    if changed:
        yield f"schedule: {len(rounds)} rounds not paired again, because changes were accepted; every game in its place"
    else:
        yield f"schedule: {len(rounds)} rounds of {config.format} paired again, every game in its place"


def _rounds(store: Store, config: Config, rounds: list[Round]) -> None:
    """The format pairs as the record says. Raises CheckFailed."""
    ids = tuple(entrant.id for entrant in recorded_entrants(store))
    format_ = formats.load(config.format)
    results, gone = finished_rounds(store, config), departures(store, config)
    for index, found in enumerate(rounds):
        absent = absent_after(index, gone)
        field = Field(entrants=ids, rounds=results[:index], absent=absent)
        paired = format_.next_round(field, config.format_settings)
        if paired != found:
            raise CheckFailed(f"round {index + 1}: the format pairs otherwise than the record says")


def _marks(store: Store) -> Iterator[str]:
    """What the tables are computed from is what the games give."""
    rows: dict[Row, str] = {}
    counts: dict[tuple[int, str, str], list[int]] = {}
    for result in store.results():
        row = row_of(result)
        rows[row] = marked(rows.get(row, EMPTY), result)
        for fault in result.faults:
            key = (result.round, result.entrants[fault.seat], fault.code)
            counts.setdefault(key, [0, result.number])[0] += 1
    stored = store.marks()
    for row in sorted(rows.keys() | stored.keys()):
        if rows.get(row) != stored.get(row):
            raise CheckFailed(
                "marks: those of round {}, pairing {}, deals from {} are not those of its games".format(*row)
            )
    faults = [
        FaultCount(round=round_, entrant=entrant, code=code, count=count, first=first)
        for (round_, entrant, code), (count, first) in counts.items()
    ]
    if faults != store.faults():
        raise CheckFailed("marks: the faults counted are not those of the games")
    pairings = len({row[:2] for row in rows})
    yield f"marks: those of {pairings} pairings, and the counts of faults, are those of the games"


def _final(store: Store) -> Iterator[str]:
    published = store.meta("final")
    if published is None:
        yield "tables: the event has not ended; they are always derived from the games above"
        return
    now, then = json.loads(msgspec.json.encode(computed_tables(store))), json.loads(published)
    for name, rows in now.items():
        if not _same(then.get(name), rows):
            raise CheckFailed(f"{name}: the table published at the end is not the one that the games give")
    digest = hashlib.sha256(published.encode()).hexdigest()
    yield f"tables: standings and ratings computed again are those published at the end (SHA-256 {digest})"


def _same(one: Any, other: Any) -> bool:
    """Equal JSON data; floats of a fit may differ in the last digits between machines."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-6 * max(1.0, abs(one))
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other


def _configs(store: Store) -> Callable[[int], Config]:
    """The config in force when a game was played: the recorded one, or an earlier one before accepted changes."""
    earlier = [
        (change["after_game"], configs.thaw(json.loads(change["before"]["config"])))
        for change in json.loads(store.meta("changes") or "[]")
    ]
    now = recorded_config(store)
    return lambda number: next((config for last, config in earlier if number <= last), now)
