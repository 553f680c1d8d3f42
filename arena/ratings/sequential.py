"""Is A better than B? A test that may be looked at after every pair, and stopped at any of these looks.

Somebody who doubts that A's expected share of a pair is above m bets against us: after each pair with share x the
capital is multiplied by 1 - g + g x / m, for a stake g between 0 and 1. If the doubt is right, the capital never grows
on average, whatever happened before, and so exceeds 1/a at *any* time with a probability of at most a (Ville, 1939).
We split the capital over many stakes, so that none need be guessed: the e-value is the mean over the stakes. It is a
function of the counts alone; the order of the pairs does not matter, and a stopped comparison can go on.

All m that one could not earn enough against make up the running interval. Source of the construction: Waudby-Smith and
Ramdas, Estimating means of bounded random variables by betting, JRSS B 86 (2024).
"""

import math
from collections.abc import Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.ratings.pairs import Pair
from arena.ratings.pentanomial import elo

Counts = tuple[int, int, int, int, int]
NOTHING: Counts = (0, 0, 0, 0, 0)
SHARES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
STAKES = np.geomspace(0.01, 0.99, 48)


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """What is known after so many pairs.

    `better` is 0 for the first bot, 1 for the second, None while undecided. [low, high] holds the first bot's expected
    share with 95 % (1 - alpha) at all looks together. `e_first` is the evidence that the first is better, `e_second`
    that the second is: each must reach 2 / alpha. Elo numbers are None where they are unbounded.
    """

    pairs: int
    share: float
    low: float
    high: float
    e_first: float
    e_second: float
    better: int | None

    @property
    def elo(self) -> float | None:
        return elo(self.share)

    @property
    def elo_low(self) -> float | None:
        return elo(self.low)

    @property
    def elo_high(self) -> float | None:
        return elo(self.high)


def add(counts: Counts, quarter_points: int) -> Counts:
    """One more pair. `quarter_points` from 0 to 4: the first bot's half points in a pair of two games; twice its half
    points where a deal is played once."""
    if quarter_points not in range(5):
        raise ValueError(f"expected 0 to 4 quarter points, found {quarter_points}")
    a, b, c, d, e = (n + (k == quarter_points) for k, n in enumerate(counts))
    return a, b, c, d, e


def quarter_points(pair: Pair, first: str) -> int | None:
    """What `first` took of a finished pair, for `add`: of two games in exchanged seats, or of the one on its deal. None
    for a pair of any other shape."""
    if not (pair.is_complete or pair.games == 1):
        return None
    mine = pair.half_points * 2 // pair.games
    return mine if first == pair.key.first else 4 - mine


def look(counts: Counts, *, alpha: float = 0.05) -> Look:
    """The state of a comparison. Stop at the first look whose `better` is not None: a wrong one has probability alpha
    at most, however often one looks."""
    number = np.array(counts, dtype=np.float64)
    pairs = int(number.sum())
    log_needed = math.log(2 / alpha)
    first, second = _log_capital(number, 0.5), _log_capital(number[::-1], 0.5)
    return Look(
        pairs=pairs,
        share=float(number @ SHARES) / pairs if pairs else 0.5,
        low=_bound(number, log_needed),
        high=1.0 - _bound(number[::-1], log_needed),
        e_first=math.exp(min(first, 700.0)),
        e_second=math.exp(min(second, 700.0)),
        better=0 if first >= log_needed else 1 if second >= log_needed else None,
    )


def follow(quarter_points: Iterable[int], *, alpha: float = 0.05) -> Look:
    """Look after every pair and stop when the answer is known; the last look."""
    counts = NOTHING
    seen = look(counts, alpha=alpha)
    for points in quarter_points:
        counts = add(counts, points)
        seen = look(counts, alpha=alpha)
        if seen.better is not None:
            break
    return seen


def _log_capital(number: NDArray[np.float64], mean: float) -> float:
    """Logarithm of the mean capital against "the expected share is at most `mean`"."""
    growth = np.log1p(STAKES[:, None] * (SHARES[None, :] / mean - 1.0)) @ number
    top = float(growth.max())
    return top + math.log(float(np.exp(growth - top).mean()))


def _bound(number: NDArray[np.float64], log_needed: float) -> float:
    """The largest mean that the capital speaks against; the capital falls as the mean rises."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _log_capital(number, middle) >= log_needed else (low, middle)
    return low
