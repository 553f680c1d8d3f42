"""The course of Leaders: L4–L8, L30, L31, the rulings Q1–Q13 and E1–E12. docs/games/leaders.md draws the board."""

import random
from typing import Any

import pytest
from leaders_positions import (
    EXPERT,
    LEADERS,
    acted,
    ends,
    legal,
    play,
    position,
    reachable,
    result,
    steps,
    targets,
    told,
    where,
)

from arena.games.leaders.state import State

DECK = (
    "archer", "rider", "vizier", "acrobat", "assassin", "brewmaster", "bruiser", "claw_launcher", "hermit_and_cub",
    "illusionist", "jailer", "manipulator", "nemesis", "protector", "royal_guard", "wanderer",
)  # fmt: skip


def opening(max_turns: int = 200) -> State:
    deal = LEADERS.from_json({"deck": list(DECK)}, LEADERS.Deal)
    state: State = LEADERS.initial(deal, LEADERS.Options(max_turns=max_turns))
    return state


def view(state: State) -> Any:
    return LEADERS.view(state, None)


def end(state: State) -> State:
    return play(state, type="end_actions")


# L4–L6 The course of a turn


def test_l4_l5_none_some_or_all_act_in_any_order_and_then_the_seat_recruits() -> None:
    state = position("south leader D1, rider A1, archer G1\nnorth leader D7\nmarket jailer, vizier, wanderer")
    assert view(end(state)).phase == "recruit"
    state = play(state, type="move", character="archer", to="G2")
    state = play(state, type="move", character="leader", to="D2")
    assert steps(state, "leader") == steps(state, "archer") == set()
    assert ends(state, "rider") == {"A3", "C3", "C1"}
    assert view(play(state, type="ability", character="rider", to="A3")).phase == "recruit"


def test_l5_one_action_each_a_move_or_the_ability() -> None:
    state = position("south leader D1, rider A1\nnorth leader D7")
    state = play(state, type="move", character="rider", to="A2")
    assert legal(state, character="rider") == []


def test_l6_a_recruit_stands_on_an_empty_own_recruitment_space_and_the_market_is_refilled() -> None:
    state = end(opening())
    free = {"A1", "B1", "C1", "E1", "F1", "G1"}
    assert {(row["card"], row["at"]) for row in legal(state)} == {
        (card, at) for card in ("archer", "rider", "vizier") for at in free
    }
    state = play(state, type="recruit", card="rider", at="A1")
    assert view(state).market == ("acrobat", "archer", "vizier")
    assert (view(state).active_seat, view(state).turn, view(state).deck_count) == (1, 1, 12)


def test_l6_seat_1_recruits_twice_on_its_first_turn_the_market_refilled_in_between() -> None:
    state = play(end(opening()), type="recruit", card="rider", at="A1")
    assert view(state).recruits_left == 2
    state = play(end(state), type="recruit", card="vizier", at="A4")
    assert (view(state).phase, view(state).seat_to_act, view(state).recruits_left) == ("recruit", 1, 1)
    assert view(state).market == ("acrobat", "archer", "assassin")
    state = play(state, type="recruit", card="assassin", at="G4")
    assert (view(state).turn, view(state).recruits_left) == (2, 1)
    assert view(state).cards == (("leader", "rider"), ("leader", "vizier", "assassin"))  # E3


def test_l6_e8_nobody_recruits_with_five_cards_and_hermit_and_cub_count_as_one() -> None:
    five = "turn 8\nsouth leader D1, rider A1, archer B1, vizier C1, hermit E1 + cub F1\nnorth leader D7\nmarket jailer"
    assert view(position(five)).recruits_left == 0
    assert view(end(position(five))).turn == 9
    four = position(five.replace(", vizier C1", ""))
    assert view(end(four)).phase == "recruit"


# L7, L8 The end


def test_l7_two_enemies_capture_and_a_leader_is_one() -> None:
    assert reachable("south leader D5, rider C6\nnorth leader D7") == {("captured", (2, 0))}
    assert reachable("turn 1\nsouth leader D1\nnorth leader D3, rider E1") == {("captured", (0, 2))}


@pytest.mark.parametrize(
    "text",
    [
        "south leader D1, rider D5\nnorth leader D7, vizier C6, jailer E6",  # a corner: three neighbours
        "south leader G1, rider A1\nnorth leader A3, jailer A4, vizier B3, wanderer B4",  # an edge: four
        "south leader A1, rider D2\nnorth leader D4, jailer D5, vizier E4, wanderer E3, hermit C4 + cub C3",
    ],
)
def test_l7_a_leader_without_an_empty_neighbour_is_surrounded_whoever_stands_there(text: str) -> None:
    assert reachable(text) == {("surrounded", (2, 0))}


