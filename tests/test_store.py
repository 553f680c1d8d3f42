"""The event file: what is acknowledged is kept, and what is damaged is said."""

import os
import sqlite3
from pathlib import Path
from random import Random

import msgspec
import pytest
from made_games import made_games

from arena.errors import ArenaError
from arena.formats import Round
from arena.marks import EMPTY, Row, marked, row_of
from arena.match import Played
from arena.model import Fault, FaultCount, GameResult, Pairing
from arena.store import FILE, Store

ROUND = Round(
    pairings=(
        Pairing(round=1, number=1, entrants=("ann", "bob")),
        Pairing(round=1, number=2, entrants=("cid", None)),
    )
)


def played(number: int, *, a: int = 2, forfeit_by: int | None = None, blob: bytes = b"x") -> Played:
    fault = () if forfeit_by is None else (Fault(seat=forfeit_by, code="exit", ply=0, text="exited"),)
    leg = (number - 1) % 2
    return Played(
        result=GameResult(
            number=number,
            round=1,
            pairing=1,
            deal=(number - 1) // 2,
            leg=leg,
            entrants=("ann", "bob") if leg == 0 else ("bob", "ann"),
            half_points=(a, 2 - a),
            reason="points",
            wire_id=f"wire-{number}",
            forfeit_by=forfeit_by,
            faults=fault,
        ),
        transcript=blob,
        voids=("the machine slept",) if number == 2 else (),
        max_host_delay_ms=float(number),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Store(tmp_path / "event", writable=True, create=True) as store:
        store.register("what was registered", began="now")
        store.add_round(1, ROUND)
        store.add_games([played(1), played(2, forfeit_by=1)])
        store.add_games([played(3, a=1)])
    return tmp_path / "event"


def test_what_was_written_is_read(folder: Path) -> None:
    with Store(folder) as store:
        assert store.meta("began") == "now"
        assert store.meta("ended") is None
        assert store.rounds() == [ROUND]
        assert store.game_count() == 3
        assert [result.number for result in store.results()] == [1, 2, 3]
        assert [result.number for result in store.results(after=2)] == [3]
        assert store.host_delays_ms() == [1.0, 2.0, 3.0]
        assert store.voids() == [(2, ("the machine slept",))]
        meeting, bye = store.round_results()[0]
        assert (meeting.half_points, meeting.games, meeting.forfeited) == ((3, 3), 3, (1, 0))
        assert store.marks() == {(1, 1, 0): "W-D".ljust(128, ".")}
        assert store.faults() == [FaultCount(round=1, entrant="ann", code="exit", count=1, first=2)]
        assert (bye.pairing.is_bye, bye.games) == (True, 0)


def test_games_are_found_by_number_and_by_id(folder: Path) -> None:
    with Store(folder) as store:
        assert (store.find("2"), store.find("r1p1d0g2"), store.find("r1p1d1g1")) == (2, 2, 3)
        assert store.find("wire-2") == 2
        for unknown in ("0", "4", "r9p1d0g1", f"r{10**30}p1d0g1", "wire", "points", "x", ""):
            with pytest.raises(ArenaError, match="there is no game"):
                store.find(unknown)
        with pytest.raises(ArenaError, match="there is no game 9"):
            store.game(9)


def test_games_out_of_order_are_a_mistake_of_ours_and_nothing_is_written(folder: Path) -> None:
    with Store(folder, writable=True) as store:
        with pytest.raises(AssertionError, match="schedule order"):
            store.add_games([played(4), played(6)])
        assert store.game_count() == 3


def test_there_is_no_event_where_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"no event here \(no event.sqlite\); `arena run CONFIG` makes one"):
        Store(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(ArenaError, match=r"File exists|Not a directory"):
        Store(tmp_path / "file", writable=True, create=True)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            os.setresuid(65534, 65534, 65534)
        try:
            Store(tmp_path / "event", writable=True, create=True)
        except ArenaError as error:
            os.write(writer, str(error).encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    assert b"Permission denied" in os.read(reader, 1000)
    os.close(reader)
    tmp_path.chmod(0o755)


def test_one_writer_alone_and_readers_meanwhile(folder: Path) -> None:
    with Store(folder, writable=True) as store:
        with pytest.raises(ArenaError, match=r"is being run by another process \(pid \d+\)"):
            Store(folder, writable=True)
        with Store(folder) as reader:
            store.add_games([played(4)])
            assert reader.game_count() == sum(result.games for result in reader.round_results()[0]) == 3
        with Store(folder) as reader:
            assert reader.game_count() == sum(result.games for result in reader.round_results()[0]) == 4
    Store(folder, writable=True).close()


def test_a_full_disk_is_a_clean_error_and_the_event_goes_on_when_there_is_room(folder: Path) -> None:
    with Store(folder, writable=True) as store:
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(ArenaError, match="full; every acknowledged game is safe: make room and run the same"):
            store.add_games([played(4, blob=b"y" * 100_000)])
        assert store.game_count() == 3
        store._db.execute("PRAGMA max_page_count = 1000000")
        store.add_games([played(4, blob=b"y" * 100_000)])
        assert store.game_count() == 4


def test_a_truncated_file_is_said_to_be_damaged(folder: Path) -> None:
    path = folder / FILE
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(ArenaError, match="damaged"), Store(folder) as store:
        list(store.results())


def test_a_file_that_is_no_database_is_said(folder: Path) -> None:
    for name in (f"{FILE}-wal", f"{FILE}-shm"):
        (folder / name).unlink(missing_ok=True)
    (folder / FILE).write_bytes(b"not a database, but long enough to look like one" * 100)
    with pytest.raises(ArenaError, match="file is not a database"):
        Store(folder)


def test_a_corrupted_row_is_said_with_its_file(folder: Path) -> None:
    with sqlite3.connect(folder / FILE) as db:
        db.execute("UPDATE games SET result = '{\"number\":' WHERE number = 2")
    db.close()
    with Store(folder) as store, pytest.raises(ArenaError, match=r"event.sqlite: a row of the event file is damaged"):
        list(store.results())


@pytest.mark.parametrize("marks", ["", "W-D", "W-D".ljust(128, "X"), "W-D".ljust(64, ".").ljust(128, "é")])
def test_damaged_marks_are_said(folder: Path, marks: str) -> None:
    with sqlite3.connect(folder / FILE) as db:
        db.execute("UPDATE marks SET marks = ?", (marks,))
    db.close()
    with Store(folder) as store, pytest.raises(ArenaError, match="a row of the event file is damaged: marks that"):
        store.round_results()


def test_a_damaged_transcript_is_said(folder: Path) -> None:
    with Store(folder) as store, pytest.raises(ArenaError, match="the stored transcript is damaged"):
        store.game(1)


@pytest.mark.parametrize("format_", [1, 99])
def test_an_event_of_another_format_is_refused(folder: Path, format_: int) -> None:
    with sqlite3.connect(folder / FILE) as db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(format_),))
    db.close()
    with pytest.raises(ArenaError, match=f"written in format {format_}; this version of Arena reads format 2"):
        Store(folder)


