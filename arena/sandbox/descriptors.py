"""File descriptors that are needed for one start."""

import os


class Descriptors:
    """Closes what it opened, unless handed over."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def __enter__(self) -> "Descriptors":
        return self

    def __exit__(self, *_: object) -> None:
        for fd in self._open:
            os.close(fd)

    def memory(self, content: bytes) -> int:
        """A file in memory, ready to be read."""
        fd = os.memfd_create("arena", os.MFD_CLOEXEC)
        self._open.add(fd)
        os.write(fd, content)
        os.lseek(fd, 0, os.SEEK_SET)
        return fd

    def pipe(self) -> tuple[int, int]:
        """(end to read from, end to write to)"""
        pair = os.pipe2(os.O_CLOEXEC)
        self._open.update(pair)
        return pair

    def hand_over(self, stdin: int, stdout: int, stderr: int) -> tuple[int, int, int]:
        """The referee's ends of a bot's pipes, non-blocking: the caller closes them."""
        for fd in (stdin, stdout, stderr):
            os.set_blocking(fd, False)
            self._open.discard(fd)
        return stdin, stdout, stderr
