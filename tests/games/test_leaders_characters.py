"""L10–L25: every character at edges, in corners, blocked, protected, jailed. docs/games/leaders.md draws the board."""

import pytest
from leaders_positions import acted, ends, legal, play, position, result, shifts, steps, targets, where


def test_a_basic_move_goes_to_adjacent_empty_spaces() -> None:
    state = position("south leader D1, archer C1\nnorth leader D7")
    assert steps(state, "leader") == {"D2", "E1"}
    assert steps(state, "archer") == {"B1", "C2", "D2"}


# L10 Acrobat


def test_l10_acrobat_jumps_once_or_twice_over_anybody_and_may_turn() -> None:
    state = position("south leader D1, acrobat D3, vizier D4, archer E4\nnorth leader D7, jailer F5")
    assert ends(state, "acrobat") == {"D5", "F3"}  # over D4 to D5; then over E4 to F3


def test_l10_e9_acrobat_may_not_end_where_it_began() -> None:
    assert ends(position("south leader A1, acrobat D3, archer D4\nnorth leader G4"), "acrobat") == {"D5"}


def test_l10_acrobat_cannot_jump_over_two_in_a_row_over_nobody_or_off_the_board() -> None:
    assert ends(position("south leader C1, acrobat D2, rider D3, archer D4\nnorth leader D7"), "acrobat") == set()
    assert ends(position("south leader D1, acrobat F5, rider G4, archer F4\nnorth leader A4"), "acrobat") == {"F3"}
    assert ends(position("south leader D1, acrobat A1, rider B1, archer A2\nnorth leader D7"), "acrobat") == {
        "A3",
        "C1",
    }


def test_l10_l21_a_jailed_acrobat_keeps_its_basic_move() -> None:
    state = position("south leader D1, acrobat D3, archer D4\nnorth leader D7, jailer E3")
    assert ends(state, "acrobat") == set()
    assert steps(state, "acrobat") == {"C2", "C3", "D2", "E2"}


# L11 Rider


def test_l11_rider_moves_exactly_two_in_line_both_empty() -> None:
    state = position("south leader D1, rider D4, archer D5, vizier F4\nnorth leader D7, jailer B4")
    assert ends(state, "rider") == {"F2", "D2", "B2"}


def test_l11_rider_in_a_corner_and_jailed() -> None:
    assert ends(position("south leader D1, rider A1\nnorth leader D7"), "rider") == {"A3", "C3", "C1"}
    assert ends(position("south leader D1, rider A1\nnorth leader D7, jailer A2"), "rider") == set()


# L12 Bruiser


def test_l12_bruiser_takes_the_space_and_pushes_straight_on_or_to_either_side() -> None:
    state = position("south leader D1, bruiser D3\nnorth leader D7, rider D4")
    assert shifts(state, "bruiser") == {"D4>D5", "D4>C4", "D4>E4"}
    after = play(state, type="ability", character="bruiser", target="D4", target_to="C4")
    assert where(after) == {"0 leader D1", "0 bruiser D4", "1 leader D7", "1 rider C4"}


def test_l12_bruiser_is_unusable_where_no_space_opposite_is_empty() -> None:
    blocked = "south leader D1, bruiser D3, archer C4\nnorth leader D7, rider D4, jailer D5, vizier E4"
    assert shifts(position(blocked), "bruiser") == set()
    assert shifts(position("south leader D1, bruiser B4\nnorth leader D7, rider A4"), "bruiser") == set()  # a corner
    assert shifts(position("south leader D1, bruiser B3\nnorth leader D7, rider A3"), "bruiser") == {"A3>A4"}  # an edge


def test_l12_bruiser_pushes_no_ally_no_protected_enemy_and_not_in_jail() -> None:
    assert shifts(position("south leader D1, bruiser D3, archer D4\nnorth leader D7"), "bruiser") == set()
    protected = position("south leader D1, bruiser D3\nnorth leader D7, rider D4, protector E4")
    assert shifts(protected, "bruiser") == set()
    assert shifts(position("south leader D1, bruiser D3\nnorth leader D7, jailer D4"), "bruiser") == set()


