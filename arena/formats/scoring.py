"""What a pairing is worth: points by games or by matches, and the credit for a bye. Whole half points."""

from typing import Literal

import msgspec

from arena.game import DRAW, LOSS, WIN
from arena.model import Pairing, PairingResult

Points = Literal["games", "matches"]
Bye = Literal["win", "draw", "none"]

_CREDIT: dict[Bye, int] = {"win": WIN, "draw": DRAW, "none": LOSS}


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """How a format counts.

    `points`: "games" adds up the half points of all games; "matches" gives 2, 1 or 0 for the match as a whole.
    `bye`: what a bye is worth, as if the whole match were won or drawn, or nothing.
    `unplayed`: what tie-breaks make of rounds that were not played. "count": byes, absences and matches in which one
    side never acted count against a dummy opponent (FIDE C.07, article 16, for a Swiss). "skip": byes and absences
    are no rounds, and such a match is one like any other (article 15.2, for a round robin).
    """

    points: Points = "games"
    bye: Bye = "none"
    unplayed: Literal["count", "skip"] = "skip"


def bye_result(pairing: Pairing, scoring: Scoring, *, games_per_pairing: int) -> PairingResult:
    """The result of a bye: credited as if each of the round's games had gone as `scoring.bye` says."""
    if not pairing.is_bye:
        raise ValueError(f"round {pairing.round}, pairing {pairing.number} is not a bye")
    return PairingResult(pairing=pairing, half_points=(games_per_pairing * _CREDIT[scoring.bye], 0), games=0)


def match_result(pairing: Pairing, marks: str) -> PairingResult:
    """The result of a pairing from the marks of its games (`arena.marks`), in any order."""
    if pairing.is_bye:
        raise ValueError(f"round {pairing.round}, pairing {pairing.number} is a bye: it has no games")
    times = {letter: marks.count(letter) for letter in "WwDLl+-0"}
    wins = times["W"] + times["w"] + times["+"], times["L"] + times["l"] + times["-"]
    return PairingResult(
        pairing=pairing,
        half_points=(WIN * wins[0] + DRAW * times["D"], WIN * wins[1] + DRAW * times["D"]),
        games=sum(times.values()),
        wins=wins,
        forfeited=(times["l"] + times["-"] + times["0"], times["w"] + times["+"] + times["0"]),
        no_shows=(times["-"], times["+"]),
    )


def game_points(result: PairingResult) -> tuple[int, int]:
    """The half points of all games of a pairing; for a bye `(credit, 0)`."""
    return result.half_points


def match_points(result: PairingResult, scoring: Scoring) -> tuple[int, int]:
    """2, 1 or 0 half points for the match as a whole; for a bye `(credit, 0)`."""
    if result.pairing.is_bye:
        return _CREDIT[scoring.bye], 0
    mine, theirs = result.half_points
    return (WIN, LOSS) if mine > theirs else (LOSS, WIN) if mine < theirs else (DRAW, DRAW)


def points(result: PairingResult, scoring: Scoring) -> tuple[int, int]:
    """What the two entrants get for a pairing, in half points of the kind that the format counts."""
    return game_points(result) if scoring.points == "games" else match_points(result, scoring)
