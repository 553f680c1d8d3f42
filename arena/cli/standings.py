"""`arena standings EVENT`: the table, with ratings, or the arithmetic behind one line of it."""

import shlex
from collections.abc import Iterable
from pathlib import Path

import click
import msgspec

from arena import standings
from arena.cli import console, event_options
from arena.config import Config
from arena.errors import UnknownNameError
from arena.model import FaultCount
from arena.record import Tables, departures, faults_by_code, progress, recorded_config, standings_table, tables
from arena.store import Store
from arena.tiebreaks import ACRONYMS, half_points_text


@click.command()
@event_options.event
@click.option("--explain", metavar="BOT", help="Print the arithmetic behind one entrant's line.")
@event_options.as_json
def command(event: Path, explain: str | None, as_json: bool) -> None:
    """Print the table of an EVENT (its folder, or its name below `results`).

    \b
    Example:
      arena standings results/quickstart
      arena standings quickstart --explain greedy
    """
    with event_options.open_event(event) as store:
        if explain is not None:
            table = standings_table(store)
            known = [row.entrant for row in table.rows]
            if explain not in known:
                raise UnknownNameError("entrant", explain, known)
            click.echo(standings.explain_text(table, explain))
            for departure in departures(store, recorded_config(store)):
                if departure.entrant == explain:
                    click.echo(departure.text)
        elif as_json:
            click.echo(msgspec.json.encode(tables(store)))
        else:
            print_standings(store)


def print_standings(store: Store, *, kept: bool = True) -> None:
    """The table of an event with ratings, intervals and faults; where its record is `kept`, how to look into them."""
    config = recorded_config(store)
    found = tables(store)
    click.echo(f"{config.event}: {config.game}, {config.format}, {store.game_count()} games")
    if store.meta("ended") is None:
        how_far = progress(store, config)
        counted = "; matches count as they stand" if how_far.finished else ""
        console.prose(f"not finished: {how_far.text}{counted}")
    click.echo()
    click.echo(standings_text(config, found))
    click.echo()
    byes = ", ".join(f"{row.entrant} {row.byes}" for row in found.standings if row.byes)
    for line in (
        *([f"byes: {byes}"] if byes else []),
        *(departure.text for departure in departures(store, config)),
        found.ratings.header,
        *found.ratings.notes,
        *(faults_lines(store) if kept else ()),
    ):
        console.prose(line)


def faults_lines(store: Store) -> list[str]:
    """A line for each entrant with faults: how often each, and the command that shows the first."""
    faults = store.faults()
    first = {fault.entrant: fault.first for fault in reversed(faults)}
    return [
        f"{line}; the first: {shlex.join(['arena', 'show', f'{store.folder}/{first[entrant]}'])}"
        for entrant, line in faults_text(faults).items()
    ]


def faults_text(faults: Iterable[FaultCount]) -> dict[str, str]:
    """For each entrant with faults, how often each."""
    return {
        entrant: f"faults of {entrant}: {', '.join(f'{code} {count}' for code, count in codes.most_common())}"
        for entrant, codes in faults_by_code(faults).items()
    }


def standings_text(config: Config, found: Tables) -> str:
    """The rows as aligned text; tie-breaks only where some points are equal."""
    tied = len({row.half_points for row in found.standings}) < len(found.standings)
    breaks = config.tie_breaks if tied else ()
    headers = [
        "#",
        "bot",
        "points",
        *(ACRONYMS[name] for name in breaks),
        "games",
        "W",
        "D",
        "L",
        "faults",
        "Elo",
        "±95 %",
    ]
    rows = []
    for row in found.standings:
        elo = found.ratings.row(row.entrant)
        rows.append(
            [
                row.place,
                row.entrant,
                half_points_text(row.half_points),
                *(standings.tiebreak_text(reckoning) for reckoning in row.tiebreaks[: len(breaks)]),
                row.games,
                row.wins,
                row.draws,
                row.losses,
                found.faults.get(row.entrant, 0),
                "–" if elo.rating is None else f"{elo.rating:.0f}",
                "" if elo.ci95 is None else f"{elo.ci95:.0f}",
            ]
        )
    text = console.table(rows, headers, right=[header for header in headers if header != "bot"])
    legend = ", ".join(f"{ACRONYMS[name]} {name}" for name in breaks)
    return f"{text}\n\n{legend}" if breaks else text
