"""`arena ratings EVENT`: Elo with intervals, and how sure it is that one bot is above another."""

from pathlib import Path

import click
import msgspec

from arena.cli import console, event_options
from arena.ratings.table import Estimate, RatingTable
from arena.record import tables


@click.command()
@event_options.event
@click.option("--above", is_flag=True, help="Print also the probability that each bot is stronger than each other.")
@event_options.as_json
def command(event: Path, above: bool, as_json: bool) -> None:
    """Print the Elo ratings of an EVENT with 95 % intervals.

    \b
    Example:
      arena ratings results/quickstart --above
    """
    with event_options.open_event(event) as store:
        rating = tables(store).ratings
    if as_json:
        click.echo(msgspec.json.encode(rating))
        return
    click.echo(ratings_text(rating))
    if above:
        click.echo()
        click.echo(above_text(rating))
        click.echo()
        console.prose(
            "P(above), in per cent: how probable it is that the bot of the row is stronger than the column's."
        )
    click.echo()
    for line in (rating.header, *_estimates(rating), *rating.notes):
        console.prose(line)


def ratings_text(rating: RatingTable) -> str:
    """The rows as aligned text; their notes stand below, each once, under its number."""
    notes = list(dict.fromkeys(row.note for row in rating.rows if row.note))
    headers = ["#", "bot", "Elo", "±95 %", "games", "pairs", "W–D–L", "score", "forfeits"]
    rows = [
        [
            row.rank,
            f"{row.entrant} [{notes.index(row.note) + 1}]" if row.note else row.entrant,
            None if row.rating is None else f"{row.rating:.1f}",
            None if row.ci95 is None else f"{row.ci95:.1f}",
            row.games,
            row.pairs,
            f"{row.wins}–{row.draws}–{row.losses}",
            None if row.share is None else f"{row.share:.1%}",
            row.forfeits,
        ]
        for row in rating.rows
    ]
    text = console.table(rows, headers, right=[name for name in headers if name != "bot"])
    return "\n".join([text, *(f"[{number}] {note}" for number, note in enumerate(notes, start=1))])


def above_text(rating: RatingTable) -> str:
    """A square: the probability in per cent that the bot of the line is above the bot of the column."""
    names = [row.entrant for row in rating.rows]
    headers = ["P(above)", *names]
    rows = []
    for a in names:
        chances = [rating.probability_above.get(a, {}).get(b) for b in names]
        rows.append([a, *("" if chance is None else f"{100 * chance:.1f}" for chance in chances)])
    return console.table(rows, headers, right=names)


def _estimates(rating: RatingTable) -> list[str]:
    def text(estimate: Estimate, *, scale: float = 1, unit: str = "") -> str:
        low, high = scale * estimate.low, scale * estimate.high
        return f"{scale * estimate.value:.1f}{unit} (95 %: {low:.1f} to {high:.1f})"

    lines = []
    if rating.seat_advantage is not None:
        lines.append(f"Seat 0 is worth {text(rating.seat_advantage)} rating points.")
    if rating.draw_rate is not None:
        lines.append(f"Draws between equals: {text(rating.draw_rate, scale=100, unit=' %')}.")
    return lines
