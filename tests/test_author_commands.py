"""What a new author types first: games, rules, schema, new-bot, init."""

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import click
import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from arena import config, games, starters
from arena.bot import manifest, messages
from arena.cli import cli, init, new_bot, rules, schema
from arena.cli import games as games_command
from arena.errors import ArenaError, UnknownNameError, UsageError
from arena.starters import tournament

PLAYABLE = ["hidden-leaders-duel", "leaders", "leaders-expert"]


def run(command: click.Command, *words: str) -> str:
    result = CliRunner().invoke(command, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


# new-bot


@pytest.mark.parametrize("language", starters.languages())
def test_a_new_bot_is_a_bot_with_its_own_name_and_a_readme_of_its_game(language: str, tmp_path: Path) -> None:
    name = "Zoë's 'own' bot: #1"
    output = run(new_bot.command, name, "--lang", language, "--game", "hidden-leaders-duel", "--dir", str(tmp_path))
    bot = manifest.read(tmp_path / name)
    assert bot.name == name
    assert set(bot.files) == {"README.md", "bot.yaml", starters.source(language).name}
    assert bot.run == manifest.read(starters.folder(language)).run
    assert '"step": "take"' in (tmp_path / name / "README.md").read_text()
    assert "arena check" in output.splitlines()[-1]


def test_a_name_that_yaml_would_read_as_a_number_stays_text(tmp_path: Path) -> None:
    starters.create("1e5", language="c", game="hidden-leaders-duel", parent=tmp_path)
    assert manifest.read(tmp_path / "1e5").name == "1e5"


def test_a_new_bot_of_python_answers_at_once(tmp_path: Path) -> None:
    run(new_bot.command, "mine", "--dir", str(tmp_path))
    bot = manifest.read(tmp_path / "mine")
    hello = b'{"type":"hello"}\n{"type":"quit"}\n'
    done = subprocess.run(bot.run, cwd=bot.folder, input=hello, capture_output=True, check=True)
    assert messages.decode_hello(done.stdout.rstrip(b"\n")).protocol == 1


@pytest.mark.parametrize("name", ["", " ", "..", "-x", ".git", "a\nb", "x" * 101, "é" * 51])
def test_a_name_that_cannot_be_a_folder_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be the name") as refusal:
        starters.create(name, language="python", game="hidden-leaders-duel", parent=tmp_path)
    assert "\n" not in str(refusal.value)
    assert list(tmp_path.iterdir()) == []


def test_a_name_with_a_slash_points_to_the_option_for_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--dir"):
        starters.create("bots/mine", language="python", game="hidden-leaders-duel", parent=tmp_path)


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work.py").write_text("years of it")
    with pytest.raises(UsageError, match="exists already"):
        starters.create("mine", language="python", game="hidden-leaders-duel", parent=tmp_path)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["work.py"]


@pytest.mark.parametrize(("language", "near"), [("pyton", "python"), ("javascrip", "javascript")])
def test_a_misspelt_language_gets_the_nearest_one(language: str, near: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean '{near}'"):
        starters.create("mine", language=language, game="hidden-leaders-duel", parent=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_short_names_of_languages_are_understood() -> None:
    assert [starters.folder(word).name for word in ("C++", "js", "TS", "py", "golang", "rs")] == [
        "cpp",
        "javascript",
        "typescript",
        "python",
        "go",
        "rust",
    ]


def test_a_missing_compiler_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert starters.missing_programs("c") == ["gcc"]
    assert starters.missing_programs("typescript") == ["node", "tsc"]
    assert "no `gcc` on its PATH" in run(new_bot.command, "mine", "--lang", "c", "--dir", str(tmp_path / "bots"))


# init


def test_a_new_tournament_has_a_config_two_bots_and_a_readme(tmp_path: Path) -> None:
    home = tmp_path / "Été 2026!"
    output = run(init.command, str(home), "--lang", "c", "--game", "leaders")
    checked = config.load(home / "tournament.yaml")
    assert (checked.event, checked.game) == ("Ete-2026", "leaders")
    bots = [config.program(bot) for bot in checked.bots]
    assert [bot.name for bot in bots] == ["mine", "rival"]
    jsonschema.validate(yaml.safe_load((home / "tournament.yaml").read_text()), schema.of_config())
    assert "arena run tournament.yaml" in (home / "README.md").read_text()
    assert output.splitlines()[-1].startswith("Next: arena run ")


def test_the_rival_takes_the_first_action(tmp_path: Path) -> None:
    (tmp_path / "rival.py").write_text(tournament.rival())
    lines = [{"type": "hello"}, {"type": "new_game"}, {"type": "act", "id": 4, "view": {}, "legal": [{}, {}]}]
    sent = "".join(json.dumps(line) + "\n" for line in lines * 3)
    done = subprocess.run([sys.executable, "rival.py"], cwd=tmp_path, input=sent, capture_output=True, text=True)
    assert [json.loads(line).get("index") for line in done.stdout.splitlines()[2::3]] == [0, 0, 0]


def test_a_tournament_is_not_written_over_another(tmp_path: Path) -> None:
    tournament.create(tmp_path / "cup", game="leaders")
    with pytest.raises(UsageError, match="not empty"):
        tournament.create(tmp_path / "cup", game="leaders")


@pytest.mark.parametrize("words", [{"game": "chess"}, {"game": "leaders", "language": "cobol"}])
def test_a_tournament_with_an_unknown_name_writes_nothing(words: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="There are:"):
        tournament.create(tmp_path / "cup", **words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_commands_of_a_new_tournaments_readme_work(tmp_path: Path) -> None:
    tournament.create(tmp_path / "cup", game="hidden-leaders-duel")
    [commands] = re.findall(r"```sh\n(.*?)```", (tmp_path / "cup" / "README.md").read_text(), re.DOTALL)
    for command in commands.splitlines():
        words = [sys.executable, "-m", *command.split()]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
        done = subprocess.run(words, cwd=tmp_path / "cup", env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "rival" in done.stdout


# games and rules


def test_the_table_of_games_names_version_seats_and_origin() -> None:
    table = json.loads(run(games_command.command, "--json"))
    [row] = [row for row in table if row["name"] == "hidden-leaders-duel"]
    assert row == {
        "name": "hidden-leaders-duel",
        "rules_version": 1,
        "seats": 2,
        "origin": row["origin"],
        "problem": None,
    }
    assert row["origin"].startswith("arena ")
    assert re.search(r"hidden-leaders-duel +1 +2 +arena \d", run(games_command.command))


@pytest.mark.parametrize("name", PLAYABLE)
def test_the_rules_of_a_game_are_its_page(name: str) -> None:
    text = run(rules.command, name)
    assert text.startswith("# ")
    assert name in text


def test_a_plug_in_without_a_page_shows_its_docstring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "coin.py").write_text('"""Heads or tails.\n\nC1 Seat 0 calls.\n"""\n')
    monkeypatch.syspath_prepend(tmp_path)
    import coin  # type: ignore[import-not-found]

    monkeypatch.setattr(games, "load", lambda _: coin)
    assert rules.page("coin") == "Heads or tails.\n\nC1 Seat 0 calls.\n"
    (tmp_path / "rules.md").write_text("# Coin\n")
    assert rules.page("coin") == "# Coin\n"


def test_a_game_that_is_no_module_shows_its_docstring(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dice:
        """Roll."""

    monkeypatch.setattr(games, "load", lambda _: Dice())
    assert rules.page("dice") == "Roll.\n"


# schema


@pytest.mark.parametrize("name", PLAYABLE)
def test_every_message_of_a_random_game_fits_the_published_schemas(name: str) -> None:
    game = games.load(name)
    checks = {type_: jsonschema.Draft202012Validator(schema.of_game(name, type_)) for type_ in schema.TYPES}
    rng, options = random.Random(5), game.Options()
    deal = game.deal(rng, options)
    checks["options"].validate(plain(game.to_json(options)))
    checks["deal"].validate(plain(game.to_json(deal)))
    state = game.initial(deal, options)
    for _ in range(60):
        if game.seat_to_act(state) is None:
            break
        legal = game.legal_actions(state)
        for seat in (0, 1, None):
            checks["view"].validate(plain(game.to_json(game.view(state, seat))))
        action = legal[rng.randrange(len(legal))]
        checks["action"].validate(plain(game.to_json(action)))
        after = game.apply(state, action)
        for seat in (0, 1, None):
            for event in game.events(state, action, after, seat):
                checks["event"].validate(plain(game.to_json(event)))
        state = after
    if (outcome := game.outcome(state)) is not None:
        checks["outcome"].validate(plain(game.to_json(outcome)))


def plain(value: object) -> object:
    return json.loads(json.dumps(value))


def test_all_types_of_a_game_stand_in_one_schema_whose_references_resolve() -> None:
    whole = json.loads(run(schema.command, "hidden-leaders-duel"))
    jsonschema.Draft202012Validator.check_schema(whole)
    assert set(schema.TYPES) <= set(whole["$defs"])
    for reference in re.findall(r'"#/\$defs/([^"]+)"', json.dumps(whole)):
        assert reference in whole["$defs"]


def test_the_schema_of_the_protocol_takes_what_the_referee_sends() -> None:
    whole = json.loads(run(schema.command, "protocol"))
    clock = messages.Clock(move_ms=1000, bank_ms=0, used_ms=3)
    act = json.loads(messages.encode(messages.Act(id=7, view={}, events=[], legal=[{}], clock=clock)))
    validator = jsonschema.Draft202012Validator({**whole, "$ref": "#/$defs/referee.act"})
    validator.validate(act)
    assert not validator.is_valid({**act, "id": "7"})
    assert {name for name in whole["$defs"] if name.startswith("bot.")} == {"bot.hello", "bot.ready", "bot.action"}


@pytest.mark.parametrize("what", ["bot", "config"])
def test_the_schemas_of_files_are_schemas(what: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(run(schema.command, what)))


def test_a_type_belongs_to_a_game() -> None:
    result = CliRunner().invoke(schema.command, ["protocol", "--type", "view"])
    assert (result.exit_code, "belongs to a game" in result.output) == (2, True)


# completion


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("arena ru", "rules"),
        ("arena new-bot x --lang ja", "java"),
        ("arena init x --game lea", "leaders-expert"),
        ("arena rules hid", "hidden-leaders-duel"),
        ("arena schema pro", "protocol"),
    ],
)
def test_the_tab_key_completes_commands_and_names(words: str, offered: str) -> None:
    environment = {"_ARENA_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    result = CliRunner(env=environment).invoke(cli, prog_name="arena")
    assert f"plain,{offered}" in result.output.splitlines()
