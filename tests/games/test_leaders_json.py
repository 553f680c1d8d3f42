"""The JSON of Leaders to the letter: fields, their order, what is refused (E1–E4, E14–E16, the page's table)."""

import json
import random
from typing import Any

import jsonschema
import msgspec
import pytest
from leaders_positions import LEADERS, legal, play, position, told

from arena.games import load
from arena.games.leaders.board import SPACE
from arena.games.leaders.diagram import parse, picture, render, text

MODES = ["leaders", "leaders-expert"]


@pytest.mark.parametrize(
    "wire",
    [
        '{"type":"banish","card":"acrobat"}',
        '{"type":"move","character":"leader","to":"D2"}',
        '{"type":"ability","character":"acrobat","to":"D5"}',
        '{"type":"ability","character":"bruiser","target":"D5","target_to":"D6"}',
        '{"type":"ability","character":"illusionist","target":"D6"}',
        '{"type":"ability","character":"claw_launcher","target":"D6","to":"D5"}',
        '{"type":"ability","character":"claw_launcher","target":"D6","target_to":"D3"}',
        '{"type":"end_actions"}',
        '{"type":"nemesis_move","to":"E5"}',
        '{"type":"recruit","card":"archer","at":"A1"}',
        '{"type":"recruit","card":"hermit_and_cub","at":"A1","cub_at":"B1"}',
    ],
)
def test_actions_are_written_as_on_the_page(wire: str) -> None:
    action = msgspec.json.decode(wire, type=LEADERS.Action)
    assert msgspec.json.encode(action).decode() == wire
    assert LEADERS.from_json(LEADERS.to_json(action), LEADERS.Action) == action


