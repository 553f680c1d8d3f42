"""`arena check-game`: what an author of a game sees."""

import json
from types import SimpleNamespace
from typing import Any

import kuhn_poker as kuhn
import pytest
from click.testing import CliRunner, Result
from mutant import Mutant

from arena import games
from arena.cli import cli
from arena.testing import CHECKS


def run(monkeypatch: pytest.MonkeyPatch, game: Any, *arguments: str) -> Result:
    monkeypatch.setattr(games, "load", lambda name: game)
    return CliRunner().invoke(cli, ["check-game", "kuhn-poker", *arguments])


def not_offered(*_: Any) -> Any:
    raise NotImplementedError("not written yet")


def test_a_sound_game_gets_a_table_and_the_list_of_what_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(monkeypatch, kuhn)
    assert result.exit_code == 0
    assert all(f"{name} " in result.stdout for name in CHECKS)
    assert "  seat 0: deal.cards[0]\n  seat 1: deal.cards[1]\n  spectator: nothing of the deal\n" in result.stdout
    assert result.stdout.endswith("Again: arena check-game kuhn-poker --games 20 --seed 0\n")
    assert result.stderr == ""


def test_a_leak_is_printed_side_by_side_and_the_exit_code_is_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(state: Any, seat: int | None) -> Any:
        return {**kuhn.to_json(kuhn.view(state, seat)), "unseen": state.cards[2]}

    result = run(monkeypatch, Mutant(kuhn, view=view, View=dict, render=str, determinize=not_offered), "--games", "3")
    assert result.exit_code == 1
    assert "seat 1 can tell two histories of 0 plies apart" in result.stdout
    row = next(line for line in result.stdout.splitlines() if line.startswith("look at ply 1: view.unseen  "))
    assert len(row.split()) == 7, "the place, and the value in each history"
    assert "non-interference" in result.stdout.splitlines()[-2]
    assert all(f"{name}: a leak was found first" in result.stdout for name in ("canary", "coverage"))


def test_a_game_that_lacks_a_name_is_not_played_and_no_command_plays_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(monkeypatch, SimpleNamespace(NAME="pick", SEATS=2))
    assert result.exit_code == 1
    assert "redeal" in result.stdout
    assert result.stdout.endswith("\nFailed: names. No game was played.\n")


def test_json_is_one_document(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(monkeypatch, kuhn, "--json", "--games", "2", "--seed", "4")
    report = json.loads(result.stdout)
    assert (report["ok"], report["game"], report["games"], report["seed"]) == (True, "kuhn-poker", 2, 4)
    assert {check["name"] for check in report["checks"]} == set(CHECKS)


def test_a_check_that_could_not_be_made_is_not_called_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(monkeypatch, Mutant(kuhn, redeal=not_offered))
    assert result.exit_code == 0
    assert "non-interference: not written yet" in result.stdout
    assert "No check failed; not checked: redeal, non-interference, coverage." in result.stdout


def test_options_are_checked_by_the_game() -> None:
    result = CliRunner().invoke(cli, ["check-game", "leaders", "--options", '{"max_turns":"many"}'])
    assert "--options: Expected `int`, got `str` - at `$.max_turns`" in str(result.exception)
    result = CliRunner().invoke(cli, ["check-game", "leaders", "--options", "{"])
    assert "--options: Expecting property name" in str(result.exception)


def test_a_repeated_command_names_the_options(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(monkeypatch, kuhn, "--options", "{}", "--games", "1")
    assert result.stdout.endswith("Again: arena check-game kuhn-poker --games 1 --seed 0 --options '{}'\n")


def test_the_help_has_an_example() -> None:
    assert "arena check-game hidden-leaders-duel" in CliRunner().invoke(cli, ["check-game", "--help"]).stdout
