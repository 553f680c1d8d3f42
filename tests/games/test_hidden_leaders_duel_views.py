"""Hidden Leaders Duel: what each viewer is shown and told (Q5–Q7, E1–E5), and the board for people."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hidden_leaders_duel_position import position

from arena.games import hidden_leaders_duel as game
from arena.games.hidden_leaders_duel import Block, Collect, Place, State, Take

# Turn 4: seat 0 blocked A2 (face up) and collected; seat 1 blocked B3 (face down) and collected.
MIDDLE = position(
    turn=4, roles="Enned Cyra", hands=("I3 H1 U1", "I2 H0 H3"), collections=("S0", "U0"),
    a="I3 S3/U2@0 i1 u3 h2 S1 i0", b="h2 S2 u3/I2@1 h3 i1 u1 H1", pile="S2 S1 U2 S3",
)  # fmt: skip
FREED = game.apply(MIDDLE, Take(("A3", "B1")))


def shown(state: State, seat: int | None) -> Any:
    return game.to_json(game.view(state, seat))


def told(state: State, action: game.Action, seat: int | None) -> Any:
    return game.to_json(game.events(state, action, game.apply(state, action), seat))


def test_a_seat_sees_exactly_this() -> None:
    assert shown(FREED, 0) == {
        "round": 3, "turn": 4, "step": "place", "seat": 0, "seat_to_act": 0, "near_row": "A",
        "role": {"name": "Enned", "factions": ["S", "U"]},
        "hand": ["I1", "I3", "H1", "H2", "U1"], "collection": ["S0"],
        "opponent": {"hand": ["I?", "H?", "H?"], "collection": ["U?"]},
        "display": {
            "A1": {"card": "I3", "face_up": True, "blocker": None},
            "A2": {"card": "S3", "face_up": True, "blocker": "U2"},
            "A3": None,
            "A4": {"card": "U?", "face_up": False, "blocker": None},
            "A5": {"card": "H?", "face_up": False, "blocker": None},
            "A6": {"card": "S1", "face_up": True, "blocker": None},
            "A7": {"card": "I?", "face_up": False, "blocker": None},
            "B1": None,
            "B2": {"card": "S2", "face_up": True, "blocker": None},
            "B3": {"card": "U?", "face_up": False, "blocker": "I?"},
            "B4": {"card": "H?", "face_up": False, "blocker": None},
            "B5": {"card": "I?", "face_up": False, "blocker": None},
            "B6": {"card": "U?", "face_up": False, "blocker": None},
            "B7": {"card": "H1", "face_up": True, "blocker": None},
        },
        "freed": ["A3", "B1"], "draw_pile": {"count": 4, "top": "S?"},
    }  # fmt: skip


def test_e5_the_other_seat_sees_the_same_shape_from_its_side() -> None:
    mine, theirs = shown(FREED, 0), shown(FREED, 1)
    assert list(theirs) == list(mine)
    assert theirs["freed"] == ["A3", "B1"]
    assert theirs == mine | {
        "seat": 1, "near_row": "B", "role": {"name": "Cyra", "factions": ["I", "S"]},
        "hand": ["I2", "H0", "H3"], "collection": ["U0"],
        "opponent": {"hand": ["I?", "I?", "H?", "H?", "U?"], "collection": ["S?"]},
        "display": mine["display"] | {
            "A2": {"card": "S3", "face_up": True, "blocker": "U?"},
            "B3": {"card": "U?", "face_up": False, "blocker": "I2"},
        },
    }  # fmt: skip


def test_the_spectator_sees_both_seats_in_the_shape_of_an_opponent() -> None:
    view = shown(FREED, None)
    assert list(view) == [
        "round", "turn", "step", "seat", "seat_to_act", "players", "display", "freed", "draw_pile",
    ]  # fmt: skip
    assert view["seat"] is None
    assert view["players"] == [
        {"hand": ["I?", "I?", "H?", "H?", "U?"], "collection": ["S?"]},
        {"hand": ["I?", "H?", "H?"], "collection": ["U?"]},
    ]
    assert view["display"]["A2"] == {"card": "S3", "face_up": True, "blocker": "U?"}
    assert view["display"]["B3"] == {"card": "U?", "face_up": False, "blocker": "I?"}


def test_e1_fields_and_spaces_stand_in_the_order_of_the_page() -> None:
    view = shown(FREED, 0)
    assert list(view) == [
        "round", "turn", "step", "seat", "seat_to_act", "near_row", "role", "hand", "collection", "opponent",
        "display", "freed", "draw_pile",
    ]  # fmt: skip
    assert list(view["display"]) == [row + str(n) for row in "AB" for n in range(1, 8)]
    placed = told(FREED, Place({"B1": "I1", "A3": "U1"}), 1)  # whatever the order in the bot's answer
    assert [list(event["cards"]) for event in placed] == [["A3", "B1"]]


def test_q5_only_who_placed_a_blocker_keeps_seeing_its_value() -> None:
    blockers = [[shown(MIDDLE, seat)["display"][space]["blocker"] for space in ("A2", "B3")] for seat in (0, 1, None)]
    assert blockers == [["U2", "I?"], ["U?", "I2"], ["U?", "I?"]]


def test_q5_a_seat_sees_not_even_the_face_down_card_that_it_blocked() -> None:
    assert shown(MIDDLE, 1)["display"]["B3"]["card"] == "U?"


def test_q6_the_faction_of_the_top_card_alone_is_public() -> None:
    for seat in (0, 1, None):
        assert shown(MIDDLE, seat)["draw_pile"] == {"count": 4, "top": "S?"}
        assert shown(MIDDLE._replace(pile=()), seat)["draw_pile"] == {"count": 0, "top": None}


@pytest.mark.parametrize("order", ["I3 I0 H1 U1", "U1 H1 I0 I3", "I0 U1 I3 H1"])
def test_q7_the_order_of_hidden_cards_tells_their_factions_and_nothing_else(order: str) -> None:
    state = position(turn=0, roles="Enned Cyra", hands=(order, ""), collections=(order, ""), a="", b="", whole=False)
    assert shown(state, 1)["opponent"] == {"hand": ["I?", "I?", "H?", "U?"], "collection": ["I?", "I?", "H?", "U?"]}


def test_e4_taking_tells_face_up_values_to_all_and_face_down_ones_to_the_taker() -> None:
    taken = {seat: told(MIDDLE, Take(("A1", "A3")), seat) for seat in (0, 1, None)}
    assert taken[0] == [{"type": "took", "seat": 0, "cards": {"A1": "I3", "A3": "I1"}}]
    assert taken[1] == taken[None] == [{"type": "took", "seat": 0, "cards": {"A1": "I3", "A3": "I?"}}]


def test_e4_placing_tells_the_values_to_all() -> None:
    for seat in (0, 1, None):
        assert told(FREED, Place({"A3": "U1", "B1": "I1"}), seat) == [
            {"type": "placed", "seat": 0, "cards": {"A3": "U1", "B1": "I1"}}
        ]


ACTING = game.apply(FREED, Place({"A3": "U1", "B1": "I1"}))


def test_e4_blocking_then_drawing_tells_values_to_the_acting_seat_alone() -> None:
    action = Block("I3", "A3")
    assert told(ACTING, action, 0) == [
        {"type": "blocked", "seat": 0, "card": "I3", "space": "A3"},
        {"type": "drew", "seat": 0, "card": "S2"},
    ]
    assert told(ACTING, action, 1) == told(ACTING, action, None) == [
        {"type": "blocked", "seat": 0, "card": "I?", "space": "A3"},
        {"type": "drew", "seat": 0, "card": "S?"},
    ]  # fmt: skip


def test_e4_collecting_tells_values_to_the_acting_seat_alone_and_no_draw_without_a_pile() -> None:
    state = ACTING._replace(pile=())
    assert told(state, Collect("H2"), 0) == [{"type": "collected", "seat": 0, "card": "H2"}]
    assert told(state, Collect("H2"), 1) == told(state, Collect("H2"), None) == [
        {"type": "collected", "seat": 0, "card": "H?"}
    ]  # fmt: skip


LAST = position(
    turn=13, step="act", roles="Enned Cyra", hands=("", "U1"), collections=("", ""),
    a="I3/I2@0 S3/I3@1 I1/H0@0 U3/H1@1 H2/H1@0 S1/S1@1 U0/S2@0",
    b="H2/S3@1 I0/U1@0 S2/U2@1 S0/U2@0 U3/H3@1 i2 I1/H3@0",
)  # fmt: skip


def test_e2_the_view_of_a_finished_game_still_hides_what_it_hid() -> None:
    over = game.apply(LAST, Block("U1", "B6"))
    for seat in (0, 1, None):
        view = shown(over, seat)
        assert (view["round"], view["turn"], view["step"], view["seat_to_act"]) == (7, 14, "over", None)
        assert view["freed"] == []
        assert view["draw_pile"] == {"count": 0, "top": None}
    assert shown(over, 0)["display"]["B6"] == {"card": "I?", "face_up": False, "blocker": "U?"}
    assert shown(over, 1)["display"]["B6"] == {"card": "I?", "face_up": False, "blocker": "U1"}


def test_e2_everybody_is_told_the_same_reveal_at_the_end() -> None:
    events = {seat: told(LAST, Block("U1", "B6"), seat) for seat in (0, 1, None)}
    assert [[event["type"] for event in heard] for heard in events.values()] == [["blocked", "scored"]] * 3
    assert json.dumps(events[0][-1]) == json.dumps(events[1][-1]) == json.dumps(events[None][-1])
    assert events[0][-1]["display"]["B6"] == {"card": "I2", "blocker": "U1"}
    assert [event["card"] for event in (events[0][0], events[1][0], events[None][0])] == ["U?", "U1", "U?"]


def test_rounds_and_turns_are_counted_as_on_the_page() -> None:
    for turn in range(14):
        view = shown(MIDDLE._replace(turn=turn), 0)
        assert (view["round"], view["turn"], view["seat_to_act"]) == (turn // 2 + 1, turn, turn % 2)


def test_the_board_of_a_seat_reads_like_this() -> None:
    assert (
        game.render(game.view(FREED, 0))
        == """\
