"""`arena export EVENT`: results for other programs."""

from pathlib import Path

import click

from arena.cli import console, event_options
from arena.export import EXPORTS, find
from arena.export.event import Event
from arena.record import finished_rounds, recorded_config, recorded_entrants, standings_table
from arena.store import Store


@click.command()
@event_options.event
@click.option(
    "--format",
    "format_",
    type=click.Choice(sorted(EXPORTS)),
    default="csv",
    show_default=True,
    help="What to write.",
)
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file, not stdout.")
def command(event: Path, format_: str, output: Path | None) -> None:
    """Write the results of an EVENT for other programs.

    csv, json and jsonl hold one game a row; markdown is for web pages; pgn is read by Ordo and BayesElo; trf is FIDE's
    report file for arbiters.

    \b
    Example:
      arena export results/quickstart --format pgn -o quickstart.pgn
    """
    with event_options.open_event(event) as store:
        text = find(format_)(exported(store))
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
    else:
        output.write_text(text, encoding="utf-8")
        console.note(f"wrote {output}")


def exported(store: Store) -> Event:
    """An event's record in the shape that the exports take."""
    config = recorded_config(store)
    rounds = finished_rounds(store, config)
    return Event(
        name=config.event,
        game=config.game,
        entrants=recorded_entrants(store),
        games=tuple(store.results()),
        pairings=tuple(result for round_ in rounds for result in round_),
        places={row.entrant: row.place for row in standings_table(store).rows},
        rounds=len(rounds),
    )
