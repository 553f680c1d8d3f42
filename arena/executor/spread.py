"""A `map` whose calls are spread over processes of this machine. For work that leaves nothing behind."""

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from arena.errors import HostFailure
from arena.executor.local import become_child

Spread = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]  # as the built-in `map` with one iterable


@contextlib.contextmanager
def spread(workers: int) -> Iterator[Spread]:
    """`map` for so many processes, forked at its first call: results come in order, an exception in its place.

    The function and its arguments are pickled. Raises HostFailure when a process dies.
    """
    if workers == 1:
        yield map
        return
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("fork"), initializer=become_child, initargs=(os.getpid(),)
    )

    def in_order(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        try:
            yield from pool.map(function, items)
        except BrokenProcessPool as error:
            raise HostFailure("a process died at work; look for a memory limit, or take fewer workers") from error

    try:
        yield in_order
    except BaseException:  # nobody waits for what is still at work
        for child in set(multiprocessing.active_children()) - before:
            child.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
