"""The sequential probability ratio test between two fixed hypotheses, on pairs or on single games.

The log-likelihood ratio compares the likeliest distribution of scores under each hypothesis (a generalized SPRT). The
hypotheses are two values of

- `logistic`: Elo, i.e. the expected share;
- `normalized`: normalized Elo, i.e. the distance of the share from one half in standard deviations of a game;
- `bayesian`: BayesElo's strength in the Rao-Kupper model (single games only).

Source: Van den Bergh, "The generalized maximum likelihood ratio for the expected value of a distribution" (2020).
"""

import math
from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.errors import UsageError
from arena.ratings.pentanomial import NORMALIZED

Reals = NDArray[np.float64]
Model = Literal["logistic", "normalized", "bayesian"]
NEVER_SEEN = 1e-3  # stands for a count of 0, as in fastchess


class Sprt(msgspec.Struct, frozen=True, kw_only=True):
    """`accepted` is the hypothesis that the test ends with, None while it goes on."""

    llr: float
    lower: float
    upper: float
    accepted: Literal["elo0", "elo1"] | None


def sprt(
    counts: Sequence[int],
    *,
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: Model = "normalized",
) -> Sprt:
    """Where the test stands.

    Args:
        counts: pairs with 0, ½, 1, 1½, 2 points (Pentanomial.classes), or single games lost, drawn, won.
        alpha, beta: probability of accepting `elo1` though `elo0` holds, and the reverse.
    """
    if len(counts) not in (3, 5) or (model == "bayesian" and len(counts) != 3):
        raise UsageError(f"SPRT, model {model}: expected counts of 3 classes (5 for pairs), found {len(counts)}")
    if not (elo0 < elo1 and 0 < alpha < 0.5 and 0 < beta < 0.5):
        raise UsageError(f"SPRT: expected elo0 < elo1 and errors below 0.5, found {elo0}, {elo1}, {alpha}, {beta}")
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    llr = log_likelihood_ratio(counts, elo0=elo0, elo1=elo1, model=model)
    accepted: Literal["elo0", "elo1"] | None = "elo1" if llr >= upper else "elo0" if llr <= lower else None
    return Sprt(llr=llr, lower=lower, upper=upper, accepted=accepted)


def log_likelihood_ratio(counts: Sequence[int], *, elo0: float, elo1: float, model: Model) -> float:
    """Logarithm of the likelihood of `counts` under `elo1` over that under `elo0`; 0 without games."""
    if not sum(counts):
        return 0.0
    number = np.maximum(np.array(counts, dtype=np.float64), NEVER_SEEN)
    if model == "bayesian":
        return float(number @ (np.log(_bayesian(number, elo1)) - np.log(_bayesian(number, elo0))))
    scores = np.linspace(0.0, 1.0, number.size)
    seen = number / number.sum()
    if model == "logistic":
        under = [_likeliest(seen, scores - 1 / (1 + 10 ** (-elo / 400))) for elo in (elo0, elo1)]
    else:
        games_each = 2 if number.size == 5 else 1
        under = [_likeliest_at_distance(seen, scores, elo / NORMALIZED * math.sqrt(games_each)) for elo in (elo0, elo1)]
    return float(number @ (np.log(under[1]) - np.log(under[0])))


def _likeliest(seen: Reals, values: Reals) -> Reals:
    """The distribution nearest to `seen` under which `values` has mean 0: seen / (1 + k values), with the k at which
    it sums to 1."""
    low, high = -1 / float(values.max()), -1 / float(values.min())
    for _ in range(200):
        middle = 0.5 * (low + high)
        if float((seen * values / (1 + middle * values)).sum()) > 0:
            low = middle
        else:
            high = middle
    found = seen / (1 + 0.5 * (low + high) * values)
    return np.asarray(found / found.sum())


def _likeliest_at_distance(seen: Reals, scores: Reals, distance: float) -> Reals:
    """The same under the condition that the mean is `distance` standard deviations above one half: the condition is
    made linear at the distribution found last, until that stays."""
    found = np.full(seen.size, 1.0 / seen.size)
    for _ in range(100):
        mean = float(found @ scores)
        deviation = math.sqrt(float(found @ (scores - mean) ** 2))
        bend = 0.5 * distance * deviation * (1 + ((scores - mean) / deviation) ** 2)
        before, found = found, _likeliest(seen, scores - 0.5 - bend)
        if float(np.abs(found - before).max()) < 1e-12:
            break
    return found


def _bayesian(number: Reals, strength: float) -> Reals:
    """Probabilities of loss, draw and win at this strength, with the draw threshold that the counts show."""
    lost, _, won = number / number.sum()
    threshold = 200 * math.log10((1 - lost) / lost * (1 - won) / won)
    win = 1 / (1 + 10 ** ((threshold - strength) / 400))
    loss = 1 / (1 + 10 ** ((threshold + strength) / 400))
    return np.array([loss, 1 - win - loss, win])
