"""What a user types and sees: output and exit codes, and the likeliest mistakes of each command."""

import csv
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import main

ROOT = Path(__file__).parent.parent
RANDOM = ROOT / "bots" / "random_bot.py"

CONFIG = f"""
event: small
game: hidden-leaders-duel
deals_per_pairing: 1
sandbox: 'off'
seed: 3
bots:
  - {{id: ann, path: {RANDOM}}}
  - {{id: bob, path: {RANDOM}}}
  - {{id: dead, path: dead.py}}
"""


class Ran:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, small: Path):
    """Calls `arena WORDS…` in the folder with the results."""
    monkeypatch.chdir(small)

    def call(*words: str) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(list(words))
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Ran(int(stop.value.code or 0), captured.out, captured.err)

    return call


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a config and a finished event in which one bot is dead."""
    folder = tmp_path_factory.mktemp("cli")
    (folder / "small.yaml").write_text(CONFIG)
    (folder / "dead.py").write_text("import sys; print('no licence', file=sys.stderr); sys.exit(3)\n")
    done = subprocess.run(
        [sys.executable, "-m", "arena", "run", "small.yaml"],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "ann" in done.stdout
    assert "commitment" in done.stderr
    assert "\r" not in done.stderr + done.stdout, "no terminal, no carriage returns"
    assert "\x1b" not in done.stderr + done.stdout, "no terminal, no colours"
    return folder


def test_the_table_after_a_run_and_later(arena) -> None:
    run = arena("run", "small.yaml")
    assert run.code == 0
    assert "this event has ended" in run.err
    table = arena("standings", "small")
    assert table.out == run.out
    lines = table.out.splitlines()
    assert lines[0] == "small: hidden-leaders-duel, round-robin, 6 games"
    header, rule, *rows = lines[2:7]
    assert header.split()[:3] == ["#", "bot", "points"], "tie-breaks follow where there are ties"
    assert header.split()[-8:] == ["games", "W", "D", "L", "faults", "Elo", "±95", "%"]
    assert set(rule) == {"-", " "}
    assert len({len(line) for line in rows}) == 1, "aligned"
    dead = next(row.split() for row in rows if "dead" in row)
    assert dead[2] == "0"
    assert dead[-7:-2] == ["4", "0", "0", "4", "4"]


def test_json_is_one_document(arena) -> None:
    found = json.loads(arena("standings", "small", "--json").out)
    assert found["faults"] == {"dead": 4}
    assert {row["entrant"] for row in found["standings"]} == {"ann", "bob", "dead"}
    assert json.loads(arena("ratings", "small", "--json").out)["games"] == 6
    assert json.loads(arena("status", "small", "--json").out)["games played"] == 6


def test_ratings_and_the_chance_to_be_above(arena) -> None:
    text = arena("ratings", "small", "--above").out
    assert "P(above)" in text
    assert "lost every game" in text
    assert "P(above), in per cent: " in text
    _, rule, *rows = text.split("\n[1] ")[0].splitlines()
    assert len(rule) <= 80, "it fits a terminal"
    assert rows[-1].split()[1:3] == ["dead", "[2]"], "ann and bob share their note"
    assert re.search(r"^\[2\] lost every game.*; few games$", text, flags=re.MULTILINE)


def test_explain_gives_the_arithmetic(arena) -> None:
    text = arena("standings", "small", "--explain", "dead").out
    assert text.startswith("dead: place 3")
    assert "points: 0" in text
    wrong = arena("standings", "small", "--explain", "ded")
    assert (wrong.code, wrong.err) == (
        2,
        "Error: no entrant is called 'ded'; did you mean 'dead'? There are: ann, bob, dead\n",
    )


def test_status_says_how_far(arena) -> None:
    text = arena("status", "small").out
    assert "games played" in text
    assert re.search(r"^faults +4$", text, flags=re.MULTILINE)


def test_show_says_why_a_bot_lost_and_how_to_reproduce_it(arena) -> None:
    games = [line.split(",") for line in arena("export", "small").out.splitlines()[1:]]
    number = next(row[0] for row in games if "dead" in row and "startup-exit" in row)
    text = arena("show", f"small/{number}").out
    assert "fault startup-exit of seat" in text
    assert "exited with code 3" in text
    assert "no licence" in text
    assert "no ply was played" in text
    assert f"reproduce: arena feed results/small/{number} results/small/bots/dead/dead.py --seat" in text
    assert arena("show", number).out == text, "only one event has it"


def test_show_json_is_the_complete_transcript(arena) -> None:
    found = json.loads(arena("show", "small/1", "--json").out)
    assert {"game", "options", "deal", "messages", "actions", "outcome"} <= found.keys()
    assert all({"seat", "to", "at_ms", "text"} == set(message) for message in found["messages"])
    assert all({"ply", "seat", "action", "forced"} <= set(action) for action in found["actions"])
    assert arena("show", "small/99").code == 1
    assert "there is no game '99'" in arena("show", "small/99").err
    assert arena("show", "99").code == 2


def test_verify_says_what_it_proved(arena) -> None:
    done = arena("verify", "small")
    assert done.code == 0
    assert done.out.splitlines()[-1] == "results/small: all of it fits"
    assert done.out.count("ok  ") == 7


def test_exports_are_what_other_programs_read(arena, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(arena("export", "small").out)))
    assert len(rows) == 6
    written = arena("export", "small", "--format", "pgn", "-o", str(tmp_path / "out.pgn"))
    assert written.out == ""
    assert (tmp_path / "out.pgn").read_text().count("[Result") == 6
    assert arena("export", "small", "--format", "xls").code == 2


@pytest.mark.parametrize("command", ["standings", "ratings", "status", "verify", "export"])
def test_an_event_that_is_not_there(arena, command: str) -> None:
    wrong = arena(command, "smal")
    assert wrong.code == 1
    assert wrong.err == ("Error: smal: there is no event here (no event.sqlite). There are, below results: small\n")


def test_a_config_with_mistakes_names_them_all(arena, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("event: x\ngame: hidden-leader-duel\ndeals_per_paring: 2\nbots: []\n")
    wrong = arena("run", str(path))
    assert wrong.code == 2
    lines = wrong.err.removeprefix("Error: ").splitlines()
    assert [line.split(":")[1] for line in lines] == ["2", "3", "4"]
    assert "hidden-leaders-duel" in lines[0]
    assert "deals_per_pairing" in lines[1]
    assert arena("run", "nowhere.yaml").code == 2


def test_a_mistyped_command_and_option(arena) -> None:
    wrong = arena("standing", "small")
    assert wrong.code == 2
    assert "Did you mean 'standings'?" in wrong.err
    assert arena("standings", "small", "--jsn").code == 2


def test_a_place_that_cannot_be_written_is_one_line(arena) -> None:
    for words in (["export", "small", "-o", "/proc/none/x.csv"], ["new-bot", "x", "--dir", "/proc"]):
        found = arena(*words)
        assert (found.code, found.err.count("\n")) == (1, 1)
        assert found.err.startswith(f"Error: {words[-1]}")
        assert found.err.endswith(": No such file or directory\n")


def test_an_event_where_a_game_was_asked_for(arena) -> None:
    assert (
        "results/small is an event; name one of its games as results/small/NUMBER" in arena("show", "results/small").err
    )


def test_a_damaged_event_does_not_hide_the_others(arena, small: Path) -> None:
    damaged = small / "results" / "damaged"
    damaged.mkdir()
    (damaged / "event.sqlite").write_text("hello")
    found = arena("show", "1")
    shutil.rmtree(damaged)
    assert found.out.startswith("game 1 (")


def test_a_file_that_is_no_event(arena, tmp_path: Path) -> None:
    (tmp_path / "event.sqlite").touch()
    assert "event.sqlite: no such table: meta: no event file" in arena("verify", str(tmp_path)).err


def test_a_name_that_is_near_to_no_other(arena) -> None:
    assert "no game is called 'chess'. There are: hidden-" in arena("rules", "chess").err


def test_a_dry_run_plays_nothing(arena, small: Path) -> None:
    planned = arena("run", "small.yaml", "--dry-run", "--results", "elsewhere")
    assert planned.code == 0
    assert "3 rounds, 6 games" in planned.out
    assert not (small / "elsewhere").exists()


def test_commit_registers_and_plays_nothing(arena, small: Path) -> None:
    done = arena("run", "small.yaml", "--commit", "--results", "committed")
    planned = arena("run", "small.yaml", "--dry-run", "--results", "committed").out
    assert planned.splitlines()[-1] == "The event has begun: 0 games are finished (committed/small)."
    found = json.loads(done.out)
    assert set(found) == {"event", "commitment", "seal"}
    assert json.loads(arena("status", "committed/small", "--json").out)["games played"] == 0
    shutil.rmtree(small / "committed")


def test_match_plays_both_seats_and_names_the_faults(arena, small: Path) -> None:
    done = arena("match", str(RANDOM), "dead.py", "--deals", "1", "--sandbox", "off", "--keep", "kept")
    assert done.code == 0
    said = "dead: startup-exit 2 times, first in game 1 before the first request: exited with code 3 before it replied"
    assert f"{said} (last line of stderr: no licence)" in done.out
    assert done.err.splitlines()[-1].startswith("kept in kept; `arena show kept/1`")
    again = arena("match", str(RANDOM), "dead.py", "--deals", "1", "--sandbox", "off", "--keep", "kept")
    assert "this match was played before" in again.err
    assert json.loads(arena("status", "kept", "--json").out)["games played"] == 2
    shutil.rmtree(small / "kept")
    done = arena("match", str(RANDOM), "dead.py", "--deals", "1", "--sandbox", "off", "--keep", "it's kept")
    command = shlex.split(re.findall("the first: (.*)", done.out)[0])
    assert command == ["arena", "show", "it's kept/1"]
    command = shlex.split(re.findall("reproduce: (.*)", arena(*command[1:]).out)[0])
    assert command[1:4] == ["feed", "it's kept/1", "it's kept/bots/dead/dead.py"]
    shutil.rmtree(small / "it's kept")
    assert "no such file" in arena("match", str(RANDOM), "nobody.py").err


def test_an_event_in_which_neither_bot_starts_has_tables_a_report_and_a_proof(arena, small: Path) -> None:
    assert arena("match", "dead.py", "dead.py", "--deals", "2", "--sandbox", "off", "--keep", "both").code == 0
    for command in ("standings", "ratings", "status", "verify", "report", "export"):
        done = arena(command, "both")
        assert done.code == 0, (command, done.err)
    shutil.rmtree(small / "both")


def test_compare_names_the_better_bot_by_its_exit_code(arena) -> None:
    decided = arena("compare", str(RANDOM), "dead.py", "--sandbox", "off", "--max-pairs", "40", "--game", "leaders")
    assert decided.code == 0
    assert all(len(line) <= 80 for line in (decided.out + decided.err).splitlines())
    assert re.fullmatch(
        r"""\d+ pairs: score 100 %, 95 % interval [\d.]+–100 %; Elo \+\d+ or more
