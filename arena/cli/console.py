"""What the commands print with: aligned tables on stdout, progress on stderr."""

import sys
import time
from collections.abc import Sequence
from typing import Any

import click
from tabulate import tabulate

from arena.formats import Round
from arena.match import Played


def table(rows: Sequence[Sequence[Any]], headers: Sequence[str], *, right: Sequence[str] = ()) -> str:
    """Rows as aligned text; the columns named in `right` are flushed right. Cells are printed as they are."""
    align = ["right" if header in right else "left" for header in headers]
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    return tabulate(cells, headers=headers, tablefmt="simple", colalign=align if cells else None, disable_numparse=True)


def note(text: str) -> None:
    """A line for people, on stderr, so that stdout holds data alone."""
    click.echo(text, err=True)


class Progress:
    """An observer of an event: a bar with rate and time left on a terminal, a line now and then elsewhere."""

    LINE_EVERY_S = 10.0

    def __init__(self, total: int | None, *, quiet: bool = False) -> None:
        self._total = total
        self._quiet = quiet
        self._began_s = self._told_s = time.monotonic()
        self._done = 0
        self._first: int | None = None
        self._bar: Any = None
        self._task: Any = None
        if sys.stderr.isatty() and not quiet:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task("games", total=total, rate="")
            self._bar.start()

    def round_paired(self, round_: Round) -> None:
        for text in round_.notes:
            note(f"round {round_.pairings[0].round}: {text}" if round_.pairings else text)

    def game_finished(self, played: Played, done: int, total: int | None) -> None:
        del played
        self._done = done
        self._first = done - 1 if self._first is None else self._first
        rate = (done - self._first) / max(time.monotonic() - self._began_s, 1e-9)
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=total, rate=f"{rate:.1f} games/s")
        elif not self._quiet and time.monotonic() - self._told_s >= self.LINE_EVERY_S:
            self._told_s = time.monotonic()
            left = f", {(total - done) / rate:.0f} s left" if total else ""
            note(f"{done}{f' of {total}' if total else ''} games, {rate:.1f} games/s{left}")

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()
        if not self._quiet and self._first is not None:
            took_s = time.monotonic() - self._began_s
            played = self._done - self._first
            note(f"{played} games in {took_s:.1f} s ({played / max(took_s, 1e-9):.1f} games/s)")
