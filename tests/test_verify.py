"""One thing changed in each kind of record, and the verification names it."""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arena import config as configs
from arena import games, verify
from arena.commitment import Secret
from arena.errors import ArenaError, CheckFailed
from arena.executor.local import LocalExecutor
from arena.executor.spread import spread
from arena.formats import Round
from arena.match import Played
from arena.store import FILE, Store, link
from arena.tournament import Event
from arena.transcript import Transcript, pack, unpack

RANDOM = Path(__file__).parent.parent / "bots" / "random_bot.py"
CONFIG = """
event: proof
game: nim
options: {{sticks: 9}}
deals_per_pairing: 1
sandbox: 'off'
on_illegal: random
bots:
  - {{id: ann, path: {random}}}
  - {{id: bob, path: {random}}}
  - {{id: odd, path: {odd}}}
  - {{id: dead, path: {dead}}}
"""


class Silent:
    def round_paired(self, round_: Round) -> None: ...
    def game_finished(self, played: Played, done: int, total: int | None) -> None: ...


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished event with wins, forfeits and substituted actions."""
    folder = tmp_path_factory.mktemp("proof")
    odd = folder / "odd.py"
    odd.write_text(RANDOM.read_text().replace('rng.randrange(len(message["legal"]))', "99"))
    dead = folder / "dead.py"
    dead.write_text("raise SystemExit(3)\n")
    config = folder / "proof.yaml"
    config.write_text(CONFIG.format(random=RANDOM, odd=odd, dead=dead))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(games.GAMES, "nim", "nim")
        with (
            Event(configs.load(config), folder / "event") as event,
            LocalExecutor(2, handlers=event.log_handlers) as executor,
        ):
            event.play(executor, Silent())
    return folder / "event"


@pytest.fixture
def event(proof: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that event to be altered."""
    monkeypatch.setitem(games.GAMES, "nim", "nim")
    return Path(shutil.copytree(proof, tmp_path / "event"))


def verified(folder: Path) -> list[str]:
    with Store(folder) as store:
        return list(verify.checks(store))


def misfit(folder: Path) -> str:
    with Store(folder) as store, pytest.raises(CheckFailed) as caught:
        list(verify.checks(store))
    return str(caught.value)


