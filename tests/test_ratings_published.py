"""What other programs and papers printed, against ours."""

import math

import msgspec
import pytest
from rating_games import listed, names_in, vector

from arena.errors import UsageError
from arena.ratings import RATINGS, find
from arena.ratings.bradley_terry import BAYESELO, ELO, ORDO, fit
from arena.ratings.glicko import Player, after_period
from arena.ratings.pentanomial import Pentanomial, of_games, of_pairs
from arena.ratings.sprt import log_likelihood_ratio
from arena.ratings.student import Z95

ORDO_CASES = vector("bt_ordo")
BAYESELO_CASES = vector("bt_bayeselo")
GAMES = {case["id"]: case["games"] for case in ORDO_CASES["cases"] if not isinstance(case["games"], str)}
FASTCHESS = {"score": "share", "nelo_err": "nelo_error", "elo_err": "elo_error"}


@pytest.mark.parametrize("case", ORDO_CASES["cases"], ids=lambda case: case["id"])
def test_ordo_prints_the_same_ratings_to_the_last_digit(case):
    rows = GAMES[case["id"].removesuffix("_white")]
    system = msgspec.structs.replace(ORDO, seat=None) if case.get("free_seat_advantage") else ORDO
    table = fit(listed(rows), entrants=names_in(rows), anchor_rating=0, prior_draws=0, system=system)
    for name, rating in case["expect"].items():
        assert table.row(name).rating == pytest.approx(rating, abs=ORDO_CASES["tolerance"])
    if "expect_seat_advantage" in case:
        assert table.seat_advantage.value == pytest.approx(case["expect_seat_advantage"], abs=0.005)


def test_ordo_s_simulated_errors_are_near_ours():
    table = RATINGS["ordo"](listed(GAMES["rr6"]), names_in(GAMES["rr6"]))
    for name, error in ORDO_CASES["errors_95_by_simulation_1000"]["rr6"].items():
        assert table.row(name).ci95 == pytest.approx(error, rel=0.12)


@pytest.mark.parametrize(
    "case", [case for case in BAYESELO_CASES["cases"] if case["id"] != "split"], ids=lambda case: case["id"]
)
def test_bayeselo_prints_the_same_ratings_to_the_last_digit(case):
    rows = GAMES[case["id"]] if isinstance(case["games"], str) else case["games"]
    table = RATINGS["bayeselo"](listed(rows), names_in(rows))
    for name, rating in case["expect"].items():
        assert table.row(name).rating == pytest.approx(rating, abs=BAYESELO_CASES["tolerance"])


def test_bayeselo_has_the_same_differences_within_groups_that_never_met():
    case = next(case for case in BAYESELO_CASES["cases"] if case["id"] == "split")
    table = RATINGS["bayeselo"](listed(case["games"]), names_in(case["games"]))
    for a, b in (("A", "B"), ("C", "D")):
        ours = table.row(a).rating - table.row(b).rating
        assert ours == pytest.approx(case["expect"][a] - case["expect"][b], abs=1.0)
    assert table.groups == (("A", "B"), ("C", "D"))


def test_bayeselo_with_fitted_advantage_and_draws_has_the_same_parameters_and_probabilities():
    expected = BAYESELO_CASES["rr6_mm_1_1"]
    games, names = listed(GAMES["rr6"]), names_in(GAMES["rr6"])
    fitted = fit(games, entrants=names, anchor_rating=0, system=msgspec.structs.replace(BAYESELO, seat=None, draw=None))
    for name, rating in expected["expect"].items():
        assert fitted.row(name).rating == pytest.approx(rating, abs=0.51)
    assert fitted.seat_advantage.value == pytest.approx(expected["advantage"], abs=0.01)
    threshold = expected["drawelo"] * math.log(10) / 400
    assert fitted.draw_rate.value == pytest.approx(math.tanh(threshold / 2), abs=1e-4)
    # BayesElo's probabilities take the two parameters as known, and it cuts off the digits it does not print.
    known = msgspec.structs.replace(BAYESELO, seat=expected["advantage"], draw=expected["drawelo"])
    above = fit(games, entrants=names, anchor_rating=0, system=known).probability_above
    for a, others in expected["los_permille"].items():
        for b, permille in others.items():
            assert int(1000 * above[a][b]) == permille