def test_l8_the_own_leader_may_not_go_where_it_is_captured() -> None:
    assert steps(position("south leader D1\nnorth leader D7, assassin D3"), "leader") == {"C1", "E1"}


def test_l8_an_own_figure_may_not_take_the_leaders_last_empty_neighbour_from_afar() -> None:
    state = position("south leader D1, jailer C1, archer E1, rider D4\nnorth leader D7")
    assert "D2" not in ends(state, "rider")
    assert "D2" in steps(state, "jailer")  # C1 becomes empty


def test_l8_a_recruit_may_not_surround_the_own_leader() -> None:
    text = "south leader D1, jailer C1, archer D2\nnorth leader D7\nmarket hermit_and_cub, rider, vizier"
    spaces = {space for row in legal(end(position(text))) for space in (row["at"], row.get("cub_at", row["at"]))}
    assert spaces == {"A1", "B1", "F1", "G1"}


def test_l8_no_enemy_may_be_moved_so_that_it_captures() -> None:
    text = "south leader D3, illusionist D4\nnorth leader A4, {} C3, vizier D7"
    assert targets(position(text.format("rider")), "illusionist") == set()
    assert targets(position(text.format("archer")), "illusionist") == {"D7", "A4"}


def test_l8_even_if_the_enemy_leader_would_fall_too() -> None:
    text = "south leader D4, archer F4\nnorth leader D6{}"
    assert "D5" in steps(position(text.format("")), "leader")
    assert "D5" not in steps(position(text.format(", rider C5")), "leader")


# L30, L31, E7 Expert mode


def test_l30_l31_e7_the_opening_banishment_belongs_to_turn_0() -> None:
    state: State = EXPERT.initial(EXPERT.Deal(), EXPERT.Options())
    assert len(view(state).market) == 16
    assert len(legal(state, type="banish")) == len(legal(state)) == 16
    state = play(state, type="banish", card="rider")
    assert (view(state).seat_to_act, view(state).active_seat, view(state).recruits_left) == (1, 0, 1)
    assert "rider" not in {row["card"] for row in legal(state)}
    assert told(state, type="banish", card="archer") == [{"type": "banished", "seat": 1, "card": "archer"}]
    state = play(state, type="banish", card="archer")
    assert (view(state).phase, view(state).turn, view(state).repeats) == ("action", 0, 1)
    assert view(state).banished == ("rider", "archer")


LATER = """turn 3, action
south leader D1, rider A1, archer B1
north leader D7, vizier A4
market acrobat, brewmaster, illusionist, jailer; deck 0
banished bruiser, assassin"""


def test_l31_e7_the_second_banishment_follows_the_first_turn_at_whose_end_both_hold_three_cards() -> None:
    state = end(position(LATER, expert=True))
    recruit = {"type": "recruit", "card": "jailer", "at": "B5"}
    assert told(state, **recruit) == [{"type": "recruited", "seat": 1, "card": "jailer", "at": "B5"}]
    state = play(state, **recruit)
    seen = view(state)
    assert (seen.phase, seen.seat_to_act, seen.active_seat, seen.turn, seen.recruits_left) == ("banish", 0, 1, 3, 0)
    assert acted(state) == {"leader", "vizier"}
    state = play(state, type="banish", card="acrobat")
    assert view(state).seat_to_act == 1
    assert told(state, type="banish", card="brewmaster") == [
        {"type": "banished", "seat": 1, "card": "brewmaster"},
        {"type": "turn", "seat": 0, "turn": 4},
    ]
    state = play(state, type="banish", card="brewmaster")
    assert view(state).banished == ("bruiser", "assassin", "acrobat", "brewmaster")
    assert view(end(state)).phase == "recruit"


def test_e6_a_pending_banishment_is_played_before_the_draw() -> None:
    state = end(position(LATER, expert=True, max_turns=4))
    state = play(state, type="recruit", card="jailer", at="B5")
    for card in ("acrobat", "brewmaster"):
        assert result(state) is None
        state = play(state, type="banish", card=card)
    assert result(state) == ("turn-limit", (1, 1))


# Q Rulings


def test_q1_the_leaders_start_space_is_a_recruitment_space_while_empty() -> None:
    state = play(opening(), type="move", character="leader", to="D2")
    assert {row["at"] for row in legal(state)} == {"A1", "B1", "C1", "D1", "E1", "F1", "G1"}


def test_q4_the_nemesis_may_capture_the_leader_that_moved() -> None:
    state = position("south leader D1\nnorth leader D7, nemesis D5, rider C2")
    state = play(state, type="move", character="leader", to="D2")
    assert (view(state).phase, view(state).seat_to_act, view(state).active_seat) == ("nemesis", 1, 0)
    assert result(play(state, type="nemesis_move", to="D3")) == ("captured", (0, 2))


