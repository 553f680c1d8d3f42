"""What the deal decides, and what it is worth that all pairings play the same deals."""

import math
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.model import GameResult
from arena.ratings.bradley_terry import ELO, Solution, solve
from arena.ratings.groups import groups_of
from arena.ratings.likelihood import logistic
from arena.ratings.pairs import count, gather
from arena.ratings.pentanomial import PairingGain, pairing_gain
from arena.ratings.student import Z95

Reals = NDArray[np.float64]
Integers = NDArray[np.int64]


class DealEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Measured on games whose deals were played more than once.

    `explained` is the share of a game's variance, beyond strength and seat, that its deal decides by favouring a seat;
    `explained_error` half its 95 % interval. `exchange` is what exchanging the seats saved. `sharing` is the variance
    of a difference between two ratings, shared deals as played over deals of their own: 0.8 saves 20 % of the games,
    1.2 costs as much; None where pairings do not share their deals. `favours[deal]` is how much of a point the deal
    gives seat 0 beyond expectation, shrunk towards 0 as far as chance may have made it.
    """

    deals: int
    games: int
    explained: float
    explained_error: float | None  # None with fewer than 3 deals
    exchange: PairingGain | None
    sharing: float | None
    favours: dict[int, float]

    def sentences(self) -> tuple[str, ...]:
        """The same for people."""
        error = "" if self.explained_error is None else f" ± {100 * self.explained_error:.0f}"
        said = [f"The deal decides {100 * self.explained:.0f}{error} % of a game's variance ({self.deals} deals)."]
        if self.exchange is not None:
            said.append(f"Exchanging the seats on a deal: {_worth(self.exchange.ratio)}.")
        if self.sharing is not None:
            said.append(f"All pairings playing the same deals: {_worth(self.sharing)}.")
        return tuple(said)


def _worth(ratio: float) -> str:
    change = 100 * (1 - ratio)
    return f"saves {change:.0f} % of the games" if change >= 0 else f"costs {-change:.0f} % more games"


def deal_effect(results: Sequence[GameResult], entrants: Sequence[str]) -> DealEffect | None:
    """Fit strengths, then an effect of each deal on what seat 0 takes. None where no deal was played twice.

    The share explained is the variance component of a one-way analysis of variance by deal, of what seat 0 took less
    what it was expected to take; its error is a jackknife over deals.
    """
    games = [game for game in results if game.entrants[0] != game.entrants[1]]
    deals, deal = np.unique(np.array([game.deal for game in games], dtype=np.int64), return_inverse=True)
    times = np.bincount(deal, minlength=deals.size)
    if not (times > 1).any() or deals.size < 2:
        return None
    counts = count(games, entrants, cluster="pair")
    alone = solve(counts, groups_of(counts), prior_draws=2.0, system=ELO)
    surplus = _surplus(games, counts.entrants, alone)
    sums = np.bincount(deal, surplus).astype(np.float64)
    squares = np.bincount(deal, surplus**2).astype(np.float64)
    between, within = _components(times, sums, squares)
    total = between + within
    shrink = max(0.0, between) / np.maximum(1e-12, max(0.0, between) + within / times)
    favours = shrink * sums / times
    return DealEffect(
        deals=int(deals.size),
        games=len(games),
        explained=max(0.0, between) / total if total > 0 else 0.0,
        explained_error=_jackknife(times, sums, squares),
        exchange=pairing_gain(gather(games)),
        sharing=_sharing(games, entrants, alone) if counts.shared else None,
        favours=dict(zip(deals.tolist(), favours.tolist(), strict=True)),
    )


def _surplus(games: Sequence[GameResult], names: Sequence[str], solution: Solution) -> Reals:
    """What seat 0 took in each game less what it was expected to take, in points."""
    index = {names[who]: k for k, who in enumerate(solution.rated.tolist())}
    zero = np.array([index[game.entrants[0]] for game in games])
    one = np.array([index[game.entrants[1]] for game in games])
    took = np.array([game.half_points[0] for game in games]) / 2
    values = solution.values
    return np.asarray(took - logistic(values[zero] - values[one] + values[-2]))


def _components(times: Integers, sums: Reals, squares: Reals) -> tuple[float, float]:
    """Variance between deals (may come out below 0) and within, from unequally many games a deal.

    Source: Searle, Casella and McCulloch, Variance Components (1992), section 3.6.
    """
    games, groups = int(times.sum()), times.size
    explained = float((sums**2 / times).sum() - sums.sum() ** 2 / games)
    within = float((squares - sums**2 / times).sum()) / max(1, games - groups)
    typical = (games - float((times**2).sum()) / games) / (groups - 1)
    return (explained / (groups - 1) - within) / typical, within


def _jackknife(times: Integers, sums: Reals, squares: Reals) -> float | None:
    size = times.size
    if size < 3:
        return None
    shares = []
    for left_out in range(size):
        kept = np.arange(size) != left_out
        between, within = _components(times[kept], sums[kept], squares[kept])
        shares.append(between / (between + within) if between + within > 0 else 0.0)
    spread = np.array(shares) - np.mean(shares)
    return float(Z95 * math.sqrt((size - 1) / size * (spread**2).sum()))


def _sharing(games: Sequence[GameResult], entrants: Sequence[str], alone: Solution) -> float | None:
    """Variance of rating differences when games of a deal may depend on each other, over that when only those of a
    pair may, as with deals of their own; averaged over all who are in one group."""
    counts = count(games, entrants, cluster="deal")
    shared = solve(counts, groups_of(counts), prior_draws=2.0, system=ELO)
    both = [_mean_difference(solution) for solution in (shared, alone)]
    return both[0] / both[1] if both[1] > 0 else None


def _mean_difference(solution: Solution) -> float:
    size = solution.model.entrants
    spread = solution.covariance[:size, :size]
    variance = np.diag(spread)
    differences = variance[:, None] + variance[None, :] - 2 * spread
    return float(differences[solution.group[:, None] == solution.group[None, :]].sum())
