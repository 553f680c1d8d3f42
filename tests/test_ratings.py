"""The fit: degenerate data, order, anchors, groups. Published numbers are in test_ratings_published."""

import itertools
import math
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rating_games import event, game, listed

from arena.errors import UnknownNameError, UsageError
from arena.ratings import RATINGS
from arena.ratings.bradley_terry import fit
from arena.ratings.pairs import count, gather
from arena.ratings.student import cdf, quantile
from arena.ratings.table import RatingTable

NAMES = ["A", "B", "C", "D", "E"]


def elo(table: RatingTable, name: str) -> float:
    rating = table.row(name).rating
    assert rating is not None
    return rating


@st.composite
def any_games(draw):
    rows = draw(
        st.lists(st.tuples(*[st.sampled_from(NAMES)] * 2, st.sampled_from(["1-0", "1/2-1/2", "0-1"])), max_size=40)
    )
    games = []
    for number, (zero, one, result) in enumerate(rows, start=1):
        loser = {"1-0": 1, "0-1": 0}.get(result)
        forfeit = loser if draw(st.booleans()) else None
        games.append(game(number, zero, one, result, deal=draw(st.integers(0, 3)), forfeit_by=forfeit))
    return games


@settings(max_examples=40, deadline=None)
@given(any_games(), st.randoms(use_true_random=False))
def test_any_games_in_any_order_give_the_same_finite_table(games, random):
    table = fit(games, entrants=NAMES)
    shuffled = random.sample(games, len(games))
    assert fit(shuffled, entrants=NAMES) == table  # to the last bit
    counted = [g for g in games if g.entrants[0] != g.entrants[1]]
    assert sum(row.games for row in table.rows) == 2 * len(counted) == 2 * table.games
    assert {row.entrant for row in table.rows} == set(NAMES)
    for row in table.rows:
        assert row.wins + row.draws + row.losses == row.games
        assert row.forfeits <= row.losses
        assert (row.rating is None) == (row.games == 0)
        if row.rating is not None:
            assert math.isfinite(row.rating)
            assert math.isfinite(row.ci95)
            assert row.ci95 >= 0
    for a, others in table.probability_above.items():
        for b, probability in others.items():
            assert 0 <= probability <= 1
            assert probability + table.probability_above[b][a] == pytest.approx(1)


@settings(max_examples=25, deadline=None)
@given(any_games(), st.randoms(use_true_random=False))
def test_the_other_systems_do_not_depend_on_the_order_either(games, random):
    shuffled = random.sample(games, len(games))
    for name in ("bayeselo", "glicko2"):
        assert RATINGS[name](games, NAMES) == RATINGS[name](shuffled, NAMES)


def test_the_order_of_the_entrants_is_of_no_consequence():
    names, games = event(Random(1), [0, 100, -50], deals=10, luck=0.5)
    assert fit(games, entrants=names) == fit(games, entrants=names[::-1])


def test_a_difference_is_the_expected_score_of_elo():
    rows = [["A", "B", "1-0"]] * 38 + [["B", "A", "0-1"]] * 38 + [["A", "B", "0-1"]] * 12 + [["B", "A", "1-0"]] * 12
    table = fit(listed(rows), entrants=["A", "B"], prior_draws=0)
    assert elo(table, "A") - elo(table, "B") == pytest.approx(400 * math.log10(0.76 / 0.24))
    assert table.seat_advantage.value == pytest.approx(0, abs=1e-6)


def test_the_prior_is_two_virtual_draws_each():
    rows = [["A", "B", "1-0"], ["B", "A", "0-1"]] * 4  # 8 wins of A; with 2 virtual draws 9 of 10 points
    table = fit(listed(rows), entrants=["A", "B"])
    assert elo(table, "A") - elo(table, "B") == pytest.approx(400 * math.log10(9))
    assert "2 virtual draws" in table.header


def test_the_seat_s_advantage_is_told_from_strength():
    names, games = event(Random(2), [0, 0, 0, 0], deals=120, luck=0.0, seat=80)
    table = fit(games, entrants=names)
    assert table.seat_advantage.low < 80 < table.seat_advantage.high
    assert table.seat_advantage.value > 40
    for name in names:
        assert elo(table, name) == pytest.approx(1500, abs=40)


def test_seat_and_strength_that_cannot_be_told_apart_are_said_to_be():
    table = fit(listed([["A", "B", "1-0"]] * 20), entrants=["A", "B"])
    assert table.seat_advantage is None
    assert any("seat" in note for note in table.notes)


