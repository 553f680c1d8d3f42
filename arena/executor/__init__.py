"""Where sittings are played: worker processes of this machine, or a cluster. Same function, same results."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from arena.match import Played, Sitting

Finished = list[tuple[int, list[Played]]]  # sittings that are over, each with its place in the input


class Executor(Protocol):
    """Plays sittings. Results come back in any order."""

    @property
    def slots(self) -> int:
        """How many sittings are played at a time."""

    def play(self, sittings: Iterable[Sitting], /) -> Iterator[Finished]:
        """Play all sittings; they are taken from the iterable as slots become free.

        What has come in since the last time is handed on at once, so that a slow disk is waited for less often.

        Raises HostFailure when a game cannot be played on this machine.
        """

    def close(self) -> None:
        """Stop at once; nothing of the workers and their bots is left."""
