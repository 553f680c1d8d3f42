"""Ctrl-C, and the polite signals that mean the same: once is enough."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def once() -> Iterator[None]:
    """The first of the signals raises KeyboardInterrupt; what is cleaned up then is not interrupted again."""
    before = {number: signal.signal(number, _interrupt) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def wait() -> None:
    """Wait for the first of the signals."""
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()


def _interrupt(_: int, __: FrameType | None) -> None:
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt
