"""Hidden Leaders Duel, rules H1–H5 and rulings Q1–Q4 and Q8, each from a position written out in full."""

from random import Random

import msgspec
import pytest
from hidden_leaders_duel_position import all_cards, bits, cards, number, position

from arena.games import hidden_leaders_duel as game
from arena.games.hidden_leaders_duel import Block, Collect, Deal, Options, Place, State, Take
from arena.games.hidden_leaders_duel.notation import CARDS, ROLE_FACTIONS, ROLES, SPACES
from arena.games.hidden_leaders_duel.rules import DECK, EMPTY

A_ROW = "I3 S3 I1 U3 H2 S1 U0"
B_ROW = "H2 I0 S2 S0 U3 H3 I1"
DEAL = game.from_json(
    {
        "roles": ["Enned", "Cyra"],
        "hands": [["I3", "H1", "U1"], ["I2", "H0", "H3"]],
        "display": dict(zip(SPACES, [*A_ROW.split(), *B_ROW.split()], strict=True)),
        "draw_pile": ["H1", "S2", "I2", "U2", "S3", "U1", "S1", "U2"],
    },
    Deal,
)
PILE = "H1 S2 I2 U2 S3 U1 S1 U2"
START = position(
    turn=0, roles="Enned Cyra", hands=("I3 H1 U1", "I2 H0 H3"), a=A_ROW.lower(), b=B_ROW.lower(), pile=PILE
)  # fmt: skip


def after(state: State, *actions: game.Action) -> State:
    for action in actions:
        assert action in game.legal_actions(state)
        state = game.apply(state, action)
    return state


def test_h1_the_deck_has_four_factions_of_seven_cards() -> None:
    words = [CARDS[card] for card in DECK]
    assert words == [f + v for f in "IHSU" for v in "0112233"]


def test_h2_there_is_one_role_for_each_pair_of_factions() -> None:
    pairs = dict(zip(ROLES, ["".join("IHSU"[f] for f in pair) for pair in ROLE_FACTIONS], strict=True))
    assert pairs == {"Lemron": "HS", "Cyra": "IS", "Myrad": "HU", "Xiadul": "IU", "Pavyr": "IH", "Enned": "SU"}


def test_h3_the_game_starts_with_three_cards_a_hand_fourteen_face_down_and_a_pile_of_eight() -> None:
    assert game.initial(DEAL, Options()) == START
    assert game.seat_to_act(START) == 0


def test_h3_a_deal_gives_every_card_once_and_two_different_roles() -> None:
    for seed in range(50):
        deal = game.deal(Random(seed), Options())
        assert sorted(all_cards(game.initial(deal, Options()))) == list(DECK)
        assert deal.roles[0] != deal.roles[1]


def test_h3_every_card_and_role_comes_everywhere() -> None:
    deals = [game.deal(Random(seed), Options()) for seed in range(400)]
    for space in SPACES:
        assert len({deal.display[space] for deal in deals}) == 16
    for place in range(8):
        assert len({deal.draw_pile[place] for deal in deals}) == 16
    for seat in (0, 1):
        assert {deal.roles[seat] for deal in deals} == set(ROLES)
        assert len({card for deal in deals for card in deal.hands[seat]}) == 16


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"roles": ["Cyra", "Cyra"]}, "roles: expected two different ones, found Cyra twice"),
        ({"hands": [["I3", "H1", "U0"], ["I2", "H0", "H3"]]}, "missing: U1; too many: U0"),
        ({"display": dict(zip(SPACES[1:], A_ROW.split() + B_ROW.split(), strict=False))}, "none on A1"),
    ],
)
def test_h3_a_deal_that_the_rules_do_not_allow_is_refused_with_the_reason(change: dict, text: str) -> None:
    deal = game.from_json(game.to_json(DEAL) | change, Deal)
    with pytest.raises(ValueError, match=text):
        game.initial(deal, Options())


def test_h4_seats_alternate_for_fourteen_turns_and_both_hands_run_out() -> None:
    state, seats, sizes = START, [], []
    rng = Random(4)
    while (seat := game.seat_to_act(state)) is not None:
        if state.step == 0:
            seats.append(seat)
            sizes.append(tuple(map(len, state.hands)))
        actions = game.legal_actions(state)
        state = game.apply(state, actions[rng.randrange(len(actions))])
    assert seats == [0, 1] * 7
    assert sizes == [(3, 3)] * 9 + [(2, 3), (2, 2), (1, 2), (1, 1), (0, 1)]
    assert state.hands == ((), ())
    assert game.legal_actions(state) == ()
    assert game.max_plies(Options()) == 42


def test_h5_1_any_two_unblocked_cards_may_be_taken_from_either_or_both_rows() -> None:
    legal = game.legal_actions(START)
    assert len(legal) == 91
    assert legal[0] == Take(("A1", "A2"))
    assert legal[-1] == Take(("B6", "B7"))
    assert Take(("A7", "B1")) in legal
    taken = after(START, Take(("A2", "B5")))
    assert taken.hands[0] == cards("I3 H1 U1 S3 U3")
    assert (taken.display[1], taken.display[11]) == (EMPTY, EMPTY)
    assert taken.freed == bits(space in ("A2", "B5") for space in SPACES)