the interval is valid at every look, however often one looks
pairs with 0, ½, 1, 1½, 2 points for random_bot: 0, 0, 0, 0, \d+
faults of dead: startup-exit (\d+)
with --keep FOLDER the games can be looked at
\1 of \1 games were decided by a fault
random_bot is better after \d+ pairs
""",
        decided.out,
    )
    assert decided.out.splitlines()[0] not in decided.err, "said once"
    undecided = arena("compare", str(RANDOM), str(RANDOM), "--sandbox", "off", "--max-pairs", "2", "--json")
    assert undecided.code == 5
    found = json.loads(undecided.out)
    assert (found["better"], found["faults"], found["forfeits"]) == (None, {}, 0)
    weak = json.loads(arena("compare", "dead.py", str(RANDOM), "--sandbox", "off", "--max-pairs", "1", "--json").out)
    assert (weak["faults"], weak["forfeits"]) == ({"dead": {"startup-exit": 2}}, 2)


def test_compare_keeps_what_shows_a_fault(arena, small: Path) -> None:
    done = arena("compare", "dead.py", str(RANDOM), "--sandbox", "off", "--max-pairs", "1", "--keep", "compared")
    command = shlex.split(re.findall("the first: (.*)", done.out)[0])
    assert "no licence" in arena(*command[1:]).out
    shutil.rmtree(small / "compared")


def test_compare_says_between_which_bounds_the_ratio_test_decides(arena) -> None:
    done = arena("compare", str(RANDOM), "dead.py", "--sandbox", "off", "--max-pairs", "2", "--sprt", "0", "20")
    assert "at -2.94 or below 0 Elo is accepted, at 2.94 or above 20" in done.out


def test_a_closed_pipe_is_no_error(small: Path) -> None:
    command = f"{sys.executable} -m arena export results/small --format jsonl | head -c 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=small, env={"PYTHONPATH": str(ROOT)}, capture_output=True
    )
    assert b"Traceback" not in done.stderr
    assert b"Error" not in done.stderr
