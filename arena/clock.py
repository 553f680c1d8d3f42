"""Time as an argument: the referee reads a `Clock`, tests move a `FakeClock`. And who keeps time is woken first."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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


@contextmanager
def woken_first() -> Iterator[None]:
    """This thread runs as soon as it has something to do, whatever else the machine has to do, if that is allowed.

    It needs the right to real-time scheduling (root, CAP_SYS_NICE, RLIMIT_RTPRIO); without it the delay is measured,
    and a game that it spoils is void. Threads and processes that are started meanwhile are scheduled as usual.
    """
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except OSError:
        yield
        return
    try:
        yield
    finally:
        with suppress(OSError):
            os.sched_setscheduler(0, *before)
