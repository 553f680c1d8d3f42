"""One thread a process looks at every running bot and kills those beyond a limit.

Where a memory cgroup counts exactly it looks for what the kernel did and for what no group counts (files in the
private tmpfs, CPU time of the whole tree); elsewhere it adds up the memory of the tree as well. A stopped bot cannot
grow and is not looked at.
"""

import os
import threading
import time
from typing import Protocol

from arena.clock import woken_first

INTERVAL_S = 0.02


class Watched(Protocol):
    """What the watchdog needs of a bot."""

    def look(self) -> bool:
        """Check the limits, kill if one is broken. False: nothing is left to watch."""


class Watchdog:
    """Started with the first bot; sleeps while there is none."""

    def __init__(self) -> None:
        self._watched: set[Watched] = set()
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="arena-watchdog", daemon=True)
        self._thread.start()

    def watch(self, bot: Watched) -> None:
        with self._changed:
            self._watched.add(bot)
            self._changed.notify()

    def forget(self, bot: Watched) -> None:
        with self._changed:
            self._watched.discard(bot)

    def _work(self) -> None:
        with woken_first():  # it shares the interpreter's lock with the thread that keeps time
            self._look_for_ever()

    def _look_for_ever(self) -> None:
        while True:
            with self._changed:
                while not self._watched:
                    self._changed.wait()
                bots = list(self._watched)
            for bot in bots:
                if not bot.look():
                    self.forget(bot)
            del bots
            time.sleep(INTERVAL_S)


_watchdog: Watchdog | None = None
_lock = threading.Lock()


def watchdog() -> Watchdog:
    """The watchdog of this process, started on first use."""
    global _watchdog
    with _lock:
        if _watchdog is None:
            _watchdog = Watchdog()
        return _watchdog


def _forget() -> None:
    global _watchdog, _lock
    _watchdog = None
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget)
