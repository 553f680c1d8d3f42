"""How far the fitted strengths may be off: a covariance clustered by pair or by deal."""

import numpy as np

from arena.ratings.likelihood import Cells, Integers, Model, Reals, information, inverse, slopes
from arena.ratings.pairs import Counts


def clustered(model: Model, values: Reals, counts: Counts, played: Cells, prior: Cells) -> Reals:
    """The sandwich A⁻¹BA⁻¹: A is the information, B the sum over clusters of the squared score of each cluster.

    Games of a cluster may depend on each other in any way; clusters are independent. The virtual games count as
    clusters of their own, half of them won and half lost: that keeps the intervals honest where all games ended alike
    and their scatter says nothing.

    Source: Liang and Zeger, Biometrika 73 (1986), with the factor G/(G-1) for G clusters.
    """
    bread = inverse(model, information(model, values, played) + information(model, values, prior))
    if counts.by_deal:
        meat = _meat_by_cluster(model, values, counts)
        clusters = counts.deals
    else:
        meat = _meat_by_pair(model, values, counts)
        clusters = counts.pairs
    meat *= clusters / max(1, clusters - 1)
    slope = slopes(model, values, prior.zero, prior.one)
    for by_x, by_t in (slope.won, slope.lost):
        weight = 0.5 * (prior.won + prior.drawn + prior.lost)
        meat += _squares(model.entrants, prior.zero, prior.one, by_x, by_x, by_t, weight)
    return np.asarray(bread @ meat @ bread)


def _scores(model: Model, values: Reals, counts: Counts) -> tuple[Reals, Reals, Reals]:
    """For each row of counts, the derivatives of one pair's log-likelihood: by the strength of `first` (`second` has
    the opposite), by the seat advantage, by the draw threshold."""
    ahead = slopes(model, values, counts.first, counts.second)
    behind = slopes(model, values, counts.second, counts.first)
    tally = counts.tally.astype(np.float64).T

    def summed(k: int) -> tuple[Reals, Reals]:
        in_zero = tally[0] * ahead.won[k] + tally[1] * ahead.drawn[k] + tally[2] * ahead.lost[k]
        in_one = tally[5] * behind.won[k] + tally[4] * behind.drawn[k] + tally[3] * behind.lost[k]
        return in_zero, in_one

    (zero_x, one_x), (zero_t, one_t) = summed(0), summed(1)
    return zero_x - one_x, zero_x + one_x, zero_t + one_t


def _meat_by_pair(model: Model, values: Reals, counts: Counts) -> Reals:
    by_strength, by_seat, by_draw = _scores(model, values, counts)
    weight = counts.times.astype(np.float64)
    return _squares(model.entrants, counts.first, counts.second, by_strength, by_seat, by_draw, weight)


def _squares(
    size: int, first: Integers, second: Integers, strength: Reals, seat: Reals, draw: Reals, weight: Reals
) -> Reals:
    """Sum of weight times u uᵀ, where u is +strength at `first`, -strength at `second`, and the last two places."""
    full = size + 2
    between = np.bincount(first * full + second, weight * strength**2, full * full).reshape(full, full)
    total = -(between + between.T)
    ends = np.arange(size)
    total[ends, ends] = (
        np.bincount(first, weight * strength**2, size) + np.bincount(second, weight * strength**2, size)
    )[:size]
    for column, other in ((size, seat), (size + 1, draw)):
        mixed = np.bincount(first, weight * strength * other, size)
        mixed = mixed - np.bincount(second, weight * strength * other, size)
        total[:size, column] = total[column, :size] = mixed
    total[size, size] = (weight * seat**2).sum()
    total[size, size + 1] = total[size + 1, size] = (weight * seat * draw).sum()
    total[size + 1, size + 1] = (weight * draw**2).sum()
    return np.asarray(total)


def _meat_by_cluster(model: Model, values: Reals, counts: Counts) -> Reals:
    by_strength, by_seat, by_draw = _scores(model, values, counts)
    clusters, place = np.unique(counts.cluster, return_inverse=True)
    times, full = counts.times.astype(np.float64), model.entrants + 2
    sums = np.bincount(place * full + counts.first, times * by_strength, clusters.size * full)
    sums = sums - np.bincount(place * full + counts.second, times * by_strength, clusters.size * full)
    table = sums.reshape(clusters.size, full)
    table[:, -2] = np.bincount(place, times * by_seat, clusters.size)
    table[:, -1] = np.bincount(place, times * by_draw, clusters.size)
    return np.asarray(table.T @ table)
