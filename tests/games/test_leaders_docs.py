"""The pages docs/games/leaders.md and leaders-expert.md say what the code does."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from leaders_positions import EXPERT, LEADERS

from arena.games.leaders import diagram
from arena.games.leaders.cards import CARDS

PAGES = Path(__file__).parents[2] / "docs" / "games"
PAGE = (PAGES / "leaders.md").read_text(encoding="utf-8")
EXPERT_PAGE = (PAGES / "leaders-expert.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("letter", ["L", "Q", "E"])
def test_every_rule_number_is_on_the_pages(letter: str) -> None:
    numbers = {"L": [*range(1, 9), *range(10, 26), 30, 31], "Q": range(1, 14), "E": range(1, 17)}[letter]
    missing = [f"{letter}{number}" for number in numbers if f"**{letter}{number}" not in PAGE + EXPERT_PAGE]
    assert missing == []


def test_every_action_on_the_page_is_one() -> None:
    rows = re.findall(r"`(\{\"type\":\"(?:move|ability|end_actions|nemesis_move|recruit|banish)\"[^`]*\})`", PAGE)
    assert len(rows) >= 10
    for row in rows:
        LEADERS.from_json(json.loads(row), LEADERS.Action)


def test_the_views_on_the_pages_are_views() -> None:
    for page, game in ((PAGE, LEADERS), (EXPERT_PAGE, EXPERT)):
        (block,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
        view = game.from_json(json.loads(block), game.View)
        assert msgspec.json.encode(view).decode() == block.replace("\n ", "").strip()


def test_the_position_drawn_on_the_page_is_the_one_written_below_it() -> None:
    block = PAGE.partition("## Positions as text")[2].split("```")[1].strip("\n")
    assert diagram.render(diagram.parse(block.partition("\n\n")[2])) == block


def test_the_table_of_characters_holds_every_card_and_each_has_its_file() -> None:
    folder = Path(diagram.__file__).parent / "characters"
    for card in CARDS:
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| {card} |"))
        rule = re.search(r"\*\*(L\d+)\*\*", row)
        assert rule is not None
        assert (folder / f"{card}.py").read_text(encoding="utf-8").startswith(f'"""{rule[1]} ')