def test_the_draw_rate_is_that_between_equals():
    names, games = event(Random(3), [0, 0, 0], deals=200, luck=0.0, draws=0.3, seat=0)
    rate = fit(games, entrants=names).draw_rate
    assert rate.low < 0.3 < rate.high
    assert rate.high - rate.low < 0.08


def test_a_winless_bot_leaves_the_others_as_they_are():
    names, games = event(Random(4), [0, 120, -80, 40], deals=20, luck=0.3)
    before = fit(games, entrants=names, anchor="bot00")
    beaten = [
        game(
            10_000 + 2 * k + leg,
            *((name, "none") if leg == 0 else ("none", name)),
            ("1-0", "0-1")[leg],
            deal=90_000 + k,
        )
        for k, name in enumerate(names * 10)
        for leg in (0, 1)
    ]
    after = fit([*games, *beaten], entrants=[*names, "none"], anchor="bot00")
    for name in names:
        assert elo(after, name) == pytest.approx(elo(before, name), abs=5)
        assert after.row(name).ci95 == pytest.approx(before.row(name).ci95, rel=0.1)
    assert elo(after, "none") < min(elo(after, name) for name in names) - 400
    assert after.row("none").note == "lost every game: the prior decides how low"


def test_all_draws_are_equal_ratings_with_an_honest_interval():
    rows = [[a, b, "1/2-1/2"] for a in NAMES for b in NAMES if a != b]
    table = fit(listed(rows), entrants=NAMES)
    for row in table.rows:
        assert row.rating == pytest.approx(1500)
        assert 20 < row.ci95 < 150
    assert 0.85 < table.draw_rate.value < 1
    assert all(p == pytest.approx(0.5) for others in table.probability_above.values() for p in others.values())


def test_one_game_says_little_and_says_so():
    table = fit(listed([["A", "B", "1-0"]]), entrants=["A", "B"])
    assert elo(table, "A") > elo(table, "B")
    assert table.row("A").ci95 > 200
    assert "few games" in table.row("A").note
    assert any("fewer than 10 pairs" in note for note in table.notes)
    assert 0.5 < table.probability_above["A"]["B"] < 0.95


def test_no_games_give_rows_without_numbers():
    table = fit([], entrants=["A", "B"])
    assert [(row.entrant, row.rating, row.ci95, row.rank, row.note) for row in table.rows] == [
        ("A", None, None, None, "no games"),
        ("B", None, None, None, "no games"),
    ]
    assert table.notes == ("no games: nobody has a rating",)
    assert fit([], entrants=[]).rows == ()


def test_a_bot_against_itself_counts_nowhere_and_is_mentioned():
    games = [*listed([["A", "B", "1-0"], ["B", "A", "1-0"]]), game(3, "A", "A"), game(4, "C", "C")]
    table = fit(games, entrants=["A", "B", "C"])
    assert table.row("A").games == 2
    assert table.row("C").note == "no games"
    assert any("2 games of an entrant against itself" in note for note in table.notes)


def test_entrants_without_a_game_between_them_are_not_compared():
    rows = [["A", "B", "1-0"], ["B", "A", "1/2-1/2"], ["C", "D", "1-0"], ["D", "C", "0-1"]] * 6
    table = fit(listed(rows), entrants=NAMES)
    assert table.groups == (("A", "B"), ("C", "D"))
    assert "C" not in table.probability_above["A"]
    assert [row.rank for row in table.rows] == [1, 2, 1, 2, None]
    assert "cannot be compared" in table.notes[0]
    for a, b in table.groups:
        assert elo(table, a) + elo(table, b) == pytest.approx(3000)


def test_an_anchor_has_its_rating_exactly_and_others_are_measured_from_it():
    names, games = event(Random(5), [0, 120, -80], deals=20, luck=0.3)
    mean = fit(games, entrants=names)
    table = fit(games, entrants=names, anchor="bot01", anchor_rating=2000)
    assert elo(table, "bot01") == 2000
    assert table.row("bot01").ci95 == 0
    for name in names:
        assert elo(table, name) - 2000 == pytest.approx(elo(mean, name) - elo(mean, "bot01"), abs=1e-6)
    assert table.probability_above == mean.probability_above


