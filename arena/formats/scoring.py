"""What a pairing is worth: points by games or by matches, and the credit for a bye. Whole half points."""

from typing import Literal

import msgspec

from arena.game import DRAW, LOSS, WIN
from arena.model import Pairing, PairingResult

Points = Literal["games", "matches"]
Bye = Literal["win", "draw", "none"]

_CREDIT: dict[Bye, int] = {"win": WIN, "draw": DRAW, "none": LOSS}


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """`points`: "games" adds up the half points of all games; "matches" gives 2, 1 or 0 for the match as a whole.

    `bye`: what a bye is worth, as if the whole match were won or drawn, or nothing.
    """

    points: Points = "games"
    bye: Bye = "none"


def bye_result(pairing: Pairing, scoring: Scoring, *, games_per_pairing: int) -> PairingResult:
    """The result of a bye: credited as if each of the round's games had gone as `scoring.bye` says."""
    if not pairing.is_bye:
        raise ValueError(f"round {pairing.round}, pairing {pairing.number} is not a bye")
    return PairingResult(pairing=pairing, half_points=(games_per_pairing * _CREDIT[scoring.bye], 0), games=0)


def half_points(result: PairingResult, scoring: Scoring) -> tuple[int, int]:
    """What the two entrants get for a pairing in the unit of `scoring.points`; for a bye `(credit, 0)`."""
    if scoring.points == "games":
        return result.half_points
    if result.pairing.is_bye:
        return _CREDIT[scoring.bye], 0
    mine, theirs = result.half_points
    return (WIN, LOSS) if mine > theirs else (LOSS, WIN) if mine < theirs else (DRAW, DRAW)
