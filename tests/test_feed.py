"""A recorded game fed to a bot again: the same, another, or the same fault. And an author's way from table to fault."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zoo
from click.testing import CliRunner

from arena import feed, games, match, sandbox, transcript
from arena.cli import cli
from arena.errors import CheckFailed, UsageError
from arena.feed import Fed
from arena.match import Game, Sitting
from arena.model import Limits, Policies
from arena.sandbox import Mode
from arena.transcript import Transcript

LIMITS = Limits(startup_s=10, move_s=0.3)
FAULTS = [
    "import_error",
    "never_ready",
    "hello_twice",
    "crashes",
    "slow_second_move",
    "one_ms_late",
    "two_answers",
    "illegal_then_crash",
    "endless_line",
    "quits_after_one_answer",
    "closes_stdout",
    "never_reads",
]


needs_sandbox = pytest.mark.skipif(
    sandbox.survey().level != "full", reason="the full sandbox is not to be had on this machine"
)


@pytest.fixture(autouse=True)
def nim(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(games.GAMES, "nim", "nim")
    games.load.cache_clear()
    yield
    games.load.cache_clear()


def recorded(path: Path, folder: Path, **changes: Any) -> Transcript:
    """One game of the bot at `path` in seat 1 against an honest one."""
    known: dict[str, Any] = {
        "game": "nim",
        "options": {"sticks": zoo.STICKS},
        "limits": LIMITS,
        "policies": Policies(),
        "sandbox": "off",
        "contenders": (zoo.contender(zoo.HONEST, folder), zoo.contender(path, folder)),
        "games": (
            Game(number=1, round=1, pairing=1, deal_number=0, leg=0, deal={"first_seat": 1}, random_seeds=(3, 4)),
        ),
    }
    (played,) = match.play_sitting(Sitting(**{**known, **changes}))
    return transcript.unpack(played.transcript)


def fed(record: Transcript, path: Path, folder: Path, *, seat: int = 1, patience_s: float = 5.0) -> Fed:
    return feed.feed(record, zoo.contender(path, folder), seat, mode=Mode.OFF, patience_s=patience_s)


def changed(folder: Path, old: str, new: str, *, path: Path = zoo.HONEST) -> Path:
    """A bot with something changed in it."""
    text = path.read_text()
    assert old in text
    other = folder / "changed.py"
    other.write_text(text.replace(old, new))
    return other


def test_the_same_bot_answers_the_same_bytes_alike_without_an_opponent(tmp_path: Path) -> None:
    record = recorded(zoo.FOLDER / "name_of_emoji.py", tmp_path)
    for seat, path in enumerate((zoo.HONEST, zoo.FOLDER / "name_of_emoji.py")):
        result = fed(record, path, tmp_path, seat=seat)
        assert result.same
        assert result.ending == "answered as recorded"
        own = [message for message in record.messages if message.seat == seat]
        assert result.answers == sum(message.to == "referee" for message in own)
        assert result.sent == sum(message.to == "bot" for message in own)
        assert (result.reworded, result.difference, result.reproduced) == (0, None, None)


def test_another_note_or_name_is_no_difference_but_counted(tmp_path: Path) -> None:
    record = recorded(zoo.HONEST, tmp_path)
    noting = changed(tmp_path, '"id": message["id"]', '"note": "hm", "id": message["id"]')
    result = fed(record, noting, tmp_path)
    assert result.same
    assert result.reworded == result.answers - 2


def test_the_first_other_answer_is_shown_with_its_request(tmp_path: Path) -> None:
    record = recorded(zoo.FOLDER / "name_like_a_path.py", tmp_path)
    other = changed(tmp_path, "index=0", 'index=0 if message["id"] < 3 else 1', path=zoo.FOLDER / "name_like_a_path.py")
    result = fed(record, other, tmp_path)
    assert not result.same
    assert result.difference is not None
    assert result.difference.answer == 5
    assert json.loads(result.difference.request)["id"] == 3
    assert json.loads(result.difference.recorded)["index"] == 0
    assert json.loads(result.difference.now)["index"] == 1


def test_a_bot_that_is_not_deterministic_is_found(tmp_path: Path) -> None:
    careless = changed(tmp_path, 'rng.seed(message["random_seed"])', "rng.seed()")
    result = fed(recorded(careless, tmp_path), careless, tmp_path)
    assert result.difference is not None


@pytest.mark.parametrize("row", [row for row in zoo.rows() if row.bot in FAULTS], ids=lambda row: row.bot)
def test_a_fault_is_reproduced(row: zoo.Row, tmp_path: Path) -> None:
    record = recorded(row.path, tmp_path, limits=row.limits)
    assert record.outcome.code == row.verdict
    result = fed(record, row.path, tmp_path)
    assert result.reproduced, result
    assert result.same
    assert result.ending.startswith(f"reproduced {row.verdict}: ")


@pytest.mark.parametrize("name", ["crashes", "slow_second_move", "two_answers", "closes_stdout"])
def test_a_fault_that_has_been_mended_is_not_reproduced(name: str, tmp_path: Path) -> None:
    record = recorded(zoo.FOLDER / f"{name}.py", tmp_path)
    result = fed(record, zoo.FOLDER / "crlf.py", tmp_path)
    assert result.reproduced is False
    assert not result.same
    assert result.ending.startswith(f'the {record.outcome.code} is gone: the bot now answers {{"type": "action"')


def test_what_comes_instead_of_a_fault_is_not_called_mended(tmp_path: Path) -> None:
    record = recorded(zoo.FOLDER / "crashes.py", tmp_path)
    for name, ending in (
        ("illegal_index", "another fault instead of exit: the bot now answers "),
        ("sleeps_for_ever", "another fault instead of exit: timeout: no reply within "),
    ):
        result = fed(record, zoo.FOLDER / f"{name}.py", tmp_path, patience_s=0.5)
        assert result.reproduced is False
        assert result.ending.startswith(ending), result.ending
    later = recorded(zoo.FOLDER / "slow_second_move.py", tmp_path)
    other = changed(tmp_path, "index=0", "index=1", path=zoo.FOLDER / "crlf.py")
    assert fed(later, other, tmp_path).ending == "timeout was not reached: the bot answers otherwise before it"


def test_an_answer_that_was_late_and_comes_in_time_now_has_mended_the_fault(tmp_path: Path) -> None:
    record = recorded(zoo.FOLDER / "slow_second_move.py", tmp_path)
    late = transcript.message(1, "referee", record.messages[-1].at_ms, b'{"type": "action", "id": 2, "index": 0}')
    places = [i for i, one in enumerate(record.messages) if one.seat == 1 and one.derived == "act"]
    messages = (*record.messages[: places[-1] + 1], late, *record.messages[places[-1] + 1 :])
    record = msgspec.structs.replace(record, messages=messages)
    result = fed(record, zoo.FOLDER / "crlf.py", tmp_path)
    assert (result.reproduced, result.difference) == (False, None)
    assert result.ending.startswith("the timeout is gone: the bot now answers ")


def test_a_fault_that_is_new_is_a_difference(tmp_path: Path) -> None:
    result = fed(recorded(zoo.FOLDER / "crlf.py", tmp_path), zoo.FOLDER / "crashes.py", tmp_path)
    assert result.difference is not None
    assert result.difference.recorded == "no fault"
    assert result.difference.now == "exit: exited with code 1 before it replied"
    assert "ValueError: a bug" in result.stderr


def test_forgiven_lateness_is_fed_in_its_order(tmp_path: Path) -> None:
    (row,) = [row for row in zoo.rows() if row.bot == "forgiven_once"]
    record = recorded(row.path, tmp_path, policies=row.policies)
    assert [fault.code for fault in record.faults] == ["timeout"]
    assert fed(record, row.path, tmp_path).same


def test_a_silent_bot_is_waited_for_no_longer_than_asked(tmp_path: Path) -> None:
    record = recorded(zoo.HONEST, tmp_path)
    result = fed(record, zoo.FOLDER / "sleeps_for_ever.py", tmp_path, patience_s=0.3)
    assert result.difference is not None
    assert result.difference.now == "nothing within 0.3 s"


def test_a_seat_that_is_not_there_and_a_forged_record_are_refused(tmp_path: Path) -> None:
    record = recorded(zoo.HONEST, tmp_path)
    with pytest.raises(UsageError, match="no seat 2"):
        fed(record, zoo.HONEST, tmp_path, seat=2)
    forged = msgspec.structs.replace(record, options={"sticks": zoo.STICKS - 1})
    with pytest.raises(CheckFailed, match=r"r1p1d0g1"):
        fed(forged, zoo.HONEST, tmp_path)


CONFIG = """
event: league
game: hidden-leaders-duel
deals_per_pairing: 1
sandbox: 'off'
seed: 42
limits: {{move_s: 0.3, startup_s: 30}}
bots:
  - {{id: honest, path: {bots}/random_bot.py}}
  - {{id: sleepy, path: {bots}/misbehaving/slow_second_move.py}}
  - {{id: buggy, path: {bots}/misbehaving/crashes.py}}
