"""Tools for authors of games, and for Arena's own tests. Public: docs/adding-a-game.md."""

from arena.testing.golden import check_golden, narrate, read_script, write_script

__all__ = ["check_golden", "narrate", "read_script", "write_script"]
