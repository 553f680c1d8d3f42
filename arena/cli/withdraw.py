"""`arena withdraw EVENT BOT`: take a bot out of the rounds to come."""

from pathlib import Path

import click

from arena.cli import console, event_options
from arena.errors import UnknownNameError, UsageError
from arena.record import recorded_entrants
from arena.store import Store


@click.command()
@event_options.event
@click.argument("bot")
def command(event: Path, bot: str) -> None:
    """Take a BOT (its id) out of the rounds of an EVENT of which no game is finished yet.

    Stop the run first; the same `arena run` then goes on without the bot. What it played stays. The record says so.

    \b
    Example:
      arena withdraw results/swiss greedy-2
    """
    with event_options.open_event(event) as reader:
        folder = reader.folder
    with Store(folder, writable=True) as store:
        known = [entrant.id for entrant in recorded_entrants(store)]
        if bot not in known:
            raise UnknownNameError("entrant", bot, known)
        if store.meta("ended") is not None:
            raise UsageError(f"{folder}: this event has ended")
        if (before := store.withdrawals().get(bot)) is not None:
            raise UsageError(f"{bot} has withdrawn already, after round {before}")
        last = store.withdraw(bot)
    console.note(f"{bot} has withdrawn after round {last}; `arena run` goes on without it")
