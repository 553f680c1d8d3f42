"""A process and its descendants, as /proc shows them. Numbers are cheap to read again: files stay open."""

import os
import select
import time
from collections.abc import Iterator
from contextlib import suppress

PAGE_B = os.sysconf("SC_PAGE_SIZE")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def read_text(path: str) -> str:
    """A file of /proc; empty if the process is gone."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(fd, 65536).decode("ascii", "replace")
    except OSError:
        return ""
    finally:
        os.close(fd)


def children(pid: int) -> list[int]:
    """Children of all threads of a process."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - twice as fast, at every ply
    except OSError:
        return []
    found: list[int] = []
    for thread in threads:
        found += map(int, read_text(f"/proc/{pid}/task/{thread}/children").split())
    return found


def descendants(pid: int) -> Iterator[int]:
    """The process and everything below it, parents first."""
    waiting = [pid]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            yield one
            waiting += children(one)


def state(pid: int) -> str:
    """One letter, as in proc(5): R S D T Z …; empty if the process is gone."""
    return read_text(f"/proc/{pid}/stat").rpartition(") ")[2][:1]


def is_runnable(pid: int) -> bool:
    """Whether a thread of the process is running or waits for a core to run on."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - as below
    except OSError:
        return False
    return any(read_text(f"/proc/{pid}/task/{thread}/stat").rpartition(") ")[2][:1] == "R" for thread in threads)


def has_ended(pidfd: int, timeout_s: float) -> bool:
    """Whether the process behind a pidfd ends in time; it may still be a zombie then."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(timeout_s * 1000))


def owner(pid: int) -> tuple[int, int]:
    """Real user and group of a process, as this process's namespace numbers them.

    Raises:
        ProcessLookupError: it is gone.
    """
    fields = dict(line.split(":", 1) for line in read_text(f"/proc/{pid}/status").splitlines() if ":" in line)
    if "Uid" not in fields:
        raise ProcessLookupError(f"process {pid} is gone")
    return int(fields["Uid"].split()[0]), int(fields["Gid"].split()[0])


def tasks(pid: int) -> int:
    """Threads of a process."""
    fields = read_text(f"/proc/{pid}/stat").rpartition(") ")[2].split()
    return int(fields[17]) if len(fields) > 17 else 0


def memory_b(pid: int) -> int:
    """Memory that belongs to the process and cannot be dropped: anonymous, shared, page tables, swapped."""
    total_kb = 0
    for line in read_text(f"/proc/{pid}/status").splitlines():
        name, _, value = line.partition(":")
        if name in ("RssAnon", "RssShmem", "VmPTE", "VmSwap"):
            total_kb += int(value.split()[0])
    return total_kb * 1024


def hold_pipes(pids: list[int], ends: list[int]) -> bool:
    """Whether each of these pipes (given by one's own ends) is open in one of the processes; True if nobody can say."""
    wanted = {os.fstat(end).st_ino for end in ends}
    pids = [pid for pid in pids if state(pid) not in ("", "Z", "X")]
    for pid in pids:
        try:
            open_there = os.listdir(f"/proc/{pid}/fd")  # noqa: PTH208 - as above
        except PermissionError:
            return True
        except OSError:
            continue
        for fd in open_there:
            with suppress(OSError):
                wanted.discard(os.stat(f"/proc/{pid}/fd/{fd}").st_ino)  # noqa: PTH116
    return not (wanted and pids)


def process_cpu_s(pid: int) -> float:
    """CPU time of a process's threads, dead ones included; 0 if it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # CPUCLOCK_SCHED of another process: man clock_getcpuclockid
    except OSError:
        return 0.0


def reaped_cpu_s(pid: int) -> float:
    """CPU time of the children that this process has waited for."""
    fields = read_text(f"/proc/{pid}/stat").rpartition(") ")[2].split()
    return (int(fields[13]) + int(fields[14])) / TICKS_PER_S if len(fields) > 14 else 0.0


class CpuClock:
    """CPU time of a tree, where no group counts it.

    A process that is gone counts by its last reading: what it used after that is found again in the parent that
    waited for it. Children that nobody waits for and that live shorter than the time between two looks escape.
    """

    def __init__(self) -> None:
        self._last_s: dict[int, float] = {}
        self._orphaned_s = 0.0
        self._reaped_s = 0.0

    def now_s(self, pids: list[int]) -> float:
        """Of these processes and all that were looked at before."""
        alive = set(pids)
        for pid in self._last_s.keys() - alive:
            self._orphaned_s += self._last_s.pop(pid)
        self._last_s |= {pid: process_cpu_s(pid) for pid in pids}
        self._reaped_s = max(self._reaped_s, sum(map(reaped_cpu_s, pids)))
        # A dead child stands in one of the two sums or in both: the larger is a lower bound of their union.
        return sum(self._last_s.values()) + max(self._orphaned_s, self._reaped_s)


class WaitClock:
    """Time that the threads of a tree spent runnable without a core (`/proc/*/schedstat`, second field)."""

    def __init__(self) -> None:
        self._files: dict[tuple[int, int], int] = {}
        self._last_ns: dict[tuple[int, int], int] = {}
        self._gone_ns = 0

    @property
    def is_empty(self) -> bool:
        """Whether it knows no thread."""
        return not self._files

    def refresh(self, pids: list[int]) -> None:
        """Take note of new threads of these processes."""
        for pid in pids:
            try:
                threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - twice as fast, at every ply
            except OSError:
                continue
            for thread in threads:
                key = (pid, int(thread))
                if key not in self._files:
                    with suppress(OSError):
                        path = f"/proc/{pid}/task/{thread}/schedstat"
                        self._files[key] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def now_s(self) -> float:
        for key, fd in list(self._files.items()):
            try:
                self._last_ns[key] = int(os.pread(fd, 96, 0).split()[1])
            except (OSError, IndexError, ValueError):  # the thread is gone: its last reading counts
                os.close(fd)
                del self._files[key]
                self._gone_ns += self._last_ns.pop(key, 0)
        return (self._gone_ns + sum(self._last_ns.values())) / 1e9

    def close(self) -> None:
        for fd in self._files.values():
            os.close(fd)
        self._files.clear()
