"""Recorded games must still read the same. A file's folder names the game; its script stands above the rule."""

from pathlib import Path

import kuhn_poker
import pytest

from arena import games
from arena.errors import UsageError
from arena.testing import check_golden, narrate, read_script, write_script

GOLDEN = Path(__file__).parent / "golden"
CHECK_BET = 'deal {"cards":["K","J","Q"]}\nplay {"type":"check"}\nplay {"type":"bet"}\n'


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*/*.txt")), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_recorded_game_reads_the_same(path: Path, update_golden: bool) -> None:
    game = kuhn_poker if path.parent.name == kuhn_poker.NAME else games.load(path.parent.name)
    check_golden(path, game, update=update_golden)


@pytest.mark.parametrize("name", sorted(games.GAMES))
def test_a_game_that_ships_with_arena_has_recorded_games(name: str) -> None:
    assert list((GOLDEN / name).glob("*.txt"))


def test_a_record_may_stop_before_the_end() -> None:
    assert narrate(kuhn_poker, CHECK_BET).splitlines()[-1] == "  seat 0 has 2 legal; the record stops here"


def test_only_what_changed_in_a_view_is_printed() -> None:
    lines = narrate(kuhn_poker, CHECK_BET).splitlines()
    ply = lines.index("ply 1")
    assert lines[ply + 1 : ply + 3] == [
        '  all told {"type":"acted","seat":0,"action":"check"}',
        '  all see {"seat_to_act":1,"history":["check"]}',
    ]


def test_a_script_that_a_program_writes_is_read_back() -> None:
    script = read_script(kuhn_poker, CHECK_BET)
    assert write_script(kuhn_poker, script.deal, script.actions) == CHECK_BET
    assert write_script(kuhn_poker, script.deal, (), comment="one\ntwo").startswith("# one\n# two\ndeal ")


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ('play {"type":"check"}\n', "the script has no line `deal {…}`"),
        ('deal {"cards":["K","J"]}\n', "line 1: Expected `array` of length 3, got 2 - at `$.cards`"),
        (CHECK_BET + 'play {"type":"check"}\n', 'line 4: {"type":"check"} is not legal at ply 2; of 2 legal: {"type":'),
        (CHECK_BET + "move e4\n", "line 4: expected `#`, `options`, `deal` or `play`, found 'move'"),
        (CHECK_BET + "play {\n", "line 4: Expecting property name"),
    ],
)
def test_a_mistake_in_a_script_is_named_by_its_line(script: str, problem: str) -> None:
    with pytest.raises(UsageError) as error:
        narrate(kuhn_poker, script)
    assert str(error.value).startswith(problem)


def test_a_game_that_reads_differently_is_shown_as_a_difference_and_can_be_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(CHECK_BET + "---\nply 0\n")
    with pytest.raises(AssertionError, match="--update-golden") as error:
        check_golden(path, kuhn_poker)
    assert "+  seat 0 has 2 legal; the record stops here" in str(error.value)
    check_golden(path, kuhn_poker, update=True)
    check_golden(path, kuhn_poker)
    assert path.read_text().startswith(CHECK_BET + "---\n")
