"""TRF, FIDE's report file for arbiters and their programs (TRF16, with the records of 2026 that readers want).

A round has one result for two players there, so that a pairing of several games counts as a match: 1, ½ or 0 for who
took more of it, whatever the event's own standings count. A match that its loser forfeited without an action in any
game is written as not played (`+`, `-`).
"""

from collections.abc import Iterable

import msgspec

from arena.errors import UsageError
from arena.export.event import Event, one_line, unique
from arena.model import GameResult

NAME_LENGTH = 33
MOST_PLAYERS = 9999


class Meeting(msgspec.Struct, frozen=True):
    """What a player did in a round; points in half points."""

    opponent: int  # start number; 0: none
    colour: str  # w, b, or - without an opponent
    code: str
    half_points: int

    def text(self) -> str:
        opponent = f"{self.opponent:4d}" if self.opponent else "0000"
        return f"{opponent} {self.colour} {self.code}"


ABSENT = Meeting(0, "-", "Z", 0)


def trf_text(event: Event) -> str:
    """The event as a TRF file. Raises UsageError where that form has no room for it."""
    if len(event.entrants) > MOST_PLAYERS:
        raise UsageError(f"TRF has room for {MOST_PLAYERS} players, not for {len(event.entrants)}")
    numbers = {entrant.id: number for number, entrant in enumerate(event.entrants, start=1)}
    meetings = _meetings(event, numbers)
    played = max((round_ for _, round_ in meetings), default=0)
    rounds = max(event.rounds or 0, played)
    shown = unique(one_line(entrant.name)[: NAME_LENGTH - 4] or "?" for entrant in event.entrants)
    points = {n: sum(meetings.get((n, r), ABSENT).half_points for r in range(1, played + 1)) for n in numbers.values()}
    if max(points.values(), default=0) >= 200:
        raise UsageError("TRF has room for 99.5 points, and somebody has more")
    places = event.places or _places(points, numbers)
    lines = [f"012 {one_line(event.name)}", f"062 {len(numbers)}", f"092 {one_line(event.game)}"]
    for entrant, name in zip(event.entrants, shown, strict=True):
        number = numbers[entrant.id]
        games = "  ".join(meetings.get((number, round_), ABSENT).text() for round_ in range(1, played + 1))
        head = f"001 {number:4d}      {name:33s} {'':4s} {'':3s} {'':11s} {'':10s} "
        lines.append(f"{head}{points[number] / 2:4.1f} {places[entrant.id]:4d}  {games}".rstrip())
    colour = _first_colour(meetings)
    lines += [f"152 {colour[0].upper()}", f"XXR {rounds}", f"XXC {colour}1"]
    return "\n".join(lines) + "\n"


def _first_colour(meetings: dict[tuple[int, int], Meeting]) -> str:
    """The colour of player 1 in round 1, or what it would have been: colours alternate down the first numbers."""
    for (number, round_), meeting in sorted(meetings.items()):
        if round_ == 1 and meeting.opponent:
            white = (meeting.colour == "w") == (number % 2 == 1)
            return "white" if white else "black"
    return "white"


def _places(points: dict[int, int], numbers: dict[str, int]) -> dict[str, int]:
    return {name: 1 + sum(other > points[number] for other in points.values()) for name, number in numbers.items()}


def _meetings(event: Event, numbers: dict[str, int]) -> dict[tuple[int, int], Meeting]:
    """By start number and round."""
    found: dict[tuple[int, int], Meeting] = {}
    matches: dict[tuple[int, int], list[GameResult]] = {}
    for game in event.games:
        matches.setdefault((game.round, game.pairing), []).append(game)
    for (round_, pairing), games in sorted(matches.items()):
        for entrant, meeting in _match(sorted(games, key=lambda game: game.number), numbers).items():
            if (numbers[entrant], round_) in found:
                raise UsageError(f"TRF has one opponent a round: {entrant!r} has more in round {round_} ({pairing})")
            found[numbers[entrant], round_] = meeting
    most = 2 * max((len(games) for games in matches.values()), default=1)
    for result in event.pairings:
        if result.pairing.is_bye:
            credit = result.half_points[0]
            code = "Z" if credit == 0 else "U" if 2 * credit > most else "H"
            where = numbers[result.pairing.entrants[0]], result.pairing.round
            found[where] = Meeting(0, "-", code, {"Z": 0, "H": 1, "U": 2}[code])
    return found


def _match(games: list[GameResult], numbers: dict[str, int]) -> dict[str, Meeting]:
    white, black = games[0].entrants
    took = {white: 0, black: 0}
    for game in games:
        for seat in (0, 1):
            took[game.entrants[seat]] += game.half_points[seat]
    unplayed = _forfeited_unplayed(games)
    found = {}
    for mine, theirs, colour in ((white, black, "w"), (black, white, "b")):
        half_points = 2 if took[mine] > took[theirs] else 1 if took[mine] == took[theirs] else 0
        code = ("-+" if unplayed else "0=1")[half_points // 2 if unplayed else half_points]
        found[mine] = Meeting(numbers[theirs], colour, code, half_points)
    return found


def _forfeited_unplayed(games: Iterable[GameResult]) -> bool:
    """Whether one side forfeited every game before any ply."""
    losers = {None if game.forfeit_by is None or game.plies else game.entrants[game.forfeit_by] for game in games}
    return len(losers) == 1 and None not in losers
