"""One thread a process looks at every running bot and kills those beyond a limit.

Where a memory cgroup counts exactly it looks for what the kernel did and for what no group counts (files in the
private tmpfs, CPU time of the whole tree); elsewhere it adds up the memory of the tree as well. A stopped bot cannot
grow and is not looked at.
"""

import logging
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
        self._stopped = False
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

    def stop(self) -> None:
        """End the thread."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self._thread.join()

    @property
    def is_idle(self) -> bool:
        return not self._watched

    def _work(self) -> None:
        with woken_first():  # it shares the interpreter's lock with the thread that keeps time
            self._look_until_stopped()

    def _look_until_stopped(self) -> None:
        while True:
            with self._changed:
                while not self._watched and not self._stopped:
                    self._changed.wait()
                if self._stopped:
                    return
                bots = list(self._watched)
            for bot in bots:
                if not _look(bot):
                    self.forget(bot)
            del bots
            time.sleep(INTERVAL_S)


def _look(bot: Watched) -> bool:
    try:
        return bot.look()
    except Exception:
        logging.getLogger(__name__).exception("the watchdog could not look at a bot")
        return True


_watchdog: Watchdog | None = None
_lock = threading.Lock()


def watchdog() -> Watchdog:
    """The watchdog of this process, started on first use."""
    global _watchdog
    with _lock:
        if _watchdog is None:
            _watchdog = Watchdog()
        return _watchdog


def retire() -> None:
    """End the thread if it watches nothing, so that a worker is not forked from a process with threads."""
    global _watchdog
    with _lock:
        if _watchdog is not None and _watchdog.is_idle:
            _watchdog.stop()
            _watchdog = None


def _forget() -> None:
    global _watchdog, _lock
    _watchdog = None
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget)
