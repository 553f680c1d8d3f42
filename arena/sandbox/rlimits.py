"""Resource limits of one process, set from outside before the bot's program is put in place.

They are the backstop behind the memory cgroup or the watchdog: RLIMIT_AS is no memory limit (the JVM maps 9 GiB it
never touches), RLIMIT_DATA bounds what one process can grab between two looks of the watchdog.
"""

import ctypes
import os
import platform
import resource
from collections.abc import Iterator
from contextlib import contextmanager

from arena.model import Limits
from arena.sandbox import seccomp, tree
from arena.sandbox.syscalls import NUMBERS

MB = 1024 * 1024
OPEN_FILES = 256
ADDRESS_SPACE_B = 64 * 1024 * MB  # below 4 GiB Node's WebAssembly fails, Java needs 9 GiB
LEAST_DATA_MB = 512  # untuned Java fails below
STACK_B = 8 * MB, 64 * MB  # the soft one is the default size of a thread's stack


def values(limits: Limits) -> dict[int, tuple[int, int]]:
    """(soft, hard) by resource."""
    data_b = max(LEAST_DATA_MB, limits.memory_mb + 256) * MB
    return {
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_NOFILE: (OPEN_FILES, OPEN_FILES),
        resource.RLIMIT_FSIZE: (limits.disk_mb * MB, limits.disk_mb * MB),
        resource.RLIMIT_CPU: (limits.cpu_s, limits.cpu_s + 1),
        resource.RLIMIT_MEMLOCK: (65536, 65536),
        resource.RLIMIT_MSGQUEUE: (0, 0),
        resource.RLIMIT_SIGPENDING: (256, 256),
        resource.RLIMIT_RTPRIO: (0, 0),
        resource.RLIMIT_NICE: (0, 0),
        resource.RLIMIT_STACK: STACK_B,
        resource.RLIMIT_AS: (ADDRESS_SPACE_B, ADDRESS_SPACE_B),
        resource.RLIMIT_DATA: (data_b, data_b),
        resource.RLIMIT_NPROC: (limits.processes, limits.processes),
    }


def clamp(wanted: tuple[int, int], hard_now: int) -> tuple[int, int]:
    """An ordinary user cannot raise a hard limit: take what there is."""
    if hard_now == resource.RLIM_INFINITY:
        return wanted
    return min(wanted[0], hard_now), min(wanted[1], hard_now)


def apply(pid: int, limits: Limits, *, skip: frozenset[int] = frozenset()) -> None:
    """Set the limits of a process that is about to become the bot.

    Raises:
        PermissionError: the process belongs to another user.
    """
    with _as_its_user(pid):
        for which, wanted in values(limits).items():
            if which not in skip:
                hard_now = resource.prlimit(pid, which)[1]
                resource.prlimit(pid, which, clamp(wanted, hard_now))


@contextmanager
def _as_its_user(pid: int) -> Iterator[None]:
    """As root: let this thread's real (not effective) user be the process's own, as prlimit(2) asks for.

    Root without CAP_SYS_RESOURCE, as in most containers, may not limit other users' processes. The system calls are
    made directly since they change one thread, where the C library's functions change the whole process.
    """
    uid, gid = tree.owner(pid)
    if os.geteuid() != 0 or (uid, gid) == (os.getuid(), os.getgid()):
        yield
        return
    own = os.getuid(), os.getgid()
    try:
        _set_real_ids(uid, gid)
        yield
    finally:
        _set_real_ids(*own)


def _set_real_ids(uid: int, gid: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    column = seccomp.ARCHITECTURES[platform.machine()][0]
    for name, number in (("setresgid", gid), ("setresuid", uid)):
        call = NUMBERS[name][column]
        assert call is not None
        arguments = [ctypes.c_long(value) for value in (call, number, -1, -1)]
        if libc.syscall(*arguments) != 0:
            code = ctypes.get_errno()
            raise OSError(code, f"{name}: {os.strerror(code)}")
