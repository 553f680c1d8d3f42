"""Nothing ships undocumented, and what the docs name exists."""

import re
from pathlib import Path

import click
import pytest

from arena import formats, games
from arena.cli import COMMANDS, cli
from arena.tiebreaks import TIEBREAKS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bots/**/*.md"), *ROOT.glob("results/*.md")])
TEXTS = {path: path.read_text() for path in PAGES}
CONTEXT = click.Context(cli, info_name="arena")


def commands() -> dict[str, click.Command]:
    found = {name: cli.get_command(CONTEXT, name) for name in cli.list_commands(CONTEXT)}
    return {name: command for name, command in found.items() if command is not None}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_in_the_table_exists(name: str) -> None:
    assert name in commands()


@pytest.mark.parametrize("name", commands())
def test_a_command_explains_itself_with_an_example(name: str) -> None:
    command = commands()[name]
    assert command.help
    assert re.search(rf"Examples?:\n +(?:\$ )?arena {name}\b", command.help), "an example of this command"
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, f"--{option.name} has no help"


@pytest.mark.parametrize("name", commands())
def test_a_command_is_in_the_docs(name: str) -> None:
    assert any(f"arena {name}" in text for text in TEXTS.values())


@pytest.mark.parametrize("name", games.GAMES)
def test_a_game_has_its_rules_and_a_golden_game(name: str) -> None:
    assert (ROOT / f"docs/games/{name}.md").exists()
    assert list((ROOT / f"tests/golden/{name}").glob("*.txt"))


@pytest.mark.parametrize("name", formats.FORMATS)
def test_a_format_is_on_its_page_and_in_a_config(name: str) -> None:
    assert f"`{name}`" in (ROOT / "docs/formats.md").read_text()
    assert any(name in path.read_text() for path in (ROOT / "configs").glob("*.yaml"))


@pytest.mark.parametrize("name", TIEBREAKS)
def test_a_tie_break_is_in_the_docs(name: str) -> None:
    assert any(f"`{name}`" in text for text in TEXTS.values())


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", TEXTS[path], flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        assert (path.parent / target).exists(), f"{target} is not there"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_docs_name_only_commands_that_exist(path: Path) -> None:
    named = re.findall(r"(?:^|`|\$ |bin/)arena ([a-z][a-z-]+)", TEXTS[path], flags=re.MULTILINE)
    assert set(named) <= set(COMMANDS), set(named) - set(COMMANDS)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_named_in_backticks_exist(path: Path) -> None:
    for name in re.findall(r"`((?:arena|bots|configs|docs|tests|benchmarks)/[\w./-]+)`", TEXTS[path]):
        assert re.search("GAME|NAME|YOURS|CONFIG", name) or (ROOT / name).exists(), name
