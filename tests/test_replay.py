"""A recorded game played again: the proof that a record is true, and `arena replay`."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner
from made_event import make
from test_referee import ACT_1, TAKE_3, play, two

from arena import config as configs
from arena import games, replay
from arena.cli import cli
from arena.cli.replay import Film, step_through
from arena.clock import FakeClock
from arena.errors import CheckFailed
from arena.executor.local import LocalExecutor
from arena.formats import Round
from arena.match import Played
from arena.model import Policies
from arena.store import Store
from arena.tournament import Event
from arena.transcript import Transcript, pack, unpack

ROOT = Path(__file__).parent.parent
replace = msgspec.structs.replace
CONFIG = f"""
event: duel
game: hidden-leaders-duel
deals_per_pairing: 1
sandbox: 'off'
seed: 7
limits: {{move_s: 5, startup_s: 30}}
bots:
  - {{id: ann, path: {ROOT}/bots/random_bot.py}}
  - {{id: bob, path: {ROOT}/bots/random_bot.py}}
"""


class Nobody:
    def round_paired(self, round_: Round) -> None: ...
    def game_finished(self, played: Played, done: int, total: int | None) -> None: ...


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an event of two games."""
    folder = tmp_path_factory.mktemp("duel")
    (folder / "duel.yaml").write_text(CONFIG)
    with (
        Event(configs.load(folder / "duel.yaml"), folder / "results" / "duel") as event,
        LocalExecutor(1, handlers=event.log_handlers) as executor,
    ):
        event.play(executor, Nobody())
    return folder


@pytest.fixture(scope="module")
def record(duel: Path) -> Transcript:
    with Store(duel / "results" / "duel") as store:
        return store.game(1)[1]


@pytest.fixture
def nim_record(monkeypatch: pytest.MonkeyPatch) -> Transcript:
    """Six sticks, seat 1 takes the last three."""
    monkeypatch.setitem(games.GAMES, "nim", "nim")
    games.load.cache_clear()
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=TAKE_3)
    bob.when(ACT_1, reply={"type": "action", "id": 1, "index": 2})
    return unpack(pack(play(clock, ann, bob)))


def test_the_steps_of_a_record_are_its_plies(record: Transcript) -> None:
    steps = list(replay.steps(record))
    assert [step.ply for step in steps] == list(range(len(record.actions)))
    assert [step.seat for step in steps] == [action.seat for action in record.actions]
    for step, following in pairwise(steps):
        assert step.after == following.before


def test_a_complete_record_holds_every_byte_that_was_sent(nim_record: Transcript) -> None:
    whole = replay.complete(nim_record)
    sent = [message.line for message in whole.messages if message.seat == 1 and message.to == "bot"]
    assert [line.split(b'"')[3] for line in sent] == [b"hello", b"new_game", b"act", b"game_over"]
    assert b'"view":{"sticks":3,"seat":1},"events":[{"seat":0,"took":3}]' in sent[2]


@pytest.mark.parametrize(
    ("forge", "problem"),
    [
        (lambda r: replace(r, rules_version=9), "played by version 9 of the rules"),
        (lambda r: replace(r, deal={"first": 0}), "the recorded deal is not one of nim"),
        (lambda r: replace(r, deal={"first_seat": 1}), "ply 0 of seat 0 is recorded where seat 1 is to act"),
        (lambda r: with_action(r, 0, action={"take": 4}), "the action recorded at ply 0 is not legal there"),
        (lambda r: with_action(r, 0, action={"took": 3}), "ply 0 holds no action of nim"),
        (lambda r: with_action(r, 0, action={"take": 2}), "to seat 0, derived again, are not the bytes that were sent"),
        (lambda r: with_action(r, 1, forced=True), "ply 1 is wrongly recorded as forced"),
        (lambda r: with_action(r, 1, seat=0), "ply 1 of seat 0 is recorded where seat 1 is to act"),
        (lambda r: replace(r, actions=(*r.actions, r.actions[0])), "is recorded where the game is over"),
        (lambda r: replace(r, actions=r.actions[:1]), "derived again, are not the bytes that were sent"),
        (
            lambda r: replace(r, outcome=replace(r.outcome, half_points=(2, 0))),
            "derived again, are not the bytes that were sent",
        ),
    ],
)
def test_a_forged_record_is_refused(nim_record: Transcript, forge: Any, problem: str) -> None:
    with pytest.raises(CheckFailed, match=problem):
        replay.complete(forge(nim_record))


def with_action(record: Transcript, ply: int, **changes: Any) -> Transcript:
    actions = list(record.actions)
    actions[ply] = replace(actions[ply], **changes)
    return replace(record, actions=tuple(actions))


def test_a_request_that_a_fault_left_open_is_derived_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.GAMES, "nim", "nim")
    games.load.cache_clear()
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=TAKE_3)
    bob.when(ACT_1, reply=b"I resign")
    whole = replay.complete(play(clock, ann, bob, policies=Policies()))
    assert sum(b'"type":"act"' in message.line for message in whole.messages) == 2


# The command


