"""Two bots: pairs counted, the test that may be looked at any time, SPRT. Published numbers: test_ratings_published."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rating_games import event, game

from arena.errors import UsageError
from arena.ratings.pairs import gather
from arena.ratings.pentanomial import Pentanomial, of_games, of_pairs, pairing_gain, pentanomial
from arena.ratings.sequential import NOTHING, SHARES, STAKES, add, follow, look, quarter_points
from arena.ratings.sprt import sprt

COUNTS = st.tuples(*[st.integers(0, 60)] * 5)
DECISIVE_DEALS = (0.05, 0.10, 0.70, 0.10, 0.05)  # of pairs with 0, ½, 1, 1½, 2 points: most deals decide the game
EQUAL = {
    "decisive deals": DECISIVE_DEALS,
    "coin flips": (0.5, 0.0, 0.0, 0.0, 0.5),
    "noisy": (0.3, 0.15, 0.1, 0.15, 0.3),
    "mostly draws": (0.0, 0.05, 0.9, 0.05, 0.0),
    "skewed": (0.10, 0.0, 0.75, 0.10, 0.05),
}


def stopping(shares: tuple[float, ...], *, pairs: int, runs: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Pair at which `look` first decides (0: never) and for whom, looking after every pair. The capitals of all looks
    of a run at once, by the formula of the module; that they are those of `look` is a test of its own."""
    drawn = np.random.default_rng(seed).choice(5, size=(runs, pairs), p=shares)
    stop, better = np.zeros(runs, dtype=int), np.zeros(runs, dtype=int)
    for run in range(runs):
        capital = capitals(drawn[run])
        over = (capital >= math.log(2 / 0.05)).any(axis=0)
        if over.any():
            stop[run] = int(over.argmax()) + 1
            better[run] = int(capital[:, over.argmax()].argmax())
    return stop, better


def capitals(drawn: np.ndarray, mean: float = 0.5) -> np.ndarray:
    found = []
    for shares, at_most in ((SHARES, mean), (SHARES[::-1], 1 - mean)):
        sums = np.cumsum(np.log1p(STAKES[:, None] * (shares / at_most - 1))[:, drawn], axis=1)
        top = sums.max(axis=0)
        found.append(top + np.log(np.exp(sums - top).mean(axis=0)))
    return np.array(found)


def test_pairs_are_counted_as_the_first_named_sees_them():
    rows = [
        ("1-0", "0-1"),
        ("1-0", "1-0"),
        ("1/2-1/2", "1/2-1/2"),
        ("1/2-1/2", "0-1"),
        ("0-1", "1-0"),
        ("0-1", "1/2-1/2"),
    ]
    games = [
        game(2 * deal + leg, *(("A", "B"), ("B", "A"))[leg], result, deal=deal, leg=leg)
        for deal, results in enumerate(rows)
        for leg, result in enumerate(results)
    ]
    alone = game(99, "A", "B", deal=99)
    assert pentanomial([*games, alone], "A", "B") == Pentanomial(LL=1, LD=1, WL=1, DD=1, WD=1, WW=1)
    lopsided = pentanomial(games[:4], "B", "A")
    assert (lopsided.LL, lopsided.WL, lopsided.pairs) == (1, 1, 2)


def test_perfect_and_constant_scores_have_no_infinite_numbers():
    won = of_pairs(Pentanomial(WW=5))
    assert (won.share, won.elo, won.nelo, won.los) == (1.0, None, None, 1.0)
    level = of_games(wins=0, draws=9, losses=0)
    assert (level.elo, level.elo_error, level.nelo, level.los) == (0.0, 0.0, None, 0.5)
    assert of_pairs(Pentanomial()) is None


def test_the_gain_of_pairs_is_the_realised_ratio_of_variances():
    lucky = event(Random(1), [0, 0, 0], deals=300, luck=1.0, draws=0.0, seat=0)[1]
    plain = event(Random(2), [0, 0, 0], deals=300, luck=0.0, draws=0.0, seat=0)[1]
    certain = pairing_gain(gather(lucky))
    assert certain.ratio == pytest.approx(0, abs=0.01)  # the deal decides: each pair is shared
    none = pairing_gain(gather(plain))
    assert abs(none.ratio - 1) < 2 * none.error < 0.3
    assert pairing_gain(gather([game(1, "A", "B")])) is None


@given(COUNTS)
def test_a_look_is_symmetric_and_its_interval_holds_the_share(counts):
    seen, other = look(counts), look(counts[::-1])
    assert 0 <= seen.low <= seen.share <= seen.high <= 1
    assert (seen.low, seen.high) == (pytest.approx(1 - other.high), pytest.approx(1 - other.low))
    assert seen.e_first == pytest.approx(other.e_second)
    assert math.isfinite(seen.e_first)
    # Both say the same: the interval leaves one half out as soon as the evidence suffices.
    if abs(seen.low - 0.5) > 1e-6 and abs(seen.high - 0.5) > 1e-6:
        assert (seen.better == 0) == (seen.low > 0.5)
        assert (seen.better == 1) == (seen.high < 0.5)


def test_the_simulations_use_the_evidence_of_look():
    drawn = np.random.default_rng(3).choice(5, size=200, p=DECISIVE_DEALS)
    for pairs in (1, 17, 200):
        counts = tuple(int((drawn[:pairs] == k).sum()) for k in range(5))
        seen = look(counts)
        assert np.exp(capitals(drawn)[:, pairs - 1]) == pytest.approx([seen.e_first, seen.e_second])


