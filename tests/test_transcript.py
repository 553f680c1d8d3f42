"""Transcripts: packing, bytes of every kind, and the form that everybody may read."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from test_referee import ACT_1, TAKE_3, play, two
from test_replay import CONFIG, Nobody

from arena import config as configs
from arena import games, redact, transcript
from arena.cli import cli
from arena.clock import FakeClock
from arena.errors import ArenaError
from arena.executor.local import LocalExecutor
from arena.match import Played
from arena.model import Fault
from arena.store import Store
from arena.tournament import Event
from arena.transcript import Transcript

replace = msgspec.structs.replace


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> Transcript:
    """A game in which each bot leaves a note, stderr and a fault."""
    monkeypatch.setitem(games.GAMES, "nim", "nim")
    games.load.cache_clear()
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=TAKE_3 | {"note": "note of ann"})
    bob.when(ACT_1, reply={"type": "action", "id": 1, "index": 0, "note": "note of bob"})
    ann.when({"type": "act", "id": 2}, reply={"type": "action", "id": 2, "index": 9, "secret": "line of ann"})
    found = play(clock, ann, bob)
    names = ("ann", "bob")
    seats = tuple(
        replace(seat, entrant=name, stderr=f"stderr of {name}") for seat, name in zip(found.seats, names, strict=True)
    )
    faults = tuple(replace(fault, stderr_tail=f"stderr of {names[fault.seat]}") for fault in found.faults)
    outcome = replace(found.outcome, details={"dealt": "a secret"})
    return replace(found, seats=seats, faults=faults, outcome=outcome)


@given(st.binary(max_size=200).filter(lambda line: b"\n" not in line))
def test_every_line_is_kept_to_the_byte(line: bytes) -> None:
    kept = transcript.message(1, "referee", 12.346, line + b"\n")
    assert kept.line == line
    assert msgspec.json.decode(msgspec.json.encode(kept), type=transcript.Message) == kept
    assert kept.at_ms == 12.346


@given(st.floats(0, 1e6))
def test_times_are_kept_to_the_microsecond(seconds: float) -> None:
    found = transcript.milliseconds(seconds)
    assert abs(found - seconds * 1000) <= 0.000501
    assert msgspec.json.encode(found) == msgspec.json.encode(round(found, 3))


def test_a_packed_transcript_comes_back_and_is_small(record: Transcript) -> None:
    packed = transcript.pack(record)
    assert transcript.unpack(packed) == record
    assert len(packed) < len(msgspec.json.encode(record)) / 2


@pytest.mark.parametrize("damage", [lambda data: data[:-3], lambda data: b"x" + data, lambda _: b""])
def test_a_damaged_transcript_is_refused(record: Transcript, damage: object) -> None:
    with pytest.raises(ArenaError, match="the stored transcript is damaged"):
        transcript.unpack(damage(transcript.pack(record)))  # type: ignore[operator]


def test_without_times_two_runs_on_different_machines_are_equal(record: Transcript) -> None:
    slower = replace(
        record,
        actions=tuple(replace(a, took_ms=(a.took_ms or 0) + 7, host_delay_ms=3.0, cpu_ms=2.0) for a in record.actions),
        messages=tuple(replace(m, at_ms=m.at_ms + 7) for m in record.messages),
        seats=tuple(replace(seat, peak_memory_mb=99.0, cpu_s=1.0) for seat in record.seats),
    )
    assert slower != record
    assert transcript.without_times(slower) == transcript.without_times(record)


# The public form


def test_while_the_deal_may_be_played_again_nothing_tells_of_it(record: Transcript) -> None:
    shown = redact.public(record, spent=False)
    assert shown.deal is None
    assert shown.actions == ()
    assert shown.messages == ()
    assert shown.outcome == replace(record.outcome, details={})
    text = msgspec.json.encode(shown).decode()
    for secret in ("first_seat", "take", "a secret", *(seat.sent_sha256 for seat in record.seats)):
        assert secret not in text, secret


def test_games_that_differ_only_in_what_is_secret_look_the_same(record: Transcript) -> None:
    other = replace(
        record,
        deal={"first_seat": 1},
        actions=record.actions[:1],
        messages=record.messages[3:],
        outcome=replace(record.outcome, details={}),
        faults=tuple(replace(fault, text="another sentence", offending="another line") for fault in record.faults),
        seats=tuple(replace(seat, sent_sha256="0" * 64, random_seed=5, stderr="") for seat in record.seats),
    )
    assert redact.public(other, spent=False) == redact.public(record, spent=False)


@pytest.mark.parametrize("spent", [False, True])
def test_what_a_bot_wrote_for_its_author_is_never_public(record: Transcript, spent: bool) -> None:
    text = msgspec.json.encode(redact.public(record, spent=spent)).decode()
    for private in ("note of", "stderr of", "line of", "beyond the"):
        assert private in msgspec.json.encode(record).decode(), "the test looks for nothing"
        assert private not in text
    assert [(fault.seat, fault.code) for fault in redact.public(record, spent=spent).faults] == [(0, "illegal-action")]


def test_a_spent_deal_is_shown_with_everything_to_play_it_again(record: Transcript) -> None:
    shown = redact.public(record, spent=True)
    assert (shown.deal, shown.outcome) == (record.deal, record.outcome)
    assert [(a.seat, a.action, a.took_ms) for a in shown.actions] == [
        (a.seat, a.action, a.took_ms) for a in record.actions
    ]


def test_an_author_keeps_what_its_own_bot_wrote(record: Transcript) -> None:
    text = msgspec.json.encode(redact.public(record, spent=True, own=0)).decode()
    assert {"note of ann", "stderr of ann", "beyond the"} <= {
        private for private in ("note of ann", "stderr of ann", "beyond the") if private in text
    }
    assert "of bob" not in text


class Enough(Exception):  # noqa: N818
    pass


class StopsAfterOne(Nobody):
    def game_finished(self, played: Played, done: int, total: int | None) -> None:
        raise Enough


def test_a_deal_is_spent_when_its_round_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "duel.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "results" / "duel"

    def run(observer: Nobody) -> None:
        with (
            Event(configs.load(tmp_path / "duel.yaml"), folder) as event,
            LocalExecutor(1, handlers=event.log_handlers) as executor,
        ):
            event.play(executor, observer)

    def shown() -> dict[str, object]:
        result = CliRunner().invoke(cli, ["show", "duel/1", "--public", "--json"])
        assert result.exit_code == 0, result.output
        return dict(json.loads(result.output))

    with pytest.raises(Enough):
        run(StopsAfterOne())
    with Store(folder) as store:
        assert store.game_count() == 1
        assert not redact.is_spent(store, 1)
        secrets = store.game(1)[1].deal
    assert shown()["deal"] is None
    text = CliRunner().invoke(cli, ["show", "duel/1", "--public"]).output
    assert "secret until every game of this round has been played" in text
    run(Nobody())
    with Store(folder) as store:
        assert redact.is_spent(store, 1)
        assert redact.is_spent(store, 2)
    assert shown()["deal"] == secrets


def test_names_and_notes_are_printed_without_terminal_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: Transcript
) -> None:
    from arena.cli.show import fault_text, game_text

    evil = "\x1b[2Jwiped\x9b31m\u202e"
    seats = tuple(replace(seat, name=evil) for seat in record.seats)
    actions = tuple(replace(action, note=evil) for action in record.actions)
    fault = Fault(seat=0, code="protocol", ply=0, text=evil, stderr_tail=evil, offending="x")
    shown = game_text(replace(record, seats=seats, actions=actions), 1) + fault_text(record, fault, game="e/1")
    assert all(character.isprintable() or character == "\n" for character in shown)
    assert r"\x1b[2Jwiped\x9b31m\u202e" in shown


def test_an_author_asks_for_the_public_form_with_its_own_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: Transcript
) -> None:
    asked: list[int | None] = []
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "results" / "duel"
    (tmp_path / "duel.yaml").write_text(CONFIG)
    with (
        Event(configs.load(tmp_path / "duel.yaml"), folder) as event,
        LocalExecutor(1, handlers=event.log_handlers) as executor,
    ):
        event.play(executor, Nobody())

    def public(record: Transcript, *, spent: bool, own: int | None) -> Transcript:
        asked.append(own)
        return record

    monkeypatch.setattr(redact, "public", public)
    assert CliRunner().invoke(cli, ["show", "duel/1", "--public", "--seat", "1"]).exit_code == 0
    assert asked == [1]
    assert "--seat goes with --public" in str(CliRunner().invoke(cli, ["show", "duel/1", "--seat", "1"]).exception)
