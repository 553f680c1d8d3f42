"""Intervals of 95 % hold the truth in .93 to .97 of simulated events, whatever the deals decide."""

from random import Random

import pytest
from rating_games import event

from arena.ratings.bradley_terry import fit

ELO = [0.0, 100.0, -100.0, 50.0, -50.0, 0.0]
pytestmark = pytest.mark.slow


def coverage(events: int, **settings) -> tuple[float, float]:
    """Of the ratings, and of the seat's advantage."""
    held = seats = 0
    for seed in range(events):
        names, games = event(Random(seed), ELO, **settings)
        table = fit(games, entrants=names, anchor_rating=0)
        for name, truth in zip(names, ELO, strict=True):
            row = table.row(name)
            held += row.low <= truth <= row.high
        seats += table.seat_advantage.low <= 30 <= table.seat_advantage.high
    return held / (events * len(ELO)), seats / events


@pytest.mark.parametrize(
    "settings",
    [
        {"deals": 10, "luck": 0.8},
        {"deals": 10, "luck": 0.0},
        {"deals": 4, "luck": 0.8},
        {"deals": 30, "luck": 0.5, "draws": 0.0},
        {"deals": 20, "luck": 0.5, "legs": 1},
        {"deals": 15, "luck": 0.8, "shared": True},
        {"deals": 40, "luck": 0.8, "shared": True},
    ],
    ids=str,
)
def test_intervals_cover(settings):
    ratings, seat = coverage(500, **settings)
    assert 0.93 <= ratings <= 0.97
    # One number an event: two standard errors are .02. With one leg seat and strength are hard to tell apart, and
    # the prior makes the interval wider than it must be.
    assert 0.93 <= seat <= (0.99 if "legs" in settings else 0.97)


def test_independent_error_bars_are_too_wide_for_exchanged_seats():
    """What the clusters are for: the information alone takes the two games of a pair as independent."""
    import msgspec

    from arena.ratings.bradley_terry import ELO as SYSTEM

    naive = msgspec.structs.replace(SYSTEM, clustered=False)
    held = 0
    for seed in range(200):
        names, games = event(Random(seed), ELO, deals=10, luck=0.8)
        table = fit(games, entrants=names, anchor_rating=0, system=naive)
        held += sum(table.row(n).low <= truth <= table.row(n).high for n, truth in zip(names, ELO, strict=True))
    assert held / (200 * len(ELO)) > 0.975