"""


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which an event with forfeits has been played."""
    folder = tmp_path_factory.mktemp("league")
    (folder / "league.yaml").write_text(CONFIG.format(bots=zoo.ROOT / "bots"))
    result = CliRunner().invoke(
        cli, ["run", str(folder / "league.yaml"), "--results", str(folder / "results"), "--workers", "1", "-q"]
    )
    assert result.exit_code == 0, result.output
    return folder


def arena(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.mark.parametrize(("bot", "code"), [("sleepy", "timeout"), ("buggy", "exit")])
def test_two_commands_lead_from_a_forfeit_in_the_standings_to_its_reproduction(
    league: Path, monkeypatch: pytest.MonkeyPatch, bot: str, code: str
) -> None:
    """Each command is printed by the one before it, word for word."""
    monkeypatch.chdir(league)
    _, table = arena("standings", "league")
    faults, first = re.findall(rf"^faults of {bot}: (.*); the first: arena (show .*)$", table, flags=re.MULTILINE)[0]
    assert faults.startswith(f"{code} ")
    status, shown = arena(*first.split())
    assert status == 0
    assert f"fault {code} of seat" in shown
    (second,) = re.findall(rf"^  reproduce: arena (feed .*/{bot}/.*)$", shown, flags=re.MULTILINE)
    status, said = arena(*second.split(), "--sandbox", "off")
    assert status == 0, said
    assert f"result: reproduced {code}: " in said


def test_the_seat_is_that_of_the_forfeit_or_of_the_same_files(league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(league)
    _, shown = arena("standings", "league")
    number = re.findall(r"faults of sleepy: .*; the first: arena show (\S+)", shown)[0]
    status, said = arena("feed", number, str(zoo.HONEST), "--sandbox", "off")
    assert status == 1
    assert "These are not the files that played" in said
    assert "first difference, answer 3:" in said
    assert "result: timeout was not reached: the bot answers otherwise before it" in said
    request = next(line for line in said.splitlines() if line.startswith("  request:"))
    assert len(request) < 450
    assert re.search(r"… \(\d{4} characters; whole: arena show \S+ --json\)$", request)
    status, text = arena("feed", number, str(zoo.FOLDER / "slow_second_move.py"), "--sandbox", "off", "--json")
    assert status == 0
    assert json.loads(text)["same"]


def test_a_wrong_game_or_bot_is_said_in_a_line(league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(league)
    for arguments, problem in (
        (["league/99", str(zoo.HONEST)], "there is no game '99'"),
        (["league/1", "nobody.py"], "no such file"),
    ):
        result = CliRunner().invoke(cli, ["feed", *arguments])
        assert problem in str(result.exception)


@needs_sandbox
@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in zoo.rows() if row.games == 1], ids=lambda row: row.bot)
def test_whatever_a_bot_of_the_zoo_did_it_does_again(row: zoo.Row, tmp_path: Path) -> None:
    (played,) = match.play_sitting(zoo.sitting(row, tmp_path, seat=1, first=1))
    record = transcript.unpack(played.transcript)
    contender = zoo.contender(row.path, tmp_path)
    assert feed.feed(record, contender, 1, mode=Mode.REQUIRED, patience_s=20).same
