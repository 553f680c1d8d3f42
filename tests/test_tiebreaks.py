"""Tie-breaks: values that independent programs agree on (tests/vectors/tiebreaks.json), and each article by hand."""

from typing import Any

import pytest
from format_events import HALF_POINTS, names, vectors

from arena import tiebreaks
from arena.errors import UnknownNameError
from arena.tiebreaks import ACRONYMS, TIEBREAKS, Crosstable, Kind, Meeting, fraction_text, half_points_text

KINDS: dict[str, Kind] = {
    **dict.fromkeys("1=0", "played"),
    "U": "bye",
    "+": "forfeit-win",
    "-": "forfeit-loss",
    **dict.fromkeys("ZH", "absent"),
}
CASES = vectors("tiebreaks")["cases"]


def table(players: int, history: list[list[list[Any]]]) -> Crosstable:
    ids = names(players)
    rows: dict[str, list[Meeting]] = {entrant: [] for entrant in ids}
    for number, done in enumerate(history, start=1):
        for player, opponent, _, took in done:
            rows[ids[player - 1]].append(
                Meeting(
                    round=number,
                    opponent=ids[opponent - 1] if opponent else None,
                    kind=KINDS[took],
                    half_points=HALF_POINTS[took],
                    wins=int(HALF_POINTS[took] == 2),
                )
            )
    return Crosstable(rows={entrant: tuple(row) for entrant, row in rows.items()}, rounds=len(history))


def drawn(*matches: tuple[int, int, str], players: int) -> Crosstable:
    """One match a round: (a, b, what a took)."""
    other = {"1": "0", "=": "=", "0": "1"}
    return table(players, [[[a, b, "w", took], [b, a, "b", other[took]]] for a, b, took in matches])


def value(name: str, cross: Crosstable, entrant: str, tied: tuple[str, ...] = ()) -> int:
    return tiebreaks.find(name)(cross, entrant, tied).value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
