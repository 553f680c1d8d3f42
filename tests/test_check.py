"""`arena check`: which step finds what, and what an author is told. Sandbox off but where a bot is dangerous."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import zoo
from click.testing import CliRunner

from arena import check, check_guest, games, sandbox
from arena.check import Report
from arena.cli.check import command, print_step
from arena.errors import FAULTS
from arena.model import Limits
from arena.sandbox import Mode

LIMITS = Limits(startup_s=10, move_s=1)
QUICK = [
    "import_error",
    "never_ready",
    "does_not_flush",
    "does_not_flush_actions",
    "crashes",
    "illegal_index",
    "talks_when_the_game_is_over",
    "crashes_when_the_game_is_over",
    "name_with_escapes",
]

POLITE = """
import json, os, random, sys, time

played = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1}), flush=True)
    elif message["type"] == "new_game":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "act":
        index = 0
        ACT
        print(json.dumps({"type": "action", "id": message["id"], "index": index}), flush=True)
    elif message["type"] == "quit":
        break
    OTHER
"""


@pytest.fixture(autouse=True)
def nim(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(games.GAMES, "nim", "nim")
    games.load.cache_clear()
    yield
    games.load.cache_clear()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not there in time is not waited for as long as authors are."""
    monkeypatch.setattr(check_guest, "LATE_S", 0.5)


def checked(
    path: Path, folder: Path, *, game: str = "nim", limits: Limits = LIMITS, mode: Mode = Mode.OFF, count: int = 1
) -> Report:
    return check.check(zoo.contender(path, folder / "staged"), [game], limits=limits, mode=mode, count=count)


def bot(folder: Path, *, act: str = "pass", other: str = "pass") -> Path:
    """A polite bot with something else in it."""
    path = folder / "mine.py"
    path.write_text(POLITE.replace("ACT", act).replace("OTHER", other))
    return path


def by_name(report: Report) -> dict[str, check.Step]:
    return {step.name: step for step in report.steps}


def test_an_honest_bot_passes_every_step_and_is_measured(tmp_path: Path) -> None:
    report = checked(zoo.HONEST, tmp_path)
    assert [(step.name, step.status) for step in report.steps] == [(name, "passed") for name in check.STEPS]
    assert report.ok
    found = report.measured
    assert found.startup_ms is not None
    assert 1 < found.startup_ms < 10_000
    assert found.actions > 2
    assert found.action_p50_ms is not None
    assert found.action_p99_ms is not None
    assert 0 < found.action_p50_ms <= found.action_p99_ms < 1000
    assert found.peak_memory_mb is not None
    assert found.peak_memory_mb > 1
    assert found.off_turn_cpu is not None
    assert found.off_turn_cpu < 0.5


@pytest.mark.parametrize("row", [row for row in zoo.rows() if row.bot in QUICK], ids=lambda row: row.bot)
def test_a_mistake_is_found_at_the_step_that_the_table_names(row: zoo.Row, tmp_path: Path) -> None:
    report = checked(row.path, tmp_path, limits=row.limits)
    assert (report.failed or ("passes",))[0] == row.check, by_name(report)
    assert report.ok == (row.check == "passes")


@pytest.mark.slow
@pytest.mark.skipif(sandbox.survey().level != "full", reason="the full sandbox is not to be had on this machine")
@pytest.mark.parametrize("row", zoo.rows(), ids=lambda row: row.bot)
def test_every_mistake_of_the_zoo_is_found_at_the_step_that_the_table_names(row: zoo.Row, tmp_path: Path) -> None:
    report = checked(row.path, tmp_path, game="hidden-leaders-duel", limits=row.limits, mode=Mode.REQUIRED)
    assert (report.failed or ("passes",))[0] == row.check, by_name(report)


def test_a_failure_is_said_in_plain_words_with_the_last_lines_of_both_streams(tmp_path: Path) -> None:
    path = bot(tmp_path, act='print("about to break", file=sys.stderr); print("thinking", flush=True)')
    step = by_name(checked(path, tmp_path))["game"]
    assert step.status == "failed"
    assert step.text.startswith("in game 1, seat 0, protocol at ply ")
    assert FAULTS["protocol"] in step.text
    assert check.ADVICE["protocol"] in step.text
    assert "thinking" in step.stdout
    assert step.stderr == ("about to break",)


def test_an_answer_that_lies_in_a_buffer_is_told_from_one_that_never_comes(tmp_path: Path) -> None:
    held = by_name(checked(zoo.FOLDER / "does_not_flush.py", tmp_path, limits=Limits(startup_s=0.6)))
    assert held["flush"].status == "failed"
    assert "flush after each line" in held["flush"].text
    acting = by_name(checked(zoo.FOLDER / "does_not_flush_actions.py", tmp_path, limits=Limits(move_s=0.3)))
    assert acting["flush"].status == "failed"
    asleep = by_name(checked(zoo.FOLDER / "never_hello.py", tmp_path, limits=Limits(startup_s=0.6)))
    assert asleep["flush"].status == "skipped"


def test_a_bot_that_is_slow_is_not_blamed_for_a_buffer(tmp_path: Path) -> None:
    report = by_name(checked(bot(tmp_path, act="time.sleep(0.5)"), tmp_path, limits=Limits(move_s=0.3)))
    assert report["game"].status == "failed"
    assert report["flush"].status == "passed"
    assert "slow" in report["flush"].text
    slow_start = bot(tmp_path)
    slow_start.write_text(slow_start.read_text().replace("played = 0", "time.sleep(0.6)"))
    report = by_name(checked(slow_start, tmp_path / "start", limits=Limits(startup_s=0.3)))
    assert report["hello"].status == "failed"
    assert report["flush"].status == "passed"


