"""`arena replay GAME`: a finished game on the terminal, ply by ply, with anybody's eyes."""

import shlex
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import click
import msgspec

from arena import replay
from arena.cli import console, event_options
from arena.cli.wording import asked, outcome_lines, told
from arena.errors import UsageError
from arena.game import Game
from arena.report.replays import OPEN
from arena.transcript import Transcript

HELP = "Enter: on · b: back · a number: go to that position · 0, 1, s after v: whose eyes (v1) · e: end · q: quit"


@click.command(name="replay")
@event_options.game
@click.option(
    "--seat", "viewer", default="spectator", show_default=True, metavar="0|1|spectator", help="Whose eyes to look with."
)
@click.option(
    "--from",
    "first",
    type=click.IntRange(0),
    default=0,
    help="Begin before this ply; the number after the last one is the end.",
)
@click.option("--to", "last", type=click.IntRange(0), help="End after this ply; else at the end.")
def command(game: str, viewer: str, first: int, last: int | None) -> None:
    """Step through a finished GAME: the board, and what happened, as one seat or the spectator sees it.

    Plies count from 0. On a terminal Enter leads on; elsewhere everything is printed. GAME is as for `arena show`.

    \b
    Example:
      arena replay quickstart/3
      arena replay quickstart/3 --seat 1 --from 10 --to 12
    """
    store, number = event_options.open_game(game)
    with store:
        _, record = store.game(number)
        more = shlex.join(["arena", "show", f"{store.folder}/{number}"])
        film = Film(record, more=more, over=store.meta("root") is not None)
    end = len(film) - 1
    if first > end:
        plies = f"plies 0 to {end - 1}; --from {end} is the end" if end else "no plies"
        raise UsageError(f"--from {first}: the game has {plies}")
    if last is not None and first > last + 1:
        raise UsageError(f"--from {first}: it is after --to {last}")
    last = end if last is None else min(last + 1, end)
    eyes = seat_of(viewer, len(record.seats))
    click.echo(f"game {number} ({record.game_id}): {record.game}, {' against '.join(s.entrant for s in record.seats)}")
    if sys.stdin.isatty() and sys.stdout.isatty():
        step_through(film, eyes, first, last)
    else:
        for position in range(first, last + 1):
            click.echo(film.frame(position, eyes))


def seat_of(text: str, seats: int) -> int | None:
    """A seat, or None for the spectator. Raises UsageError."""
    if text in ("s", "spectator"):
        return None
    if text.isdecimal() and int(text) < seats:
        return int(text)
    raise UsageError(f"--seat {text}: expected {', '.join(map(str, range(seats)))} or spectator")


def step_through(film: "Film", eyes: int | None, first: int, last: int) -> None:
    """Show a position, ask what next."""
    position = first
    click.echo(HELP)
    while True:
        click.echo(film.frame(position, eyes))
        typed = click.prompt(f"[{position}/{last}]", prompt_suffix=" ", default="", show_default=False).strip()
        if typed == "q" or (typed in ("", "e") and position == last):
            return
        if typed == "":
            position += 1
        elif typed == "b":
            position = max(first, position - 1)
        elif typed == "e":
            position = last
        elif typed.isdecimal():
            position = max(first, min(int(typed), last))
        elif typed[:1] == "v":
            try:
                eyes = seat_of(typed[1:], film.seats)
            except UsageError as error:
                click.echo(str(error))
        else:
            click.echo(HELP)


class Film:
    """The positions of a game: number 0 is before ply 0, number n is after ply n - 1.

    `more` is the command that tells all about a fault. When the event is `over`, everybody may read what was wrong;
    until then only the seat that was told.
    """

    def __init__(self, record: Transcript, *, more: str, over: bool) -> None:
        self._record = record
        self._more = more
        self._over = over
        self._game, self._start = replay.setup(record)
        self._steps = list(replay.steps(record))
        self.seats = len(record.seats)

    def __len__(self) -> int:
        return len(self._steps) + 1

    def frame(self, position: int, eyes: int | None) -> str:
        """A position as text: what led to it, the board, and at the end the outcome."""
        return "\n".join(self._lines(self._game, position, eyes))

    def _lines(self, game: Game, position: int, eyes: int | None) -> Iterator[str]:
        state: Any = self._start
        events: list[Any] = []
        yield ""
        if position:
            step = self._steps[position - 1]
            state = step.after
            events = [game.to_json(event) for event in game.events(step.before, step.action, step.after, eyes)]
            yield self._head(position - 1, eyes)
            for event in events:
                yield textwrap.indent(told(game, event, eyes), "  ")
        else:
            yield "the start"
        yield ""
        yield game.render(game.view(state, eyes))
        if position == len(self._steps):
            yield ""
            yield from outcome_lines(msgspec.to_builtins(self._record.outcome), eyes, events)
            yield from self._faults(eyes)

    def _faults(self, eyes: int | None) -> Iterator[str]:
        for fault in self._record.faults:
            where = "before the first request" if fault.ply is None else f"when ply {fault.ply} was asked for"
            why = f": {console.plain(fault.text)}" if self._over or fault.seat == eyes else ""
            yield f"Fault of seat {fault.seat}, {fault.code}, {where}{why}"
        if self._record.faults:
            yield f"More about it: {self._more}"

    def _head(self, ply: int, eyes: int | None) -> str:
        """Who acted, what was done where the viewer may know it, and how long it took."""
        action = self._record.actions[ply]
        how = (
            "forced"
            if action.forced
            else "drawn by the referee"
            if action.substituted
            else f"{action.took_ms or 0.0:.1f} ms"
        )
        known = action.seat == eyes or self._game.NAME in OPEN
        what = f": {asked(self._game, action.action)}" if known else ""
        return f"ply {ply}: seat {action.seat} ({self._record.seats[action.seat].entrant}){what} ({how})"
