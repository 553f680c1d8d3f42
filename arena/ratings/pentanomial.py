"""Two entrants compared by the scores of their pairs: counts, Elo, normalized Elo, and what pairing was worth."""

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.model import GameResult
from arena.ratings.pairs import Pair, gather
from arena.ratings.student import Z95

NORMALIZED = 800 / math.log(10)


class Pentanomial(msgspec.Struct, frozen=True):
    """Complete pairs (a game in each seat) by what the first entrant made of them: L lost, D drew, W won."""

    LL: int = 0
    LD: int = 0
    WL: int = 0
    DD: int = 0
    WD: int = 0
    WW: int = 0

    @property
    def classes(self) -> tuple[int, int, int, int, int]:
        """Pairs with 0, ½, 1, 1½, 2 points."""
        return self.LL, self.LD, self.WL + self.DD, self.WD, self.WW

    @property
    def pairs(self) -> int:
        return sum(self.classes)


class Performance(msgspec.Struct, frozen=True, kw_only=True):
    """How one did against the other. Errors are half the width of the 95 % interval, at a number of games fixed before.

    `elo` is None at 0 % and 100 %, where it is unbounded; `nelo` and its error where the scores do not vary.
    """

    share: float
    elo: float | None
    elo_error: float | None
    nelo: float | None
    nelo_error: float | None
    los: float  # likelihood of superiority


class PairingGain(msgspec.Struct, frozen=True, kw_only=True):
    """The variance of scores in pairs over that of as many games on deals of their own; `error`: half a 95 % interval.

    0.6: pairs get along with 60 % of the games. 1: the deal decides nothing, or favours no seat.
    """

    ratio: float
    error: float | None  # None with fewer than 3 pairs
    pairs: int


def pentanomial(results: Iterable[GameResult], first: str, second: str) -> Pentanomial:
    """The complete pairs of these two, seen by `first`."""
    low, high = sorted((first, second))
    chosen = [p for p in gather(results) if (p.key.first, p.key.second) == (low, high) and p.is_complete]
    found = [0] * 6
    for pair in chosen:
        wins, draws = pair.tally[0] + pair.tally[3], pair.tally[1] + pair.tally[4]
        losses = 2 - wins - draws
        if first != low:
            wins, losses = losses, wins
        found[{(0, 0): 0, (0, 1): 1, (1, 0): 2, (0, 2): 3, (1, 1): 4, (2, 0): 5}[wins, draws]] += 1
    return Pentanomial(*found)


def elo(share: float) -> float | None:
    """The rating difference at which this share of the points is expected."""
    return -400 * math.log10(1 / share - 1) if 0 < share < 1 else None


def of_pairs(pairs: Pentanomial) -> Performance | None:
    """From pairs, whose games may depend on each other. None without pairs."""
    return _performance(pairs.classes, (0.0, 0.25, 0.5, 0.75, 1.0), games_each=2)


def of_games(*, wins: int, draws: int, losses: int) -> Performance | None:
    """From single games, taken as independent. None without games."""
    return _performance((losses, draws, wins), (0.0, 0.5, 1.0), games_each=1)


def _performance(counts: Sequence[int], scores: Sequence[float], *, games_each: int) -> Performance | None:
    number = sum(counts)
    if not number:
        return None
    share = sum(n * s for n, s in zip(counts, scores, strict=True)) / number
    variance = sum(n * (s - share) ** 2 for n, s in zip(counts, scores, strict=True)) / number
    deviation, error = math.sqrt(variance), math.sqrt(variance / number)
    low, high = elo(share - Z95 * error), elo(share + Z95 * error)
    return Performance(
        share=share,
        elo=elo(share),
        elo_error=None if elo(share) is None or low is None or high is None else (high - low) / 2,
        nelo=(share - 0.5) / (deviation * math.sqrt(games_each)) * NORMALIZED if variance else None,
        nelo_error=Z95 * NORMALIZED / math.sqrt(number * games_each) if variance else None,
        los=NormalDist().cdf((share - 0.5) / error) if variance else 0.5 + (share > 0.5) / 2 - (share < 0.5) / 2,
    )


def pairing_gain(pairs: Iterable[Pair]) -> PairingGain | None:
    """What exchanging the seats on the same deal was worth in these pairs, each pairing around its own mean.

    The error is a jackknife over pairs. None without complete pairs that vary.
    """
    complete = sorted((p.key.first, p.key.second, p.tally) for p in pairs if p.is_complete)
    if not complete:
        return None
    who = np.unique([f"{first}\0{second}" for first, second, _ in complete], return_inverse=True)[1]
    scores = np.array([[_score(tally[:3]), _score(tally[3:])] for _, _, tally in complete])
    sizes = np.bincount(who)
    kept = sizes[who] > 1
    mean = np.stack([np.bincount(who, scores[:, k]) / sizes for k in (0, 1)], axis=1)[who]
    # n/(n-1) makes the squared distance from the pairing's own mean an unbiased variance
    factor = np.where(kept, sizes[who] / np.maximum(1, sizes[who] - 1), 0.0)
    apart = factor * ((scores - mean) ** 2).sum(axis=1)
    together = factor * (scores - mean).sum(axis=1) ** 2
    if not apart.sum() > 0:
        return None
    return PairingGain(
        ratio=float(together.sum() / apart.sum()), error=_jackknife(together, apart), pairs=int(kept.sum())
    )


def _score(tally: Sequence[int]) -> float:
    return tally[0] + 0.5 * tally[1]


def _jackknife(above: NDArray[np.float64], below: NDArray[np.float64]) -> float | None:
    rest = below.sum() - below
    if above.size < 3 or not (rest > 0).all():
        return None
    without = (above.sum() - above) / rest
    return float(Z95 * math.sqrt((above.size - 1) / above.size * ((without - without.mean()) ** 2).sum()))
