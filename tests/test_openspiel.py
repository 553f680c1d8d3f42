"""OpenSpiel's games through the bridge. Guide: docs/openspiel.md."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena import games
from arena.chance import KeyedChance
from arena.cli.wording import asked, told
from arena.errors import UnknownNameError, UsageError
from arena.games.openspiel.position import drawn_outcome, span
from arena.games.openspiel.words import DRAW_BOUND
from arena.testing import check_game
from arena.testing.play import chance, random_play, replay

pyspiel = pytest.importorskip("pyspiel")
ROOT = Path(__file__).parents[1]

SAFE = ["kuhn_poker", "leduc_poker", "liars_dice", "tic_tac_toe", "tiny_bridge_2p", "pig(winscore=15,horizon=60)"]


@pytest.mark.parametrize("name", SAFE)
def test_a_game_of_openspiel_keeps_the_contract_and_leaks_nothing(name: str) -> None:
    report = check_game(games.load(f"openspiel:{name}"), games=6)
    assert report.ok, [report.text(check) for check in report.failed]
    assert "determinize" in report.skipped, "OpenSpiel has no way back from a view"


def test_a_view_that_says_too_little_is_caught_by_the_legal_list() -> None:
    """The observation of this game leaves out the die, and the legal list tells it: docs/openspiel.md names it."""
    report = check_game(games.load("openspiel:einstein_wurfelt_nicht"), games=2)
    assert "non-interference" in report.failed
    assert "legal[0]" in report.text("non-interference")
    assert "einstein_wurfelt_nicht" in (ROOT / "docs/openspiel.md").read_text()


def test_the_deal_decides_every_chance_node() -> None:
    game: Any = games.load("openspiel:leduc_poker")
    play = random_play(game, game.Options(), chance(1, "leduc"))
    assert len(play.deal.draws) == 3
    deal = game.from_json(json.loads(json.dumps(game.to_json(play.deal))), game.Deal)
    assert replay(game, play.options, deal, play.actions)[-1] == play.states[-1]


def test_a_deal_of_another_length_is_refused() -> None:
    game: Any = games.load("openspiel:kuhn_poker")
    with pytest.raises(ValueError, match="expected 2 draws, found 1"):
        game.initial(game.Deal(draws=(5,)), game.Options())


@pytest.mark.parametrize(
    "probabilities", [[1.0], [0.5, 0.5], [0.1] * 10, [1 / 3] * 3, [0.0, 0.25, 0.0, 0.75], [1 / 7] * 7]
)
def test_the_span_of_an_outcome_is_exactly_the_draws_that_fall_on_it(probabilities: list[float]) -> None:
    outcomes = [(10 + i, p) for i, p in enumerate(probabilities)]
    covered = 0
    for outcome, probability in outcomes:
        first, end = span(outcomes, outcome)
        assert first == covered
        covered = end
        assert abs((end - first) / DRAW_BOUND - probability) < 1e-12
        for draw in (first, end - 1) if end > first else ():
            assert drawn_outcome(outcomes, draw) == outcome
    assert covered == DRAW_BOUND


def test_the_higher_return_wins_and_both_are_recorded() -> None:
    game: Any = games.load("openspiel:kuhn_poker")
    for number in range(20):
        play = random_play(game, game.Options(), chance(number, "returns"))
        end = game.outcome(play.states[-1])
        first, second = end.details["returns"]
        assert first == -second
        assert end.half_points == ((2, 0) if first > 0 else (0, 2))


def test_a_redeal_is_another_history_that_the_seat_sees_the_same() -> None:
    game: Any = games.load("openspiel:leduc_poker")
    changed = 0
    for number in range(10):
        play = random_play(game, game.Options(), chance(number, "redeal"))
        plies = len(play.actions) // 2
        rng = KeyedChance(b"redeal", str(number))
        deal, actions = game.redeal(play.deal, play.actions[:plies], 0, rng, play.options)
        states = replay(game, play.options, deal, actions)
        assert [game.view(s, 0) for s in states] == [game.view(s, 0) for s in play.states[: plies + 1]]
        changed += game.view(states[-1], 1) != game.view(play.states[plies], 1)
    assert changed >= 5, "the other seat's card hardly ever changed"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("matching_pennies_3p", "it has 3 players"),
        ("goofspiel", "openspiel:turn_based_simultaneous_game(game=goofspiel()) lets them in turn"),
        ("negotiation", "its chance is drawn inside OpenSpiel and cannot be recorded"),
        ("kuhn_poker(cards=9)", "OpenSpiel does not take 'kuhn_poker(cards=9)': Unknown parameter 'cards'"),
    ],
)
def test_a_game_that_does_not_fit_is_refused_with_the_reason(name: str, problem: str) -> None:
    with pytest.raises(UsageError) as error:
        games.load(f"openspiel:{name}")
    assert problem in str(error.value)


def test_a_misspelt_game_gets_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'kuhn_poker'"):
        games.load("openspiel:kuhn_pocker")


def test_a_turn_based_game_of_simultaneous_actions_hides_the_first_one() -> None:
    name = "openspiel:turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=4,points_order=descending))"
    report = check_game(games.load(name), games=4)
    assert report.ok, [report.text(check) for check in report.failed]


def test_an_action_is_told_by_its_text() -> None:
    game = games.load("openspiel:tic_tac_toe")
    state = game.initial(game.deal(chance(1, "words"), game.Options()), game.Options())
    action = game.legal_actions(state)[0]
    [event] = game.events(state, action, game.apply(state, action), 1)
    assert asked(game, game.to_json(action)) == "x(0,0)"
    assert told(game, game.to_json(event), 1) == "Seat 0 played x(0,0)"
