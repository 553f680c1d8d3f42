"""Elo ratings by maximum likelihood, with intervals that hold when games share their deal."""

import math
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from arena.errors import UnknownNameError, UsageError
from arena.model import GameResult
from arena.ratings import likelihood, wording
from arena.ratings.covariance import clustered
from arena.ratings.draw_rate import draw_rate
from arena.ratings.groups import groups_of, require_finite, seat_shows
from arena.ratings.likelihood import Cells, Draws, Integers, Model, Reals
from arena.ratings.pairs import Counts, count
from arena.ratings.student import cdf, quantile
from arena.ratings.table import Estimate, RatingTable

ELO_POINTS = 400 / math.log(10)  # rating points in one logit
ORDO_POINTS = 202 / math.log(0.76 / 0.24)  # Ordo: 202 points stand for an expected score of 76 %


RUNAWAY = 30.0  # logits: the search for a maximum that is not there has come so far
INDEPENDENT = 10**9  # degrees of freedom of a covariance that supposes all games independent


class System(msgspec.Struct, frozen=True, kw_only=True):
    """A way to turn games into numbers. Elo is Arena's own; the others reproduce what well-known programs print."""

    name: str = "Elo"
    draws: Draws = "half"
    points: float = ELO_POINTS
    seat: float | None = None  # rating points that seat 0 is worth; None: fitted
    draw: float | None = None  # Rao-Kupper threshold in rating points; None: fitted
    remark: str = ""  # what else a reader of the numbers must know
    clustered: bool = True  # else intervals come from the information alone, as if all games were independent


ELO = System()
ORDO = System(name="Ordo", points=ORDO_POINTS, seat=0.0, remark="No seat advantage.")
BAYESELO = System(
    name="BayesElo",
    draws="rao-kupper",
    seat=32.8,
    draw=97.3,
    remark="Draws by the Rao-Kupper model; ratings shrunk by BayesElo's display scale.",
    clustered=False,
)


class Solution(msgspec.Struct, frozen=True):
    """The fit in logits. `rated` are the places in `counts.entrants` of those who played; all else is in that order."""

    rated: Integers
    group: Integers
    model: Model
    values: Reals
    covariance: Reals
    freedom: int  # independent terms behind the covariance, less one
    played: Cells
    counts: Counts

    @property
    def width(self) -> float:
        """Half of a 95 % interval in standard errors."""
        return quantile(0.975, self.freedom)


def fit(
    results: Iterable[GameResult] | Counts,
    *,
    entrants: Sequence[str] = (),
    anchor: str | None = None,
    anchor_rating: float = 1500.0,
    prior_draws: float = 2.0,
    system: System = ELO,
    cluster: str = "auto",
) -> RatingTable:
    """Rate the entrants by all their games at once; the order of the games is of no consequence.

    Args:
        results: games, or what `arena.ratings.pairs.count` made of them.
        entrants: everybody who is to have a row; needed with games, and taken from the counts otherwise.
        anchor: who has exactly `anchor_rating`; None: the mean of each group has.
        prior_draws: virtual draws of each entrant, spread over the opponents it met in proportion to the games and
            over both seats (as BayesElo has it). 0: none; then who won or lost everything has no finite rating.
        cluster: what may depend on each other: games of a `pair`, of a `deal`, or `auto` (see `pairs.count`).

    Raises:
        UsageError: unknown entrants, impossible results, or no finite rating without a prior.
    """
    counts = results if isinstance(results, Counts) else count(results, entrants, cluster=cluster)
    if anchor is not None and anchor not in counts.entrants:
        raise UnknownNameError("entrant", anchor, counts.entrants)
    if not (math.isfinite(prior_draws) and prior_draws >= 0):
        raise UsageError(f"prior draws: expected 0 or more, found {prior_draws}")
    group = groups_of(counts)
    header = wording.header(
        counts,
        system.name,
        points=system.points,
        anchor=anchor,
        anchor_rating=anchor_rating,
        prior_draws=prior_draws,
        clustered=system.clustered,
    )
    header = f"{header} {system.remark}".strip()
    solution = solve(counts, group, prior_draws=prior_draws, system=system) if (group >= 0).any() else None
    notes = wording.notes(counts, group, anchor)
    if solution is None:
        return wording.table(counts, group, {}, system=system.name, header=header, notes=notes)
    if system.seat is None and not solution.model.fit_seat:
        notes += ("strength and seat cannot be told apart in these games: no seat advantage is assumed",)
    return wording.table(
        counts,
        group,
        ratings(solution, system, anchor=anchor, anchor_rating=anchor_rating),
        system=system.name,
        header=header,
        notes=notes,
        probability_above=probability_above(solution),
        seat_advantage=_seat_advantage(solution, system),
        draw_rate=_draw_rate(solution, system),
    )