@pytest.mark.parametrize("scope", ["game", "sitting"])
def test_marks_and_faults_are_in_step_with_the_games_however_they_come_in(tmp_path: Path, scope: str) -> None:
    for seed in range(8):
        rng = Random(seed)
        _, pairings, games = made_games(rng, scope=scope)
        rows: dict[Row, str] = {}
        counts: dict[tuple[int, str, str], list[int]] = {}
        with Store(tmp_path / str(seed), writable=True, create=True) as store:
            left = list(games)
            while left:
                now = rng.choice([1, 3, 40, 500])
                store.add_games([Played(result=game, transcript=b"") for game in left[:now]])
                left = left[now:]
            for game in games:
                rows[row_of(game)] = marked(rows.get(row_of(game), EMPTY), game)
                for fault in game.faults:
                    key = (game.round, game.entrants[fault.seat], fault.code)
                    counts.setdefault(key, [0, game.number])[0] += 1
            assert store.marks() == rows
            found = [((f.round, f.entrant, f.code), [f.count, f.first]) for f in store.faults()]
            assert found == list(counts.items()), "the order, too"
            for number in sorted({pairing.round for pairing in pairings}):
                store.add_round(number, Round(pairings=tuple(p for p in pairings if p.round == number)))
            assert sum(result.games for round_ in store.round_results() for result in round_) == len(games)


def test_a_game_that_is_there_already_is_refused_whole(folder: Path) -> None:
    with Store(folder, writable=True) as store:
        before = store.marks(), store.faults()
        again = msgspec.structs.replace(played(4).result, deal=0, leg=0)
        with pytest.raises(ArenaError, match="game 4: there is no place for another r1p1d0g1"):
            store.add_games([msgspec.structs.replace(played(4, forfeit_by=0), result=again)])
        assert (store.game_count(), store.marks(), store.faults()) == (3, *before)


def test_the_delays_by_the_host_are_counted_and_come_sorted(folder: Path) -> None:
    delays = [2.0, 0.0, 2.0, 0.125]
    with Store(folder, writable=True) as store:
        late = [
            msgspec.structs.replace(played(n), max_host_delay_ms=ms) for n, ms in zip(range(4, 8), delays, strict=True)
        ]
        store.add_games(late[:3])
        store.add_games(late[3:])
        assert store.host_delays_ms() == [0.0, 0.125, 1.0, 2.0, 2.0, 2.0, 3.0]
