"""`arena feed GAME BOT`: the exact bytes of a recorded game, sent again."""

import shlex
import tempfile
from pathlib import Path

import click
import msgspec

from arena import feed, roster, sandbox
from arena.bot import manifest
from arena.cli import console, event_options
from arena.config import ConfigBot
from arena.errors import UsageError
from arena.feed import Fed
from arena.record import recorded_entrants
from arena.store import Store
from arena.transcript import Transcript

STDERR_LINES = 10
SHOWN_CHARACTERS = 300  # of a request


@click.command()
@event_options.game
@click.argument("bot", type=click.Path(path_type=Path))
@click.option("--seat", type=click.IntRange(0), help="Whose messages to send; else those of the seat that forfeited.")
@click.option(
    "--patience-s",
    type=click.FloatRange(0.001),
    default=60.0,
    show_default=True,
    help="Wait this long for an answer; only one that was late in the record has its limit again.",
)
@event_options.sandbox_mode
@event_options.as_json
def command(game: str, bot: Path, seat: int | None, patience_s: float, sandbox_mode: str, as_json: bool) -> None:
    """Send BOT what a seat was sent in a recorded GAME, byte for byte, and compare its answers with the recorded ones.

    The first difference is shown: a bot that is not deterministic, or one that has been changed. A fault is
    reproduced, or said to be gone. The opponent is not needed. Exit code 0 when the bot does now what it did then,
    1 when it does not, be it that a fault is gone. GAME is as for `arena show`. A game of a sitting is fed to a fresh
    process, which has not played the games before it.

    \b
    Example:
      arena feed quickstart/3 bots/random_bot.py --seat 1
      arena feed quickstart/3 my_bot.py --sandbox off --patience-s 3600
    """
    store, number = event_options.open_game(game)
    with store:
        _, record = store.game(number)
        entrants = {entrant.id: entrant.sha256 for entrant in recorded_entrants(store)}
    if (problem := manifest.misplaced(bot)) is not None:
        raise UsageError(f"{bot}: {problem}")
    mode = sandbox.Mode(sandbox_mode)
    sandbox.require(mode)
    sha256 = manifest.sha256(manifest.read(bot))
    if seat is None:
        seat = chosen_seat(record, [entrants.get(known.entrant, "") for known in record.seats], sha256)
    with tempfile.TemporaryDirectory(prefix="arena-") as scratch:
        Path(scratch).chmod(0o755)
        name = bot.resolve().stem
        registered = ConfigBot(id=name, name=name, path=str(bot), location=bot.resolve())
        (ready,) = roster.contenders([registered], Path(scratch), mode=mode).values()
        fed = feed.feed(record, ready, seat, mode=mode, patience_s=patience_s)
    if as_json:
        click.echo(msgspec.json.encode({**msgspec.to_builtins(fed), "same": fed.same}))
    else:
        click.echo(text(fed, store, number, other_files=entrants.get(record.seats[seat].entrant) != sha256))
    if not fed.same:
        raise click.exceptions.Exit(1)


def chosen_seat(record: Transcript, hashes: list[str], sha256: str) -> int:
    """The seat that forfeited, else the one where these very files played. Raises UsageError when that is no answer."""
    if record.outcome.forfeit_by is not None:
        return record.outcome.forfeit_by
    if hashes.count(sha256) == 1:
        return hashes.index(sha256)
    raise UsageError("say whose messages to send: --seat 0 or --seat 1")


def text(fed: Fed, store: Store, number: int, *, other_files: bool) -> str:
    """What came of it, for people."""
    lines = [f"game {number} ({fed.game_id}) of {store.folder}, seat {fed.seat}"]
    if other_files:
        lines.append("These are not the files that played: a difference may come from the change.")
    same = fed.answers - (fed.difference is not None and fed.answers == fed.difference.answer)
    reworded = f", {fed.reworded} of them in other words (notes, names, spacing)" if fed.reworded else ""
    slowest = f"the slowest took {fed.slowest_ms:.1f} ms"
    lines.append(f"{fed.sent} messages sent, {same} answers as recorded{reworded}; {slowest}")
    if fed.difference is not None:
        lines += [
            f"first difference, answer {fed.difference.answer}:",
            f"  request:  {shown_request(fed.difference.request, f'{store.folder}/{number}')}",
            f"  recorded: {fed.difference.recorded}",
            f"  now:      {fed.difference.now}",
        ]
    lines.append(f"result: {fed.ending}")
    if (fed.difference is not None or fed.reproduced is not None) and fed.stderr:
        tail = fed.stderr.splitlines()[-STDERR_LINES:]
        lines += ["last lines of stderr:", *(f"  {console.plain(line)}" for line in tail)]
    return "\n".join(lines)


def shown_request(line: str, game: str) -> str:
    """A request, or its head and where the rest is."""
    if len(line) <= SHOWN_CHARACTERS:
        return line
    whole = shlex.join(["arena", "show", game, "--json"])
    return f"{line[:SHOWN_CHARACTERS]}… ({len(line)} characters; whole: {whole})"