def solve(counts: Counts, group: Integers, *, prior_draws: float, system: System) -> Solution:
    """The fit of those who played. Raises UsageError where there is no finite one."""
    rated = np.flatnonzero(group >= 0)
    place = np.cumsum(group >= 0) - 1
    rows = msgspec.structs.replace(counts, first=place[counts.first], second=place[counts.second])
    played = cells_of(rows, rated.size)
    seat_known = seat_shows(played, group[rated])
    if prior_draws == 0:
        require_finite(played, tuple(counts.entrants[who] for who in rated), group[rated])
    model = Model(
        entrants=int(rated.size),
        group=group[rated],
        draws=system.draws,
        fit_seat=system.seat is None and seat_known,
        fit_draw=system.draws == "rao-kupper" and system.draw is None,
    )
    prior = virtual(played, int(rated.size), prior_draws)
    both = Cells(*(np.concatenate([getattr(played, f), getattr(prior, f)]) for f in Cells.__struct_fields__))
    threshold = 0.0 if system.draws == "half" else (system.draw or 97.3) / system.points
    seat = (system.seat or 0.0) / system.points
    try:
        values = likelihood.maximize(model, both, seat=seat, draw=threshold)
    except np.linalg.LinAlgError:
        if prior_draws:
            raise
        values = np.full(model.entrants + 2, np.inf)
    if prior_draws == 0 and not np.abs(values).max() < RUNAWAY:  # e.g. seat 0 won every game
        raise UsageError("without a prior these games have no finite rating; use prior draws")
    if system.clustered:
        covariance = clustered(model, values, rows, played, prior)
        freedom = counts.deals - 1 if counts.by_deal else counts.pairs + int(rated.size * prior_draws / 2) - 1
    else:
        covariance, freedom = likelihood.inverse(model, likelihood.information(model, values, both)), INDEPENDENT
    return Solution(rated, group[rated], model, values, covariance, max(1, freedom), played, rows)


def cells_of(counts: Counts, size: int) -> Cells:
    """The games by who sat where."""
    zero, one = np.concatenate([counts.first, counts.second]), np.concatenate([counts.second, counts.first])
    tally = counts.tally * counts.times[:, None]
    key, place = np.unique(zero * size + one, return_inverse=True)
    won, drawn, lost = (
        np.bincount(place, np.concatenate([tally[:, mine], tally[:, theirs]]), key.size).astype(np.float64)
        for mine, theirs in ((0, 5), (1, 4), (2, 3))
    )
    return Cells(key // size, key % size, won, drawn, lost)


def virtual(played: Cells, size: int, prior_draws: float) -> Cells:
    """The virtual draws, `prior_draws` for each entrant: half from its own share, half from its opponents'."""
    games = played.won + played.drawn + played.lost
    of = np.bincount(played.zero, games, size) + np.bincount(played.one, games, size)
    weight = 0.25 * prior_draws * games * (1.0 / of[played.zero] + 1.0 / of[played.one])
    nothing = np.zeros(2 * games.size)
    zero, one = np.concatenate([played.zero, played.one]), np.concatenate([played.one, played.zero])
    return Cells(zero, one, nothing, np.concatenate([weight, weight]), nothing)


def ratings(
    solution: Solution, system: System, *, anchor: str | None, anchor_rating: float
) -> dict[str, tuple[float, float]]:
    """Rating and half of its 95 % interval for each entrant that played."""
    size = solution.model.entrants
    scale = _points(solution, system)
    centre = np.eye(size) - _averaging(solution, anchor)
    values = scale * (centre @ solution.values[:size]) + anchor_rating
    variance = scale**2 * np.diag(centre @ solution.covariance[:size, :size] @ centre.T)
    names = [solution.counts.entrants[who] for who in solution.rated]
    widths = solution.width * np.sqrt(np.maximum(0.0, variance))
    return dict(zip(names, zip(values.tolist(), widths.tolist(), strict=True), strict=True))


def _averaging(solution: Solution, anchor: str | None) -> Reals:
    """The matrix that gives, for each entrant, the strength its rating is measured from."""
    same = (solution.group[:, None] == solution.group[None, :]).astype(np.float64)
    mean = np.asarray(same / same.sum(axis=1, keepdims=True))
    if anchor is None:
        return mean
    fixed = [k for k, who in enumerate(solution.rated) if solution.counts.entrants[who] == anchor]
    for k in fixed:
        mean[solution.group == solution.group[k]] = np.eye(solution.model.entrants)[k]
    return mean


def _points(solution: Solution, system: System) -> float:
    """Rating points in a logit. BayesElo shrinks them so that a point between equals is worth what an Elo point is."""
    if system.draws == "half":
        return system.points
    ratio = math.exp(-float(solution.values[-1]))
    return system.points * 4.0 * ratio / (1.0 + ratio) ** 2


def probability_above(solution: Solution) -> dict[str, dict[str, float]]:
    """The probability that one is stronger than the other, for those who are in one group."""
    size = solution.model.entrants
    names = [solution.counts.entrants[who] for who in solution.rated]
    strength, spread = solution.values[:size], solution.covariance[:size, :size]
    variance = np.diag(spread)
    sigma = np.sqrt(np.maximum(1e-300, variance[:, None] + variance[None, :] - 2.0 * spread))
    scores = (strength[:, None] - strength[None, :]) / sigma
    return {
        a: {
            b: cdf(float(scores[i, j]), solution.freedom)
            for j, b in enumerate(names)
            if i != j and solution.group[i] == solution.group[j]
        }
        for i, a in enumerate(names)
    }


def _seat_advantage(solution: Solution, system: System) -> Estimate | None:
    if not solution.model.fit_seat:
        return None
    value, width = float(solution.values[-2]), solution.width * math.sqrt(max(0.0, float(solution.covariance[-2, -2])))
    return Estimate(
        value=value * system.points, low=(value - width) * system.points, high=(value + width) * system.points
    )


def _draw_rate(solution: Solution, system: System) -> Estimate:
    if system.draws == "half":
        return draw_rate(solution.counts, solution.values, solution.played, width=solution.width)
    value, width = float(solution.values[-1]), solution.width * math.sqrt(max(0.0, float(solution.covariance[-1, -1])))
    rates = [math.tanh(max(0.0, threshold) / 2) for threshold in (value, value - width, value + width)]
    return Estimate(value=rates[0], low=rates[1], high=rates[2])
