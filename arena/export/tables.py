"""Tables for spreadsheets (CSV) and for pages (Markdown)."""

import csv
import io
import re
from collections.abc import Sequence

from tabulate import tabulate

from arena.export.event import Event, in_order, one_line, score
from arena.model import GameResult
from arena.ratings.table import RatingTable

Cell = str | int | float | None
GAME_COLUMNS = (
    "number",
    "game_id",
    "round",
    "pairing",
    "deal",
    "leg",
    "seat_0",
    "seat_1",
    "result",
    "half_points_0",
    "half_points_1",
    "reason",
    "plies",
    "forfeit_by",
    "faults",
)
RATING_COLUMNS = (
    "group",
    "rank",
    "entrant",
    "rating",
    "ci95",
    "games",
    "pairs",
    "wins",
    "draws",
    "losses",
    "forfeits",
    "share",
    "note",
)
_FORMULA = re.compile(r"'*[=+\-@\t\r\n|%]")  # what a spreadsheet may take for a formula, apostrophes before it or not


def csv_text(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """RFC 4180, LF, a header line. A text that a spreadsheet might run as a formula gets an apostrophe before it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return out.getvalue()


def harmless(text: str) -> str:
    """The text, with an apostrophe before it where it might run as a formula. `original` undoes it."""
    return f"'{text}" if _FORMULA.match(text) else text


def original(text: str) -> str:
    """What `harmless` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def markdown_text(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """A table in the Markdown of GitHub; names cannot break it or carry markup."""
    numbers = [all(not isinstance(row[k], str) for row in rows) for k in range(len(columns))]
    return (
        tabulate(
            [[_escaped(cell) for cell in row] for row in rows],
            headers=[_escaped(column) for column in columns],
            tablefmt="pipe",
            disable_numparse=True,
            colalign=["right" if number else "left" for number in numbers] if rows else None,
        )
        + "\n"
    )


def _escaped(cell: Cell) -> str:
    if cell is None:
        return ""
    if not isinstance(cell, str):
        return str(cell)
    return re.sub(r"([\\`*_{}\[\]()<>#|~!&])", r"\\\1", one_line(cell))


def games_csv(event: Event) -> str:
    """One line a game, the deal's number included, so that pairs can be put together again."""
    return csv_text(GAME_COLUMNS, [_game(game) for game in in_order(event)])


def _game(game: GameResult) -> list[Cell]:
    return [
        game.number,
        game.game_id,
        game.round,
        game.pairing,
        game.deal,
        game.leg,
        *game.entrants,
        score(game),
        *game.half_points,
        game.reason,
        game.plies,
        None if game.forfeit_by is None else game.entrants[game.forfeit_by],
        " ".join(f"{fault.seat}:{fault.code}" for fault in game.faults),
    ]


def games_markdown(event: Event) -> str:
    """The games as a table to read."""
    columns = ("Game", "Deal", "Seat 0", "Seat 1", "Result", "Reason")
    games = in_order(event)
    rows: list[list[Cell]] = [[g.game_id, g.deal, *g.entrants, score(g), g.reason] for g in games]
    return markdown_text(columns, rows)


def ratings_csv(table: RatingTable) -> str:
    """The rating table in full precision; empty where there is no number."""
    return csv_text(RATING_COLUMNS, [[getattr(row, column) for column in RATING_COLUMNS] for row in table.rows])


def ratings_markdown(table: RatingTable) -> str:
    """The rating table to read, with all that one must know to quote it below."""
    rows: list[list[Cell]] = [
        [
            row.rank,
            row.entrant,
            None if row.rating is None or row.ci95 is None else f"{row.rating:.0f} ± {row.ci95:.0f}",
            row.games,
            f"{row.wins}/{row.draws}/{row.losses}",
            None if row.share is None else f"{100 * row.share:.1f} %",
            row.forfeits,
            *([row.group] if len(table.groups) > 1 else []),
            row.note,
        ]
        for row in table.rows
    ]
    group = ["Group"] if len(table.groups) > 1 else []
    columns = ["", "Bot", table.system, "Games", "W/D/L", "Score", "Faults", *group, "Note"]
    return markdown_text(columns, rows) + "\n" + "\n".join((table.header, *table.notes)) + "\n"
