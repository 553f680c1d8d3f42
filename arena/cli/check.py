"""`arena check BOT`: everything that a tournament will ask of a bot, step by step."""

import tempfile
from pathlib import Path

import click
import msgspec

from arena import check, roster, sandbox
from arena.bot import manifest
from arena.check import Report, Step
from arena.check_guest import memory_text
from arena.cli import completion, console, event_options
from arena.config import ConfigBot
from arena.errors import UsageError
from arena.model import Limits

SIGNS = {"passed": "ok", "failed": "FAILED", "noted": "note", "skipped": "-"}
DEFAULT_GAME = "hidden-leaders-duel"


@click.command()
@click.argument("bot", type=click.Path(path_type=Path))
@click.option(
    "--game",
    "names",
    multiple=True,
    shell_complete=completion.game_names,
    help=f"A game to check it in, as often as there are games; else those of its bot.yaml, else {DEFAULT_GAME}.",
)
@click.option(
    "--games", "count", type=click.IntRange(1, 1000), default=2, show_default=True, help="Games in each seat."
)
@event_options.move_s
@click.option(
    "--memory-mb",
    type=click.IntRange(16),
    default=Limits().memory_mb,
    show_default=True,
    help="Memory of all processes.",
)
@event_options.sandbox_mode
@event_options.as_json
def command(
    bot: Path, names: tuple[str, ...], count: int, move_s: float, memory_mb: int, sandbox_mode: str, as_json: bool
) -> None:
    """Put BOT through everything that a tournament will ask of it, and say in plain words what is wrong.

    It is built, started in the sandbox and plays whole games in both seats against an opponent that plays at random.
    Notes are no failures. Exit code 0 when every step passed, 1 when one failed.

    \b
    Example:
      arena check bots/random_bot.py
      arena check my-bot --game leaders --games 10 --move-s 0.5
    """
    if (problem := manifest.misplaced(bot)) is not None:
        raise UsageError(f"{bot}: {problem}")
    mode = sandbox.Mode(sandbox_mode)
    sandbox.require(mode)
    read = manifest.read(bot)
    wanted = names or read.games or (DEFAULT_GAME,)
    if not as_json:
        console.prose(f"{bot}: {', '.join(wanted)}, {move_s:g} s for each action, {memory_mb} MB, sandbox {mode}")
        click.echo()
    with tempfile.TemporaryDirectory(prefix="arena-") as scratch:
        Path(scratch).chmod(0o755)
        registered = ConfigBot(id=bot.resolve().stem, name=read.name, path=str(bot), location=bot.resolve())
        (ready,) = roster.contenders([registered], Path(scratch), mode=mode).values()
        report = check.check(
            msgspec.structs.replace(ready, entrant=read.name),
            wanted,
            limits=Limits(move_s=move_s, memory_mb=memory_mb),
            mode=mode,
            count=count,
            tell=(lambda _: None) if as_json else print_step,
        )
    if as_json:
        click.echo(msgspec.json.encode({**msgspec.to_builtins(report), "ok": report.ok}))
    else:
        print_end(report)
    if not report.ok:
        raise click.exceptions.Exit(1)


def print_step(step: Step) -> None:
    """A step as soon as it is done; what a failed one left on its streams below it."""
    print_hanging(f"{step.number:2}  {SIGNS[step.status]:6}  {step.name:8}  ", console.plain(step.text))
    for name in ("stdout", "stderr"):
        lines: tuple[str, ...] = getattr(step, name)
        if lines:
            click.echo(f"{'':12}last lines of {name}:")
            for line in lines:
                click.echo(f"{'':14}{console.plain(line)}")


def print_hanging(head: str, text: str) -> None:
    """A row of a table whose last cell is a sentence: on a terminal it is broken between words, below itself."""
    click.echo(head + console.filled(text, beside=len(head)).replace("\n", f"\n{'':{len(head)}}"))


def print_end(report: Report) -> None:
    """The figures and the verdict."""
    found = report.measured
    click.echo()
    if found.actions:
        off_turn = "" if found.off_turn_cpu is None else f", off-turn CPU {found.off_turn_cpu:.0%} of a core if let run"
        console.prose(
            f"start-up {found.startup_ms:.0f} ms; {found.actions} actions: p50 {found.action_p50_ms:.1f} ms, "
            f"p99 {found.action_p99_ms:.1f} ms; peak memory {memory_text(found.peak_memory_mb)}{off_turn}"
        )
    click.echo("passed" if report.ok else f"failed: {', '.join(report.failed)}")