def test_h5_1_a_face_up_card_may_be_taken_and_lies_face_up_no_more() -> None:
    state = after(START, Take(("A1", "A2")), Place({"A1": "H1", "A2": "U1"}), Collect("I3"), Take(("A1", "B1")))
    assert state.hands[1] == cards("I2 H0 H3 H1 H2")
    assert state.face_up == bits(space == "A2" for space in SPACES)


def test_h5_2_two_hand_cards_go_face_up_into_the_freed_spaces_in_either_order() -> None:
    state = after(START, Take(("A1", "B4")))  # the hand: I3 I3 H1 S0 U1
    legal = game.legal_actions(state)
    assert [tuple(action.cards.values()) for action in legal] == [
        ("I3", "I3"), ("I3", "H1"), ("I3", "S0"), ("I3", "U1"),
        ("H1", "I3"), ("H1", "S0"), ("H1", "U1"),
        ("S0", "I3"), ("S0", "H1"), ("S0", "U1"),
        ("U1", "I3"), ("U1", "H1"), ("U1", "S0"),
    ]  # fmt: skip
    assert all(tuple(action.cards) == ("A1", "B4") for action in legal)
    placed = after(state, Place({"A1": "S0", "B4": "I3"}))  # S0 was just taken: allowed
    assert (placed.display[0], placed.display[10]) == (number("S0"), number("I3"))
    assert placed.face_up == bits(space in ("A1", "B4") for space in SPACES)
    assert placed.hands[0] == cards("I3 H1 U1")
    assert placed.freed == 0


def test_h5_3_exactly_one_of_block_or_collect() -> None:
    state = after(START, Take(("A1", "B4")), Place({"A1": "S0", "B4": "I3"}))  # the hand: I3 H1 U1
    legal = game.legal_actions(state)
    assert legal[:3] == (Collect("I3"), Collect("H1"), Collect("U1"))
    assert legal[3:] == tuple(Block(card, space) for card in ("I3", "H1", "U1") for space in SPACES)


def test_h5_3_equal_cards_give_one_action() -> None:
    state = after(START, Take(("A1", "B4")), Place({"A1": "H1", "B4": "U1"}))  # the hand: I3 I3 S0
    legal = game.legal_actions(state)
    assert legal == (
        Collect("I3"), Collect("S0"),
        *(Block(card, space) for card in ("I3", "S0") for space in SPACES),
    )  # fmt: skip


def test_h5_3_a_blocker_and_its_card_stay_and_can_neither_be_taken() -> None:
    state = after(START, Take(("A1", "A2")), Place({"A1": "S3", "A2": "I3"}), Block("I3", "A1"))
    assert state.blockers[0] == number("I3")
    assert state.blocked == (1, 0)
    legal = game.legal_actions(state)
    assert len(legal) == 13 * 12 // 2
    assert not any("A1" in action.spaces for action in legal)
    with pytest.raises(ValueError, match="not legal"):
        game.apply(state, Take(("A1", "A3")))


def test_h5_3_a_collected_card_goes_to_the_own_collection() -> None:
    state = after(START, Take(("A1", "A2")), Place({"A1": "S3", "A2": "I3"}), Collect("I3"))
    assert state.collections == (cards("I3"), ())


def test_h5_4_the_turn_ends_with_the_top_card_of_the_pile() -> None:
    state = after(START, Take(("A1", "A2")), Place({"A1": "S3", "A2": "I3"}), Collect("I3"))
    assert state.hands[0] == cards("H1 U1 H1")
    assert state.pile == tuple(map(number, PILE.split()[1:]))
    assert (state.turn, state.step, game.seat_to_act(state)) == (1, 0, 1)


def test_h5_4_nothing_is_drawn_once_the_pile_is_empty() -> None:
    state = position(
        turn=8, step="act", roles="Enned Cyra",
        hands=("I3 H1 U1", "I2 H0 H3"), collections=("U2", ""),
        a="i3 s3/S2@1 I1/I2@1 u3/S3@0 H2 s1 u0/U1@0", b="h2 i0 S2/S1@1 s0/U2@0 u3/H1@1 h3 i1",
    )  # fmt: skip
    ended = after(state, Collect("H1"))
    assert ended.hands[0] == cards("I3 U1")
    assert ended.turn == 9


def test_q1_both_cards_are_chosen_before_either_is_seen() -> None:
    assert all(len(action.spaces) == 2 for action in game.legal_actions(START))


Q2 = position(
    turn=13, roles="Enned Cyra", hands=("", "U1"), collections=("", ""),
    a="I3/I2@0 S3/I3@1 I1/H0@0 U3/H1@1 H2/H1@0 S1/S1@1 U0/S2@0",
    b="H2/S3@1 I0/U1@0 S2/U2@1 S0/U2@0 U3/H3@1 i2 I1/H3@0",
)  # fmt: skip


