"""TrueSkill-style ratings of a ladder, by the library openskill (extra `ladder`)."""

from collections.abc import Sequence
from typing import Any

from arena.errors import UsageError
from arena.model import GameResult
from arena.ratings import wording
from arena.ratings.groups import groups_of
from arena.ratings.pairs import count
from arena.ratings.student import Z95
from arena.ratings.table import RatingTable


def openskill(results: Sequence[GameResult], entrants: Sequence[str]) -> RatingTable:
    """Rate game by game in schedule order, by the Plackett-Luce model with the library's defaults (25 ± 25/3).

    Raises UsageError where the library is not installed.
    """
    model = _model()
    counts = count(results, entrants, cluster="pair")
    players = {name: model.rating(name=name) for name in counts.entrants}
    for game in sorted(results, key=lambda game: game.number):
        zero, one = game.entrants
        if zero != one:
            rated = model.rate([[players[zero]], [players[one]]], scores=[float(points) for points in game.half_points])
            players[zero], players[one] = rated[0][0], rated[1][0]
    group = groups_of(counts)
    played = {name for name, number in zip(counts.entrants, group.tolist(), strict=True) if number >= 0}
    return wording.table(
        counts,
        group,
        {name: (float(player.mu), Z95 * float(player.sigma)) for name, player in players.items() if name in played},
        system="OpenSkill",
        header="OpenSkill (Plackett-Luce): start at 25, sigma 25/3; games in schedule order. "
        "Intervals: 1.96 sigma; games on one deal are taken as independent.",
        notes=wording.notes(counts, group, None),
    )


def _model() -> Any:
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise UsageError("OpenSkill ratings need the library openskill: pip install 'arena-referee[ladder]'") from error
    return PlackettLuce()
