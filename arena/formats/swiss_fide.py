"""Swiss by the book: the FIDE (Dutch) system, Handbook C.04.3 as valid from February 2026, computed by gacrux.

FIDE Dutch counts a match as won, drawn or lost, and knows rounds that it cannot pair (a rematch or a second bye would
be needed; article 1.9.3 leaves them to the arbiter). Such a round is paired as the format `swiss` would, and its note
says so. The library is an extra, imported when a round is paired.
"""

import importlib
from decimal import Decimal
from typing import Any

import msgspec

from arena.errors import UsageError
from arena.formats import Field, Round, numbered, swiss
from arena.formats.history import histories, ranked
from arena.formats.scoring import Bye, Scoring, match_points

NAME = "swiss-fide"
FIXED = False
_LETTER = ("L", "D", "W")  # of 0, 1 and 2 half points


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`rounds`: None is `swiss.default_rounds`. `bye`: what the pairing-allocated bye is worth."""

    rounds: int | None = None
    bye: Bye = "win"

    def __post_init__(self) -> None:
        if self.rounds is not None and self.rounds < 1:
            raise ValueError(f"rounds: expected at least 1, found {self.rounds}")


def next_round(field: Field, settings: Settings) -> Round | None:
    """The round of the book; of the matching, with a note, where the book has none.

    Raises UsageError if gacrux is not installed.
    """
    if len(field.rounds) >= total_rounds(len(field.entrants), settings) or len(field.present) < 2:
        return None
    try:
        dutch = importlib.import_module("gacrux.pairingdutch")
        exceptions = importlib.import_module("gacrux.gacruxexeptions")
    except ImportError as error:
        raise UsageError(
            "the format 'swiss-fide' needs gacrux: install arena-referee[swiss-fide], or use the format 'swiss'"
        ) from error
    round_number = len(field.rounds) + 1
    tournament = _tournament(field, settings)
    try:
        brackets = dutch.pairing_dutch(tournament, round_number, {"experimental": [], "verbose": 0}).compute_pairing(
            False
        )
    except exceptions.GacruxNoLegalPairing:
        return _by_matching(field, settings, round_number)
    return Round(pairings=numbered(round_number, _pairs(field, brackets)))


def total_rounds(entrants: int, settings: Settings) -> int:
    return swiss.total_rounds(entrants, swiss.Settings(rounds=settings.rounds))


def scoring(settings: Settings) -> Scoring:
    return Scoring(points="matches", bye=settings.bye, unplayed="count")


def precedence(field: Field, settings: Settings) -> dict[str, int]:  # noqa: ARG001
    """Points alone decide."""
    return {}


def _by_matching(field: Field, settings: Settings, round_number: int) -> Round:
    past = histories(field, scoring(settings))
    paired = swiss.pair(ranked([past[entrant] for entrant in field.present]), round_number)
    note = (
        f"round {round_number}: the FIDE rules allow no complete pairing (C.04.3, article 1.9.3); "
        "it was paired by the format 'swiss' instead"
    )
    return Round(pairings=paired.pairings, notes=(note, *paired.notes))


def _pairs(field: Field, brackets: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    """The pairs of all brackets in the order of the boards; competitor k is entrant k - 1, 0 is nobody."""
    pairs = sorted((pair for bracket in brackets for pair in bracket["pairs"]), key=lambda pair: pair["board"])
    return [(field.entrants[pair["w"] - 1], field.entrants[pair["b"] - 1] if pair["b"] else None) for pair in pairs]


def _tournament(field: Field, settings: Settings) -> dict[str, Any]:
    """The field as gacrux reads it: seat 0 is white, and the first seed has it in round 1."""
    number = {entrant: k for k, entrant in enumerate(field.entrants, start=1)}
    one, half, nothing = Decimal("1.0"), Decimal("0.5"), Decimal("0.0")
    bye = {"win": "W", "draw": "D", "none": "Z"}[settings.bye]
    games: list[dict[str, Any]] = []
    points = dict.fromkeys(field.entrants, nothing)
    for played, results in enumerate(field.rounds, start=1):
        for result in results:
            a, b = result.pairing.entrants
            halves = match_points(result, scoring(settings))
            points[a] += halves[0] * half
            white: dict[str, Any] = {"cid": number[a], "result": "P" if b is None else _LETTER[halves[0]]}
            black: dict[str, Any] = {"cid": 0, "result": None}
            if b is not None:
                points[b] += halves[1] * half
                black = {"cid": number[b], "result": _LETTER[halves[1]]}
            games.append(
                {
                    "id": len(games) + 1,
                    "round": played,
                    "white": white,
                    "black": black,
                    "played": b is not None,
                    "rated": b is not None,
                }
            )
    return {
        "tournamentNo": 1,
        "tournamentType": "Tournament",
        "ratingList": "",
        "numRounds": total_rounds(len(field.entrants), settings),
        "currentRound": len(field.rounds) + 1,
        "teamTournament": False,
        "rankOrder": ["PTS"],
        "topColor": "w",
        "teamSize": 0,
        "scoreSystem": {
            "game": {"W": one, "D": half, "L": nothing, "Z": nothing, "P": bye, "F": "W", "H": "D", "A": "D", "U": "Z"}
        },
        "accelerated": {"name": "", "values": []},
        "gameList": games,
        "matchList": [],
        "competitors": [
            {
                "cid": k,
                "profileId": 0,
                "present": entrant not in field.absent,
                "gamePoints": points[entrant],
                "orgrank": k,
                "rank": k,
                "rating": {"list": "", "rating": 0},
            }
            for entrant, k in number.items()
        ],
    }
