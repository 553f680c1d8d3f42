"""L1–L3: the board, drawn from its tables and checked against the page."""

from typing import get_args

import pytest

from arena.games.leaders import notation
from arena.games.leaders.board import AXIAL, LEADER_START, NAMES, NEAR, RECRUITMENT_SPACES, SPACE, spaces_of, visible


def names(mask: int) -> set[str]:
    return {NAMES[space] for space in spaces_of(mask)}


def test_l1_the_board_has_37_spaces_in_files_of_4_to_7() -> None:
    assert [sum(name[0] == file for name in NAMES) for file in "ABCDEFG"] == [4, 5, 6, 7, 6, 5, 4]
    assert get_args(notation.Space) == NAMES
    assert list(NAMES) == sorted(NAMES)


@pytest.mark.parametrize(
    ("name", "axial"), [("D1", (0, 3)), ("D4", (0, 0)), ("D7", (0, -3)), ("A1", (-3, 3)), ("G4", (3, -3))]
)
def test_l1_names_count_from_the_south(name: str, axial: tuple[int, int]) -> None:
    assert AXIAL[SPACE[name]] == axial


@pytest.mark.parametrize(
    ("space", "near"),
    [
        ("D4", {"D5", "E4", "E3", "D3", "C3", "C4"}),
        ("D1", {"C1", "D2", "E1"}),  # a corner
        ("A1", {"A2", "B2", "B1"}),
        ("B1", {"A1", "B2", "C2", "C1"}),  # an edge
        ("G2", {"G1", "G3", "F2", "F3"}),
    ],
)
def test_l1_neighbours_in_the_middle_at_an_edge_and_in_a_corner(space: str, near: set[str]) -> None:
    assert names(NEAR[SPACE[space]]) == near


def test_l1_six_corners_have_three_neighbours_twelve_edge_spaces_four() -> None:
    counts = [mask.bit_count() for mask in NEAR]
    assert {count: counts.count(count) for count in counts} == {3: 6, 4: 12, 6: 19}


def test_l2_l3_leaders_start_on_opposite_corners_among_their_seven_recruitment_spaces() -> None:
    assert [NAMES[space] for space in LEADER_START] == ["D1", "D7"]
    assert names(RECRUITMENT_SPACES[0]) == {"A1", "B1", "C1", "D1", "E1", "F1", "G1"}
    assert names(RECRUITMENT_SPACES[1]) == {"A4", "B5", "C6", "D7", "E6", "F5", "G4"}


def test_visible_is_the_first_figure_of_each_line_unless_it_is_adjacent() -> None:
    occupied = sum(1 << SPACE[name] for name in ("D6", "D7", "E4", "F4", "G1", "C3", "A1", "C6"))
    assert names(visible(SPACE["D4"], occupied)) == {"D6", "G1"}  # E4 and C3 are adjacent and hide F4 and A1
