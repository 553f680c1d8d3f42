"""Glicko-2: ratings of a ladder that follow a bot's changes of strength from round to round.

Source: Glickman, "Example of the Glicko-2 system" (2013); the numbers of the steps are his. Written out here because
the library of that name puts the rating where step 5 has the deviation, so that its volatilities depend on where zero
is (docs/ratings.md).
"""

import math
from collections.abc import Sequence

import msgspec

from arena.model import GameResult
from arena.ratings import wording
from arena.ratings.groups import groups_of
from arena.ratings.pairs import count
from arena.ratings.student import Z95
from arena.ratings.table import RatingTable

POINTS = 173.7178  # Glickman's rounded 400 / ln 10
TAU = 0.5


class Player(msgspec.Struct, frozen=True):
    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


def glicko2(results: Sequence[GameResult], entrants: Sequence[str]) -> RatingTable:
    """Rate after the last round; each round is one rating period. Widths are 1.96 deviations."""
    counts = count(results, entrants, cluster="pair")
    players = dict.fromkeys(counts.entrants, Player())
    for number in sorted({game.round for game in results}):
        games: dict[str, list[tuple[str, float]]] = {name: [] for name in players}
        for game in results:
            if game.round == number and game.entrants[0] != game.entrants[1]:
                for seat in (0, 1):
                    games[game.entrants[seat]].append((game.entrants[1 - seat], game.half_points[seat] / 2))
        players = {
            name: after_period(player, [(players[other], score) for other, score in sorted(games[name])])
            for name, player in players.items()
        }
    group = groups_of(counts)
    played = {name for name, number in zip(counts.entrants, group.tolist(), strict=True) if number >= 0}
    return wording.table(
        counts,
        group,
        {name: (p.rating, Z95 * p.deviation) for name, p in players.items() if name in played},
        system="Glicko-2",
        header=f"Glicko-2: start at 1500, deviation 350, volatility 0.06, tau {TAU}; each round is a rating period. "
        "Intervals: 1.96 deviations; games on one deal are taken as independent.",
        notes=wording.notes(counts, group, None),
    )


def after_period(player: Player, games: Sequence[tuple[Player, float]], *, tau: float = TAU) -> Player:
    """One rating period. `games`: opponents as they were before the period, and points from 0 to 1."""
    mu, phi = (player.rating - 1500) / POINTS, player.deviation / POINTS
    if not games:
        return msgspec.structs.replace(player, deviation=POINTS * math.hypot(phi, player.volatility))
    information = surplus = 0.0
    for opponent, score in games:
        weight = 1 / math.sqrt(1 + 3 * (opponent.deviation / POINTS / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-weight * (mu - (opponent.rating - 1500) / POINTS)))
        information += weight**2 * expected * (1 - expected)
        surplus += weight * (score - expected)
    variance = 1 / information  # step 3
    volatility = _volatility(player.volatility, phi, variance, variance * surplus, tau)
    phi = 1 / math.sqrt(1 / (phi**2 + volatility**2) + information)  # steps 6 and 7
    return Player(1500 + POINTS * (mu + phi**2 * surplus), POINTS * phi, volatility)


def _volatility(before: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the root of f by the Illinois variant of regula falsi."""
    start = math.log(before**2)

    def f(x: float) -> float:
        total = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - total) / (2 * total**2) - (x - start) / tau**2

    a, b = start, start - tau
    if delta**2 > phi**2 + variance:
        b = math.log(delta**2 - phi**2 - variance)
    else:
        while f(b) < 0:
            b -= tau
    at_a, at_b = f(a), f(b)
    while abs(b - a) > 1e-6:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = f(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return math.exp(a / 2)
