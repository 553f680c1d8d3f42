"""Worker processes of this machine, one pool of one process a slot.

One pool for each slot, because a dead worker then takes nobody else's game with it, and the blame is exact: the
sitting that was being played is the first one the slot had. Each slot logs through a `MultiProcessingHandler` of its
own into the event's log: a worker killed in the middle of a record blocks no other slot, and its slot gets a new one.
A worker is bound to this process by the parent-death signal and to the slot's CPU cores by its affinity.
"""

import contextlib
import ctypes
import logging
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from multiprocessing_logging import MultiProcessingHandler

from arena import match
from arena.errors import HostFailure
from arena.executor import Finished
from arena.match import Played, Sitting

QUEUED = 2  # sittings a slot has at hand: one being played, one waiting
CLOSE_LOG_S = 1.0  # the last records of a slot may take this long
MAX_DEATHS = 3  # workers that one sitting may cost
PR_SET_PDEATHSIG = 1

log = logging.getLogger("arena.executor")
_fork = multiprocessing.get_context("fork")


def cores_by_slot(slots: int) -> list[frozenset[int]]:
    """The CPU cores of each slot: shared out evenly, or by turns where there are more slots than cores."""
    cores = sorted(os.sched_getaffinity(0))
    if slots >= len(cores):
        return [frozenset({cores[slot % len(cores)]}) for slot in range(slots)]
    each = len(cores) // slots
    return [frozenset(cores[slot * each : (slot + 1) * each]) for slot in range(slots)]


class LocalExecutor:
    """`slots` workers. Close it, or use it in a `with` statement."""

    def __init__(self, slots: int, *, handlers: Sequence[logging.Handler] = ()) -> None:
        self._slots = [_Slot(number, cores, handlers) for number, cores in enumerate(cores_by_slot(slots))]

    @property
    def slots(self) -> int:
        return len(self._slots)

    def __enter__(self) -> "LocalExecutor":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, sittings: Iterable[Sitting]) -> Iterator[Finished]:
        waiting = enumerate(sittings)
        futures: dict[Future[list[Played]], _Slot] = {}
        for _ in range(QUEUED):
            for slot in self._slots:
                _refill(slot, waiting, futures)
        while futures:
            over: list[tuple[int, Future[list[Played]]]] = []
            for future in wait(futures, return_when=FIRST_COMPLETED).done:
                if future not in futures:
                    continue  # of a pool that broke meanwhile
                slot = futures.pop(future)
                if isinstance(future.exception(), BrokenProcessPool):
                    lost = [other for other, owner in futures.items() if owner is slot]
                    for other in lost:
                        del futures[other]
                    for again in slot.rebuild():
                        futures[again] = slot
                    continue
                over.append((slot.finished(future).place, future))
                _refill(slot, waiting, futures)
            yield [(place, future.result()) for place, future in over if future.exception() is None]
            for _, future in over:
                future.result()  # raises what it failed with

    def close(self) -> None:
        for slot in self._slots:
            slot.close()
        for thread in [thread for slot in self._slots for thread in slot.closing]:
            thread.join(CLOSE_LOG_S)


class _Job:
    def __init__(self, place: int, sitting: Sitting) -> None:
        self.place = place
        self.sitting = sitting
        self.deaths = 0
        self.future: Future[list[Played]] | None = None


class _Slot:
    """One worker process, the sittings it has at hand, and its way into the log."""

    def __init__(self, number: int, cores: frozenset[int], handlers: Sequence[logging.Handler]) -> None:
        self._number = number
        self._cores = cores
        self._handlers = handlers
        self._jobs: deque[_Job] = deque()
        self.closing: list[threading.Thread] = []
        self._open()

    def _open(self) -> None:
        self._logs = [MultiProcessingHandler(f"log of slot {self._number}", _Onward(h)) for h in self._handlers]
        self._pool = ProcessPoolExecutor(
            max_workers=1, mp_context=_fork, initializer=_become_worker, initargs=(os.getpid(), self._cores, self._logs)
        )
        self._worker: Future[int] = self._pool.submit(os.getpid)

    def submit(self, job: _Job) -> Future[list[Played]]:
        try:
            job.future = self._pool.submit(_play, job.sitting, self._number, self._cores)
        except BrokenProcessPool as broken:  # the worker died since its last answer: known now, mended like any death
            job.future = Future()
            job.future.set_exception(broken)
        return job.future

    def add(self, place: int, sitting: Sitting) -> Future[list[Played]]:
        job = _Job(place, sitting)
        self._jobs.append(job)
        return self.submit(job)

    def finished(self, future: Future[list[Played]]) -> _Job:
        job = next(job for job in self._jobs if job.future is future)
        self._jobs.remove(job)
        return job

    def rebuild(self) -> list[Future[list[Played]]]:
        """A new worker for the sittings at hand. The first of them was being played when the last one died."""
        victim = self._jobs[0]
        victim.deaths += 1
        games = ", ".join(str(game.number) for game in victim.sitting.games)
        log.warning("the worker of slot %d died while it played game %s; played again", self._number, games)
        if victim.deaths >= MAX_DEATHS:
            raise HostFailure(f"game {games} lost its worker {victim.deaths} times; look for a memory or kernel limit")
        self._discard()
        self._open()
        return [self.submit(job) for job in self._jobs]

    def close(self) -> None:
        """Let an idle worker go, kill a busy one; the kernel ends its bots with it."""
        self._discard(kill=bool(self._jobs))

    def _discard(self, *, kill: bool = True) -> None:
        if kill and self._worker.done() and not self._worker.cancelled() and self._worker.exception() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._worker.result(), signal.SIGKILL)
        self._pool.shutdown(wait=True, cancel_futures=True)
        for handler in self._logs:
            # A queue whose writer died in the middle of a record may never come to its end: nobody waits for long.
            thread = threading.Thread(target=handler.close, daemon=True)
            thread.start()
            self.closing.append(thread)


class _Onward(logging.Handler):
    """Hands records on to a handler that others use too, and outlives none of it."""

    def __init__(self, target: logging.Handler) -> None:
        super().__init__(target.level)
        self._target = target

    def emit(self, record: logging.LogRecord) -> None:
        self._target.handle(record)


def _refill(slot: _Slot, waiting: Iterator[tuple[int, Sitting]], futures: dict[Future[list[Played]], _Slot]) -> None:
    for place, sitting in waiting:
        futures[slot.add(place, sitting)] = slot
        return


def _play(sitting: Sitting, slot: int, cores: frozenset[int]) -> list[Played]:
    return match.play_sitting(sitting, slot=slot, cores=cores)


def become_child(parent: int) -> None:
    """In a new process: die with the parent, leave Ctrl-C to it."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def _become_worker(parent: int, cores: frozenset[int], handlers: Sequence[logging.Handler]) -> None:
    """In the new process of a slot: keep to the cores, log through the slot."""
    become_child(parent)
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, cores)
    logger = logging.getLogger("arena")
    logger.handlers[:] = handlers
