"""Tie-breaks: one function each, named as the handbook names it. To add one: docs/formats.md, "Tie-breaks".

Source of all of them: FIDE Handbook C.07, Tie-Break Regulations, in the edition valid from March 2026; the numbers in
the docstrings are its articles. What is new here: a round is a match of any number of games, so that "points" are
those that the format counts (by games or by matches), and a drawn round is worth `Crosstable.draw`.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from arena.errors import UnknownNameError

Kind = Literal["played", "bye", "forfeit-win", "forfeit-loss", "absent"]


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """What one entrant did in one round. Points in half points.

    `kind` sorts unplayed rounds as article 16.2 does: "bye" is given by the pairing, "forfeit-win" and
    "forfeit-loss" name an opponent and a match in which one side never acted, "absent" is a round without a pairing.
    """

    round: int
    opponent: str | None
    kind: Kind
    half_points: int  # in the points that the format counts
    wins: int = 0  # games won, or matches won if the format counts matches; a bye worth a win counts
    game_half_points: int = 0
    match_half_points: int = 0

    @property
    def voluntary(self) -> bool:
        """A voluntarily unplayed round (16.1.2): not there, or not on move when it was."""
        return self.kind in ("absent", "forfeit-loss")


class Crosstable(msgspec.Struct, frozen=True, kw_only=True):
    """Every entrant's rounds in order, each entrant with one for every round.

    `rounds` is their number, `draw` what a drawn round is worth, in half points.
    """

    rows: dict[str, tuple[Meeting, ...]]
    rounds: int
    draw: int = 1

    def points(self, entrant: str) -> int:
        return sum(meeting.half_points for meeting in self.rows[entrant])

    def adjusted(self, entrant: str) -> int:
        """The points of `entrant` as its opponents count them (16.3): absences at the end are draws."""
        row = self.rows[entrant]
        there = [i for i, meeting in enumerate(row) if not meeting.voluntary]
        last = there[-1] if there else -1
        return sum(
            self.draw if meeting.kind == "absent" and i > last else meeting.half_points for i, meeting in enumerate(row)
        )

    def opposition(self, entrant: str, meeting: Meeting) -> int:
        """What a round counts as its opponent's points: the adjusted ones, or a dummy's for an unplayed round.

        The dummy has the entrant's own points (16.4), but at most those of the opponent who was to be met (16.4.1),
        or of one who drew every round (16.4.2).
        """
        if meeting.opponent is not None and meeting.kind == "played":
            return self.adjusted(meeting.opponent)
        bound = self.adjusted(meeting.opponent) if meeting.opponent is not None else self.draw * self.rounds
        return min(self.points(entrant), bound)


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the arithmetic; `value` in the unit of its reckoning."""

    text: str
    value: int


class Reckoning(msgspec.Struct, frozen=True, kw_only=True):
    """The value of a tie-break, the sum of its terms. Higher is better; `value / per_point` is the number in points."""

    per_point: int  # 2: half points, 4: quarter points, 1: a count
    terms: tuple[Term, ...] = ()

    @property
    def value(self) -> int:
        return sum(term.value for term in self.terms)


Tiebreak = Callable[[Crosstable, str, Sequence[str]], Reckoning]


def buchholz(table: Crosstable, entrant: str, tied: Sequence[str]) -> Reckoning:  # noqa: ARG001
    """The sum of the opponents' points (8.1)."""
    return Reckoning(per_point=2, terms=tuple(_opposition_terms(table, entrant)))


def buchholz_cut_1(table: Crosstable, entrant: str, tied: Sequence[str]) -> Reckoning:  # noqa: ARG001
    """Buchholz without the weakest opponent (14.1.1), of voluntarily unplayed rounds if there are any (16.5.1)."""
    row = table.rows[entrant]
    terms = list(_opposition_terms(table, entrant))
    if len(terms) > 1:
        candidates = [i for i, meeting in enumerate(row) if meeting.voluntary] or range(len(row))
        cut = min(candidates, key=lambda i: terms[i].value)
        terms.append(Term(text=f"cut: round {row[cut].round}", value=-terms[cut].value))
    return Reckoning(per_point=2, terms=tuple(terms))


def sonneborn_berger(table: Crosstable, entrant: str, tied: Sequence[str]) -> Reckoning:  # noqa: ARG001
    """The sum of the opponents' points times what was taken from each (9.1), in quarter points."""
    terms = (
        Term(
            text=f"{opposed.text}, × {half_points_text(meeting.half_points)}",
            value=opposed.value * meeting.half_points,
        )
        for meeting, opposed in zip(table.rows[entrant], _opposition_terms(table, entrant), strict=True)
    )
    return Reckoning(per_point=4, terms=tuple(terms))


def wins(table: Crosstable, entrant: str, tied: Sequence[str]) -> Reckoning:  # noqa: ARG001
    """Games won (matches, if the format counts matches), byes worth a win included (7.1)."""
    row = table.rows[entrant]
    return Reckoning(per_point=1, terms=tuple(Term(text=meeting_text(meeting), value=meeting.wins) for meeting in row))


def progressive(table: Crosstable, entrant: str, tied: Sequence[str]) -> Reckoning:  # noqa: ARG001
    """The sum of the points after each round (7.5): early points count oftener."""
    terms, total = [], 0
    for meeting in table.rows[entrant]:
        total += meeting.half_points
        terms.append(Term(text=f"after round {meeting.round}", value=total))
    return Reckoning(per_point=2, terms=tuple(terms))