def nemesis_ends(state: State) -> set[str]:
    return {row["to"] for row in legal(state, type="nemesis_move")}


def test_q5_the_nemesis_is_not_offered_to_surround_its_own_leader() -> None:
    state = position("south leader D1\nnorth leader D7, rider C6, vizier E6, nemesis D4")
    state = play(state, type="move", character="leader", to="D2")
    assert "D6" not in nemesis_ends(state)
    assert "D5" in nemesis_ends(state)


def test_q5_unless_every_destination_does() -> None:
    state = position(
        "south leader D1, manipulator D5, bruiser E5, illusionist C4, claw_launcher B4\n"
        "north leader D7, rider C6, vizier E6, nemesis C5, hermit B5 + cub A1"
    )
    state = play(state, type="move", character="leader", to="D2")
    assert nemesis_ends(state) == {"D6"}
    assert result(play(state, type="nemesis_move", to="D6")) == ("surrounded", (2, 0))


def test_q6_e5_if_both_leaders_fall_by_the_reaction_the_seat_whose_turn_it_is_loses() -> None:
    state = position(
        "south leader C4, manipulator F5, bruiser F4, illusionist E4, claw_launcher D5\n"
        "north leader D7, rider C6, vizier E6, nemesis E5"
    )
    state = play(state, type="move", character="leader", to="C5")
    assert nemesis_ends(state) == {"D6"}  # surrounds the one Leader and captures the other
    assert result(play(state, type="nemesis_move", to="D6")) == ("captured", (0, 2))


def test_e10_q5_holds_even_where_q6_would_make_the_nemesis_owner_win() -> None:
    state = position("south leader C4\nnorth leader D7, rider C6, vizier E6, nemesis E4")
    assert "D6" not in nemesis_ends(play(state, type="move", character="leader", to="C5"))


def test_q7_no_reaction_if_the_game_has_ended_and_no_jailer_stops_it() -> None:
    state = position("south leader D5, rider C6\nnorth leader D7, nemesis A4")
    assert result(play(state, type="move", character="leader", to="D6")) == ("captured", (2, 0))
    jailed = position("south leader D1, jailer A3\nnorth leader D7, nemesis A4, protector B5")
    assert nemesis_ends(play(jailed, type="move", character="leader", to="D2")) == {"B3", "C4", "C5"}


def test_q9_hermit_and_cub_need_two_free_spaces() -> None:
    text = (
        "south leader D1, rider A1, archer B1\nnorth leader D7, jailer E1, acrobat F1, assassin {}\n"
        "market hermit_and_cub, vizier, wanderer"
    )
    one_free = end(position(text.format("C3")))
    pairs = {(row["at"], row["cub_at"]) for row in legal(one_free, card="hermit_and_cub")}
    assert pairs == {("C1", "G1"), ("G1", "C1")}
    assert legal(end(position(text.format("G1"))), card="hermit_and_cub") == []


def test_q9_both_figures_stand_before_the_end_is_checked() -> None:
    state = end(position("south leader D1\nnorth leader D7\nmarket hermit_and_cub, vizier, wanderer"))
    state = play(state, type="recruit", card="hermit_and_cub", at="C1", cub_at="A1")
    assert {"0 hermit C1", "0 cub A1"} <= where(state)
    assert view(state).cards[0] == ("leader", "hermit_and_cub")


FULL = (
    "south leader D1, rider A1, vizier B1, acrobat C1\n"
    "north leader D7, jailer E1, manipulator F1, bruiser G1\nmarket archer, assassin, wanderer"
)


def test_q10_a_recruitment_without_room_is_skipped_and_otherwise_compulsory() -> None:
    assert view(end(position("turn 8\n" + FULL))).turn == 9
    state = end(position("turn 8\n" + FULL.replace("bruiser G1", "bruiser G2")))
    assert {row["type"] for row in legal(state)} == {"recruit"}


def test_q10_e8_a_second_recruit_that_cannot_be_placed_is_lost() -> None:
    text = (
        "turn 1, action, recruits 2\nsouth leader D1, rider A4, vizier B5, acrobat F5, manipulator {}\n"
        "north leader D7, wanderer C6\nmarket archer, assassin, jailer"
    )
    state = end(position(text.format("G4")))
    assert {row["at"] for row in legal(state)} == {"E6"}
    assert view(play(state, type="recruit", card="jailer", at="E6")).turn == 2
    assert view(end(position(text.format("E6")))).recruits_left == 2


def dance(state: State) -> State:
    """Both Leaders step out and back: four turns after which the position is the same."""
    for to in ("D2", "D6", "D1", "D7"):
        state = play(state, type="move", character="leader", to=to)
    return state


