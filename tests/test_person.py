"""Hints: random games from what a seat knows."""

from random import Random

import nim
import pytest

from arena import games, person


def test_the_action_that_wins_is_found() -> None:
    view = nim.View(sticks=3, seat=0)
    legal = nim.legal_actions((3, 0))
    best = person.trials(nim, view, legal, Random(1), nim.Options(), seconds=0.05)[0]  # type: ignore[arg-type]
    assert (legal[best.index], best.share) == (nim.Action(take=3), 1.0)


@pytest.mark.parametrize("seconds", [0.0, 0.5])
def test_each_action_is_tried_and_the_best_ones_most(seconds: float) -> None:
    game = games.load("hidden-leaders-duel")
    rng, options = Random(1), game.Options()
    state = game.initial(game.deal(rng, options), options)
    legal = game.legal_actions(state)
    trials = person.trials(game, game.view(state, 0), legal, rng, options, seconds=seconds)
    assert sorted(trial.index for trial in trials) == list(range(len(legal)))
    counts = [trial.games for trial in trials]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] >= 1
    assert all(count == 1 for count in counts) == (seconds == 0)
    best = trials[: person.HINT_BEST]
    assert best == sorted(best, key=lambda trial: -trial.share)
