"""A bot as the referee sees it: ask a question, get a line. Nothing here knows about processes."""

from typing import Protocol

import msgspec


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What came of waiting for a line."""

    line: bytes | None  # without its newline; None: nothing came in time
    at_s: float  # monotonic: when the newline was read, or when waiting ended
    cpu_s: float | None = None  # of the bot's whole tree, since the request was sent; None: too quick to be measured
    host_delay_s: float = 0.0  # of the time since then: the machine's own making (run queues, the referee's wake-up)


class Bot(Protocol):
    """One bot in use. Every method raises `BotFault` when the bot broke off, `HostFailure` when the machine did."""

    def begin(self) -> float:
        """A game begins: be running. The monotonic time from which the start-up clock counts."""

    def send(self, message: bytes, until_s: float, /) -> float:
        """Write one message (its newline included); the monotonic time at which the bot could read all of it."""

    def receive(self, until_s: float, /) -> Reply:
        """The next line of the bot, waiting until the monotonic time `until_s` at the most."""

    def rest(self) -> None:
        """Nothing is asked of the bot until the next `send`."""
