"""Tools for authors of games, and for Arena's own tests. Public: docs/adding-a-game.md."""

from arena.testing.check import check_game, check_leaks
from arena.testing.golden import check_golden, narrate, read_script, write_script
from arena.testing.report import CHECKS, Check, Report
from arena.testing.scripted import ScriptedBot
from arena.testing.stream import History, Stream, played, stream

__all__ = [
    "CHECKS",
    "Check",
    "History",
    "Report",
    "ScriptedBot",
    "Stream",
    "check_game",
    "check_golden",
    "check_leaks",
    "narrate",
    "played",
    "read_script",
    "stream",
    "write_script",
]