def test_following_pairs_stops_at_the_first_answer():
    seen = follow([4] * 1000)
    assert seen.better == 0
    assert seen.pairs < 12
    assert follow([2] * 300).better is None
    assert follow([]) == look(NOTHING)
    assert follow([0] * 1000).better == 1
    assert (seen.elo, seen.elo_high) == (None, None)  # 100 %: unbounded, and not infinite
    assert seen.elo_low > 0


def test_a_pair_is_worth_up_to_four_quarter_points_and_so_is_a_deal_played_once():
    both = [game(1, "A", "B", "1-0", deal=1), game(2, "B", "A", "1/2-1/2", deal=1, leg=1)]
    (pair,) = gather(both)
    (single,) = gather(both[:1])
    (three,) = gather([*both, game(3, "A", "B", deal=1)])
    assert (quarter_points(pair, "A"), quarter_points(pair, "B")) == (3, 1)
    assert (quarter_points(single, "A"), quarter_points(single, "B")) == (4, 0)
    assert quarter_points(three, "A") is None


def test_a_pair_has_at_most_four_quarter_points():
    assert add(NOTHING, 3) == (0, 0, 0, 1, 0)
    with pytest.raises(ValueError, match="0 to 4"):
        add(NOTHING, 5)


@pytest.mark.parametrize("name", EQUAL)
def test_equals_are_told_apart_in_less_than_5_percent_though_one_looks_after_every_pair(name):
    stop, _ = stopping(EQUAL[name], pairs=400, runs=200, seed=4)
    assert np.mean(stop > 0) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", EQUAL)
def test_equals_are_told_apart_in_less_than_5_percent_over_5000_looks(name):
    stop, _ = stopping(EQUAL[name], pairs=5000, runs=500, seed=5)
    assert np.mean(stop > 0) <= 0.05


def test_the_running_interval_holds_the_truth_at_all_looks_together():
    shares = (0.10, 0.15, 0.40, 0.20, 0.15)
    truth = float(np.array(shares) @ SHARES)
    drawn = np.random.default_rng(6).choice(5, size=(200, 400), p=shares)
    missed = np.array([capitals(run, truth).max(axis=0) >= math.log(2 / 0.05) for run in drawn])
    for run, at in ((0, 399), (1, 50), *np.argwhere(missed)[:20]):  # the interval of look leaves out the same
        seen = look(tuple(int((drawn[run][: at + 1] == k).sum()) for k in range(5)))
        assert (seen.low <= truth <= seen.high) != missed[run, at]
    assert missed.any(axis=1).mean() <= 0.05


def fixed_pairs(shares: tuple[float, ...]) -> float:
    """Pairs that a test of fixed length needs: 5 % two-sided, power 90 %."""
    mean = float(np.array(shares) @ SHARES)
    deviation = math.sqrt(float(np.array(shares) @ (SHARES - mean) ** 2))
    return ((1.96 + 1.2816) * deviation / (mean - 0.5)) ** 2


@pytest.mark.parametrize("better_by", [0.05, 0.10])
def test_the_better_bot_is_found_in_about_the_pairs_of_a_fixed_test(better_by):
    shares = (0.05 - better_by / 4, 0.10, 0.70 - better_by / 2, 0.10, 0.05 + better_by * 3 / 4)
    stop, better = stopping(shares, pairs=2500, runs=60, seed=7)
    assert (stop > 0).all()
    assert np.mean(better == 1) <= 0.05
    assert 0.5 < stop.mean() / fixed_pairs(shares) < 1.8


def test_sprt_ends_on_either_side_or_goes_on():
    def accepted(*counts: int) -> str | None:
        return sprt(counts, elo0=0, elo1=10, model="normalized").accepted

    assert accepted(100, 400, 1000, 600, 200) == "elo1"
    assert accepted(200, 600, 1000, 400, 100) == "elo0"
    assert accepted(1, 2, 3, 2, 1) is None
    found = sprt((0, 0, 0), elo0=0, elo1=5, alpha=0.05, beta=0.1)
    assert (found.llr, found.accepted) == (0.0, None)
    assert found.upper == pytest.approx(math.log(0.9 / 0.05))
    assert found.lower == pytest.approx(math.log(0.1 / 0.95))


@pytest.mark.parametrize("counts", [(5, 0, 0, 0, 0), (0, 0, 7, 0, 0), (0, 0, 0, 0, 1), (0, 9, 0)])
@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_sprt_is_finite_on_scores_that_do_not_vary(counts, model):
    assert math.isfinite(sprt(counts, elo0=0, elo1=10, model=model).llr)


def test_sprt_refuses_what_it_cannot_test():
    with pytest.raises(UsageError, match="expected counts of 3"):
        sprt((1, 2, 3, 4, 5), elo0=0, elo1=5, model="bayesian")
    with pytest.raises(UsageError, match="elo0 < elo1"):
        sprt((1, 2, 3), elo0=5, elo1=0)


@pytest.mark.slow
def test_sprt_keeps_its_error_rates():
    random = np.random.default_rng(8)
    drawn = random.choice(5, size=(150, 2000), p=DECISIVE_DEALS)
    wrong = 0
    for run in drawn:
        for pairs in range(40, 2001, 40):
            counts = np.bincount(run[:pairs], minlength=5).tolist()
            found = sprt(counts, elo0=0, elo1=40, model="normalized").accepted
            if found:
                wrong += found == "elo1"
                break
    assert wrong / 150 <= 0.085  # 5 % and two standard errors of 150 runs