def test_q12_e6_e16_the_third_occurrence_at_the_start_of_a_turn_is_a_draw() -> None:
    state = dance(position("south leader D1\nnorth leader D7"))
    assert (view(state).repeats, result(state)) == (2, None)
    for to in ("D2", "D6", "D1"):
        state = play(state, type="move", character="leader", to=to)
    assert told(state, type="move", character="leader", to="D7")[1:] == []  # E15: the draw prevents the turn
    state = play(state, type="move", character="leader", to="D7")
    assert result(state) == ("repetition", (1, 1))
    seen = view(state)  # E4
    assert (seen.phase, seen.seat_to_act, seen.turn, seen.active_seat) == ("over", None, 8, 0)
    assert (seen.repeats, seen.recruits_left, acted(state)) == (3, 1, set())


def test_q12_the_seat_to_move_belongs_to_the_position() -> None:
    state = position("south leader D1, vizier A1\nnorth leader D7, rider G4")
    state = end(end(play(state, type="move", character="leader", to="D3")))
    state = play(state, type="move", character="leader", to="D2")  # two turns later: the same seat, another place
    assert view(state).repeats == 1


def test_q12_e6_after_max_turns_turns_the_game_is_drawn_but_repetition_is_tested_first() -> None:
    state = end(opening(max_turns=1))
    last = {"type": "recruit", "card": "rider", "at": "A1"}
    assert [event["type"] for event in told(state, **last)] == ["recruited", "market"]
    state = play(state, **last)
    assert result(state) == ("turn-limit", (1, 1))
    assert (view(state).turn, view(state).active_seat, view(state).recruits_left) == (1, 1, 2)
    both = dance(dance(position("south leader D1\nnorth leader D7", max_turns=8)))
    assert result(both) == ("repetition", (1, 1))


def test_q12_a_win_comes_before_a_draw() -> None:
    state = position("south leader D5, rider C6\nnorth leader D7", max_turns=1)
    assert result(play(state, type="move", character="leader", to="D6")) == ("captured", (2, 0))


def test_q13_the_market_shows_three_cards_throughout() -> None:
    rng = random.Random(13)
    for _ in range(10):
        state = LEADERS.initial(LEADERS.deal(rng, LEADERS.Options()), LEADERS.Options())
        while LEADERS.seat_to_act(state) is not None:
            assert len(view(state).market) == 3
            state = LEADERS.apply(state, rng.choice(LEADERS.legal_actions(state)))
        assert view(state).deck_count >= 16 - 3 - 8


# E Exactness


def test_e2_ending_the_phase_forfeits_every_action_but_not_the_nemesis_nor_a_recruit() -> None:
    text = "south leader D1, nemesis G1, rider A1\nnorth leader D7, archer A4\nmarket acrobat, jailer, vizier"
    state = end(position(text))
    assert acted(state) == {"leader", "rider"}
    second = position("turn 1, recruit, recruits 2\nsouth leader D1\nnorth leader D7*\nmarket acrobat, jailer, vizier")
    after = play(second, type="recruit", card="jailer", at="A4")
    assert [piece.acted for piece in view(after).pieces] == [False, False, True]


def test_e5_captured_and_surrounded_at_once_is_captured() -> None:
    state = position("south leader D1, rider C6, acrobat D5\nnorth leader D7, jailer E6")
    assert result(play(state, type="move", character="acrobat", to="D6")) == ("captured", (2, 0))


def test_e11_e15_a_recruitment_that_wins_refills_the_market_first() -> None:
    state = end(position("south leader D1, rider B1\nnorth leader B2\nmarket acrobat, jailer, vizier"))
    action = {"type": "recruit", "card": "jailer", "at": "A1"}
    assert [event["type"] for event in told(state, **action)] == ["recruited", "market"]
    state = play(state, **action)
    assert result(state) == ("captured", (2, 0))
    assert (len(view(state).market), view(state).recruits_left, view(state).turn) == (3, 0, 0)
    assert legal(state) == []


def test_e12_a_turn_without_a_legal_action_passes_by_itself_l8_applied() -> None:
    # With the Rider on F1 every step of the southern Leader would be its last.
    state = position("turn 1\nsouth leader D1\nnorth leader D7, assassin C2, vizier E2, rider G1\nmarket nothing")
    state = play(state, type="move", character="rider", to="F1")
    assert told(state, type="end_actions") == [
        {"type": "turn", "seat": 0, "turn": 2},
        {"type": "turn", "seat": 1, "turn": 3},
    ]
    after = end(state)
    assert (view(after).turn, view(after).seat_to_act, acted(after)) == (3, 1, set())


def test_e12_the_phase_ends_by_itself_once_everybody_has_acted() -> None:
    state = play(opening(), type="move", character="leader", to="D2")
    assert view(state).phase == "recruit"
    assert acted(state) == {"leader"}