@pytest.mark.parametrize(
    ("name", "key", "per_point"), [("buchholz", "BH", 2), ("buchholz_cut_1", "BH_C1", 2), ("sonneborn_berger", "SB", 4)]
)
def test_byes_forfeits_and_absences_count_as_published(
    case: dict[str, Any], name: str, key: str, per_point: int
) -> None:
    cross = table(case["players"], case["history"])
    found = {player: value(name, cross, f"b{player}") / per_point for player in case["expect"]}
    assert found == {player: expected[key] for player, expected in case["expect"].items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_points_are_those_published(case: dict[str, Any]) -> None:
    cross = table(case["players"], case["history"])
    assert {p: cross.points(f"b{p}") / 2 for p in case["expect"]} == {p: e["score"] for p, e in case["expect"].items()}


def test_7_1_wins_count_byes_worth_a_win_and_no_draws() -> None:
    cross = table(3, [[[1, 2, "w", "1"], [2, 1, "b", "0"], [3, 0, "-", "U"]], [[1, 3, "w", "="], [3, 1, "b", "="]]])
    assert [value("wins", cross, entrant) for entrant in names(3)] == [1, 0, 1]


def test_7_5_progressive_adds_the_points_after_each_round() -> None:
    cross = drawn((1, 2, "1"), (1, 2, "="), (1, 2, "0"), players=2)
    assert value("progressive", cross, "b1") == 2 + 3 + 3
    assert value("progressive", cross, "b2") == 0 + 1 + 3


def test_16_3_absences_at_the_end_are_draws_for_the_opponents_and_others_are_not() -> None:
    early = table(2, [[[1, 0, "-", "Z"], [2, 0, "-", "U"]], [[1, 2, "w", "1"], [2, 1, "b", "0"]]])
    late = table(2, [[[1, 2, "w", "1"], [2, 1, "b", "0"]], [[1, 0, "-", "Z"], [2, 0, "-", "U"]]])
    assert (early.adjusted("b1"), late.adjusted("b1")) == (2, 3)
    assert early.points("b1") == late.points("b1") == 2


def test_16_4_the_dummy_has_at_most_the_points_of_one_who_draws_every_round() -> None:
    cross = table(2, [[[1, 2, "w", "1"], [2, 1, "b", "0"]], [[1, 0, "-", "U"], [2, 0, "-", "U"]]])
    assert value("buchholz", cross, "b1") == 2 + 2  # b2 has 1 point; the dummy 1 of the 2 points of b1


def test_16_5_the_cut_takes_a_voluntarily_unplayed_round_first() -> None:
    history = [
        [[1, 2, "w", "1"], [2, 1, "b", "0"], [3, 0, "-", "U"]],
        [[1, 0, "-", "Z"], [2, 3, "w", "0"], [3, 2, "b", "1"]],
        [[1, 3, "w", "1"], [2, 0, "-", "U"], [3, 1, "b", "0"]],
    ]
    reckoning = tiebreaks.buchholz_cut_1(table(3, history), "b1", ())
    assert reckoning.terms[-1].text == "cut: round 2"
    assert reckoning.terms[-1].value == -reckoning.terms[1].value < -reckoning.terms[0].value


def test_a_single_round_is_never_cut() -> None:
    cross = drawn((1, 2, "="), players=2)
    assert value("buchholz_cut_1", cross, "b1") == value("buchholz", cross, "b1") == 1


def test_6_2_all_met_the_points_among_the_tied_decide_and_then_again_among_those_still_equal() -> None:
    # Among the four: b1 3, b2 and b3 1½ with b3 ahead in their encounter, b4 0.
    cross = drawn((1, 2, "1"), (1, 3, "1"), (1, 4, "1"), (2, 3, "="), (2, 4, "1"), (3, 4, "1"), players=4)
    assert tiebreaks.encounter_tiers(cross, names(4)) == [["b1"], ["b2", "b3"], ["b4"]]
    decided = drawn((1, 2, "0"), (1, 3, "1"), (1, 4, "1"), (2, 3, "0"), (2, 4, "1"), (3, 4, "1"), players=4)
    # b1, b2, b3 have 2 points each and beat each other in a circle.
    assert tiebreaks.encounter_tiers(decided, names(4)) == [["b1", "b2", "b3"], ["b4"]]
    again = drawn((1, 2, "1"), (1, 3, "0"), (1, 4, "="), (2, 3, "="), (2, 4, "1"), (3, 4, "0"), players=4)
    # b1, b2, b3, b4 have 1½ each: nothing is decided. With b4 left out b1 1, b2 ½, b3 1½.
    assert tiebreaks.encounter_tiers(again, names(4)) == [list(names(4))]
    assert tiebreaks.encounter_tiers(again, names(3)) == [["b3"], ["b1"], ["b2"]]


def test_6_3_not_all_met_only_who_is_first_for_certain_is_put_first() -> None:
    # b1 beat both; b2 and b3 have not met: b1 is first whatever they might do, they stay equal.
    cross = drawn((1, 2, "1"), (1, 3, "1"), players=3)
    assert tiebreaks.encounter_tiers(cross, names(3)) == [["b1"], ["b2", "b3"]]
    # b1 beat b2 only: b3 might still win against both.
    assert tiebreaks.encounter_tiers(drawn((1, 2, "1"), players=3), names(3)) == [list(names(3))]
    # A lead of one win over an entrant with one match missing is not certain.
    draws = drawn((1, 2, "1"), (1, 3, "="), players=3)
    assert tiebreaks.encounter_tiers(draws, names(3)) == [list(names(3))]


def test_6_1_1_a_match_that_was_not_played_is_no_encounter() -> None:
    cross = table(2, [[[1, 2, "w", "+"], [2, 1, "b", "-"]]])
    assert tiebreaks.encounter_tiers(cross, names(2)) == [list(names(2))]


def test_6_1_2_several_matches_of_a_pair_count_by_their_mean() -> None:
    # b1 took 2½ of 3 from b2 and lost once to b3, who lost once to b2: 5/6, 1 1/6 and 1 of 2.
    cross = drawn((1, 2, "1"), (1, 2, "1"), (1, 2, "="), (1, 3, "0"), (2, 3, "1"), players=3)
    assert tiebreaks.encounter_tiers(cross, names(3)) == [["b2"], ["b3"], ["b1"]]


def test_a_direct_encounter_names_those_below_with_what_was_taken() -> None:
    cross = drawn((1, 2, "="), (1, 2, "1"), players=2)
    reckoning = tiebreaks.direct_encounter(cross, "b1", names(2))
    assert (reckoning.value, [term.text for term in reckoning.terms]) == (1, ["above b2: ½ from b2, 1 from b2"])
    assert value("direct_encounter", cross, "b2", names(2)) == 0


@pytest.mark.parametrize(
    ("number", "per_point", "text"),
    [(0, 2, "0"), (1, 2, "½"), (3, 2, "1½"), (-1, 2, "-½"), (9, 4, "2¼"), (7, 4, "1¾"), (6, 4, "1½"), (5, 1, "5")],
)
def test_points_are_written_with_vulgar_fractions(number: int, per_point: int, text: str) -> None:
    assert fraction_text(number, per_point) == text
    if per_point == 2:
        assert half_points_text(number) == text


def test_every_tie_break_has_an_acronym_of_its_own() -> None:
    assert ACRONYMS.keys() == TIEBREAKS.keys()
    assert len(set(ACRONYMS.values())) == len(ACRONYMS)


def test_an_unknown_tie_break_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'buchholz'"):
        tiebreaks.find("bucholz")
