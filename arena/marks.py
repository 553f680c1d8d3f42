"""How games ended, a letter each: all that the tables of an event look at, however many games it has.

The mark of a game is what the pairing's first entrant made of it, who sits in seat 0 of leg 0 and in seat 1 of leg 1:

```
W D L    won, drawn, lost
w l      won, lost by a forfeit after the first ply
+ -      won, lost by a forfeit before any ply (the signs of tournament files)
0        lost by both: neither bot could start
.        not played yet
```
Marks stand in rows: two letters, the legs, for each of `DEALS` deals of one pairing. An event without the second leg
leaves every other place empty.
"""

from arena.errors import ArenaError
from arena.game import DRAW, LOSS, WIN
from arena.model import GameResult

NOT_PLAYED = "."
LEGS = 2
DEALS = 64  # in a row: so many that the rows are few, so few that to write one anew is cheap
EMPTY = NOT_PLAYED * LEGS * DEALS

Row = tuple[int, int, int]  # round, number of the pairing within it, first deal: a multiple of DEALS

_MARKS = {  # by half points of the pairing's first entrant and of the second, and which of them forfeited
    (WIN, LOSS, None): "W",
    (DRAW, DRAW, None): "D",
    (LOSS, WIN, None): "L",
    (LOSS, LOSS, None): "0",
    (WIN, LOSS, 1): "w",
    (LOSS, WIN, 0): "l",
}
_BEFORE_ANY_PLY = {"w": "+", "l": "-"}
_ALL = "".join([NOT_PLAYED, *_MARKS.values(), *_BEFORE_ANY_PLY.values()])


def mark(result: GameResult) -> str:
    """The letter of a finished game. Raises ArenaError for a result that is none of a game of two."""
    points = result.half_points if result.leg == 0 else result.half_points[::-1]
    found = _MARKS.get((*points, None if result.forfeit_by is None else result.forfeit_by ^ result.leg))
    if found is None:
        raise ArenaError(
            f"game {result.game_id}: half points {result.half_points}: expected (2, 0), (1, 1) or (0, 2); "
            "`arena check-game` finds what a game does wrong"
        )
    return found if result.plies else _BEFORE_ANY_PLY.get(found, found)


def is_row(text: str) -> bool:
    """Whether a text is a row of marks."""
    return len(text) == len(EMPTY) and not text.strip(_ALL)


def row_of(result: GameResult) -> Row:
    """The row that has the mark of a game."""
    return result.round, result.pairing, result.deal - result.deal % DEALS


def marked(row: str, result: GameResult) -> str:
    """The row of a game with its mark put in. Raises ArenaError where there is one already, or as `mark` does."""
    place = LEGS * (result.deal % DEALS) + result.leg
    if not 0 <= result.leg < LEGS or row[place] != NOT_PLAYED:
        raise ArenaError(f"game {result.number}: there is no place for another {result.game_id}")
    return row[:place] + mark(result) + row[place + 1 :]