def test_q2_the_last_unblocked_card_is_taken_alone_and_one_card_is_placed() -> None:
    assert game.legal_actions(Q2) == (Take(("B6",)),)
    taken = after(Q2, Take(("B6",)))
    assert taken.hands[1] == cards("I2 U1")
    assert game.legal_actions(taken) == (Place({"B6": "I2"}), Place({"B6": "U1"}))
    placed = after(taken, Place({"B6": "U1"}))
    assert game.legal_actions(placed) == (Collect("I2"), Block("I2", "B6"))
    for end in (Collect("I2"), Block("I2", "B6")):
        over = after(placed, end)
        assert game.seat_to_act(over) is None
        assert over.hands == ((), ())


def test_q2_two_cards_must_be_taken_while_two_are_unblocked_and_one_alone_only_then() -> None:
    with pytest.raises(ValueError, match="not legal"):
        game.apply(START, Take(("A1",)))
    with pytest.raises(ValueError, match="not legal"):
        game.apply(Q2, Take(("B5", "B6")))


def test_q2_is_reached_when_both_seats_block_in_every_turn() -> None:
    state = START
    while state.turn < 13:
        actions = game.legal_actions(state)
        state = game.apply(state, next((a for a in actions if isinstance(a, Block)), actions[0]))
    assert sum(mask.bit_count() for mask in state.blocked) == 13
    assert len(game.legal_actions(state)) == 1
    while game.seat_to_act(state) is not None:
        state = game.apply(state, game.legal_actions(state)[-1])
    assert state.hands == ((), ())
    assert sum(mask.bit_count() for mask in state.blocked) == 14
    assert game.outcome(state) is not None


def test_q4_a_card_just_placed_may_be_blocked_in_the_same_turn() -> None:
    state = after(START, Take(("A1", "A2")), Place({"A1": "S3", "A2": "I3"}))
    assert Block("H1", "A1") in game.legal_actions(state)
    assert Block("H1", "A2") in game.legal_actions(state)


def test_q4_a_blocked_card_is_not_blocked_again_and_without_unblocked_cards_collecting_is_all() -> None:
    taken = after(Q2, Take(("B6",)), Place({"B6": "U1"}))
    assert [a for a in game.legal_actions(taken) if isinstance(a, Block)] == [Block("I2", "B6")]
    with pytest.raises(ValueError, match="not legal"):
        game.apply(taken, Block("I2", "A1"))
    full = position(
        turn=13, step="act", roles="Enned Cyra", hands=("", "U1"), collections=("", ""),
        a="I3/I2@0 S3/I3@1 I1/H0@0 U3/H1@1 H2/H1@0 S1/S1@1 U0/S2@0",
        b="H2/S3@1 I0/U1@0 S2/U2@1 S0/U2@0 U3/H3@1 I2/I1@1 H3",
    )  # fmt: skip
    full = full._replace(blocked=(full.blocked[0] | 1 << 13, full.blocked[1]))  # the last space counts as blocked, too
    assert game.legal_actions(full) == (Collect("U1"),)


def test_q8_cards_never_move_within_a_row() -> None:
    state = after(START, Take(("A3", "B4")), Place({"A3": "U1", "B4": "I3"}), Collect("S0"))
    moved = [space for space, before, now in zip(SPACES, START.display, state.display, strict=True) if before != now]
    assert moved == ["A3", "B4"]


@pytest.mark.parametrize(
    "action",
    [
        Place({"A1": "I3"}),
        Place({"A1": "I3", "A2": "H1"}),  # A2 was not freed
        Place({"A1": "I3", "B4": "U3"}),  # no such card in the hand
        Place({"A1": "H1", "B4": "H1"}),  # only one of them
        Take(("A1", "A2")),
        Collect("I3"),
    ],
)
def test_an_action_against_the_rules_raises(action: game.Action) -> None:
    state = after(START, Take(("A1", "B4")))
    assert action not in game.legal_actions(state)
    with pytest.raises(ValueError, match="not legal"):
        game.apply(state, action)


def test_nobody_acts_once_the_game_is_over() -> None:
    over = after(Q2, Take(("B6",)), Place({"B6": "U1"}), Collect("I2"))
    with pytest.raises(ValueError, match="not legal"):
        game.apply(over, Collect("I2"))


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"type": "take", "spaces": ["A1", "A8"]}, r"\$\.spaces\[1\]"),
        ({"type": "take", "spaces": []}, r"\$\.spaces"),
        ({"type": "take", "spaces": ["A1", "A2", "A3"]}, r"\$\.spaces"),
        ({"type": "take", "spaces": ["A1", "A2"], "why": "because"}, "why"),
        ({"type": "place", "cards": {"A1": "I?"}}, r"\$\.cards\[\.\.\.\]"),
        ({"type": "block", "card": "I3"}, "space"),
        ({"type": "collect", "card": "I4"}, r"\$\.card"),
        ({"type": "pass"}, "pass"),
        ({"card": "I3"}, "type"),
    ],
)
def test_an_action_that_is_not_of_the_language_is_refused_with_its_place(data: dict, path: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=path):
        game.from_json(data, game.Action)
