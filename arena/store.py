"""One event, one SQLite file: append-only games in schedule order, hash-chained, one writer.

```
meta(key, value)       what was registered before play, and at the end the revealed root key and the final tables
rounds(number, …)      the pairings of each round, written before its first game
games(number, …)       one finished game: its result as JSON, why earlier tries at it are void, its link of the chain
transcripts(number, …) its packed transcript, apart, so that what runs over all games reads little
marks(round, …)        the results once more, a letter each (arena.marks), in rows that are quickly read
faults(round, …)       how often each entrant broke which rule in a round, and the first game of it
host_delays(ms, …)     in how many games the host held a reply up for so long at most
```
The last four are written by the transaction that writes the game, so that they are always in step. The chain begins
with the seal, the hash of what was registered. A transaction is acknowledged when it is on the disk (WAL,
synchronous=FULL). Everything else (standings, ratings, reports) is derived from these rows.
"""

import contextlib
import hashlib
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from arena import lock, transcript
from arena.errors import ArenaError
from arena.formats import Round
from arena.formats.scoring import match_result
from arena.marks import EMPTY, Row, is_row, marked, row_of
from arena.match import Played
from arena.model import FaultCount, GameResult, PairingResult
from arena.transcript import Transcript

FORMAT = 2
FILE = "event.sqlite"
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE rounds (number INTEGER PRIMARY KEY, round TEXT NOT NULL);
CREATE TABLE games (
    number INTEGER PRIMARY KEY, result TEXT NOT NULL, voids TEXT NOT NULL, chain BLOB NOT NULL
);
CREATE INDEX void ON games (number) WHERE voids != '[]';
CREATE TABLE transcripts (number INTEGER PRIMARY KEY, transcript BLOB NOT NULL);
CREATE TABLE marks (
    round INTEGER NOT NULL, pairing INTEGER NOT NULL, deal INTEGER NOT NULL, marks TEXT NOT NULL,
    PRIMARY KEY (round, pairing, deal)
) WITHOUT ROWID;
CREATE TABLE faults (
    round INTEGER NOT NULL, entrant TEXT NOT NULL, code TEXT NOT NULL, count INTEGER NOT NULL, first INTEGER NOT NULL,
    PRIMARY KEY (round, entrant, code)
);
CREATE TABLE host_delays (ms REAL PRIMARY KEY, games INTEGER NOT NULL) WITHOUT ROWID;
"""
_GAME_ID = re.compile(r"r(\d+)p(\d+)d(\d+)g([12])")
_result_decoder = msgspec.json.Decoder(GameResult)


class GameRow(NamedTuple):
    """A finished game as it is stored: `result` and `voids` as JSON, a packed transcript (b"": none is there)."""

    number: int
    result: bytes
    transcript: bytes
    voids: bytes
    chain: bytes


class Store:
    """An open event file. Close it, or use it in a `with` statement."""

    def __init__(self, folder: Path, *, writable: bool = False, create: bool = False) -> None:
        """Open the event in `folder`; `writable` takes the lock that one writer alone can hold.

        Who only reads sees the event as it was when it was opened, so that what is read fits together.

        Raises ArenaError with what to do for a missing, damaged, locked or newer event, or an unwritable folder.
        """
        self.folder = folder
        self._lock: int | None = None
        path = folder / FILE
        if not create and not path.is_file():
            raise ArenaError(f"{folder}: there is no event here (no {FILE}); `arena run CONFIG` makes one")
        try:
            if create:
                folder.mkdir(parents=True, exist_ok=True)
            if writable:
                self._lock = lock.acquire(folder)
            mode = "rwc" if create else "rw" if writable else "ro"
            self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)
            with _sqlite_errors(path):
                self._db.execute("PRAGMA busy_timeout = 5000")
                if create:
                    self._db.execute("PRAGMA page_size = 8192")  # half of a page of 4096 is lost where 2 KB fill a row
                if writable:
                    self._db.execute("PRAGMA journal_mode = WAL")
                    self._db.execute("PRAGMA synchronous = FULL")
                else:
                    self._db.execute("BEGIN")
                if create and not self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
                    with self._transaction():
                        for statement in _SCHEMA.split(";"):
                            self._db.execute(statement)
                        self._db.execute("INSERT INTO meta VALUES ('format', ?)", (str(FORMAT),))
                found = self.meta("format")
        except OSError as error:
            self.close()
            raise ArenaError(f"{folder}: {error.strerror or error}") from error
        except BaseException:
            self.close()
            raise
        if found != str(FORMAT):
            self.close()
            raise ArenaError(f"{path}: written in format {found}; this version of Arena reads format {FORMAT}")

    @property
    def writer(self) -> str | None:
        """Who has the event open for writing, such as "pid 123"; None: nobody."""
        return lock.holder(self.folder)

    def close(self) -> None:
        if hasattr(self, "_db"):
            self._db.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        return self.folder / FILE

    def meta(self, key: str) -> str | None:
        """A fact about the event, or None if it is not recorded."""
        with _sqlite_errors(self.path):
            row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, **facts: str) -> None:
        """Record facts in one transaction."""
        with _sqlite_errors(self.path), self._transaction():
            self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(facts.items()))

    def register(self, registered: str, **facts: str) -> None:
        """Record once and for all what the event was begun with, and facts that follow from it."""
        self.set_meta(registered=registered, **facts)

    @property
    def seal(self) -> str:
        """The hash of what was registered, in hexadecimal: it binds config, bots, rules and commitment."""
        return hashlib.sha256((self.meta("registered") or "").encode()).hexdigest()

    def add_round(self, number: int, round_: Round) -> None:
        """Write down who meets in a round, before any of its games."""
        with _sqlite_errors(self.path), self._transaction():
            text = msgspec.json.encode(round_).decode()
            self._db.execute("INSERT INTO rounds VALUES (?, ?)", (number, text))

    def withdraw(self, entrant: str) -> int:
        """Take an entrant out of all rounds of which no game is finished; the number of the last round it is part of.

        Rounds paired ahead are forgotten, so that they are paired again without it.
        """
        with _sqlite_errors(self.path), self._transaction():
            count = self.game_count()
            last = self.game(count)[0].round if count else 0
            self._db.execute("DELETE FROM rounds WHERE number > ?", (last,))
            known = {entrant: last, **self.withdrawals()}
            text = msgspec.json.encode(known).decode()
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('withdrawals', ?)", (text,))
        return known[entrant]

    def withdrawals(self) -> dict[str, int]:
        """Who has withdrawn, with the last round that each is part of."""
        return msgspec.json.decode(self.meta("withdrawals") or "{}", type=dict[str, int])

    def rounds(self) -> list[Round]:
        """The rounds paired so far, oldest first."""
        with _sqlite_errors(self.path):
            rows = self._db.execute("SELECT number, round FROM rounds ORDER BY number").fetchall()
            found = [msgspec.json.decode(text, type=Round) for _, text in rows]
        for expected, ((number, _), round_) in enumerate(zip(rows, found, strict=True), start=1):
            if number != expected or any(pairing.round != expected for pairing in round_.pairings):
                raise ArenaError(f"{self.path}: the event file is damaged: round {expected} is not where it should be")
        return found

    def add_games(self, played: Sequence[Played]) -> None:
        """Append finished games, which must follow the last one in schedule order, in one transaction."""
        with _sqlite_errors(self.path), self._transaction():
            row = self._db.execute("SELECT number, chain FROM games ORDER BY number DESC LIMIT 1").fetchone()
            last, chain = row or (0, bytes.fromhex(self.seal))
            rows: dict[Row, str] = {}
            for game in played:
                assert game.result.number == last + 1, "games are appended in schedule order"
                last = game.result.number
                text, voids = msgspec.json.encode(game.result), msgspec.json.encode(game.voids)
                chain = link(chain, text, game.transcript, voids)
                self._db.execute("INSERT INTO games VALUES (?, ?, ?, ?)", (last, text.decode(), voids.decode(), chain))
                self._db.execute("INSERT INTO transcripts VALUES (?, ?)", (last, game.transcript))
                row = row_of(game.result)
                rows[row] = marked(rows.get(row) or self._marks_of(row), game.result)
            self._db.executemany(
                "INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?)", [(*row, text) for row, text in rows.items()]
            )
            self._db.executemany(
                "INSERT INTO faults VALUES (?, ?, ?, 1, ?)"
                " ON CONFLICT (round, entrant, code) DO UPDATE SET count = count + 1",
                [
                    (game.result.round, game.result.entrants[fault.seat], fault.code, game.result.number)
                    for game in played
                    for fault in game.result.faults
                ],
            )
            self._db.executemany(
                "INSERT INTO host_delays VALUES (?, ?) ON CONFLICT (ms) DO UPDATE SET games = games + excluded.games",
                Counter(game.max_host_delay_ms for game in played).items(),
            )

    def game_count(self) -> int:
        """How many games are finished: they are numbered from 1 without a gap."""
        with _sqlite_errors(self.path):
            return int(self._db.execute("SELECT coalesce(max(number), 0) FROM games").fetchone()[0])

    def results(self, *, after: int = 0) -> Iterator[GameResult]:
        """Every finished game with a number above `after`, in schedule order."""
        with _sqlite_errors(self.path):
            rows = self._db.execute("SELECT result FROM games WHERE number > ? ORDER BY number", (after,))
            for (text,) in rows:
                yield _result_decoder.decode(text)

    def marks(self) -> dict[Row, str]:
        """The marks of all finished games, in rows of `arena.marks`; by round, pairing and deal."""
        with _sqlite_errors(self.path):
            rows = self._db.execute("SELECT round, pairing, deal, marks FROM marks ORDER BY round, pairing, deal")
            found = {(round_, pairing, deal): text for round_, pairing, deal, text in rows}
        if not all(map(is_row, found.values())):
            raise ArenaError(f"{self.path}: a row of the event file is damaged: marks that stand for no results")
        return found

    def faults(self) -> list[FaultCount]:
        """How often each rule was broken, forgiven breaches included, in the order in which it first was."""
        with _sqlite_errors(self.path):
            rows = self._db.execute("SELECT round, entrant, code, count, first FROM faults ORDER BY rowid")
            return [
                FaultCount(round=round_, entrant=entrant, code=code, count=count, first=first)
                for round_, entrant, code, count, first in rows
            ]

    def round_results(self) -> list[tuple[PairingResult, ...]]:
        """What came so far of each pairing of each round, byes with no credit, oldest round first."""
        marks: dict[tuple[int, int], str] = {}
        for (round_, pairing, _), row in self.marks().items():
            marks[round_, pairing] = marks.get((round_, pairing), "") + row
        return [
            tuple(
                PairingResult(pairing=pairing, half_points=(0, 0), games=0)
                if pairing.is_bye
                else match_result(pairing, marks.get((pairing.round, pairing.number), ""))
                for pairing in round_.pairings
            )
            for round_ in self.rounds()
        ]

    def find(self, game_id: str) -> int:
        """The number of a game, given that number or an id such as `r1p2d0g1`. Raises ArenaError if there is none."""
        if game_id.isdecimal():
            if 1 <= int(game_id) <= self.game_count():
                return int(game_id)
        elif game_id:
            part = game_id
            if place := _GAME_ID.fullmatch(game_id):  # as it stands in the JSON of its result
                round_, pairing, deal, game = map(int, place.groups())
                part = f'"round":{round_},"pairing":{pairing},"deal":{deal},"leg":{game - 1},'
            with _sqlite_errors(self.path):
                for (text,) in self._db.execute("SELECT result FROM games WHERE instr(result, ?)", (part,)):
                    result = _result_decoder.decode(text)
                    if game_id in (result.game_id, result.wire_id):
                        return result.number
        raise ArenaError(f"{self.folder}: there is no game {game_id!r}; `arena status` says which are finished")

    def game(self, number: int) -> tuple[GameResult, Transcript]:
        """A finished game and its transcript. Raises ArenaError if there is none or it is damaged."""
        with _sqlite_errors(self.path):
            row = self._db.execute(
                "SELECT result, transcript FROM games NATURAL JOIN transcripts WHERE number = ?", (number,)
            ).fetchone()
        if row is None:
            raise ArenaError(f"{self.folder}: there is no game {number}")
        return _result_decoder.decode(row[0]), transcript.unpack(row[1])

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[GameRow]:
        """The games `first` to `last` as they are stored."""
        with _sqlite_errors(self.path):
            for row in self._db.execute(
                "SELECT number, CAST(result AS BLOB), CAST(coalesce(transcript, '') AS BLOB), CAST(voids AS BLOB),"
                " CAST(chain AS BLOB) FROM games NATURAL LEFT JOIN transcripts"
                " WHERE number BETWEEN ? AND ? ORDER BY number",
                (first, self.game_count() if last is None else last),
            ):
                yield GameRow(*row)

    def surplus(self) -> int:
        """How many rows there are of games and transcripts beyond those numbered from 1 to the last game."""
        with _sqlite_errors(self.path):
            games, packed = self._db.execute(
                "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM transcripts)"
            ).fetchone()
        return int(abs(games - self.game_count()) + abs(packed - self.game_count()))

    def host_delays(self) -> dict[float, int]:
        """How many games had their longest delay by the host at so many ms."""
        with _sqlite_errors(self.path):
            return dict(self._db.execute("SELECT ms, games FROM host_delays ORDER BY ms").fetchall())

    def host_delays_ms(self) -> list[float]:
        """The longest delay by the host in each game, the shortest first."""
        return [ms for ms, games in self.host_delays().items() for _ in range(games)]

    def voids(self) -> list[tuple[int, tuple[str, ...]]]:
        """The games that were played again, with the reason of each void try."""
        with _sqlite_errors(self.path):
            rows = self._db.execute("SELECT number, voids FROM games WHERE voids != '[]' ORDER BY number").fetchall()
        return [(number, msgspec.json.decode(text, type=tuple[str, ...])) for number, text in rows]

    def _marks_of(self, row: Row) -> str:
        found = self._db.execute("SELECT marks FROM marks WHERE round = ? AND pairing = ? AND deal = ?", row).fetchone()
        return EMPTY if found is None else str(found[0])

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def link(chain: bytes, result: bytes, packed_transcript: bytes, voids: bytes) -> bytes:
    """The next link of the hash chain: SHA-256 over the last link and the hashes of the row's parts."""
    parts = (hashlib.sha256(part).digest() for part in (result, packed_transcript, voids))
    return hashlib.sha256(b"".join((chain, *parts))).digest()


@contextlib.contextmanager
def _sqlite_errors(path: Path) -> Iterator[None]:
    """SQLite's failures as one line for the organizer."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if str(error).startswith("no such "):
            raise ArenaError(f"{path}: {error}: no event file, one cut off, or one of another version") from error
        if str(error).startswith("Could not decode"):
            raise ArenaError(
                f"{path}: the event file is damaged: a text in it is none; restore it from a copy"
            ) from error
        full = "full" in str(error)
        advice = "make room and run the same command again" if full else "look at the disk and the folder's permissions"
        raise ArenaError(f"{path}: {error}; every acknowledged game is safe: {advice}") from error
    except sqlite3.DatabaseError as error:
        raise ArenaError(f"{path}: the event file is damaged: {error}; restore it from a copy") from error
    except msgspec.DecodeError as error:
        raise ArenaError(f"{path}: a row of the event file is damaged: {error}") from error
