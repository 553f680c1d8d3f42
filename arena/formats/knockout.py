"""Single elimination: who loses a match is out. Rules K1 to K7: docs/formats.md."""

import msgspec

from arena.formats import Field, Round, numbered
from arena.formats.history import histories
from arena.formats.scoring import Scoring
from arena.formats.seats import seated
from arena.model import PairingResult

NAME = "knockout"
FIXED = False


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`third_place`: whether those who lose the semi-finals meet. `replays`: how often a tied match is played again.

    If the last replay is tied, too, the better seed goes on.
    """

    third_place: bool = True
    replays: int = 2

    def __post_init__(self) -> None:
        if self.replays < 0:
            raise ValueError(f"replays: expected at least 0, found {self.replays}")


class _Match(msgspec.Struct, kw_only=True):
    """Two who meet, or who would if they were there. `None`: nobody came through to this place."""

    sides: tuple[str | None, str | None]  # the better seed of the bracket first
    ties: int = 0
    decided: bool = False
    winner: str | None = None
    note: str = ""

    @property
    def loser(self) -> str | None:
        return next((side for side in self.sides if side != self.winner), None)

    def decide(self, winner: str | None) -> None:
        self.decided, self.winner = True, winner


class _Bracket(msgspec.Struct, kw_only=True):
    """Where the event stands: `matches` of the current stage in the order of the bracket, `third` beside the final."""

    stage: int  # from 1
    matches: list[_Match]
    third: _Match | None = None
    reached: dict[str, int]  # three times the stage, plus what tells apart those who reached the same one
    notes: list[str] = []

    @property
    def open_matches(self) -> list[_Match]:
        third = [] if self.third is None else [self.third]
        return [match for match in (*self.matches, *third) if not match.decided]


def next_round(field: Field, settings: Settings) -> Round | None:
    """The matches of the next stage, or the replays of this one; None when the final is decided."""
    bracket = _replay(field, settings)
    past = histories(field, scoring(settings))
    pairs: list[tuple[str, str | None]] = []
    notes = list(bracket.notes)
    for match in bracket.open_matches:
        there = [side for side in match.sides if side is not None and side not in field.absent]
        if len(there) == 2:
            pairs.append(seated(past[there[0]], past[there[1]]))
            if match.ties:
                notes.append(f"{' and '.join(there)} were equal and play again: replay {match.ties}")
        elif there:
            pairs.append((there[0], None))
    return Round(pairings=numbered(len(field.rounds) + 1, pairs), notes=tuple(notes)) if pairs else None


def total_rounds(entrants: int, settings: Settings) -> int:  # noqa: ARG001
    """The stages; each replay adds a round."""
    return (entrants - 1).bit_length() if entrants > 1 else 0


def scoring(settings: Settings) -> Scoring:  # noqa: ARG001
    """Points are shown but decide nothing; a bye is worth nothing."""
    return Scoring()


def precedence(field: Field, settings: Settings) -> dict[str, int]:
    """By the stage that each has reached; the winner of the match for third place above its loser."""
    return _replay(field, settings).reached


def _first_stage(entrants: tuple[str, ...]) -> list[_Match]:
    """Seeds 1 and 2 can meet in the final only, 1 to 4 not before the semi-finals, and so on; byes go to the top."""
    order = [0]
    while len(order) < len(entrants):
        order = [seed for kept in order for seed in (kept, 2 * len(order) - 1 - kept)]
    sides = [entrants[seed] if seed < len(entrants) else None for seed in order]
    return [_Match(sides=(sides[k], sides[k + 1])) for k in range(0, len(sides) - 1, 2)]


def _replay(field: Field, settings: Settings) -> _Bracket:
    """The bracket after the finished rounds."""
    seeds = {entrant: seed for seed, entrant in enumerate(field.entrants)}
    bracket = _Bracket(stage=1, matches=_first_stage(field.entrants), reached=dict.fromkeys(field.entrants, 3 + 2))
    for results in field.rounds:
        bracket.notes = []
        by_sides = {frozenset(result.pairing.entrants) - {None}: result for result in results}
        # A round in which no open match is found belongs to a later stage: nobody was left to play these.
        while (open_matches := bracket.open_matches) and not any(_is_in(match, by_sides) for match in open_matches):
            _abandon(bracket, settings, seeds)
        for match in bracket.open_matches:
            _record(match, by_sides, settings, seeds, bracket.notes)
        _advance(bracket, settings, seeds)
    # Stages in which everybody left has withdrawn are played by nobody.
    while (open_matches := bracket.open_matches) and all(
        side is None or side in field.absent for match in open_matches for side in match.sides
    ):
        _abandon(bracket, settings, seeds)
    return bracket


def _is_in(match: _Match, by_sides: dict[frozenset[str | None], PairingResult]) -> bool:
    """Whether a round has a match, or the walkover of one of its sides."""
    sides = [side for side in match.sides if side is not None]
    return frozenset(sides) in by_sides or any(frozenset({side}) in by_sides for side in sides)


def _abandon(bracket: _Bracket, settings: Settings, seeds: dict[str, int]) -> None:
    """Decide a stage that nobody can play."""
    for match in bracket.open_matches:
        match.decide(None)
    _advance(bracket, settings, seeds)


def _record(
    match: _Match,
    by_sides: dict[frozenset[str | None], PairingResult],
    settings: Settings,
    seeds: dict[str, int],
    notes: list[str],
) -> None:
    sides = [side for side in match.sides if side is not None]
    result = by_sides.get(frozenset(sides))
    if result is None or result.pairing.is_bye:
        # A walkover: the pairing shows who was still there. No pairing at all: nobody was.
        match.decide(next((side for side in sides if frozenset({side}) in by_sides), None))
        return
    first, second = result.pairing.entrants
    assert second is not None
    mine, theirs = result.half_points
    if mine != theirs:
        match.decide(first if mine > theirs else second)
        return
    match.ties += 1
    if match.ties > settings.replays:
        better, other = sorted((first, second), key=lambda side: seeds[side])
        match.decide(better)
        notes.append(f"{better} goes on as the better seed: its match with {other} was equal")


def _advance(bracket: _Bracket, settings: Settings, seeds: dict[str, int]) -> None:
    """Go to the next stage if this one is decided."""
    if bracket.open_matches or not bracket.matches:
        return
    for match in bracket.matches:
        if match.loser is not None:
            bracket.reached[match.loser] = 3 * bracket.stage
        if match.winner is not None:
            bracket.reached[match.winner] = 3 * (bracket.stage + 1) + 2
    if bracket.third is not None and bracket.third.winner is not None:
        bracket.reached[bracket.third.winner] = 3 * (bracket.stage - 1) + 1
    winners, losers = [m.winner for m in bracket.matches], [m.loser for m in bracket.matches]
    bracket.third = _meet(losers, seeds) if settings.third_place and len(losers) == 2 and None not in losers else None
    bracket.matches = [_meet(winners[k : k + 2], seeds) for k in range(0, len(winners) - 1, 2)]
    bracket.stage += 1


def _meet(sides: list[str | None], seeds: dict[str, int]) -> _Match:
    first, second = sorted(sides, key=lambda side: len(seeds) if side is None else seeds[side])
    return _Match(sides=(first, second))
