"""The table of an event: who stands where, and the arithmetic behind it. No float decides a place."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from arena.errors import UnknownNameError
from arena.formats.scoring import Scoring, match_points, points
from arena.game import DRAW, WIN
from arena.model import PairingResult
from arena.tiebreaks import Crosstable, Kind, Meeting, Reckoning, Term, find, fraction_text, meeting_text


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table. Wins, draws and losses count games; forfeits are among the losses.

    `faults` counts the games lost by a fault, those that neither bot could start included: both lost them.
    """

    place: int  # from 1; entrants whom nothing tells apart share it
    entrant: str
    half_points: int  # in the points that the format counts
    games: int
    wins: int
    draws: int
    losses: int
    faults: int
    byes: int
    precedence: int = 0  # where the format puts some above others whatever their points: rounds survived in a knockout
    tiebreaks: tuple[Reckoning, ...] = ()  # in the order of Standings.tiebreaks


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """The table, best first; among equals in seeding order."""

    rows: tuple[Row, ...]
    tiebreaks: tuple[str, ...] = ()
    crosstable: Crosstable

    def row(self, entrant: str) -> Row:
        """The row of `entrant`; raises UnknownNameError, which lists the others."""
        found = next((row for row in self.rows if row.entrant == entrant), None)
        if found is None:
            raise UnknownNameError("entrant", entrant, [row.entrant for row in self.rows])
        return found


def table(
    entrants: Sequence[str],
    results: Iterable[PairingResult],
    *,
    scoring: Scoring,
    tiebreaks: Sequence[str] = (),
    precedence: Mapping[str, int] | None = None,
) -> Standings:
    """The standings after these results.

    Args:
        entrants: ids in seeding order, which decides the order (never the place) of equals.
        results: every bye and every pairing with a finished game, in any order. While a round is being played, who has
            no result yet counts in the tie-breaks of a Swiss as absent in it.
        scoring: `format.scoring(settings)`.
        tiebreaks: names in `arena.tiebreaks.TIEBREAKS`, the first decides first; UnknownNameError for others.
        precedence: `format.precedence(field, settings)`; who is missing has 0.
    """
    results = list(results)
    cross = crosstable(entrants, results, scoring)
    above = precedence or {}
    tiers = _split([list(entrants)], {entrant: (above.get(entrant, 0), cross.points(entrant)) for entrant in entrants})
    reckonings: dict[str, list[Reckoning]] = {entrant: [] for entrant in entrants}
    for name in tiebreaks:
        tiebreak = find(name)
        for tier in tiers:
            for entrant in tier:
                reckonings[entrant].append(tiebreak(cross, entrant, tier))
        tiers = _split(tiers, {entrant: (found[-1].value,) for entrant, found in reckonings.items()})
    tallies = _tallies(entrants, results)
    rows: list[Row] = []
    for tier in tiers:
        place = len(rows) + 1
        rows += [
            _row(place, entrant, cross, tallies[entrant], above.get(entrant, 0), tuple(reckonings[entrant]))
            for entrant in tier
        ]
    return Standings(rows=tuple(rows), tiebreaks=tuple(tiebreaks), crosstable=cross)


def explain(standings: Standings, entrant: str) -> tuple[tuple[str, Reckoning], ...]:
    """Where the numbers in the row of `entrant` come from: points first, then each tie-break, line by line."""
    row = standings.row(entrant)
    terms = tuple(
        Term(text=meeting_text(meeting), value=meeting.half_points) for meeting in standings.crosstable.rows[entrant]
    )
    return (
        ("points", Reckoning(per_point=2, terms=terms)),
        *zip(standings.tiebreaks, row.tiebreaks, strict=True),
    )


def explain_text(standings: Standings, entrant: str) -> str:
    """`explain` for people: one line a term, one for each sum, and who shares the place."""
    row = standings.row(entrant)
    lines = [f"{entrant}: place {row.place}"]
    shared = [other.entrant for other in standings.rows if other.place == row.place and other.entrant != entrant]
    if shared:
        lines[0] += f", shared with {', '.join(shared)} (nothing tells them apart; listed in seeding order)"
    if row.precedence:
        lines.append(f"the format places before points are looked at: level {row.precedence}, the highest first")
    for title, reckoning in explain(standings, entrant):
        lines.append(f"{title}: {tiebreak_text(reckoning)}")
        lines += [f"    {tiebreak_text(reckoning, term.value):>6}  {term.text}" for term in reckoning.terms]
    return "\n".join(lines)


