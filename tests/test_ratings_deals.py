"""What deals decide, and what sharing them is worth."""

from random import Random

import pytest
from rating_games import event, game

from arena.ratings.deal_effect import deal_effect


def test_the_share_that_the_deal_decides_is_found():
    for luck, low, high in ((0.0, 0.0, 0.06), (0.5, 0.12, 0.35), (1.0, 0.7, 1.0)):
        names, games = event(Random(1), [0, 40, -40, 0], deals=150, luck=luck, shared=True)
        found = deal_effect(games, names)
        assert low <= found.explained <= high
        assert found.deals == 150
        assert found.explained_error < 0.12


def test_exchanging_seats_saves_what_the_deal_decided():
    names, games = event(Random(2), [0, 40, -40, 0], deals=150, luck=0.7, shared=True)
    found = deal_effect(games, names)
    assert found.exchange.ratio == pytest.approx(1 - found.explained, abs=0.12)
    assert any(line.startswith("Exchanging the seats on a deal: saves") for line in found.sentences())


def test_a_deal_is_said_to_favour_the_seat_it_favours():
    names, games = event(Random(3), [0, 0, 0, 0], deals=100, luck=0.9, draws=0.0, seat=0, shared=True)
    found = deal_effect(games, names)
    took = {deal: [g.half_points[0] / 2 for g in games if g.deal == deal] for deal in found.favours}
    best = max(found.favours, key=lambda deal: found.favours[deal])
    worst = min(found.favours, key=lambda deal: found.favours[deal])
    assert sum(took[best]) / len(took[best]) > 0.8
    assert sum(took[worst]) / len(took[worst]) < 0.2
    assert all(abs(favour) <= abs(sum(took[deal]) / 12 - 0.5) + 0.06 for deal, favour in found.favours.items())


def test_challengers_on_the_same_deals_are_compared_with_fewer_games():
    """A gauntlet, one game a deal, the same seats: luck is common to all and cancels in their differences."""
    random = Random(4)
    deals = [random.random() for _ in range(300)]
    challengers = ["A", "B", "C"]
    games = [
        game(
            len(deals) * k + deal,
            name,
            "hero",
            "1-0" if (luck if random.random() < 0.8 else random.random()) < 0.5 else "0-1",
            deal=deal,
            pairing=k + 1,
        )
        for k, name in enumerate(challengers)
        for deal, luck in enumerate(deals)
    ]
    found = deal_effect(games, [*challengers, "hero"])
    assert found.exchange is None
    assert found.explained > 0.4
    # The hero's own differences cost, those of the challengers save; on average over all six.
    assert any("same deals" in line for line in found.sentences())
    assert found.sharing == pytest.approx(_mean_ratio(games, challengers), rel=0.15)


def _mean_ratio(games, challengers) -> float:
    """From the scores alone: variances of differences of totals, deals common over deals apart."""
    totals = {name: [g.half_points[0] - 1 for g in games if g.entrants[0] == name] for name in challengers}
    deals = range(len(totals["A"]))

    def variance(values) -> float:
        values = list(values)
        mean = sum(values) / len(values)
        return sum((value - mean) ** 2 for value in values)

    apart = {name: variance(totals[name]) for name in challengers}
    together = split = 0.0
    for i, a in enumerate(challengers):
        together, split = together + apart[a], split + apart[a]  # against the hero
        for b in challengers[i + 1 :]:
            together += variance(totals[a][d] - totals[b][d] for d in deals)
            split += apart[a] + apart[b]
    return together / split


def test_deals_of_their_own_are_not_called_shared():
    names, games = event(Random(5), [0, 0, 0], deals=20, luck=0.5)
    assert deal_effect(games, names).sharing is None


def test_no_deal_played_twice_has_no_effect_to_fit():
    assert deal_effect([game(1, "A", "B"), game(2, "B", "A")], ["A", "B"]) is None
    assert deal_effect([], ["A"]) is None
