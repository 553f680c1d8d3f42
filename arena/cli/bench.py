"""`arena bench [GAME]`: how fast this machine plays."""

import click
import msgspec

from arena import bench, games, sandbox
from arena import config as configs
from arena.bench import Speed
from arena.cli import completion, console, event_options


@click.command()
@click.argument("names", metavar="[GAME]…", nargs=-1, shell_complete=completion.game_names)
@click.option(
    "--seconds", type=click.FloatRange(0.1, 3600), default=3.0, show_default=True, help="For each figure of a game."
)
@event_options.workers
@event_options.sandbox_mode
@event_options.as_json
def command(names: tuple[str, ...], seconds: float, workers: int | None, sandbox_mode: str, as_json: bool) -> None:
    """Measure how fast this machine plays GAME (else every game), with bots in Python that do not think.

    \b
    rules          random plies a second of the rules alone, on one core
    fresh          games a second, both bots started for each game
    sitting        games a second, started once for many
    µs a ply       in a sitting, for each worker, the bots' part included
    referee's      of these: from a bot's answer to the next request, the rules included

    \b
    Example:
      arena bench hidden-leaders-duel
    """
    mode = sandbox.Mode(sandbox_mode)
    sandbox.require(mode)
    slots = workers or configs.worker_count()
    for name in names:
        games.load(name)
    pipe_us = bench.pipe_us()
    found = []
    for name in names or games.names():
        if not as_json:
            console.note(f"measuring {name}…")
        found.append(bench.speed(name, workers=slots, mode=mode, seconds=seconds))
    level = sandbox.survey().level if mode is not sandbox.Mode.OFF else "off"
    if as_json:
        click.echo(msgspec.json.encode({"sandbox": level, "workers": slots, "pipe_us": pipe_us, "games": found}))
        return
    click.echo(
        f"{slots} {'worker' if slots == 1 else 'workers'}, sandbox {level}; "
        f"a message to a bare process and back takes {pipe_us:.0f} µs\n"
    )
    click.echo(speeds_text(found))
    click.echo(f"\nLongest delay by this machine in a game: {max(one.longest_host_delay_ms for one in found):.1f} ms")


def speeds_text(found: list[Speed]) -> str:
    """A line a game, aligned."""
    headers = ["game", "rules", "plies/game", "fresh", "sitting", "µs a ply", "referee's"]
    rows = [
        [
            one.game,
            f"{one.rules_plies_per_s:,.0f}",
            f"{one.plies_per_game:.0f}",
            f"{one.fresh_games_per_s:.1f}",
            f"{one.sitting_games_per_s:.0f}",
            f"{one.ply_us:.0f}",
            f"{one.answer_to_request_us:.1f}",
        ]
        for one in found
    ]
    return console.table(rows, headers, right=headers[1:])