def test_l12_bruiser_may_push_the_enemy_leader_into_line_with_its_archer() -> None:
    state = position("south leader D1, bruiser D3, archer F4, rider C5\nnorth leader D4")
    after = play(state, type="ability", character="bruiser", target="D4", target_to="D5")
    assert result(after) == ("captured", (2, 0))  # Bruiser and Rider beside it, and more


# L13 Royal Guard


def test_l13_royal_guard_comes_from_anywhere_and_may_step_on() -> None:
    state = position("south leader D1, royal_guard G4\nnorth leader D7")
    assert ends(state, "royal_guard") == {"C1", "D2", "E1"} | {"B1", "C2", "D3", "E2", "F1"}


def test_l13_e9_royal_guard_may_pass_its_start_but_not_step_on_it_first_or_end_there() -> None:
    state = position("south leader A1, royal_guard A2, archer B1\nnorth leader D7")
    # B2 is the only empty space beside the Leader; A2, its own, is no first step
    assert ends(state, "royal_guard") == {"B2", "B3", "C2", "C3"}


def test_l13_royal_guard_blocked_and_jailed() -> None:
    blocked = position("south leader D1, royal_guard D2, archer C1, rider E1\nnorth leader D7", max_turns=9)
    assert ends(blocked, "royal_guard") == set()
    assert ends(position("south leader D1, royal_guard F3\nnorth leader D7, jailer F4"), "royal_guard") == set()


# L14 Illusionist


def test_l14_illusionist_switches_with_a_visible_character_that_is_not_adjacent() -> None:
    state = position("south leader D1, illusionist D4, archer B4\nnorth leader D7, rider D5, jailer G4, vizier F4")
    assert targets(state, "illusionist") == {"D1", "B4", "F4"}  # D5 is adjacent and hides D7, F4 hides G4
    after = play(state, type="ability", character="illusionist", target="F4")
    assert {"0 illusionist F4", "1 vizier D4"} <= where(after)


def test_l14_illusionist_may_switch_the_leaders_places_but_not_protected_enemies() -> None:
    state = position("south leader D1, illusionist D4\nnorth leader D7")
    assert targets(state, "illusionist") == {"D1", "D7"}
    after = play(state, type="ability", character="illusionist", target="D7")
    assert {"0 illusionist D7", "1 leader D4"} <= where(after)
    protected = position("south leader D1, illusionist D4\nnorth leader D7, protector D6")
    assert targets(protected, "illusionist") == {"D1"}


def test_l14_illusionist_in_a_corner_and_jailed() -> None:
    assert targets(position("south leader D4, illusionist A1\nnorth leader A4"), "illusionist") == {"D4", "A4"}
    assert targets(position("south leader D4, illusionist A1\nnorth leader A4, jailer A2"), "illusionist") == set()


# L15 Claw Launcher


def test_l15_claw_launcher_pulls_itself_or_drags_the_target_along_the_line() -> None:
    state = position("south leader D1, claw_launcher D3, archer A3\nnorth leader D7, rider G3")
    assert legal(state, character="claw_launcher", target="D7") == [
        {"type": "ability", "character": "claw_launcher", "target": "D7", "target_to": "D4"},
        {"type": "ability", "character": "claw_launcher", "target": "D7", "to": "D6"},
    ]
    assert targets(state, "claw_launcher") == {"D1", "D7", "A3", "G3"}
    after = play(state, type="ability", character="claw_launcher", target="D7", target_to="D4")
    assert {"0 claw_launcher D3", "1 leader D4"} <= where(after)


def test_l15_claw_launcher_drags_allies_its_leader_too() -> None:
    state = position("south leader D1, claw_launcher D4\nnorth leader A4")
    after = play(state, type="ability", character="claw_launcher", target="D1", target_to="D3")
    assert "0 leader D3" in where(after)
    assert acted(after) == {"claw_launcher"}  # L5: the Leader may still move


def test_l15_e13_claw_launcher_pulls_itself_to_a_protected_enemy_but_cannot_drag_it() -> None:
    state = position("south leader A1, claw_launcher D3\nnorth leader D7, protector D6")
    assert ends(state, "claw_launcher") == {"D5"}
    assert shifts(state, "claw_launcher") == set()
    own = position("south leader A1, claw_launcher D3, protector D6\nnorth leader A4")
    assert shifts(own, "claw_launcher") == {"D6>D4"}


