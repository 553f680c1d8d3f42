"""Hidden Leaders Duel, H6, H7 and Q3, and a second scorer written from the rules page alone."""

from random import Random
from typing import Any

import pytest
from hidden_leaders_duel_position import position

from arena.game import Outcome
from arena.games import hidden_leaders_duel as game
from arena.games.hidden_leaders_duel import Options, Score, State, score
from arena.games.hidden_leaders_duel.notation import CARDS
from arena.games.hidden_leaders_duel.view import scored

RULEBOOK_EXAMPLE = position(
    turn=14, roles="Pavyr Enned", hands=("", ""), collections=("I0 I3 H1 H3 U3", "I2 H3 S3 U2 U2"),
    a="I1 I2/S0@0 H1 S1 S1/S2@1 U0/U1@0 U1", b="i1 I3 H0 h2 H2 S2/S3@1 u3",
)  # fmt: skip
I, H, S, U = range(4)  # noqa: E741 - the letters of the page


def values(cards: tuple[int, ...]) -> int:
    return sum(card & 3 for card in cards)


def test_h6_h7_the_example_of_the_rulebook_ends_10_to_11() -> None:
    result = score(RULEBOOK_EXAMPLE)
    imperial, hill, sea, undead = result.factions
    assert (imperial.totals, imperial.counts, imperial.rows) == ((4, 2), (2, 2), (0, 1))  # counts equal: nearer rows
    assert tuple(map(values, imperial.received)) == (3, 4)
    assert (hill.totals, hill.counts, hill.rows) == ((5, 3), (1, 3), (1, 0))  # the higher takes the row with more
    assert tuple(map(values, hill.received)) == (4, 1)
    assert (sea.totals, sea.counts, sea.rows) == ((0, 4), (4, 2), (1, 0))
    assert sea.received[0] == ()  # the first seat does not have the faction
    assert values(sea.received[1]) == 4
    assert (undead.totals, undead.counts, undead.rows) == ((3, 5), (3, 1), (1, 0))
    assert tuple(map(values, undead.received)) == (3, 2)
    assert (result.points, result.winner) == ((10, 11), 1)
    assert game.outcome(RULEBOOK_EXAMPLE) == Outcome(
        half_points=(0, 2), reason="points", details={"points": [10, 11], "received": [6, 10], "winner": 1}
    )


def test_the_scoring_is_explained_in_words() -> None:
    assert (
        game.explain(scored(RULEBOOK_EXAMPLE))
        == """\
The scoring:
Imperial Army: totals 4 and 2; cards 2 in row A, 2 in row B; equal counts: each the nearer row.
  seat 0 receives row A: I1 I2, 3 points
  seat 1 receives row B: I1 I3, 4 points
Hill Tribes: totals 5 and 3; cards 1 in row A, 3 in row B; seat 0 gets the row with more.
  seat 0 receives row B: H0 H2 H2, 4 points
  seat 1 receives row A: H1, 1 point
Sea Folk: totals 0 and 4; cards 4 in row A, 2 in row B; seat 1 gets the row with more.
  seat 0 receives nothing
  seat 1 receives row A: S0 S1 S1 S2, 4 points
Undead: totals 3 and 5; cards 3 in row A, 1 in row B; seat 1 gets the row with more.
  seat 0 receives row B: U3, 3 points
  seat 1 receives row A: U0 U1 U1, 2 points
In all: 10 to 11 points, 6 to 10 cards."""
    )


def tally(roles: str, collections: tuple[str, str], a: str, b: str) -> Score:
    """The score of a table on which nothing but these cards counts."""
    return score(position(turn=14, roles=roles, hands=("", ""), collections=collections, a=a, b=b, whole=False))


# In the cases below Cyra has I and S, Myrad H and U, Lemron H and S, Enned S and U.


def test_h6_a_role_adds_one_to_the_total_of_both_its_factions() -> None:
    result = tally("Cyra Myrad", ("I2 U1", "I3"), "I1", "")
    assert [part.totals for part in result.factions] == [(3, 3), (0, 1), (1, 0), (1, 1)]