Round 3 of 7, turn 5 of 14: seat 0 places.

       1      2      3      4      5      6      7
row B  --     S2     U?/I?  H?     I?     U?     H1
row A  I3     S3/U2  --     U?     H?     S1     I?

draw pile: S? on top of 3 more
seat 1: hand I? H? H?; collection U?
seat 0 (you): hand I1 I3 H1 H2 U1; collection S0
your role: Enned (S and U)
"""
    )


def test_the_board_of_the_other_seat_has_its_own_row_below() -> None:
    assert (
        game.render(game.view(ACTING, 1))
        == """\
Round 3 of 7, turn 5 of 14: seat 0 blocks or collects.

       1      2      3      4      5      6      7
row A  I3     S3/U?  U1     U?     H?     S1     I?
row B  I1     S2     U?/I2  H?     I?     U?     H1

draw pile: S? on top of 3 more
seat 0: hand I? H? H?; collection S?
seat 1 (you): hand I2 H0 H3; collection U0
your role: Cyra (I and S)
"""
    )


def test_the_board_of_the_spectator_at_the_end_hides_what_is_hidden() -> None:
    assert (
        game.render(game.view(game.apply(LAST, Collect("U1")), None))
        == """\
The game is over.

       1      2      3      4      5      6      7
row B  H2/S?  I0/U?  S2/U?  S0/U?  U3/H?  I?     I1/H?
row A  I3/I?  S3/I?  I1/H?  U3/H?  H2/H?  S1/S?  U0/S?

draw pile: empty
seat 0: hand empty; collection empty
seat 1: hand empty; collection U?
"""
    )


def test_the_rules_page_shows_what_the_game_gives() -> None:
    page = (Path(__file__).parents[2] / "docs" / "games" / "hidden-leaders-duel.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```json\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    view, deal = map(json.loads, blocks)
    assert json.dumps(view) == json.dumps(shown(FREED, 0))
    assert game.to_json(game.from_json(deal, game.Deal)) == deal
    assert game.render(game.view(FREED, 0)) in page
    for line in re.findall(r"`(\{\"type\":.*?\})`", page):
        type_ = game.Action if json.loads(line)["type"] in ("take", "place", "block", "collect") else game.Event
        assert game.to_json(game.from_json(json.loads(line), type_)) == json.loads(line)
