"""One process alone writes an event. The kernel lets go of the lock however that process ends."""

import fcntl
import os
import time
from pathlib import Path

from arena.errors import ArenaError

FILE = "event.lock"  # holds the name of the process that has it
WAIT_S = 0.5  # the workers of a run that was killed let go of the event a moment after it


def acquire(folder: Path) -> int:
    """Hold an event's folder for this process, until the descriptor returned is closed.

    Raises ArenaError if another process has it.
    """
    fd = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    until_s = time.monotonic() + WAIT_S
    while not _try(fd, fcntl.LOCK_EX):
        if time.monotonic() < until_s:
            time.sleep(0.02)
            continue
        name = _name(fd)
        os.close(fd)
        raise ArenaError(
            f"{folder}: this event is being run by another process ({name}); wait for it, or stop it there with Ctrl-C"
        )
    os.ftruncate(fd, 0)
    os.write(fd, f"pid {os.getpid()}\n".encode())
    return fd


def holder(folder: Path) -> str | None:
    """The process that has it, such as "pid 123"; None: nobody."""
    try:
        fd = os.open(folder / FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return None if _try(fd, fcntl.LOCK_SH) else _name(fd)
    finally:
        os.close(fd)


def _try(fd: int, kind: int) -> bool:
    try:
        fcntl.flock(fd, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _name(fd: int) -> str:
    return os.read(fd, 32).decode(errors="replace").strip() or "unknown"
