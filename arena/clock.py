"""Time as an argument: the referee reads a `Clock`, tests move a `FakeClock`."""

import time
from typing import Protocol


class Clock(Protocol):
    """A monotonic clock."""

    def now_s(self) -> float:
        """Seconds since some fixed instant; never goes back."""


class WallClock:
    """The machine's monotonic clock."""

    def now_s(self) -> float:
        return time.monotonic()


class FakeClock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self._now_s = 1000.0

    def now_s(self) -> float:
        return self._now_s

    def advance(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError(f"a monotonic clock cannot go back by {-seconds} s")
        self._now_s += seconds
