"""A person's game in the terminal: real commands, typed input."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def play(*words: str, typed: str) -> "subprocess.CompletedProcess[str]":
    argv = [sys.executable, "-m", "arena", "play", *words, "--sandbox", "off"]
    return subprocess.run(argv, input=typed, cwd=ROOT, capture_output=True, text=True, timeout=100)


@pytest.mark.parametrize(("game", "seat"), [("hidden-leaders-duel", "0"), ("leaders", "1")])
def test_a_game_is_played_to_its_end_and_explained(game: str, seat: str) -> None:
    done = play(game, "bots/random_bot.py", "--seat", seat, "--seed", "3", typed="1\n" * 2000)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"You have seat {seat}; the bot is bots/random_bot.py.")
    said = r"^(You win \(1 to 0\)|You lose \(0 to 1\)|A draw \(½ to ½\)) by [a-z-]+\.$"
    assert re.search(said, done.stdout, flags=re.MULTILINE)
    assert "Traceback" not in done.stderr
    assert ("In all: " in done.stdout) == (game == "hidden-leaders-duel")
    assert "winner: " not in done.stdout, "the scoring has said it"


def test_typing_finds_actions_by_their_words_and_shows_board_and_hint() -> None:
    done = play("hidden-leaders-duel", "--seat", "0", "--seed", "3", typed="0\nnothing like it\nb\nh\n?\nq\nn\nq\ny\n")
    assert done.returncode == 0, done.stderr
    assert "There are actions 1 to " in done.stdout
    assert "No action holds 'nothing like it'." in done.stdout
    assert len(re.findall(r"\(won [\d½]+ of \d+ random games\)", done.stdout)) == 3
    assert done.stdout.count("?: this help") == 3, "at the start, with nothing found, and when asked"
    assert done.stdout.count("Give the game up?") == 2
    assert done.stdout.endswith("You gave the game up.\n")


def test_a_game_that_cannot_give_hints_says_so() -> None:
    pytest.importorskip("pyspiel")
    done = play("openspiel:tic_tac_toe", "bots/random_bot.py", "--seat", "0", typed="h\nq\ny\n")
    assert (done.returncode, "There are no hints for this game: " in done.stdout) == (0, True), done.stderr


@pytest.mark.parametrize("typed", ["", "q\n"])
def test_the_end_of_input_ends_the_game_without_a_traceback(typed: str) -> None:
    done = play("leaders", "bots/random_bot.py", "--seat", "0", typed=typed)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (4, "Interrupted.")


def test_a_bot_that_is_not_there_is_said() -> None:
    done = play("leaders", "bots/nobody.py", typed="")
    assert (done.returncode, "bots/nobody.py" in done.stderr) == (2, True)