def sql(folder: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(folder / FILE) as db:
        assert db.execute(statement, values).rowcount >= 1
    db.close()


def meta(folder: Path, key: str) -> str:
    with Store(folder) as store:
        value = store.meta(key)
    assert value is not None
    return value


def alter(folder: Path, number: int, change: Callable[[Transcript], Transcript]) -> None:
    """A forger with full access: alter a transcript and make the hash chain fit again."""
    with sqlite3.connect(folder / FILE) as db:
        (packed,) = db.execute("SELECT transcript FROM transcripts WHERE number = ?", (number,)).fetchone()
        db.execute("UPDATE transcripts SET transcript = ? WHERE number = ?", (pack(change(unpack(packed))), number))
    db.close()
    relink(folder)


def relink(folder: Path) -> None:
    with Store(folder) as store:
        chain = bytes.fromhex(store.seal)
        rows = list(store.rows())
    with sqlite3.connect(folder / FILE) as db:
        for row in rows:
            chain = link(chain, row.result, row.transcript, row.voids)
            db.execute("UPDATE games SET chain = ? WHERE number = ?", (chain, row.number))
    db.close()


replace = msgspec.structs.replace


def test_an_untouched_event_is_proved(event: Path) -> None:
    lines = verified(event)
    assert [line.split(":")[0] for line in lines] == [
        "registration",
        "commitment",
        "hash chain",
        "games",
        "marks",
        "schedule",
        "tables",
    ]
    assert "12 played again each from its derived deal" in lines[3]
    assert "(6 forfeits)" in lines[3]
    with Store(event) as store:
        assert any(a.substituted for n in range(1, 13) for a in store.game(n)[1].actions)


@pytest.mark.parametrize("column", ["result", "transcript", "chain"])
@pytest.mark.parametrize("number", [1, 7, 12])
def test_one_flipped_byte_breaks_the_chain_at_its_game(event: Path, column: str, number: int) -> None:
    table = "transcripts" if column == "transcript" else "games"
    with sqlite3.connect(event / FILE) as db:
        (value,) = db.execute(f"SELECT {column} FROM {table} WHERE number = ?", (number,)).fetchone()
        raw = bytearray(value.encode() if isinstance(value, str) else value)
        raw[len(raw) // 2] ^= 1
        stored = raw.decode() if isinstance(value, str) else bytes(raw)
        db.execute(f"UPDATE {table} SET {column} = ? WHERE number = ?", (stored, number))
    db.close()
    assert misfit(event).startswith(f"game {number}: the hash chain breaks here")


def test_a_missing_game_is_named(event: Path) -> None:
    sql(event, "DELETE FROM games WHERE number = 5")
    assert misfit(event) == "game 5: the row is missing"


@pytest.mark.parametrize("workers", [1, 2])
def test_games_are_played_again_in_blocks_side_by_side_and_the_first_misfit_is_named(
    event: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "BLOCK", 2)
    told = []
    with Store(event) as store, spread(workers) as side_by_side:
        lines = list(verify.checks(store, spread=side_by_side, told=lambda *counts: told.append(counts)))
        total = store.game_count()
    assert lines == verified(event)
    assert told == [(min(done, total), total) for done in range(2, total + 2, 2)]
    for number in (3, 6):
        alter(event, number, lambda record: replace(record, wire_id="another"))
    with Store(event) as store, spread(workers) as side_by_side, pytest.raises(CheckFailed, match=r"^game 3: the bots"):
        list(verify.checks(store, spread=side_by_side))


def test_a_missing_transcript_breaks_the_chain_at_its_game(event: Path) -> None:
    sql(event, "DELETE FROM transcripts WHERE number = 5")
    assert misfit(event).startswith("game 5: the hash chain breaks here")


@pytest.mark.parametrize("key", ["config", "entrants", "rules_version", "commitment"])
def test_what_was_registered_cannot_change(event: Path, key: str) -> None:
    value = meta(event, key)
    other = "1" if value[-3:-2] == "0" else "0"
    changed = (
        value.replace("nim", "nym") if key == "config" else value.replace(value[-3], other) if len(value) > 3 else "2"
    )
    sql(event, "UPDATE meta SET value = ? WHERE key = ?", changed.replace("ann", "anna"), key)
    with Store(event) as store, pytest.raises(ArenaError):
        list(verify.checks(store))


def test_entropy_and_accepted_changes_are_told(event: Path) -> None:
    told = json.dumps([{"after_game": 3, "at": "noon", "changes": "-x\n+y", "before": {}}])
    sql(event, "INSERT OR REPLACE INTO meta VALUES ('changes', ?)", told)
    sql(event, "INSERT OR REPLACE INTO meta VALUES ('entropy_at', 'dawn')")
    with Store(event) as store:
        notes = list(verify.recorded_notes(store))
    assert notes[0] == "note: the entropy None was added after the commitment and before the first game (dawn)"
    assert notes[-1] == "note: changes were accepted after game 3 (noon):\n-x\n+y"


def test_a_new_registration_breaks_the_chain(event: Path) -> None:
    registered = json.loads(meta(event, "registered"))
    registered["arena"] = "9.9"
    sql(event, "UPDATE meta SET value = ? WHERE key = 'registered'", json.dumps(registered))
    assert misfit(event).startswith("game 1: the hash chain breaks here")


def test_another_root_is_not_the_committed_one(event: Path) -> None:
    sql(event, "UPDATE meta SET value = ? WHERE key = 'root'", Secret.draw().root)
    assert "was published, but the revealed root gives" in misfit(event)


def test_another_deal_is_not_the_derived_one(event: Path) -> None:
    alter(event, 1, lambda record: replace(record, deal={"first_seat": 1 - record.deal["first_seat"]}))
    assert misfit(event) == "game 1: deal 0 is not the one that the root key gives"


def test_other_random_seeds_are_named(event: Path) -> None:
    alter(event, 2, lambda r: replace(r, seats=(replace(r.seats[0], random_seed=1), r.seats[1])))
    assert misfit(event) == "game 2: the bots were given other random seeds than the root key gives"


def number_between(event: Path, *entrants: str) -> int:
    with Store(event) as store:
        return next(result.number for result in store.results() if set(result.entrants) == set(entrants))


def test_an_action_that_the_bot_did_not_answer_is_named(event: Path) -> None:
    number = number_between(event, "ann", "bob")

    def change(record: Transcript) -> Transcript:
        first = record.actions[0]
        other = {"take": 1 + first.action["take"] % 3}
        return replace(record, actions=(replace(first, action=other), *record.actions[1:]))

    alter(event, number, change)
    assert misfit(event).startswith(f"game {number}: ")


def test_messages_that_were_not_sent_are_named(event: Path) -> None:
    number = number_between(event, "ann", "bob")

    def change(record: Transcript) -> Transcript:
        index = next(i for i, m in enumerate(record.messages) if m.derived == "act")
        message = record.messages[index]
        assert message.clock is not None
        forged = replace(message, clock=replace(message.clock, used_ms=message.clock.used_ms + 1))
        return replace(record, messages=(*record.messages[:index], forged, *record.messages[index + 1 :]))

    alter(event, number, change)
    assert "derived again, are not the bytes that were sent" in misfit(event)


def test_an_answer_put_into_a_bots_mouth_is_named(event: Path) -> None:
    number = number_between(event, "ann", "bob")

    def change(record: Transcript) -> Transcript:
        index = next(i for i, m in enumerate(record.messages) if m.to == "referee" and '"action"' in (m.text or ""))
        message = record.messages[index]
        said = json.loads(message.text or "")
        said["index"] = (said["index"] + 1) % 3
        forged = replace(message, text=json.dumps(said))
        return replace(record, messages=(*record.messages[:index], forged, *record.messages[index + 1 :]))

    alter(event, number, change)
    assert "answer to request 1 is not the recorded action" in misfit(event)


def test_an_outcome_that_the_rules_do_not_give_is_named(event: Path) -> None:
    number = number_between(event, "ann", "bob")
    alter(event, number, lambda r: replace(r, outcome=replace(r.outcome, half_points=r.outcome.half_points[::-1])))
    assert misfit(event).startswith(f"game {number}: ")


def test_a_forfeit_without_a_fault_is_named(event: Path) -> None:
    number = number_between(event, "ann", "dead")
    alter(event, number, lambda record: replace(record, faults=()))
    assert misfit(event) == f"game {number}: the forfeit has no fault behind it"


def test_a_substituted_action_of_somebodys_choice_is_named(event: Path) -> None:
    number = number_between(event, "ann", "odd")

    def change(record: Transcript) -> Transcript:
        index = max(i for i, a in enumerate(record.actions) if a.substituted)
        action = record.actions[index]
        other = replace(action, action={"take": 1 + action.action["take"] % 3})
        return replace(record, actions=(*record.actions[:index], other, *record.actions[index + 1 :]))

    alter(event, number, change)
    assert misfit(event).startswith(f"game {number}: ")


def test_a_result_that_is_not_that_of_its_transcript_is_named(event: Path) -> None:
    with sqlite3.connect(event / FILE) as db:
        (text,) = db.execute("SELECT result FROM games WHERE number = 4").fetchone()
        result = json.loads(text)
        result["half_points"] = result["half_points"][::-1]
        db.execute("UPDATE games SET result = ? WHERE number = 4", (json.dumps(result, separators=(",", ":")),))
    db.close()
    relink(event)
    assert misfit(event) == "game 4: the result is not that of its transcript"


def test_another_pairing_is_named(event: Path) -> None:
    with Store(event) as store:
        first = store.rounds()[0]
    pairing = first.pairings[0]
    swapped = replace(pairing, entrants=pairing.entrants[::-1])
    forged = replace(first, pairings=(swapped, *first.pairings[1:]))
    sql(event, "UPDATE rounds SET round = ? WHERE number = 1", msgspec.json.encode(forged).decode())
    assert misfit(event) == "round 1: the format pairs otherwise than the record says"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE marks SET marks = 'D' || substr(marks, 2) WHERE round = 1",
        "UPDATE marks SET marks = replace(marks, '.', 'W') WHERE round = 1",
        "UPDATE marks SET deal = deal + 64 WHERE round = 1",
        "DELETE FROM marks WHERE round = 1",
        "INSERT INTO marks SELECT 1, pairing + 9, deal, marks FROM marks WHERE round = 1",
    ],
)
def test_wrong_marks_are_named(event: Path, statement: str) -> None:
    sql(event, statement)
    assert re.fullmatch(
        r"marks: those of round 1, pairing \d+, deals from \d+ are not those of its games", misfit(event)
    )


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE faults SET count = count + 1",
        "UPDATE faults SET first = first + 1",
        "UPDATE faults SET round = round + 9",
        "UPDATE faults SET code = 'exit' WHERE code != 'exit'",
        "UPDATE faults SET rowid = -rowid",
        "DELETE FROM faults WHERE round = 1",
    ],
)
def test_wrong_counts_of_faults_are_named(event: Path, change: str) -> None:
    sql(event, change)
    assert misfit(event) == "marks: the faults counted are not those of the games"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM meta WHERE key = 'final'", "what is published at the end is not there: final"),
        ("DELETE FROM meta WHERE key = 'root'", "what is published at the end is not there: root"),
        ("DELETE FROM meta WHERE key = 'ended'", "what is published at the end is not there: ended"),
        (
            "UPDATE meta SET value = '{}' WHERE key = 'final'",
            "standings: the table published at the end is not the one",
        ),
        ("UPDATE meta SET value = 'x' WHERE key = 'final'", "the record is damaged, and cannot be read to its end"),
        ("UPDATE meta SET value = '{}' WHERE key = 'config'", "the record is damaged, and cannot be read to its end"),
        ("UPDATE meta SET value = 'xyz' WHERE key = 'root'", "the record is damaged, and cannot be read to its end"),
        ("INSERT INTO meta VALUES ('entropy_at', 'dawn')", "entropy is said to have been added, and there is none"),
        ("INSERT INTO meta VALUES ('withdrawals', '{\"eve\":1}')", "eve cannot have withdrawn after round 1"),
        ("INSERT INTO meta VALUES ('withdrawals', '{\"ann\":99}')", "ann cannot have withdrawn after round 99"),
        ("UPDATE games SET voids = '[\"slept\"]' WHERE number = 5", "game 5: the hash chain breaks here"),
        ("INSERT INTO games SELECT 0, result, voids, chain FROM games WHERE number = 1", "1 rows of games or trans"),
        ("INSERT INTO transcripts VALUES (99, x'00')", "1 rows of games or transcripts belong to no game"),
        ("UPDATE host_delays SET games = games + 1", "the delays by the host that were counted are not those"),
        ("DELETE FROM host_delays", "the delays by the host that were counted are not those of the transcripts"),
        ("UPDATE rounds SET number = number + 10", "round 1 is not where it should be"),
        ("UPDATE transcripts SET transcript = 'text' WHERE number = 3", "game 3: the hash chain breaks here"),
        ("UPDATE marks SET deal = 'x' WHERE round = 1", "the record is damaged, and cannot be read to its end"),
    ],
)
def test_what_else_is_altered_is_named(event: Path, statement: str, said: str) -> None:
    with sqlite3.connect(event / FILE) as db:
        db.execute(statement)
    db.close()
    with Store(event) as store, pytest.raises(ArenaError) as caught:
        list(verify.checks(store))
    assert said in str(caught.value)
    assert caught.value.exit_code == 1


def test_other_options_than_the_configs_are_named(event: Path) -> None:
    alter(event, 2, lambda record: replace(record, options={"sticks": 8}))
    assert misfit(event) == "game 2: played with other options than the config's"


@pytest.mark.parametrize("name", ["standings", "ratings"])
def test_a_published_table_that_the_games_do_not_give_is_named(event: Path, name: str) -> None:
    final = json.loads(meta(event, "final"))
    rows = final[name] if name == "standings" else final[name]["rows"]
    rows[0]["entrant"] = "cid"
    sql(event, "UPDATE meta SET value = ? WHERE key = 'final'", json.dumps(final))
    assert misfit(event) == f"{name}: the table published at the end is not the one that the games give"


def test_an_event_that_goes_on_is_verified_as_far_as_it_is(event: Path) -> None:
    sql(event, "DELETE FROM meta WHERE key IN ('root', 'salt', 'ended', 'final')")
    lines = verified(event)
    assert "revealed when the event ends" in lines[1]
    assert "from their recorded deals" in lines[3]
