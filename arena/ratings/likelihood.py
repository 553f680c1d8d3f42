"""The likelihood of games between rated entrants, its maximum, and its covariance.

With x the strength of seat 0 minus that of seat 1 plus the seat's advantage, t >= 0 the draw threshold and f the
logistic function, p = f(x - t) and q = f(-x - t). All in logits. Two ways to take draws:

- `half`: t = 0, and a draw is half a win and half a loss. This is the Elo curve: x says what score to expect.
- `rao-kupper`: a win has probability p, a loss q, a draw (exp(2t) - 1) p q (Rao and Kupper, JASA 62, 1967).

In both the log-likelihood is concave in (x, t), so Newton's method with halved steps finds the one maximum.
"""

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Integers = NDArray[np.int64]
Draws = Literal["half", "rao-kupper"]


class Cells(msgspec.Struct, frozen=True):
    """Games by who sat where: entrant `zero[k]` in seat 0 won, drew and lost so often against `one[k]`."""

    zero: Integers
    one: Integers
    won: Reals
    drawn: Reals
    lost: Reals


class Model(msgspec.Struct, frozen=True):
    """Which parameters there are. Their vector is strengths (`entrants` of them), seat advantage, draw threshold."""

    entrants: int
    group: Integers  # number of the group of each entrant
    draws: Draws = "half"
    fit_seat: bool = True
    fit_draw: bool = False

    @property
    def free(self) -> NDArray[np.bool_]:
        return np.array([True] * self.entrants + [self.fit_seat, self.fit_draw])


class Slopes(msgspec.Struct, frozen=True):
    """Derivatives of the log-probability of each outcome by x and by t, for each cell."""

    won: tuple[Reals, Reals]
    drawn: tuple[Reals, Reals]
    lost: tuple[Reals, Reals]


def logistic(x: Reals) -> Reals:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * x)))


def _log_logistic(x: Reals) -> Reals:
    return -np.logaddexp(0.0, -x)


def advantage(values: Reals, zero: Integers, one: Integers) -> Reals:
    """x of each cell: how many logits seat 0 is ahead."""
    return np.asarray(values[zero] - values[one] + values[-2])


def log_likelihood(model: Model, values: Reals, cells: Cells) -> float:
    x, t = advantage(values, cells.zero, cells.one), values[-1]
    share = 0.5 if model.draws == "half" else 1.0
    total = (cells.won + share * cells.drawn) * _log_logistic(x - t)
    total += (cells.lost + share * cells.drawn) * _log_logistic(-x - t)
    if model.draws == "rao-kupper":
        total += cells.drawn * np.log(np.expm1(2.0 * t))
    return float(total.sum())


def slopes(model: Model, values: Reals, zero: Integers, one: Integers) -> Slopes:
    x, t = advantage(values, zero, one), values[-1]
    not_p, not_q = logistic(t - x), logistic(x + t)
    won, lost = (not_p, -not_p), (-not_q, -not_q)
    if model.draws == "half":
        return Slopes(won, (0.5 * (not_p - not_q), np.zeros_like(x)), lost)
    bonus = 2.0 / -np.expm1(-2.0 * t)
    return Slopes(won, (not_p - not_q, bonus - not_p - not_q), lost)


def gradient(model: Model, values: Reals, cells: Cells) -> Reals:
    slope = slopes(model, values, cells.zero, cells.one)
    by_x, by_t = (cells.won * slope.won[k] + cells.drawn * slope.drawn[k] + cells.lost * slope.lost[k] for k in (0, 1))
    size = model.entrants
    total = np.bincount(cells.zero, by_x, size + 2) - np.bincount(cells.one, by_x, size + 2)
    total[size], total[size + 1] = by_x.sum(), by_t.sum()
    return np.asarray(total)


def information(model: Model, values: Reals, cells: Cells) -> Reals:
    """Minus the matrix of second derivatives."""
    x, t = advantage(values, cells.zero, cells.one), values[-1]
    share = 0.5 if model.draws == "half" else 1.0
    p, q = logistic(x - t), logistic(-x - t)
    at_p = (cells.won + share * cells.drawn) * p * (1.0 - p)
    at_q = (cells.lost + share * cells.drawn) * q * (1.0 - q)
    by_xx, by_xt, by_tt = at_p + at_q, at_q - at_p, float((at_p + at_q).sum())
    if model.draws == "rao-kupper":
        by_tt += float(cells.drawn.sum()) / np.sinh(t) ** 2
    return _assemble(model.entrants, cells.zero, cells.one, by_xx, by_xt, by_tt)


def _assemble(size: int, zero: Integers, one: Integers, by_xx: Reals, by_xt: Reals, by_tt: float) -> Reals:
    full = size + 2
    flat = np.bincount(zero * full + one, by_xx, full * full)
    between = flat.reshape(full, full)
    total = -(between + between.T)
    ends = np.arange(size)
    total[ends, ends] = (np.bincount(zero, by_xx, size) + np.bincount(one, by_xx, size))[:size]
    for column, weights in ((size, by_xx), (size + 1, by_xt)):
        mixed = np.bincount(zero, weights, size) - np.bincount(one, weights, size)
        total[:size, column] = total[column, :size] = mixed
    total[size, size] = by_xx.sum()
    total[size, size + 1] = total[size + 1, size] = by_xt.sum()
    total[size + 1, size + 1] = by_tt
    return np.asarray(total)


def inverse(model: Model, matrix: Reals) -> Reals:
    """The inverse among the free parameters, with each group's mean strength held fast; 0 for the others."""
    free = model.free
    total = np.zeros_like(matrix)
    total[np.ix_(free, free)] = np.linalg.inv(_held(model, matrix)[np.ix_(free, free)])
    return total


def _held(model: Model, matrix: Reals) -> Reals:
    held = matrix.copy()
    same = model.group[:, None] == model.group[None, :]
    held[: model.entrants, : model.entrants] += same * max(1e-6, float(np.abs(np.diag(matrix)).mean()) / model.entrants)
    return held


def maximize(model: Model, cells: Cells, *, seat: float = 0.0, draw: float = 0.0) -> Reals:
    """The parameters of greatest likelihood; each group's strengths have mean 0. `seat` and `draw` are the start,
    and stay where the model does not fit them. The caller makes sure that a maximum exists."""
    values = np.zeros(model.entrants + 2)
    values[-2:] = seat, draw
    free = np.flatnonzero(model.free)
    best = log_likelihood(model, values, cells)
    for _ in range(200):
        step = np.zeros_like(values)
        held = _held(model, information(model, values, cells))[np.ix_(free, free)]
        step[free] = np.linalg.solve(held, gradient(model, values, cells)[free])
        factor = 1.0
        while factor > 1e-6:
            trial = values + factor * step
            found = log_likelihood(model, trial, cells) if trial[-1] > 0 or not model.fit_draw else -np.inf
            if found >= best - 1e-12 * abs(best):
                break
            factor /= 2
        else:
            break
        values, best = trial, found
        if float(np.abs(step).max()) < 1e-8:  # the next step would be about the square of that
            break
    sums = np.bincount(model.group, values[: model.entrants])
    sizes = np.maximum(np.bincount(model.group), 1)
    values[: model.entrants] -= (sums / sizes)[model.group]
    return values
