"""What the commands print with: aligned tables on stdout, progress on stderr."""

import shutil
import sys
import textwrap
import time
from collections.abc import Sequence
from typing import Any

import click
import msgspec
import tabulate

from arena.formats import Round
from arena.match import Played
from arena.store import Store
from arena.tiebreaks import half_points_text

tabulate.MIN_PADDING = 0  # two blanks between columns are enough: tables are to fit 80 of them


def table(rows: Sequence[Sequence[Any]], headers: Sequence[str], *, right: Sequence[str] = ()) -> str:
    """Rows as aligned text; the columns named in `right` are flushed right. Cells are printed as they are."""
    align = ["right" if header in right else "left" for header in headers]
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    return tabulate.tabulate(
        cells, headers=headers, tablefmt="simple", colalign=align if cells else None, disable_numparse=True
    )


def plain(text: str) -> str:
    """A line that a bot wrote, safe to print: no terminal codes, nothing that turns the direction of writing."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def filled(text: str, *, beside: int = 0) -> str:
    """Sentences broken between words at the width of a terminal, less the columns `beside` them."""
    width = shutil.get_terminal_size().columns - beside if sys.stdout.isatty() else 0
    return textwrap.fill(text, width, break_on_hyphens=False, break_long_words=False) if width > 20 else text


def prose(text: str) -> None:
    """Sentences on stdout, broken between words at the width of a terminal."""
    click.echo(filled(text))


def note(text: str) -> None:
    """A line for people, on stderr, so that stdout holds data alone."""
    click.echo(text, err=True)


class JsonLines:
    """An observer that prints one JSON object a line on stdout: what happened, numbered by `seq` from 1."""

    def __init__(self) -> None:
        self._seq = 0

    def say(self, what: str, **facts: Any) -> None:
        self._seq += 1
        click.echo(msgspec.json.encode({"seq": self._seq, "event": what, **facts}))

    def round_paired(self, round_: Round) -> None:
        self.say("round", pairings=round_.pairings, notes=round_.notes)

    def game_finished(self, played: Played, done: int, total: int | None) -> None:
        self.say("game", done=done, total=total, game_id=played.result.game_id, result=played.result)

    def stop(self) -> None:
        """Nothing is open."""


class Progress:
    """An observer of an event: a live table, a bar with rate and time left on a terminal, else a line now and then."""

    LINE_EVERY_S = 10.0
    SHOWN = 12  # rows of the live table

    def __init__(self, total: int | None, store: Store, *, quiet: bool = False) -> None:
        """`store`: what was played before counts in the table, too."""
        self._quiet = quiet
        self._began_s = self._first_at_s = self._told_s = time.monotonic()
        self._done = 0
        self._first: int | None = None
        self._tally = _tally(store)
        self._live = _LiveTable(total) if sys.stderr.isatty() and not quiet else None

    def round_paired(self, round_: Round) -> None:
        for text in round_.notes:
            note(f"round {round_.pairings[0].round}: {text}" if round_.pairings else text)

    def game_finished(self, played: Played, done: int, total: int | None) -> None:
        self._count(played)
        self._done = done
        if self._first is None:  # bots were built until now: the rate counts from the first game
            self._first, self._first_at_s = done - 1, time.monotonic()
        rate = max(done - self._first - 1, 0.5) / max(time.monotonic() - self._first_at_s, 0.1)
        if self._live is not None:
            self._live.show(sorted(self._tally.items(), key=lambda row: -row[1][0])[: self.SHOWN], done, total, rate)
        elif not self._quiet and time.monotonic() - self._told_s >= self.LINE_EVERY_S:
            self._told_s = time.monotonic()
            left = f", {(total - done) / rate:.0f} s left" if total else ""
            note(f"{done}{f' of {total}' if total else ''} games, {rate:.1f} games/s{left}")

    def stop(self) -> None:
        if self._live is not None:
            self._live.stop()
        if not self._quiet and self._first is not None:
            took_s = time.monotonic() - self._began_s
            played = self._done - self._first
            note(f"{played} games in {took_s:.1f} s ({played / max(took_s, 1e-9):.1f} games/s)")

    def _count(self, played: Played) -> None:
        result = played.result
        for seat, entrant in enumerate(result.entrants):
            row = self._tally.setdefault(entrant, [0, 0, 0])
            row[0] += result.half_points[seat]
            row[1] += 1
            row[2] += sum(fault.seat == seat for fault in result.faults)


def _tally(store: Store) -> dict[str, list[int]]:
    """Half points, games and faults of each entrant in the games so far."""
    found: dict[str, list[int]] = {}
    for result in (result for round_ in store.round_results() for result in round_ if result.games):
        for i, entrant in enumerate(result.pairing.entrants):
            row = found.setdefault(str(entrant), [0, 0, 0])
            row[0] += result.half_points[i]
            row[1] += result.games
    for fault in store.faults():
        found[fault.entrant][2] += fault.count
    return found


class Bar:
    """A bar on a terminal (stderr) while a command counts; nothing elsewhere. It is gone when all is counted."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar: Any = None

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def show(self, done: int, total: int) -> None:
        """So many are done, of so many."""
        if not sys.stderr.isatty():
            return
        if self._bar is None:
            self._bar = _bar(self._label, redirect_stdout=False)
            self._task = self._bar.add_task("", total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done)
        if done == total:
            self.__exit__()


def _bar(label: str, *more: Any, **settings: Any) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), *more, TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, **settings)


class _LiveTable:
    """A table above a bar, redrawn in place on a terminal (stderr)."""

    def __init__(self, total: int | None) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.progress import TextColumn

        self._bar = _bar("games", TextColumn("{task.fields[rate]}"))
        self._task = self._bar.add_task("games", total=total, rate="")
        self._live = Live(self._bar, console=Console(stderr=True), transient=True, refresh_per_second=4)
        self._live.start()

    def show(self, rows: Sequence[tuple[str, Sequence[int]]], done: int, total: int | None, rate: float) -> None:
        from rich.console import Group
        from rich.text import Text

        self._bar.update(self._task, completed=done, total=total, rate=f"{rate:.1f} games/s")
        cells = [[name, half_points_text(points), games, faults] for name, (points, games, faults) in rows]
        headers = ["bot", "game points", "games", "faults"]
        text = table(cells, headers, right=headers[1:])
        self._live.update(Group(Text(text), self._bar))

    def stop(self) -> None:
        self._live.stop()