def tiebreak_text(reckoning: Reckoning, value: int | None = None) -> str:
    """The value of a tie-break, or of one of its terms, in points: "12½"."""
    return fraction_text(reckoning.value if value is None else value, reckoning.per_point)


def crosstable(entrants: Sequence[str], results: Sequence[PairingResult], scoring: Scoring) -> Crosstable:
    """What each entrant did in each round. Where unplayed rounds count, one without a pairing is an absence."""
    rounds = max((result.pairing.round for result in results), default=0)
    games_per_match = max((result.games for result in results), default=1)
    rows: dict[str, dict[int, Meeting]] = {entrant: {} for entrant in entrants}
    for result in results:
        for i, entrant in enumerate(result.pairing.entrants):
            if entrant is not None and not (result.pairing.is_bye and scoring.unplayed == "skip"):
                rows[entrant][result.pairing.round] = _meeting(result, i, scoring, games_per_match)
    return Crosstable(
        rows={
            entrant: tuple(row[number] for number in sorted(row))
            if scoring.unplayed == "skip"
            else tuple(row.get(number) or _absence(number) for number in range(1, rounds + 1))
            for entrant, row in rows.items()
        },
        rounds=rounds,
        draw=games_per_match if scoring.points == "games" else DRAW,
    )


def _meeting(result: PairingResult, i: int, scoring: Scoring, games_per_match: int) -> Meeting:
    pairing = result.pairing
    entrant, opponent = pairing.entrants[i], pairing.entrants[1 - i]
    assert entrant is not None
    matches = match_points(result, scoring)[i]
    kind: Kind = "bye" if opponent is None else "played"
    if scoring.unplayed == "count" and result.no_show is not None:
        kind = "forfeit-loss" if result.no_show == entrant else "forfeit-win"
    if scoring.points == "matches":
        wins = int(matches == WIN)
    elif opponent is None:
        wins = games_per_match if scoring.bye == "win" else 0
    else:
        wins = result.wins[i]
    return Meeting(
        round=pairing.round,
        opponent=opponent,
        kind=kind,
        half_points=points(result, scoring)[i],
        wins=wins,
        game_half_points=result.half_points[i],
        match_half_points=matches,
    )


def _absence(number: int) -> Meeting:
    return Meeting(round=number, opponent=None, kind="absent", half_points=0)


def _split(tiers: list[list[str]], keys: Mapping[str, tuple[int, ...]]) -> list[list[str]]:
    """Each tier cut into those with equal keys, highest key first; within a tier the order stays."""
    return [
        [entrant for entrant in tier if keys[entrant] == key]
        for tier in tiers
        for key in sorted({keys[entrant] for entrant in tier}, reverse=True)
    ]


class _Tally(msgspec.Struct, kw_only=True):
    """Sums over the pairings of an entrant."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    faults: int = 0
    byes: int = 0

    def add(self, result: PairingResult, i: int) -> None:
        self.games += result.games
        self.wins += result.wins[i]
        self.draws += result.half_points[i] - WIN * result.wins[i] if result.games else 0
        self.faults += result.forfeited[i]
        self.byes += result.pairing.is_bye


def _tallies(entrants: Sequence[str], results: Sequence[PairingResult]) -> dict[str, _Tally]:
    tallies = {entrant: _Tally() for entrant in entrants}
    for result in results:
        for i, entrant in enumerate(result.pairing.entrants):
            if entrant is not None:
                tallies[entrant].add(result, i)
    return tallies


def _row(
    place: int,
    entrant: str,
    cross: Crosstable,
    tally: _Tally,
    precedence: int,
    tiebreaks: tuple[Reckoning, ...],
) -> Row:
    return Row(
        place=place,
        entrant=entrant,
        half_points=cross.points(entrant),
        games=tally.games,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.games - tally.wins - tally.draws,
        faults=tally.faults,
        byes=tally.byes,
        precedence=precedence,
        tiebreaks=tiebreaks,
    )
