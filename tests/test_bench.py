"""`arena bench`: figures that hang together, from real games."""

import json

import pytest
from click.testing import CliRunner

from arena import bench, games, sandbox
from arena.cli import cli


def test_figures_of_a_game_hang_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.GAMES, "nim", "nim")
    found = bench.speed("nim", workers=2, mode=sandbox.Mode.REQUIRED, seconds=0.3)
    assert found.game == "nim"
    assert 1 < found.plies_per_game < 30
    assert found.rules_plies_per_s > 10_000
    assert 0 < found.fresh_games_per_s < found.sitting_games_per_s
    assert 0 < found.answer_to_request_us < found.ply_us
    assert found.ply_us == pytest.approx(2e6 / (found.sitting_games_per_s * found.plies_per_game))
    assert found.longest_host_delay_ms >= 0
    assert bench.pipe_us(rounds=200) > 1


def test_the_table_and_the_document_say_the_same_kind_of_thing() -> None:
    words = ["bench", "hidden-leaders-duel", "--seconds", "0.1", "--workers", "1", "--sandbox", "off"]
    text = CliRunner().invoke(cli, words).stdout
    assert text.startswith("1 worker, sandbox off; a message to a bare process and back takes ")
    header, rule, row = text.splitlines()[2:5]
    assert header.split("  ")[0] == "game"
    assert len(rule) == len(row)
    assert row.startswith("hidden-leaders-duel")
    found = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)
    assert (found["sandbox"], found["workers"], [game["game"] for game in found["games"]]) == (
        "off",
        1,
        ["hidden-leaders-duel"],
    )


def test_an_unknown_game_is_refused_before_anything_is_measured() -> None:
    assert CliRunner().invoke(cli, ["bench", "leadres"]).exit_code != 0
