"""`arena replay GAME`: a finished game on the terminal, ply by ply, with anybody's eyes."""

import sys
from collections.abc import Iterator
from typing import Any

import click
import msgspec

from arena import replay
from arena.cli import event_options
from arena.cli.wording import outcome_lines, told
from arena.errors import UsageError
from arena.game import Game
from arena.transcript import Transcript

HELP = "Enter: on · b: back · a number: go to that position · 0, 1, s after v: whose eyes (v1) · e: end · q: quit"


@click.command(name="replay")
@event_options.game
@click.option(
    "--seat", "viewer", default="spectator", show_default=True, metavar="0|1|spectator", help="Whose eyes to look with."
)
@click.option("--from", "first", type=click.IntRange(0), default=0, help="Begin before this ply.")
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
    film = Film(record)
    last = len(film) - 1 if last is None else min(last + 1, len(film) - 1)
    if first > last:
        raise UsageError(f"--from {first}: the game has plies 0 to {len(film) - 2}, and the last to show is {last - 1}")
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
    """The positions of a game: number 0 is before ply 0, number n is after ply n - 1."""

    def __init__(self, record: Transcript) -> None:
        self._record = record
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
        yield ""
        if position:
            step = self._steps[position - 1]
            state = step.after
            yield self._head(position - 1)
            for event in game.events(step.before, step.action, step.after, eyes):
                yield f"  {told(game, game.to_json(event), eyes)}"
        else:
            yield "the start"
        yield ""
        yield game.render(game.view(state, eyes))
        if position == len(self._steps):
            yield ""
            yield from outcome_lines(msgspec.to_builtins(self._record.outcome), eyes)

    def _head(self, ply: int) -> str:
        action = self._record.actions[ply]
        how = (
            "forced"
            if action.forced
            else "drawn by the referee"
            if action.substituted
            else f"{action.took_ms or 0.0:.1f} ms"
        )
        return f"ply {ply}: seat {action.seat} ({self._record.seats[action.seat].entrant}), {how}"