def test_h6_face_up_face_down_blocked_and_blocking_cards_count_in_their_row() -> None:
    result = tally("Cyra Myrad", ("", ""), "I1 i2 H1/I3@1 i0/U1@0", "U2/I1@0")
    assert result.factions[I].counts == (4, 1)
    assert result.factions[U].counts == (1, 1)
    assert result.factions[H].counts == (1, 0)


def test_h6_equal_totals_assign_the_nearer_rows() -> None:
    part = tally("Cyra Lemron", ("S2", "S2"), "S0", "S1 S1 S3").factions[S]
    assert (part.totals, part.counts, part.rows) == ((3, 3), (1, 3), (0, 1))
    assert tuple(map(values, part.received)) == (0, 5)


def test_h6_equal_counts_assign_the_nearer_rows() -> None:
    part = tally("Cyra Lemron", ("S2", "S3"), "S0 S1", "S1 S3").factions[S]
    assert (part.totals, part.counts, part.rows) == ((3, 4), (2, 2), (0, 1))


@pytest.mark.parametrize(
    ("collections", "a", "b", "rows"),
    [
        (("S3", "S2"), "S0", "S1 S1", (1, 0)),
        (("S3", "S2"), "S1 S1", "S0", (0, 1)),
        (("S2", "S3"), "S0", "S1 S1", (0, 1)),
        (("S2", "S3"), "S1 S1", "S0", (1, 0)),
    ],
)
def test_h6_the_higher_total_takes_the_row_with_more(
    collections: tuple[str, str], a: str, b: str, rows: tuple[int, int]
) -> None:
    assert tally("Cyra Lemron", collections, a, b).factions[S].rows == rows


def test_h6_only_a_seat_that_has_the_faction_receives_its_cards() -> None:
    part = tally("Cyra Myrad", ("", ""), "U1", "U2 U3").factions[U]
    assert (part.totals, part.rows) == ((0, 1), (0, 1))
    assert tuple(map(values, part.received)) == (0, 5)
    assert [len(cards) for cards in part.received] == [0, 2]


def test_h6_a_collected_0_counts_as_having() -> None:
    part = tally("Cyra Myrad", ("U0", ""), "U1", "U2 U3").factions[U]
    assert (part.totals, part.rows) == ((0, 1), (0, 1))
    assert tuple(map(values, part.received)) == (1, 5)


def test_q3_a_total_of_0_by_a_card_ties_with_no_card_and_nothing_goes_to_the_seat_without() -> None:
    part = tally("Cyra Cyra", ("U0", ""), "U1", "U2 U3").factions[U]
    assert (part.totals, part.rows) == ((0, 0), (0, 1))
    assert tuple(map(values, part.received)) == (1, 0)
    assert [len(cards) for cards in part.received] == [1, 0]


def test_h7_points_are_the_values_received_and_the_collection_scores_nothing() -> None:
    result = tally("Cyra Myrad", ("I3 I3", ""), "I1", "U2")
    assert (result.points, result.winner, result.reason) == ((1, 2), 1, "points")


def test_h7_equal_points_go_to_more_received_cards() -> None:
    result = tally("Cyra Myrad", ("", ""), "I1 I1", "U2")
    assert (result.points, result.received, result.winner, result.reason) == ((2, 2), (2, 1), 0, "cards")


def test_h7_equal_points_and_cards_are_a_draw() -> None:
    state = position(
        turn=14, roles="Cyra Myrad", hands=("", ""), a="I2", b="U2", whole=False
    )  # fmt: skip
    assert game.outcome(state) == Outcome(
        half_points=(1, 1), reason="tie", details={"points": [2, 2], "received": [1, 1], "winner": None}
    )


def test_there_is_no_outcome_before_the_end() -> None:
    assert game.outcome(RULEBOOK_EXAMPLE._replace(turn=13)) is None


