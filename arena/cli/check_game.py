"""`arena check-game NAME`: the contract of a game, and the search for leaks."""

import json
import shlex
import sys

import click
import msgspec

from arena import games
from arena.cli import completion, console
from arena.errors import UsageError
from arena.testing import CHECKS, Report, check_game

BESIDE = 40  # columns left of what a check says
SIGNS = {"passed": "ok", "failed": "FAILED", "skipped": "not checked"}


@click.command()
@click.argument("name", metavar="GAME", shell_complete=completion.game_names)
@click.option("--games", "count", type=click.IntRange(1), default=20, show_default=True, help="Random games to play.")
@click.option("--seed", type=int, default=0, show_default=True, help="Other games for another seed.")
@click.option("--options", "options_json", metavar="JSON", help="The game's options; else its defaults.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(name: str, count: int, seed: int, options_json: str | None, *, as_json: bool) -> None:
    """Play random games of GAME and check everything that its author promises.

    Every function is pure and deterministic, legal actions have one order, everything survives JSON; and no byte that
    a seat or the spectator receives depends on what it must not know. A leak is printed as two short histories side by
    side. Exit code 1 when a check fails.

    \b
    Example:
      arena check-game hidden-leaders-duel
      arena check-game kuhn-poker --games 200 --seed 1
    """
    game = games.load(name)
    options = None if options_json is None else _options(name, options_json)
    if sys.stderr.isatty() and not as_json:
        console.note(f"playing {count} games of {name}, each with twins for every viewer…")
    report = check_game(game, games=count, seed=seed, options=options)
    if as_json:
        click.echo(json.dumps({**msgspec.to_builtins(report), "ok": report.ok}, indent=2, ensure_ascii=False))
    else:
        _print(report, options_json)
    if not report.ok:
        raise click.exceptions.Exit(1)


def _options(name: str, text: str) -> object:
    game = games.load(name)
    try:
        return game.from_json(json.loads(text), game.Options)
    except ValueError as error:  # both json and msgspec raise kinds of it
        raise UsageError(f"--options: {error}; found {text}") from error


def _print(report: Report, options_json: str | None) -> None:
    rows = [
        (check.name, SIGNS[check.status], check.cases, console.filled(CHECKS[check.name], beside=BESIDE))
        for check in report.checks
    ]
    click.echo(console.table(rows, ["check", "", "cases", "what it says"], right=["cases"]))
    for check in report.checks:
        if check.status != "passed":
            times = f" ({check.failures} of {check.cases} cases)" if check.failures > 1 else ""
            click.echo()
            for line in f"{check.name}{times}: {check.text}".splitlines():
                console.prose(line)
    if report.open_fields:
        click.echo("\nNever varied by redeal, because the viewer knows it (read this once):")
        for viewer, fields in report.open_fields.items():
            console.prose(f"  {viewer}: {', '.join(fields) or 'nothing of the deal'}")
    verdict = "No check failed" if report.ok else f"Failed: {', '.join(report.failed)}"
    proved = f"; not checked: {', '.join(report.skipped)}" if report.skipped else ""
    played = f"{report.games} games, {report.plies} plies." if report.games else "No game was played."
    click.echo()
    console.prose(f"{verdict}{proved}. {played}")
    if report.games:
        again = f"arena check-game {report.game} --games {report.games} --seed {report.seed}"
        options = "" if options_json is None else f" --options {shlex.quote(options_json)}"
        click.echo(f"Again: {again}{options}")
