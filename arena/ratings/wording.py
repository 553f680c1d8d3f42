"""Rating tables put together and put into words: who gets a row, and what a reader must know."""

import numpy as np

from arena.ratings.likelihood import Integers
from arena.ratings.pairs import Counts
from arena.ratings.table import Estimate, RatingRow, RatingTable

FEW_PAIRS = 10  # an entrant with fewer is marked
FEW_DEALS = 10  # fewer shared deals than that say little about deals in general


def header(
    counts: Counts,
    name: str,
    *,
    points: float,
    anchor: str | None,
    anchor_rating: float,
    prior_draws: float,
    clustered: bool,
) -> str:
    """Scale, anchor, prior and intervals in three sentences."""
    who = "the mean of each group" if anchor is None else repr(anchor)
    prior = (
        f"{prior_draws:g} virtual draws for each entrant, spread over the opponents it met" if prior_draws else "none"
    )
    if not clustered:
        unit = "as if all games were independent"
    elif counts.by_deal:
        unit = f"clustered by deal ({counts.deals} {'deal' if counts.deals == 1 else 'deals'})"
    else:
        pairs = f"{counts.pairs} {'pair' if counts.pairs == 1 else 'pairs'}"
        unit = f"clustered by pair ({pairs}, each the games of two entrants on one deal)"
    return f"{name}: {points:.2f} points a logit, {who} at {anchor_rating:g}. Prior: {prior}. Intervals: 95 %, {unit}."


def notes(counts: Counts, group: Integers, anchor: str | None) -> tuple[str, ...]:
    """What restricts the use of the numbers, the gravest first."""
    found: list[str] = []
    number_of_groups = int(group.max(initial=-1)) + 1
    if number_of_groups == 0:
        found.append("no games: nobody has a rating")
    if number_of_groups > 1:
        found.append(
            f"{number_of_groups} groups without a game between them: ratings of different groups cannot be compared"
        )
    if anchor is not None and number_of_groups:
        if group[counts.entrants.index(anchor)] < 0:
            found.append(f"the anchor {anchor!r} has no games: the mean of each group is anchored instead")
        elif number_of_groups > 1:
            found.append(f"groups without the anchor {anchor!r} have their mean anchored instead")
    games = _games(counts)
    few = [n for n, g, p in zip(counts.entrants, games, _pairs(counts), strict=True) if g and p < FEW_PAIRS]
    if few:
        found.append(f"fewer than {FEW_PAIRS} pairs, so that even the intervals are rough: {', '.join(few)}")
    if counts.shared and counts.deals < FEW_DEALS:
        found.append(
            f"pairings share {counts.deals} deals: few to judge by how the bots would do on others, "
            "so that even the intervals are rough"
        )
    if counts.self_play:
        found.append(f"not counted: {counts.self_play} games of an entrant against itself")
    return tuple(found)


def _games(counts: Counts) -> list[int]:
    return _outcomes(counts).sum(axis=1).astype(int).tolist()  # type: ignore[no-any-return]


def _pairs(counts: Counts) -> list[int]:
    size = len(counts.entrants)
    both = np.bincount(counts.first, counts.times, size) + np.bincount(counts.second, counts.times, size)
    return both.astype(int).tolist()  # type: ignore[no-any-return]


def _outcomes(counts: Counts) -> Integers:
    """Wins, draws and losses of each entrant."""
    size = len(counts.entrants)
    tally = counts.tally * counts.times[:, None]
    of_first = tally[:, :3] + tally[:, 3:]
    columns = [
        np.bincount(counts.first, of_first[:, k], size) + np.bincount(counts.second, of_first[:, 2 - k], size)
        for k in range(3)
    ]
    return np.column_stack(columns).astype(np.int64)


def table(
    counts: Counts,
    group: Integers,
    ratings: dict[str, tuple[float, float]],
    *,
    system: str,
    header: str,
    notes: tuple[str, ...],
    probability_above: dict[str, dict[str, float]] | None = None,
    seat_advantage: Estimate | None = None,
    draw_rate: Estimate | None = None,
) -> RatingTable:
    """Rows by group, rating (highest first) and name; those without a rating last."""
    groups = tuple(
        tuple(counts.entrants[who] for who in np.flatnonzero(group == number))
        for number in range(int(group.max(initial=-1)) + 1)
    )
    order = sorted(
        range(len(counts.entrants)),
        key=lambda who: (
            group[who] < 0,
            int(group[who]),
            -ratings.get(counts.entrants[who], (0.0, 0.0))[0],
            counts.entrants[who],
        ),
    )
    outcomes, pairs = _outcomes(counts), _pairs(counts)
    rows: list[RatingRow] = []
    ranks = dict.fromkeys(range(-1, len(groups)), 0)
    for who in order:
        name, (wins, draws, losses) = counts.entrants[who], outcomes[who].tolist()
        rating = ratings.get(name)
        games = wins + draws + losses
        ranks[int(group[who])] += 1
        rows.append(
            RatingRow(
                entrant=name,
                rank=None if rating is None else ranks[int(group[who])],
                rating=None if rating is None else rating[0],
                ci95=None if rating is None else rating[1],
                games=games,
                pairs=pairs[who],
                wins=wins,
                draws=draws,
                losses=losses,
                forfeits=counts.forfeits[who],
                share=(wins + draws / 2) / games if games else None,
                group=int(group[who]) + 1 if games else None,
                note=_row_note(games, pairs[who], wins, losses),
            )
        )
    return RatingTable(
        system=system,
        header=header,
        rows=tuple(rows),
        groups=groups,
        games=counts.games,
        pairs=counts.pairs,
        seat_advantage=seat_advantage,
        draw_rate=draw_rate,
        probability_above=probability_above or {},
        notes=notes,
    )


def _row_note(games: int, pairs: int, wins: int, losses: int) -> str:
    if not games:
        return "no games"
    said = []
    if wins == games:
        said.append("won every game: the prior decides how high")
    if losses == games:
        said.append("lost every game: the prior decides how low")
    if pairs < FEW_PAIRS:
        said.append("few games")
    return "; ".join(said)