def game_points(table: Crosstable, entrant: str, tied: Sequence[str]) -> Reckoning:  # noqa: ARG001
    """The points by games, where the format counts matches (11)."""
    row = table.rows[entrant]
    terms = tuple(Term(text=meeting_text(meeting), value=meeting.game_half_points) for meeting in row)
    return Reckoning(per_point=2, terms=terms)


def match_points(table: Crosstable, entrant: str, tied: Sequence[str]) -> Reckoning:  # noqa: ARG001
    """The points by matches, where the format counts games (11)."""
    row = table.rows[entrant]
    terms = tuple(Term(text=meeting_text(meeting), value=meeting.match_half_points) for meeting in row)
    return Reckoning(per_point=2, terms=terms)


def direct_encounter(table: Crosstable, entrant: str, tied: Sequence[str]) -> Reckoning:
    """How many of the tied are below `entrant` by the matches among the tied alone (6).

    If all of them have met, the points of these matches decide, and again among those who are still equal (6.2). If
    not, only who is first whatever the missing matches might bring is put first, and so on (6.3). Several matches of
    a pair count by their mean (6.1.2); unplayed ones do not count (6.1.1).
    """
    tiers = encounter_tiers(table, tied)
    mine = next(i for i, tier in enumerate(tiers) if entrant in tier)
    below = [other for tier in tiers[mine + 1 :] for other in tier]
    return Reckoning(
        per_point=1,
        terms=tuple(Term(text=f"above {other}: {_encounters(table, entrant, tied)}", value=1) for other in below),
    )


TIEBREAKS: dict[str, Tiebreak] = {
    "buchholz": buchholz,
    "buchholz_cut_1": buchholz_cut_1,
    "direct_encounter": direct_encounter,
    "game_points": game_points,
    "match_points": match_points,
    "progressive": progressive,
    "sonneborn_berger": sonneborn_berger,
    "wins": wins,
}

# How each is written at the head of a table: the handbook's acronyms.
ACRONYMS: dict[str, str] = {
    "buchholz": "BH",
    "buchholz_cut_1": "BH-C1",
    "direct_encounter": "DE",
    "game_points": "GP",
    "match_points": "MP",
    "progressive": "PS",
    "sonneborn_berger": "SB",
    "wins": "WIN",
}


def find(name: str) -> Tiebreak:
    """The tie-break called `name`; raises UnknownNameError, which lists the known ones."""
    if name not in TIEBREAKS:
        raise UnknownNameError("tie-break", name, list(TIEBREAKS))
    return TIEBREAKS[name]


def half_points_text(half_points: int) -> str:
    """Half points as people write them: 3 is "1½", 0 is "0", -1 is "-½"."""
    return fraction_text(half_points, 2)


def fraction_text(value: int, per_point: int) -> str:
    """`value / per_point` with a vulgar fraction: quarters, halves and whole numbers, exactly."""
    whole, rest = divmod(abs(value), per_point)
    part = {0: "", 1: "¼", 2: "½", 3: "¾"}[rest * 4 // per_point]
    return ("-" if value < 0 else "") + (part if part and not whole else f"{whole}{part}")


def encounter_tiers(table: Crosstable, tied: Sequence[str]) -> list[list[str]]:
    """The tied in order, best first; those whom their encounters leave equal share a tier."""
    scores, missing = _encounter_scores(table, tied)
    if not any(missing.values()):
        levels = [[e for e in tied if scores[e] == score] for score in sorted(set(scores.values()), reverse=True)]
        if len(levels) == 1:
            return levels
        return [tier for level in levels for tier in encounter_tiers(table, level)]
    for first in tied:
        rest = [entrant for entrant in tied if entrant != first]
        if all(scores[first] > scores[other] + 2 * table.draw * missing[other] for other in rest):
            return [[first], *encounter_tiers(table, rest)]
    return [list(tied)]


def _encounter_scores(table: Crosstable, tied: Iterable[str]) -> tuple[dict[str, Fraction], dict[str, int]]:
    """What each of the tied took from the others, and how many of them it did not meet."""
    group = list(tied)
    scores, missing = dict.fromkeys(group, Fraction(0)), dict.fromkeys(group, 0)
    for entrant in group:
        for other in group:
            if other == entrant:
                continue
            took = [m.half_points for m in table.rows[entrant] if m.opponent == other and m.kind == "played"]
            if took:
                scores[entrant] += Fraction(sum(took), len(took))
            else:
                missing[entrant] += 1
    return scores, missing


def _encounters(table: Crosstable, entrant: str, tied: Sequence[str]) -> str:
    took = [
        f"{half_points_text(meeting.half_points)} from {meeting.opponent}"
        for meeting in table.rows[entrant]
        if meeting.opponent in tied and meeting.kind == "played"
    ]
    return ", ".join(took) or "no encounter"


def _opposition_terms(table: Crosstable, entrant: str) -> Iterable[Term]:
    for meeting in table.rows[entrant]:
        counted = table.opposition(entrant, meeting)
        yield Term(text=f"{meeting_text(meeting)} counts {half_points_text(counted)}", value=counted)


def meeting_text(meeting: Meeting) -> str:
    """A round in words: "round 3, bob"."""
    what = {
        "played": f"{meeting.opponent}",
        "bye": "bye",
        "forfeit-win": f"{meeting.opponent} never acted",
        "forfeit-loss": f"never acted against {meeting.opponent}",
        "absent": "absent",
    }[meeting.kind]
    return f"round {meeting.round}, {what}"
