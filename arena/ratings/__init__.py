"""Rating systems: pure functions of the results. To add one: docs/ratings.md.

`RATINGS` holds those that rate a whole event; `bradley_terry.fit` has options (anchor, prior, clusters).
Two entrants: `pentanomial`, `sequential`, `sprt`. The deals: `deal_effect`.
"""

from collections.abc import Callable, Sequence

from arena.errors import UnknownNameError
from arena.model import GameResult
from arena.ratings.bradley_terry import BAYESELO, ORDO, fit
from arena.ratings.glicko import glicko2
from arena.ratings.skill import openskill
from arena.ratings.table import RatingTable

Rating = Callable[[Sequence[GameResult], Sequence[str]], RatingTable]


def elo(results: Sequence[GameResult], entrants: Sequence[str]) -> RatingTable:
    """Arena's own: maximum likelihood, mean 1500, two virtual draws, intervals clustered by pair or deal."""
    return fit(results, entrants=entrants)


def ordo(results: Sequence[GameResult], entrants: Sequence[str]) -> RatingTable:
    """The ratings Ordo prints with `-a 0`: no prior, so that nobody may have won or lost everything."""
    return fit(results, entrants=entrants, anchor_rating=0.0, prior_draws=0.0, system=ORDO)


def bayeselo(results: Sequence[GameResult], entrants: Sequence[str]) -> RatingTable:
    """The ratings BayesElo prints after `mm`."""
    return fit(results, entrants=entrants, anchor_rating=0.0, system=BAYESELO)


RATINGS: dict[str, Rating] = {
    "elo": elo,
    "ordo": ordo,
    "bayeselo": bayeselo,
    "glicko2": glicko2,
    "openskill": openskill,
}


def find(name: str) -> Rating:
    """The rating system of this name. Raises UnknownNameError."""
    if name not in RATINGS:
        raise UnknownNameError("rating system", name, list(RATINGS))
    return RATINGS[name]