@pytest.mark.parametrize(
    "data",
    [
        {"type": "move", "character": "leader", "to": "D2", "from": "D1"},
        {"type": "move", "character": "leader", "to": "H1"},
        {"type": "move", "character": "nemesis", "to": "D2"},  # E1
        {"type": "move", "character": "hermit_and_cub", "to": "D2"},  # E1
        {"type": "move", "character": "leader"},
        {"type": "recruit", "card": "hermit", "at": "A1"},
        {"type": "recruit", "card": "archer", "at": "A1", "cub_at": None},
        {"type": "ability", "character": "illusionist", "target": "D6", "to": None},
        {"type": "pass"},
        {},
    ],
)
def test_other_json_is_no_action(data: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        LEADERS.from_json(data, LEADERS.Action)


def test_an_action_of_another_phase_or_shape_is_refused_by_apply() -> None:
    state = position("south leader D1\nnorth leader D7")
    for data in (
        {"type": "banish", "card": "rider"},
        {"type": "ability", "character": "acrobat"},
        {"type": "nemesis_move", "to": "D2"},
        {"type": "recruit", "card": "rider", "at": "D4"},
    ):
        with pytest.raises(ValueError, match=r"phase|position"):
            LEADERS.apply(state, LEADERS.from_json(data, LEADERS.Action))


def test_the_opening_view_is_the_one_on_the_page() -> None:
    deck = ["vizier", "archer", "rider", "acrobat", "assassin", "brewmaster", "bruiser", "claw_launcher",
            "hermit_and_cub", "illusionist", "jailer", "manipulator", "nemesis", "protector", "royal_guard",
            "wanderer"]  # fmt: skip
    deal = LEADERS.from_json({"deck": deck}, LEADERS.Deal)
    state = LEADERS.initial(deal, LEADERS.Options())
    assert msgspec.json.encode(LEADERS.view(state, 0)).decode() == (
        '{"turn":0,"phase":"action","seat":0,"seat_to_act":0,"active_seat":0,'
        '"pieces":[{"character":"leader","seat":0,"at":"D1","acted":false},'
        '{"character":"leader","seat":1,"at":"D7","acted":false}],'
        '"cards":[["leader"],["leader"]],"market":["archer","rider","vizier"],"deck_count":13,"banished":[],'
        '"recruits_left":1,"repeats":1}'
    )
    assert LEADERS.to_json(LEADERS.view(state, None))["seat"] is None  # E16


def test_the_deck_holds_every_card_once() -> None:
    deal = LEADERS.deal(random.Random(1), LEADERS.Options())
    assert sorted(deal.deck) == sorted(set(deal.deck))
    assert len(deal.deck) == 16
    with pytest.raises(ValueError, match="16 different cards"):
        LEADERS.initial(LEADERS.from_json({"deck": ["rider"] * 16}, LEADERS.Deal), LEADERS.Options())
    expert = load("leaders-expert")
    assert expert.to_json(expert.deal(random.Random(1), expert.Options())) == {}


def test_max_turns_is_a_whole_number_from_1() -> None:
    assert LEADERS.from_json({}, LEADERS.Options).max_turns == 200
    for wrong in ({"max_turns": 0}, {"max_turns": "9"}, {"turns": 9}):
        with pytest.raises(msgspec.ValidationError):
            LEADERS.from_json(wrong, LEADERS.Options)


def test_e3_pieces_stand_by_seat_and_space_cards_in_order_of_recruitment() -> None:
    view = LEADERS.view(position("south leader D1, rider G1, archer A1\nnorth leader D7\nmarket wanderer, jailer"), 1)
    assert [piece.at for piece in view.pieces] == ["A1", "D1", "G1", "D7"]
    assert view.cards[0] == ("leader", "rider", "archer")
    assert view.market == ("jailer", "wanderer")


def test_e15_events_are_written_as_on_the_page() -> None:
    state = position(
        "south leader D1, bruiser D3\nnorth leader D7, rider D4, nemesis A4\nmarket archer, jailer, vizier; deck 8"
    )
    assert told(state, type="ability", character="bruiser", target="D4", target_to="D5") == [
        {
            "type": "acted",
            "seat": 0,
            "action": {"type": "ability", "character": "bruiser", "target": "D4", "target_to": "D5"},
            "moved": [
                {"character": "bruiser", "seat": 0, "from": "D3", "to": "D4"},
                {"character": "rider", "seat": 1, "from": "D4", "to": "D5"},
            ],
        }
    ]
    chased = play(state, type="move", character="leader", to="D2")
    assert told(chased, type="nemesis_move", to="C5") == [
        {"type": "nemesis_moved", "seat": 1, "from": "A4", "to": "C5"}
    ]
    assert told(state, type="end_actions") == []
    recruiting = play(state, type="end_actions")
    first, market, turn = told(recruiting, type="recruit", card="archer", at="A1")
    assert first == {"type": "recruited", "seat": 0, "card": "archer", "at": "A1"}
    assert market["type"] == "market"
    assert turn == {"type": "turn", "seat": 1, "turn": 1}


def test_e15_recruiting_hermit_and_cub_tells_both_spaces() -> None:
    state = position("south leader D1\nnorth leader D7\nmarket hermit_and_cub, jailer, vizier")
    state = play(state, type="end_actions")
    event = told(state, type="recruit", card="hermit_and_cub", at="A1", cub_at="G1")[0]
    assert event == {"type": "recruited", "seat": 0, "card": "hermit_and_cub", "at": "A1", "cub_at": "G1"}


def test_e15_an_illusionist_moves_two_figures_the_one_that_acts_first() -> None:
    state = position("turn 1\nsouth leader D1\nnorth leader D7, illusionist D4")
    (event,) = told(state, type="ability", character="illusionist", target="D1")
    assert [(shift["character"], shift["from"], shift["to"]) for shift in event["moved"]] == [
        ("illusionist", "D4", "D1"),
        ("leader", "D1", "D4"),
    ]


@pytest.mark.parametrize("name", MODES)
def test_values_fit_their_schemas_and_survive_json(name: str) -> None:
    game, rng = load(name), random.Random(name)
    schemas = {
        kind: jsonschema.Draft202012Validator(msgspec.json.schema(kind))
        for kind in (game.Action, game.View, game.Event)
    }
    options = game.Options()
    state = game.initial(game.deal(rng, options), options)
    while game.seat_to_act(state) is not None:
        action = rng.choice(game.legal_actions(state))
        after = game.apply(state, action)
        values = [(action, game.Action), (game.view(after, 0), game.View)]
        values += [(event, game.Event) for event in game.events(state, action, after, 0)]
        for value, kind in values:
            data = json.loads(json.dumps(game.to_json(value)))
            schemas[kind].validate(data)
            assert game.from_json(data, kind) == value
        state = after


@pytest.mark.parametrize("name", MODES)
def test_e14_the_legal_list_is_sorted_by_its_json_text_and_distinct(name: str) -> None:
    game, rng = load(name), random.Random(name)
    options = game.Options()
    state = game.initial(game.deal(rng, options), options)
    while game.seat_to_act(state) is not None:
        actions = game.legal_actions(state)
        texts = [json.dumps(game.to_json(action), sort_keys=True) for action in actions]
        assert texts == sorted(set(texts))
        state = game.apply(state, rng.choice(actions))
    assert game.legal_actions(state) == ()


def test_the_picture_shows_every_space_at_its_place() -> None:
    view = LEADERS.view(position("south leader D1, rider C2*\nnorth leader D7"), 0)
    assert picture(view).splitlines()[-4:] == [
        " a1         ^RI*         e2          g1",
        "       b1          d2          f1",
        "             c1          e1",
        "                  ^LE",
    ]
    assert render(view).startswith(picture(view))
    assert len(SPACE) == sum(len(line.split()) for line in picture(view).splitlines())


@pytest.mark.parametrize("name", MODES)
def test_a_position_written_out_reads_back_as_the_same_view(name: str) -> None:
    game, rng = load(name), random.Random(name)
    options = game.Options()
    state = game.initial(game.deal(rng, options), options)
    while game.seat_to_act(state) is not None:
        assert parse(text(game.view(state, 1)), seat=1) == game.view(state, 1)
        state = game.apply(state, rng.choice(game.legal_actions(state)))
    assert legal(state) == []
