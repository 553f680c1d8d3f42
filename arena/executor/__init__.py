"""Where sittings are played: worker processes of this machine, or a cluster. Same function, same results."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from arena.match import Played, Sitting


class Executor(Protocol):
    """Plays sittings. Results come back in any order, each with the place of its sitting in the input."""

    @property
    def slots(self) -> int:
        """How many sittings are played at a time."""

    def play(self, sittings: Iterable[Sitting], /) -> Iterator[tuple[int, list[Played]]]:
        """Play all sittings; they are taken from the iterable as slots become free.

        Raises HostFailure when a game cannot be played on this machine.
        """

    def close(self) -> None:
        """Stop at once; nothing of the workers and their bots is left."""
