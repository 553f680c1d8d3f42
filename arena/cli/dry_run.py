"""What `arena run --dry-run` prints: the schedule, and how much time and disk it will take."""

import random
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import click

from arena import config as configs
from arena import formats, games, schedule
from arena.chance import choice
from arena.cli import console
from arena.config import Config
from arena.formats import Field, Round
from arena.store import FILE, Store

START_S = 0.15  # two sandboxed bots in Python: start, handshake, end
PACKED_BYTES_PER_PLY = 80  # of a stored game, measured on the games that ship
SHOWN_PAIRINGS = 40


def print_plan(config: Config, folder: Path) -> None:
    """The rounds as far as they can be known, and the cost of the event, which is to stand in `folder`."""
    format_ = formats.load(config.format)
    field = Field(entrants=tuple(bot.id for bot in config.bots))
    if format_.FIXED:
        rounds: Sequence[Round] = formats.plan(format_, field, config.format_settings)
        total = sum(schedule.game_count(round_, config) for round_ in rounds)
        known = f"{len(rounds)} rounds, {total} games"
    else:
        first = format_.next_round(field, config.format_settings)
        rounds = () if first is None else (first,)
        count = format_.total_rounds(len(config.bots), config.format_settings)
        total = (count or 1) * sum(schedule.game_count(round_, config) for round_ in rounds)
        known = (
            f"{'about ' if count is None else ''}{count or '?'} rounds, up to {total} games; this is the first round"
        )
    click.echo(f"{config.event}: {config.game}, {config.format}, {len(config.bots)} bots: {known}")
    click.echo()
    rows = [
        [pairing.round, pairing.number, pairing.entrants[0], pairing.entrants[1] or "bye"]
        for round_ in rounds
        for pairing in round_.pairings
    ]
    click.echo(console.table(rows[:SHOWN_PAIRINGS], ["round", "pairing", "", ""], right=["round", "pairing"]))
    if len(rows) > SHOWN_PAIRINGS:
        click.echo(f"… and {len(rows) - SHOWN_PAIRINGS} more")
    click.echo()
    plies = typical_plies(config)
    workers = config.workers or configs.worker_count()
    move_s = config.limits.move_s or config.limits.bank_s / max(plies / 2, 1)
    least, most = (timedelta(seconds=round(total * s / workers)) for s in (START_S, START_S + plies * move_s))
    click.echo(f"{config.games_per_pairing} games a pairing, about {plies} plies a game, {workers} at a time.")
    click.echo(f"Time: from {least} (bots that do not think) to {most} (bots that use all of their time).")
    click.echo(f"Disk: about {max(1, round(total * plies * PACKED_BYTES_PER_PLY / 1e6))} MB.")
    if (folder / FILE).is_file():
        with Store(folder) as store:
            state = "has begun" if store.meta("ended") is None else "has ended"
            click.echo(f"The event {state}: {store.game_count()} games are finished ({folder}).")


def typical_plies(config: Config, *, tries: int = 5) -> int:
    """The mean length of a few random games."""
    game = games.load(config.game)
    rng = random.Random(0)  # noqa: S311 - an estimate
    plies = 0
    for _ in range(tries):
        state = game.initial(game.deal(rng, config.options), config.options)
        while game.seat_to_act(state) is not None:
            state = game.apply(state, choice(game.legal_actions(state), rng))
            plies += 1
    return max(1, plies // tries)