def test_nothing_is_said_of_the_lines_of_a_bot_that_wrote_none(tmp_path: Path) -> None:
    step = by_name(checked(zoo.FOLDER / "import_error.py", tmp_path))["flush"]
    assert (step.status, step.text) == ("skipped", "it sent no line")


def test_nothing_is_said_of_steps_that_cannot_be_tried(tmp_path: Path) -> None:
    report = checked(zoo.FOLDER / "import_error.py", tmp_path)
    assert [step.name for step in report.steps] == list(check.STEPS)
    assert [step.number for step in report.steps] == list(range(1, len(check.STEPS) + 1))
    assert by_name(report)["sitting"].status == "skipped"
    assert report.measured.actions == 0


def test_a_bot_that_chokes_on_unknown_fields_fails(tmp_path: Path) -> None:
    strict = bot(tmp_path, act='assert set(message) == {"type", "id", "view", "events", "legal", "clock"}')
    assert checked(strict, tmp_path).failed == ("unknown",)


def test_a_bot_that_answers_unknown_messages_fails(tmp_path: Path) -> None:
    known = '("hello", "new_game", "act", "game_over", "quit")'
    talkative = bot(tmp_path, other=f'if message["type"] not in {known}: print("what?", flush=True)')
    assert checked(talkative, tmp_path).failed == ("unknown",)


def test_a_bot_that_does_not_look_at_its_clock_is_told_so(tmp_path: Path) -> None:
    report = checked(bot(tmp_path, act="time.sleep(0.12)"), tmp_path, limits=Limits(move_s=0.4))
    assert report.ok
    assert by_name(report)["limits"].status == "noted"
    assert "does it look at `clock`?" in by_name(report)["limits"].text


def test_a_bot_that_is_not_deterministic_is_told_so(tmp_path: Path) -> None:
    restless = bot(tmp_path, act='index = os.urandom(1)[0] % len(message["legal"])')
    for _ in range(20):  # by chance it may do the same twice in a short game
        report = checked(restless, tmp_path)
        assert report.ok
        if by_name(report)["repeat"].status == "noted":
            return
    pytest.fail("twenty times the same by chance?")


def test_cpu_that_is_burnt_off_turn_is_measured(tmp_path: Path) -> None:
    burning = bot(tmp_path, act="import threading; (played or threading.Thread(target=burn, daemon=True).start())")
    burning.write_text("def burn():\n    while True: pass\n" + burning.read_text())
    report = checked(burning, tmp_path)
    assert report.measured.off_turn_cpu is not None
    assert report.measured.off_turn_cpu > 0.1


def test_the_largest_request_is_larger_than_the_first() -> None:
    rules = games.load("hidden-leaders-duel")
    line, seat = check.largest_request(rules)
    assert json.loads(line)["view"]["seat"] == seat
    assert len(line) > 3000


def test_there_is_advice_for_every_fault() -> None:
    assert check.ADVICE.keys() == FAULTS.keys()


def test_the_command_prints_numbered_steps_and_a_verdict(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(zoo.HONEST), "--game", "nim", "--sandbox", "off"])
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert [line.split()[:3] for line in lines[2 : 2 + len(check.STEPS)]] == [
        [str(number), "ok", name] for number, name in enumerate(check.STEPS, start=1)
    ]
    assert lines[-1] == "passed"
    assert "p99" in lines[-2]


def test_a_peak_of_memory_that_was_not_seen_is_no_number() -> None:
    assert [check_guest.memory_text(mb) for mb in (None, 0.3, 1.2, 40.0)] == ["not seen", "below 1 MB", "1 MB", "40 MB"]


def test_a_failed_build_names_the_bot_as_a_match_does(tmp_path: Path) -> None:
    folder = tmp_path / "unbuilt"
    folder.mkdir()
    (folder / "bot.yaml").write_text("run: [./bot]\nbuild: ['false']\n")
    result = CliRunner().invoke(command, [str(folder), "--sandbox", "off"])
    assert str(result.exception).startswith(f"unbuilt ({folder}): its build failed")


def test_a_long_sentence_is_broken_between_words_below_its_column(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "the answer lay in a buffer, or so it seems: flush after each line"
    step = check.Step(number=4, name="flush", status="failed", text=text)
    print_step(step)
    assert capsys.readouterr().out == f" 4  FAILED  flush     {text}\n"
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    print_step(step)
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith(" 4  FAILED  flush     the answer")
    assert " ".join([first[22:], *(line[22:] for line in rest)]) == text
    assert all(len(line) <= 60 and line[:22].isspace() for line in rest)


def test_the_command_fails_with_exit_code_1_and_can_print_json(tmp_path: Path) -> None:
    arguments = [str(zoo.FOLDER / "crashes.py"), "--game", "nim", "--sandbox", "off"]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 1
    assert "ValueError: a bug" in result.output
    assert result.output.splitlines()[-1] == "failed: game"
    result = CliRunner().invoke(command, [*arguments, "--json"])
    assert result.exit_code == 1
    report = json.loads(result.output)
    assert not report["ok"]
    assert [step["name"] for step in report["steps"]] == list(check.STEPS)


def test_a_bot_is_checked_in_every_game_that_it_claims(tmp_path: Path) -> None:
    folder = tmp_path / "claims"
    folder.mkdir()
    (folder / "bot.py").write_text(zoo.HONEST.read_text())
    (folder / "bot.yaml").write_text("run: [python3, bot.py]\ngames: [nim, hidden-leaders-duel]\n")
    result = CliRunner().invoke(command, [str(folder), "--games", "1", "--sandbox", "off"])
    assert result.exit_code == 0, result.output
    assert "nim, hidden-leaders-duel: 4 games" in result.output


def test_a_path_without_a_bot_is_a_usage_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(tmp_path / "none.py")])
    assert "no such file" in str(result.exception)