def test_l15_claw_launcher_needs_distance_sight_and_freedom() -> None:
    assert targets(position("south leader D1, claw_launcher D2\nnorth leader C2"), "claw_launcher") == set()
    hidden = position("south leader A1, claw_launcher D3, archer D4\nnorth leader D7")
    assert targets(hidden, "claw_launcher") == set()
    assert targets(position("south leader A1, claw_launcher D3\nnorth leader D7, jailer D4"), "claw_launcher") == set()


# L16 Manipulator


def test_l16_manipulator_moves_a_visible_enemy_one_space() -> None:
    state = position("south leader A1, manipulator D4, archer B4\nnorth leader D7, rider F4, jailer G1")
    assert targets(state, "manipulator") == {"D7", "F4", "G1"}
    assert {shift for shift in shifts(state, "manipulator") if shift.startswith("D7")} == {"D7>C6", "D7>D6", "D7>E6"}


def test_l16_manipulator_moves_no_ally_no_adjacent_no_hidden_and_no_protected_enemy() -> None:
    assert targets(position("south leader D1, manipulator D4\nnorth leader D5"), "manipulator") == set()
    assert targets(position("south leader A1, manipulator D4, rider D5\nnorth leader D7"), "manipulator") == set()
    assert targets(position("south leader A1, manipulator D4\nnorth leader D7, protector C6"), "manipulator") == set()
    assert targets(position("south leader A1, manipulator D4\nnorth leader D7, jailer C4"), "manipulator") == set()


def test_l16_manipulator_cannot_move_a_target_that_is_walled_in() -> None:
    state = position("south leader A1, manipulator D1\nnorth leader B5, rider D7, archer C6, vizier E6, jailer D6")
    assert targets(state, "manipulator") == {"D6"}


# L17 Wanderer


def test_l17_wanderer_goes_to_any_empty_space_that_is_not_adjacent_to_an_enemy() -> None:
    state = position("south leader D1, wanderer A1\nnorth leader D7, rider D4")
    beside_enemies = {"C6", "D6", "E6"} | {"D5", "E4", "E3", "D3", "C3", "C4"}
    board = {
        f"{file}{n}" for file, size in zip("ABCDEFG", (4, 5, 6, 7, 6, 5, 4), strict=True) for n in range(1, size + 1)
    }
    assert ends(state, "wanderer") == board - beside_enemies - {"D1", "A1", "D7", "D4"}


def test_l17_e14_wanderer_has_its_basic_move_as_well_and_alone_in_jail() -> None:
    state = position("south leader D1, wanderer A1\nnorth leader D7")
    assert ends(state, "wanderer") & steps(state, "wanderer") == {"A2", "B1", "B2"}
    jailed = position("south leader D1, wanderer A1\nnorth leader D7, jailer A2")
    assert ends(jailed, "wanderer") == set()
    assert steps(jailed, "wanderer") == {"B1", "B2"}


# L18 Brewmaster


def test_l18_brewmaster_moves_an_adjacent_ally_one_space_in_any_direction() -> None:
    state = position("south leader D1, brewmaster D2, archer D3\nnorth leader D7, rider C2")
    assert shifts(state, "brewmaster") == {"D1>C1", "D1>E1", "D3>C3", "D3>D4", "D3>E3", "D3>E2"}
    after = play(state, type="ability", character="brewmaster", target="D1", target_to="E1")
    assert acted(after) == {"brewmaster"}  # L5: the Leader may still act
    assert steps(after, "leader") == {"D1", "E2", "F1"}


def test_l18_brewmaster_moves_no_enemy_nobody_far_and_not_in_jail() -> None:
    assert shifts(position("south leader D1, brewmaster D4\nnorth leader D5"), "brewmaster") == set()
    assert shifts(position("south leader D1, brewmaster D2\nnorth leader D7, jailer D3"), "brewmaster") == set()
    corner = position("south leader D1, brewmaster B1, archer A1\nnorth leader D7, rider A2")
    assert shifts(corner, "brewmaster") == {"A1>B2"}


