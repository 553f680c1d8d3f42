"""The thread that starts every sandbox of a process.

It has a thread of its own because three things in Linux belong to a thread and are inherited by what it starts: the
parent-death signal (a sandbox dies with the *thread* that started it, so that thread must outlive every game), the
cores a process may use, and the mount namespace and cgroup it lives in. A worker forked by `multiprocessing` starts
its own: threads do not survive a fork.

The process becomes a "subreaper", too: bubblewrap goes as soon as it knows how the bot ended, and may leave the first
process of the sandbox behind as an orphan. The machine's first process would have to collect it, and in a container
that may be one that never does. `Child.close` collects it here.
"""

import ctypes
import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from arena.sandbox.stage import Stage

PR_SET_CHILD_SUBREAPER = 36
T = TypeVar("T")


class Launcher:
    """Runs jobs one after the other in a thread that lives as long as the process."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Callable[[Stage], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="arena-launcher", daemon=True)
        self._thread.start()

    def run(self, job: Callable[[Stage], T]) -> T:
        """Do `job` in the launcher's thread and return what it returns, or raise what it raises."""
        future: Future[T] = Future()
        self._jobs.put((job, future))
        return future.result()

    def stop(self) -> None:
        """End the thread; what it started dies with it."""
        self._jobs.put(None)
        self._thread.join()

    @staticmethod
    def _become_subreaper() -> None:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def _work(self) -> None:
        self._become_subreaper()
        stage = Stage(private=os.geteuid() == 0)
        while True:
            item = self._jobs.get()
            if item is None:
                return
            job, future = item
            try:
                future.set_result(job(stage))
            except BaseException as error:  # noqa: BLE001 - it is raised where it was asked for
                future.set_exception(error)
            del item, job, future


_launcher: Launcher | None = None
_lock = threading.Lock()


def launcher() -> Launcher:
    """The launcher of this process, started on first use."""
    global _launcher
    with _lock:
        if _launcher is None:
            _launcher = Launcher()
        return _launcher


def is_running() -> bool:
    return _launcher is not None


def retire() -> None:
    """End the thread, when none of its sandboxes lives: a worker is better not forked from a process with threads."""
    global _launcher
    with _lock:
        if _launcher is not None:
            _launcher.stop()
            _launcher = None


def _forget() -> None:
    global _launcher, _lock
    _launcher = None
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget)