def test_an_anchor_without_games_is_replaced_by_the_mean_and_that_is_said():
    table = fit(listed([["A", "B", "1-0"]]), entrants=["A", "B", "C"], anchor="C")
    assert elo(table, "A") + elo(table, "B") == pytest.approx(3000)
    assert any("anchor 'C' has no games" in note for note in table.notes)


def test_a_long_chain_of_perfect_scores_is_finite():
    names = [f"n{k:02d}" for k in range(60)]
    rows = [row for a, b in itertools.pairwise(names) for row in [[a, b, "1-0"], [b, a, "0-1"]] * 50]
    table = fit(listed(rows), entrants=names)
    assert [row.entrant for row in table.rows] == names
    assert all(math.isfinite(row.rating) and 0 < row.ci95 < 10_000 for row in table.rows)


def test_without_a_prior_perfect_scores_are_refused_by_name():
    rows = [["A", "B", "1-0"], ["B", "C", "1-0"], ["C", "B", "1-0"]]
    with pytest.raises(UsageError, match="no finite rating for A"):
        fit(listed(rows), entrants=["A", "B", "C"], prior_draws=0)
    with pytest.raises(UsageError, match="no finite rating"):  # seat 0 won everything
        fit(listed([["A", "B", "1-0"], ["B", "A", "1-0"]]), entrants=["A", "B"], prior_draws=0)


@pytest.mark.parametrize(
    ("games", "entrants", "message"),
    [
        (listed([["A", "X", "1-0"]]), ["A", "B"], "not among the entrants: X"),
        ([], ["A", "A"], "named twice"),
        ([msgspec.structs.replace(game(1, "A", "B"), half_points=(2, 2))], ["A", "B"], "half points"),
    ],
)
def test_impossible_input_is_refused_in_a_sentence(games, entrants, message):
    with pytest.raises(UsageError, match=message):
        fit(games, entrants=entrants)


def test_an_unknown_anchor_and_a_negative_prior_are_refused():
    with pytest.raises(UnknownNameError, match="no entrant is called 'Z'"):
        fit(listed([["A", "B", "1-0"]]), entrants=["A", "B"], anchor="Z")
    with pytest.raises(UsageError, match="prior draws"):
        fit(listed([["A", "B", "1-0"]]), entrants=["A", "B"], prior_draws=-1)


def test_pairs_are_games_of_one_pairing_on_one_deal():
    games = [
        game(1, "B", "A", "1-0", deal=7, leg=0),
        game(2, "A", "B", "1/2-1/2", deal=7, leg=1),
        game(3, "A", "B", "1-0", deal=8),
        game(4, "A", "C", "1-0", deal=7, pairing=2),
    ]
    pairs = gather(games)
    assert [(p.key.deal, p.key.first, p.key.second, p.tally, p.half_points) for p in pairs] == [
        (7, "A", "B", (0, 1, 0, 0, 0, 1), 1),
        (8, "A", "B", (1, 0, 0, 0, 0, 0), 2),
        (7, "A", "C", (1, 0, 0, 0, 0, 0), 2),
    ]
    assert [p.is_complete for p in pairs] == [True, False, False]


def test_counts_give_the_same_table_as_games():
    names, games = event(Random(6), [0, 50, -50], deals=15, luck=0.5, shared=True)
    assert fit(count(games, names)) == fit(games, entrants=names)


def test_shared_deals_are_the_clusters_and_few_of_them_are_mentioned():
    names, games = event(Random(7), [0, 50, -50, 0], deals=6, luck=0.8, shared=True)
    table = fit(games, entrants=names)
    assert "clustered by deal (6 deals)" in table.header
    assert any("share 6 deals" in note for note in table.notes)
    assert "clustered by pair (36 pairs" in fit(games, entrants=names, cluster="pair").header


def test_exchanged_seats_on_lucky_deals_narrow_the_intervals():
    def width(luck: float) -> float:
        names, games = event(Random(8), [0, 0, 0, 0], deals=40, luck=luck)
        return max(row.ci95 for row in fit(games, entrants=names).rows)

    assert width(0.9) < 0.6 * width(0.0)


def test_student_s_quantiles_are_those_of_the_tables():
    for freedom, value in ((1, 12.706), (2, 4.303), (5, 2.571), (30, 2.042), (100, 1.984), (10**9, 1.960)):
        assert quantile(0.975, freedom) == pytest.approx(value, abs=5e-4)
    assert cdf(0.0, 7) == 0.5
    assert cdf(-2.0, 7) == pytest.approx(1 - cdf(2.0, 7))
