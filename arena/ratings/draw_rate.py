"""How many games between equals are drawn, with its interval."""

import math

import numpy as np

from arena.ratings.likelihood import Cells, Reals, advantage, logistic
from arena.ratings.pairs import Counts
from arena.ratings.table import Estimate


def drawn_share(x: Reals, nu: float) -> Reals:
    """Probability of a draw where a score of logistic(x) is expected, in Davidson's model with parameter nu.

    Davidson has win : draw : loss = y : nu : 1/y. Here y is such that the score expected is the one given, so that
    rating and draws do not disturb each other.

    Source: Davidson, Journal of the American Statistical Association 65 (1970).
    """
    score = logistic(x)
    half = nu * (0.5 - score)
    y = (np.sqrt(half**2 + 4.0 * score * (1.0 - score)) - half) / (2.0 * (1.0 - score))
    return np.asarray(nu / (y + 1.0 / y + nu))


def draw_rate(counts: Counts, values: Reals, played: Cells, *, width: float) -> Estimate:
    """The share of draws between equals, such that as many draws are expected as there were.

    Half a virtual draw and half a virtual decision between equals keep it off 0 and 1. The interval is clustered by
    pair, takes the ratings as known, and reaches `width` standard errors to both sides.
    """
    x = np.clip(advantage(values, played.zero, played.one), -30.0, 30.0)
    games = played.won + played.drawn + played.lost

    def surplus(log_nu: float) -> float:
        nu = math.exp(log_nu)
        expected = float((games * drawn_share(x, nu)).sum()) + nu / (2.0 + nu)
        return float(played.drawn.sum()) + 0.5 - expected

    low, high = -30.0, 30.0
    while high - low > 1e-10:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if surplus(middle) > 0 else (low, middle)
    sigma = _sigma(counts, values, low, (surplus(low - 1e-4) - surplus(low + 1e-4)) / 2e-4)
    rates = [1.0 / (1.0 + 2.0 * math.exp(-low - z * sigma)) for z in (0.0, -width, width)]
    return Estimate(value=rates[0], low=rates[1], high=rates[2])


def _sigma(counts: Counts, values: Reals, log_nu: float, slope: float) -> float:
    nu = math.exp(log_nu)
    tally = counts.tally.astype(np.float64).T
    ahead = np.clip(advantage(values, counts.first, counts.second), -30.0, 30.0)
    behind = np.clip(advantage(values, counts.second, counts.first), -30.0, 30.0)
    residual = tally[1] + tally[4]
    residual = residual - tally[:3].sum(axis=0) * drawn_share(ahead, nu)
    residual = residual - tally[3:].sum(axis=0) * drawn_share(behind, nu)
    virtual = 0.5  # what the two virtual halves scatter: ½(1-d)² + ½d² is at most that
    return math.sqrt(float((counts.times * residual**2).sum()) + virtual) / slope
