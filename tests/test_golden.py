"""Recorded games must still read the same. A file's folder names the game; its script stands above the rule."""

from pathlib import Path

import pytest

from arena import games
from arena.testing import check_golden

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*/*.txt")), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_recorded_game_reads_the_same(path: Path, update_golden: bool) -> None:
    check_golden(path, games.load(path.parent.name), update=update_golden)