@pytest.mark.parametrize("case", vector("bt_published")["cases"], ids=lambda case: case["id"])
def test_textbook_strengths_and_standard_errors(case):
    names, wins = case["names"], case["wins_row_over_column"]
    rows = [[a, b, "1-0"] for i, a in enumerate(names) for j, b in enumerate(names) for _ in range(wins[i][j])]
    anchored = "vs_first" if "expect_logit_vs_first" in case else "vs_last"
    system = msgspec.structs.replace(ELO, points=1.0, seat=0.0, clustered=False)
    anchor = names[0 if anchored == "vs_first" else -1]
    table = fit(listed(rows), entrants=names, anchor=anchor, anchor_rating=0, prior_draws=0, system=system)
    for name, strength, error in zip(names, case[f"expect_logit_{anchored}"], case["expect_se"], strict=True):
        assert table.row(name).rating == pytest.approx(strength, abs=1e-4)
        assert table.row(name).ci95 / Z95 == pytest.approx(error, abs=1e-4)


@pytest.mark.parametrize("case", vector("elo_penta_fastchess")["cases"], ids=lambda case: case["id"])
def test_fastchess_prints_the_same_elo_normalized_elo_and_los(case):
    given = case["input"]
    found = of_games(**given) if "wins" in given else of_pairs(Pentanomial(**given))
    for name, value in case["expect"].items():
        assert getattr(found, FASTCHESS.get(name, name)) == pytest.approx(value, abs=0.006)


@pytest.mark.parametrize("case", vector("sprt_fastchess")["cases"], ids=lambda case: case["id"])
def test_fastchess_prints_the_same_log_likelihood_ratio(case):
    given = case["input"]
    counts = (given["losses"], given["draws"], given["wins"]) if "wins" in given else Pentanomial(**given).classes
    llr = log_likelihood_ratio(counts, elo0=case["elo0"], elo1=case["elo1"], model=case["model"])
    assert llr == pytest.approx(case["own_llr"], abs=1e-4)
    assert llr == pytest.approx(case["expect_llr"], rel=0.01)


def test_glickman_s_example():
    case = next(case for case in vector("online_ratings")["cases"] if case["id"] == "glicko2_glickman_example")
    games = [(Player(rating, deviation), score) for rating, deviation, score in case["opponents"]]
    found = after_period(Player(*case["player"]), games, tau=case["tau"])
    assert found.rating == pytest.approx(case["expect"]["rating"], abs=0.01)  # his own steps are rounded
    assert found.deviation == pytest.approx(case["expect"]["rd"], abs=0.005)
    assert found.volatility == pytest.approx(case["expect"]["vol"], abs=1e-5)


def test_glicko_does_not_depend_on_where_zero_is():
    def rate(shift: float) -> Player:
        return after_period(Player(1500 + shift, 200), [(Player(1400 + shift, 30), 0.0)] * 10)

    assert rate(1000).volatility == pytest.approx(rate(0).volatility, abs=1e-12)
    assert rate(1000).rating - 1000 == pytest.approx(rate(0).rating, abs=1e-9)


def test_openskill_gives_the_library_s_published_numbers():
    pytest.importorskip("openskill")
    case = next(c for c in vector("online_ratings")["cases"] if c["id"] == "openskill_plackett_luce_default_1v1")
    table = RATINGS["openskill"](listed([["A", "B", "1-0"]]), ["A", "B"])
    for name, (mu, sigma) in zip("AB", case["expect"], strict=True):
        assert table.row(name).rating == pytest.approx(mu, abs=1e-6)
        assert table.row(name).ci95 == pytest.approx(Z95 * sigma, abs=1e-5)


def test_a_missing_library_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openskill.models", None)
    with pytest.raises(UsageError, match=r"arena-referee\[ladder\]"):
        RATINGS["openskill"](listed([["A", "B", "1-0"]]), ["A", "B"])


def test_an_unknown_system_is_answered_with_the_known_ones():
    with pytest.raises(UsageError, match="glicko2"):
        find("glicko")
