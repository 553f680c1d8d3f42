"""What every rating system hands out: a table that can be printed, exported and quoted."""

import msgspec


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


class RatingRow(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant. `rating` is None for an entrant about whom the games say nothing; `note` then says why.

    `ci95` is half the width of the 95 % interval. `group` numbers the entrants that are connected by games, from 1;
    ratings of different groups cannot be compared. `share` is points per game, from 0 to 1.
    """

    entrant: str
    rank: int | None  # within the group, from 1
    rating: float | None
    ci95: float | None
    games: int
    pairs: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    share: float | None
    group: int | None
    note: str = ""

    @property
    def low(self) -> float | None:
        return None if self.rating is None or self.ci95 is None else self.rating - self.ci95

    @property
    def high(self) -> float | None:
        return None if self.rating is None or self.ci95 is None else self.rating + self.ci95


class RatingTable(msgspec.Struct, frozen=True, kw_only=True):
    """Rows by group and rating, and what one must know to quote them.

    `probability_above[a][b]` is the probability that a is stronger than b, given the games; pairs in different groups
    and entrants without a rating are absent.
    """

    system: str
    header: str  # scale, anchor, prior, how the intervals were made
    rows: tuple[RatingRow, ...]
    groups: tuple[tuple[str, ...], ...]
    games: int
    pairs: int
    seat_advantage: Estimate | None = None  # rating points that seat 0 is worth
    draw_rate: Estimate | None = None  # share of draws between equals
    probability_above: dict[str, dict[str, float]] = {}
    notes: tuple[str, ...] = ()

    def row(self, entrant: str) -> RatingRow:
        return next(row for row in self.rows if row.entrant == entrant)
