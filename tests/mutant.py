"""A game with some of its names replaced, to see whether a check notices."""

from typing import Any


class Mutant:
    """`Mutant(game, view=…)` is the game with another `view`; everything else is the game's own."""

    def __init__(self, game: Any, **changes: Any) -> None:
        self._game = game
        self.__dict__ |= changes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)