# L19, L20, the Cub


@pytest.mark.parametrize(
    ("north", "threatened"),
    [
        ("archer D6, rider C4", {"D4"}),  # at two in line the Archer weighs 1, whatever stands between
        ("archer D5, rider C4", set()),  # adjacent it weighs nothing
        ("archer D6", set()),
        ("assassin D5", {"D4"}),  # alone
        ("rider C4, vizier E4", {"D4"}),
        ("rider C4, hermit E4 + cub E3", {"D4"}),
        ("hermit E5 + cub E3, rider C4", set()),
    ],
)
def test_l7_l19_l20_l24_what_weighs_on_a_leader(north: str, threatened: set[str]) -> None:
    state = position(f"south leader D3\nnorth leader A4, {north}")
    assert {"D4"} - steps(state, "leader") == threatened


def test_l19_the_archer_shoots_over_figures_and_not_off_the_lines() -> None:
    state = position("south leader A1, archer E4, rider C6\nnorth leader D7, jailer D6")
    assert result(play(state, type="move", character="archer", to="D5")) == ("captured", (2, 0))
    assert result(play(state, type="move", character="archer", to="F4")) is None


# L21 Jailer, L22 Protector: see the abilities; here what they leave alone


def test_l21_only_an_adjacent_enemy_jailer_jails() -> None:
    assert ends(position("south leader D1, rider D4, jailer D5\nnorth leader D7"), "rider") != set()
    assert ends(position("south leader D1, rider D4\nnorth leader D7, jailer D6"), "rider") != set()


def test_l21_e13_the_jailer_leaves_leader_vizier_hermit_and_cub_alone() -> None:
    state = position("south leader D1, vizier A1, hermit B1 + cub C1\nnorth leader D7, jailer D2")
    assert "F1" in steps(state, "leader")
    assert "C2" in steps(state, "cub")


def test_l22_the_shield_covers_the_protector_and_adjacent_allies_only() -> None:
    text = "south leader A1, manipulator D1\nnorth leader G4, protector D5, rider {}"
    assert targets(position(text.format("F1")), "manipulator") == {"F1"}  # D5 itself is protected
    assert targets(position(text.format("D4")), "manipulator") == set()
    assert targets(position("south leader A1, manipulator D1, protector C4\nnorth leader D4"), "manipulator") == {"D4"}


# L23 Vizier


def test_l23_with_the_vizier_the_leader_walks_up_to_two_steps_and_may_turn() -> None:
    state = position("south leader D1, vizier A1\nnorth leader D7")
    assert steps(state, "leader") == {"C1", "D2", "E1", "B1", "C2", "D3", "E2", "F1"}
    assert steps(state, "vizier") == {"A2", "B1", "B2"}


def test_l23_both_steps_lead_through_empty_spaces_and_the_enemys_vizier_does_not_help() -> None:
    blocked = position("south leader D1, vizier D2, archer C1\nnorth leader D7")
    assert steps(blocked, "leader") == {"E1", "E2", "F1"}
    assert steps(position("south leader D1\nnorth leader D7, vizier A1"), "leader") == {"C1", "D2", "E1"}


def test_l23_q3_the_first_step_may_pass_a_space_where_the_leader_would_fall() -> None:
    state = position("south leader D1, vizier A1, archer C1, rider E1\nnorth leader D7, assassin C2")
    assert steps(state, "leader") == {"E2"}  # through D2; like D2, D3 is beside the Assassin


def test_l23_e13_the_vizier_helps_the_leaders_own_move_alone() -> None:
    state = position("south leader D1, vizier A1, brewmaster C1\nnorth leader D7")
    assert shifts(state, "brewmaster") == {"D1>D2", "D1>E1"}


# L24 Hermit & Cub


def test_l24_q8_hermit_and_cub_may_both_move_one_right_after_the_other() -> None:
    state = position("south leader D1, hermit B2 + cub C2\nnorth leader D7")
    state = play(state, type="move", character="cub", to="C3")
    assert acted(state) == {"cub"}
    state = play(state, type="move", character="hermit", to="B3")
    assert acted(state) == {"cub", "hermit"}