def test_e3_the_scored_event_has_the_exact_shape() -> None:
    data = game.to_json(scored(RULEBOOK_EXAMPLE))
    assert list(data) == [
        "type", "roles", "collections", "display", "factions", "points", "received", "winner",
    ]  # fmt: skip
    assert data["type"] == "scored"
    assert data["roles"] == ["Pavyr", "Enned"]
    assert data["collections"] == [["I0", "I3", "H1", "H3", "U3"], ["I2", "H3", "S3", "U2", "U2"]]
    assert list(data["display"]) == [row + str(n) for row in "AB" for n in range(1, 8)]
    assert data["display"]["A1"] == {"card": "I1", "blocker": None}
    assert data["display"]["A2"] == {"card": "I2", "blocker": "S0"}
    assert data["display"]["B7"] == {"card": "U3", "blocker": None}  # face down until now
    assert list(data["factions"]) == ["I", "H", "S", "U"]
    assert data["factions"]["I"] == {
        "totals": [4, 2], "counts": {"A": 2, "B": 2}, "rows": ["A", "B"], "received": [["I1", "I2"], ["I1", "I3"]],
    }  # fmt: skip
    assert data["factions"]["S"] == {
        "totals": [0, 4], "counts": {"A": 4, "B": 2}, "rows": ["B", "A"], "received": [[], ["S0", "S1", "S1", "S2"]],
    }  # fmt: skip
    assert (data["points"], data["received"], data["winner"]) == ([10, 11], [6, 10], 1)


ROLE_LETTERS = {"Lemron": "HS", "Cyra": "IS", "Myrad": "HU", "Xiadul": "IU", "Pavyr": "IH", "Enned": "SU"}


def second_scorer(roles: list[str], collections: list[list[str]], rows: dict[str, list[str]]) -> dict[str, Any]:
    """H6 and H7 once more: from words, one sentence of the page after the other, sharing nothing with the game."""
    points, received = [0, 0], [0, 0]
    parts = {}
    for faction in "IHSU":
        total = [
            sum(int(card[1]) for card in collections[seat] if card[0] == faction)
            + ROLE_LETTERS[roles[seat]].count(faction)
            for seat in (0, 1)
        ]
        count = {row: len([card for card in rows[row] if card[0] == faction]) for row in "AB"}
        if total[0] == total[1] or count["A"] == count["B"]:
            assigned = ["A", "B"]
        else:
            more, fewer = ("A", "B") if count["A"] > count["B"] else ("B", "A")
            assigned = [more, fewer] if total[0] > total[1] else [fewer, more]
        got: list[list[str]] = [[], []]
        for seat in (0, 1):
            if faction in ROLE_LETTERS[roles[seat]] or any(card[0] == faction for card in collections[seat]):
                got[seat] = sorted(card for card in rows[assigned[seat]] if card[0] == faction)
            points[seat] += sum(int(card[1]) for card in got[seat])
            received[seat] += len(got[seat])
        parts[faction] = {"totals": total, "counts": count, "rows": assigned, "received": got}
    winner = None
    if (points[0], received[0]) != (points[1], received[1]):
        winner = 0 if (points[0], received[0]) > (points[1], received[1]) else 1
    return {"factions": parts, "points": points, "received": received, "winner": winner}


def random_end(seed: int) -> State:
    rng = Random(seed)
    state = game.initial(game.deal(rng, Options()), Options())
    while actions := game.legal_actions(state):
        state = game.apply(state, actions[rng.randrange(len(actions))])
    return state


def words_of(state: State) -> tuple[list[list[str]], dict[str, list[str]]]:
    collections = [[CARDS[card] for card in collection] for collection in state.collections]
    rows: dict[str, list[str]] = {"A": [], "B": []}
    for space in range(14):
        rows["AB"[space // 7]] += [CARDS[card] for card in (state.display[space], state.blockers[space]) if card >= 0]
    return collections, rows


def test_h6_h7_a_second_scorer_agrees_on_many_games() -> None:
    reasons = set()
    for seed in range(400):
        state = random_end(seed)
        data = game.to_json(scored(state))
        collections, rows = words_of(state)
        expected = second_scorer(data["roles"], collections, rows)
        for faction in expected["factions"].values():  # the page's card order is that of the letters I, H, S, U
            assert [sorted(cards) for cards in faction["received"]] == faction["received"]
        assert {name: data[name] for name in expected} == expected
        outcome = game.outcome(state)
        assert outcome is not None
        winner = expected["winner"]
        assert outcome.half_points == ((1, 1) if winner is None else ((2, 0), (0, 2))[winner])
        reasons.add(outcome.reason)
    assert reasons == {"points", "cards", "tie"}