def arena(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(cli, ["replay", *arguments])
    if result.exception is not None:
        raise result.exception
    return result.output


def test_in_a_pipe_every_position_is_printed(duel: Path, record: Transcript, monkeypatch: pytest.MonkeyPatch) -> None:
    said = arena(duel, monkeypatch, "duel/1")
    assert said.count("\nply ") == len(record.actions)
    assert "the start" in said
    assert "The game ended" in said


def test_one_sees_what_the_seat_sees_and_no_more(
    duel: Path, record: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.load(record.game)
    for viewer, eyes in (("0", 0), ("1", 1), ("spectator", None)):
        said = arena(duel, monkeypatch, "duel/1", "--seat", viewer)
        for step in replay.steps(record):
            assert game.render(game.view(step.after, eyes)) in said
    for hidden in record.deal["roles"]:
        assert hidden not in arena(duel, monkeypatch, "duel/1", "--to", "5")
    assert record.deal["roles"][1] not in arena(duel, monkeypatch, "duel/1", "--to", "5", "--seat", "0")


def test_a_part_of_a_game_can_be_asked_for(duel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = arena(duel, monkeypatch, "duel/1", "--from", "2", "--to", "3")
    assert [line.split(":")[0] for line in said.splitlines() if line.startswith("ply ")] == ["ply 1", "ply 2", "ply 3"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["duel/1", "--seat", "2"], "--seat 2: expected 0, 1 or spectator"),
        (["duel/1", "--from", "900"], "--from 900: the game has plies 0 to"),
        (["duel/9"], "there is no game '9'"),
    ],
)
def test_a_mistake_is_said_in_a_line(
    duel: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], problem: str
) -> None:
    with pytest.raises(Exception, match=problem):
        arena(duel, monkeypatch, *arguments)


def test_the_end_may_be_asked_for_and_a_part_has_its_ends_in_order(
    duel: Path, record: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    plies = len(record.actions)
    assert "The game ended" in arena(duel, monkeypatch, "duel/1", "--from", str(plies))
    with pytest.raises(Exception, match=f"has plies 0 to {plies - 1}; --from {plies} is the end"):
        arena(duel, monkeypatch, "duel/1", "--from", str(plies + 1))
    with pytest.raises(Exception, match="--from 3: it is after --to 1"):
        arena(duel, monkeypatch, "duel/1", "--from", "3", "--to", "1")


def test_an_action_stands_in_the_heading_for_whom_it_is_no_secret(
    duel: Path, record: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    def headings(eyes: str) -> list[str]:
        said = arena(duel, monkeypatch, "duel/1", "--seat", eyes)
        return [line for line in said.splitlines() if line.startswith("ply ")]

    assert all("): " not in line for line in headings("spectator"))
    for action, line in zip(record.actions, headings("0"), strict=True):
        assert ("): " in line) == (action.seat == 0)


def test_an_action_that_no_event_tells_is_told(tmp_path: Path) -> None:
    with Store(make(tmp_path, game="leaders", entrants=("ann", "bob"), deals=4)) as store:
        records = [store.game(number)[1] for number in range(1, 9)]
    silent = []
    for record in records:
        film = Film(record, more="", over=True)
        plies = [action.ply for action in record.actions if action.action["type"] == "end_actions"]
        silent += [film.frame(ply + 1, None).splitlines()[1] for ply in plies]
    assert silent
    assert all("): end actions (" in line for line in silent)


@pytest.mark.parametrize(
    ("over", "eyes", "told"), [(True, None, True), (False, None, False), (False, 0, False), (False, 1, True)]
)
def test_the_sentence_of_a_fault_is_told_to_whom_it_may(
    over: bool, eyes: int | None, told: bool, tmp_path: Path
) -> None:
    with Store(make(tmp_path, entrants=("ann", "bob"), deals=1, forfeits=(1,))) as store:
        _, game = store.game(1)
    film = Film(game, more="arena show made/1", over=over)
    end = film.frame(len(film) - 1, eyes).splitlines()
    where = f"Fault of seat 1, illegal-action, when ply {len(game.actions)} was asked for"
    assert end[-2] == where + (": SECRET-SENTENCE legal: I3" if told else "")
    assert end[-1] == "More about it: arena show made/1"


def test_on_a_terminal_keys_lead_on_back_and_to_other_eyes(record: Transcript) -> None:
    film = Film(record, more="arena show duel/1", over=True)

    @click.command()
    def stepping() -> None:
        step_through(film, None, 0, len(film) - 1)

    result = CliRunner().invoke(stepping, input="\n\nb\nv1\nv7\n3\n?\ne\n\n")
    assert result.exception is None, result.output
    last = len(film) - 1
    asked = [line.split("]")[0] for line in result.output.splitlines() if line.startswith("[")]
    assert asked == [f"[{position}/{last}" for position in (0, 1, 2, 1, 1, 1, 3, 3, last)]
    assert "--seat 7: expected 0, 1 or spectator" in result.output
    assert "(you)" in result.output
    assert CliRunner().invoke(stepping, input="q\n").output.count("[0/") == 1