def test_l24_q8_any_other_action_forfeits_the_partners_move() -> None:
    text = "south leader D1, hermit B2 + cub C2, archer A1\nnorth leader D7"
    state = play(position(text), type="move", character="hermit", to="B3")
    state = play(state, type="move", character="leader", to="E1")
    assert acted(state) == {"hermit", "cub", "leader"}
    assert steps(state, "cub") == set()
    untouched = play(position(text), type="move", character="leader", to="E1")
    assert acted(untouched) == {"leader"}
    assert steps(untouched, "cub")
    assert steps(untouched, "hermit")


def test_l24_q8_a_swap_moves_only_the_figure_hit_and_both_enjoy_the_protector() -> None:
    state = position("south leader A1, illusionist D2\nnorth leader D7, hermit D4 + cub D5")
    assert {"1 hermit D2", "1 cub D5"} <= where(play(state, type="ability", character="illusionist", target="D4"))
    shielded = position("south leader A1, illusionist D2\nnorth leader D7, hermit E6 + cub D4, protector D5")
    assert targets(shielded, "illusionist") == set()


# L25 Nemesis


def test_l25_e1_the_nemesis_never_acts() -> None:
    state = position("south leader D1, nemesis A1\nnorth leader D7")
    assert legal(state, character="nemesis") == []


def reaction(text: str, **action: str) -> set[str]:
    """Where the Nemesis may go after an action; empty if it is not asked."""
    return {row["to"] for row in legal(play(position(text), **action), type="nemesis_move")}


def test_l25_the_nemesis_moves_two_spaces_after_the_enemy_leader_moved() -> None:
    text = "south leader D1\nnorth leader D7, nemesis A4"
    two = {"A2", "B3", "C4", "C5", "C6", "A3", "B4", "B5"}
    assert reaction(text, type="move", character="leader", to="D2") == two  # A3, B4, B5 by a detour


def test_l25_each_way_in_which_the_leader_may_be_moved_calls_the_nemesis() -> None:
    ways = {
        "south leader D1, brewmaster D2": {"character": "brewmaster", "target": "D1", "target_to": "C1"},
        "south leader D1, claw_launcher D4": {"character": "claw_launcher", "target": "D1", "target_to": "D3"},
        "south leader D1, illusionist D4": {"character": "illusionist", "target": "D1"},
    }
    for south, action in ways.items():
        assert reaction(f"{south}\nnorth leader G4, nemesis A4", type="ability", **action), south
    own_turn = {
        "north leader G4, nemesis A4, bruiser D2": {"character": "bruiser", "target": "D3", "target_to": "D4"},
        "north leader G4, nemesis A4, manipulator D1": {"character": "manipulator", "target": "D3", "target_to": "C3"},
        "north leader G4, nemesis A4, claw_launcher D1": {
            "character": "claw_launcher",
            "target": "D3",
            "target_to": "D2",
        },
        "north leader G4, nemesis A4, illusionist D1": {"character": "illusionist", "target": "D3"},
    }
    for north, action in own_turn.items():
        assert reaction(f"turn 3\nsouth leader D3\n{north}", type="ability", **action), north


def test_l25_actions_that_leave_the_enemy_leader_in_place_do_not_call_the_nemesis() -> None:
    text = "south leader D1, royal_guard A1, rider B1\nnorth leader D7, nemesis A4"
    assert reaction(text, type="move", character="rider", to="C1") == set()
    assert reaction(text, type="ability", character="royal_guard", to="D2") == set()
    own = "turn 3\nsouth leader D1\nnorth leader D7, nemesis A4"
    assert reaction(own, type="move", character="leader", to="D6") == set()


def test_l25_the_nemesis_moves_one_space_if_it_cannot_move_two_and_stays_if_it_cannot_move() -> None:
    one = "south leader D1, rider A3, archer B3, vizier C4\nnorth leader B5, nemesis A4, jailer C5"
    assert reaction(one, type="move", character="leader", to="D2") == {"B4"}
    stays = "south leader D1, rider A3, archer B4\nnorth leader B5, nemesis A4"
    after = play(position(stays), type="move", character="leader", to="D2")
    assert legal(after, type="end_actions")
