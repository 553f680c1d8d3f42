"""`arena show GAME`: what happened in a finished game and why it ended as it did."""

import shlex
from pathlib import Path

import click
import msgspec

from arena import redact, replay
from arena.bot import manifest
from arena.cli import console, event_options
from arena.errors import UsageError
from arena.model import Fault
from arena.transcript import Transcript


@click.command()
@event_options.game
@click.option("--stderr", is_flag=True, help="Print also what the bots wrote to stderr.")
@click.option("--public", is_flag=True, help="Only what everybody may see: no notes, no stderr, nothing still secret.")
@click.option(
    "--seat", type=click.IntRange(0), help="With --public: for the author of this seat's bot, who may see its own."
)
@event_options.as_json
def command(game: str, stderr: bool, public: bool, seat: int | None, as_json: bool) -> None:
    """Show a finished GAME: plies, times, outcome, faults.

    GAME is EVENT/NUMBER or EVENT/ID, such as quickstart/3 or results/quickstart/r1p2d0g1; or the number or id alone
    where only one event below `results` has it.

    With --json: the complete transcript: game, options, deal, each message to and from each seat with its time,
    each action with its seat and whether it was forced, the outcome. With --public: the deal and the actions only
    when nobody is left to play that deal, no messages, and of a fault no more than its code; --seat keeps the notes,
    stderr and fault sentences of one seat.

    \b
    Example:
      arena show quickstart/3
      arena show r1p2d0g1 --json
    """
    if seat is not None and not public:
        raise UsageError("--seat goes with --public; `arena replay` shows a game with the eyes of a seat")
    store, number = event_options.open_game(game)
    with store:
        _, record = store.game(number)
        if public:
            record = redact.public(record, spent=redact.is_spent(store, number), own=seat)
    if as_json:
        click.echo(msgspec.json.encode(record if public else replay.complete(record)))
        return
    click.echo(game_text(record, number))
    if public and record.deal is None:
        click.echo("The deal and the actions are secret until every game of this round has been played.")
    for fault in record.faults:
        click.echo()
        click.echo(
            fault_text(record, fault, game=f"{store.folder}/{number}", played=played(store.folder, record, fault))
        )
    if stderr:
        for seat, known in enumerate(record.seats):
            click.echo(f"\nstderr of seat {seat} ({known.entrant}):")
            click.echo("\n".join(map(console.plain, known.stderr.splitlines())) or "(nothing)")


def game_text(record: Transcript, number: int) -> str:
    """A game as text for people."""
    lines = [f"game {number} ({record.game_id}): {record.game}, rules version {record.rules_version}"]
    for seat, known in enumerate(record.seats):
        usage = "" if known.cpu_s is None else f", {known.cpu_s:.2f} s CPU, {known.peak_memory_mb:.0f} MB"
        named = f", calls itself {console.plain(known.name)}" if known.name else ""
        lines.append(f"seat {seat}: {known.entrant}{named}{usage}")
    rows = [
        [
            action.ply,
            action.seat,
            msgspec.json.encode(action.action).decode(),
            "forced" if action.forced else "substituted" if action.substituted else f"{action.took_ms:.1f}",
            "" if action.host_delay_ms is None else f"{action.host_delay_ms:.1f}",
            console.plain(action.note or ""),
        ]
        for action in record.actions
    ]
    headers = ["ply", "seat", "action", "ms", "host ms", "note"]
    if rows:
        kept = [k for k in range(len(headers)) if k < 4 or any(row[k] for row in rows)]
        rows, headers = [[row[k] for k in kept] for row in rows], [headers[k] for k in kept]
        right = [header for header in headers if header not in ("action", "note")]
        lines += ["", console.table(rows, headers, right=right), ""]
    else:
        lines.append("no ply was played")
    outcome = record.outcome
    reason = outcome.reason + (f" ({outcome.code}) of seat {outcome.forfeit_by}" if outcome.code else "")
    lines.append(f"outcome: {' to '.join(str(p / 2) for p in outcome.half_points)} by {reason}")
    if outcome.details:
        lines.append(f"details: {msgspec.json.encode(outcome.details).decode()}")
    return "\n".join(lines)


def played(folder: Path, record: Transcript, fault: Fault) -> Path | None:
    """The bot as it played, in the event's folder, if it is there."""
    kept = folder / "bots" / record.seats[fault.seat].entrant
    if not kept.is_dir():
        return None
    if (kept / manifest.FILE).is_file():
        return kept
    return next(kept.glob("*.py"), None)


def fault_text(record: Transcript, fault: Fault, *, game: str, played: Path | None = None) -> str:
    """Everything an author needs to know about a breach, and the command that reproduces it.

    `played`: where the bot is, as it played.
    """
    where = "before the first request" if fault.ply is None else f"at ply {fault.ply}"
    why = f": {console.plain(fault.text)}" if fault.text else ""
    lines = [
        f"fault {fault.code} of seat {fault.seat} ({record.seats[fault.seat].entrant}) {where}{why}",
        f"  time: {fault.elapsed_ms} ms of {fault.limit_ms} ms",
    ]
    if fault.offending:
        lines.append(f"  line: {fault.offending}")
    if fault.stderr_tail:
        lines.append("  last lines of stderr:")
        lines += [f"    {console.plain(line)}" for line in fault.stderr_tail.splitlines()]
    again = ["arena", "feed", game, str(played or "BOT"), "--seat", str(fault.seat)]
    lines.append(f"  reproduce: {shlex.join(again)}")
    return "\n".join(lines)
