"""`arena status EVENT`: how far an event is, and what the machine did to it."""

from pathlib import Path

import click
import msgspec
import numpy as np

from arena import formats, schedule
from arena.cli import console, event_options
from arena.record import departures, progress, recorded_config, recorded_entrants
from arena.store import Store


@click.command()
@event_options.event
@event_options.as_json
def command(event: Path, as_json: bool) -> None:
    """Say how far an EVENT is: rounds, games, faults, void games, delays by the host.

    \b
    Example:
      arena status results/quickstart
    """
    with event_options.open_event(event) as store:
        facts = status(store)
    if as_json:
        click.echo(msgspec.json.encode(facts))
    else:
        click.echo(console.table(list(facts.items()), ["", ""]).split("\n", 2)[2])


def status(store: Store) -> dict[str, object]:
    """The facts about an event as it stands, by name."""
    config = recorded_config(store)
    rounds = store.rounds()
    total = schedule.games_in_all(config, [entrant.id for entrant in recorded_entrants(store)])
    fixed = formats.load(config.format).FIXED
    delays = np.array(store.host_delays_ms() or [0.0])
    p50, p99, worst = (float(np.quantile(delays, q)) for q in (0.5, 0.99, 1.0))
    return {
        "event": config.event,
        "state": _state(store),
        "game": config.game,
        "format": config.format,
        "began": store.meta("began"),
        "ended": store.meta("ended"),
        "progress": progress(store, config).text,
        "rounds paired": len(rounds),
        "games played": store.game_count(),
        "games paired": sum(schedule.game_count(round_, config) for round_ in rounds),
        "games in all": "depends on the results" if total is None else total if fixed else f"at most {total}",
        "faults": sum(fault.count for fault in store.faults()),
        "no longer paired": "; ".join(departure.text for departure in departures(store, config)) or "nobody",
        "void tries": sum(len(reasons) for _, reasons in store.voids()),
        "longest host delay of a game": f"median {p50:.1f} ms, 99 % below {p99:.1f} ms, at most {worst:.1f} ms",
        "commitment": store.meta("commitment"),
        "root key": store.meta("root") or "revealed when the event ends",
        "changes accepted": len(msgspec.json.decode(store.meta("changes") or "[]")),
    }


def _state(store: Store) -> str:
    if store.meta("ended") is not None:
        return "ended"
    if (writer := store.writer) is not None:
        return f"running ({writer})"
    return "stopped; the command that began it goes on" if store.game_count() else "registered, no game played yet"
