"""The system-call filter: a table of what is denied, assembled to classic BPF.

What the kernel runs for every system call of a bot, in this order:

1. another architecture than the machine's own (the 32-bit ABI): the process is killed;
2. x32 numbers, and numbers above the newest call this table was checked against: ENOSYS, as an old kernel would say;
3. the table: each denied call fails with the errno that makes a C library or a runtime fall back;
4. everything else is allowed.

A deny list, not an allow list: the runtimes bots are written for (Python, Node, the JVM, Go, C) use some 200 calls
between them and the list changes with each release, while the calls that reach beyond a process are few and known.
Namespaces already hide the host; the filter takes away the kernel's attack surface, the channels that namespaces do
not cut (unix sockets, vsock, file locks, inotify on shared read-only files) and the means to leave the process group
(`setsid` and `setpgid` pretend to succeed), so that one signal to the group stops a whole tree.
"""

import errno
import platform
import struct
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from arena.sandbox.syscalls import NUMBERS

# Architectures by `platform.machine()`: (column in NUMBERS, AUDIT_ARCH of <linux/audit.h>).
ARCHITECTURES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

NEWEST_CHECKED: Final = 451  # cachestat; what came later is unknown to this table
X32_BIT: Final = 0x40000000

RET_KILL_PROCESS: Final = 0x80000000
RET_ERRNO: Final = 0x00050000
RET_ALLOW: Final = 0x7FFF0000


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Denied whatever the arguments, by the errno they fail with. 0 is pretended success.
DENIED: Final[dict[int, tuple[str, ...]]] = {
    # Other places, other processes, other rights; the machine itself.
    errno.EPERM: _words(
        """
        mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr unshare setns
        ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd
        bpf perf_event_open userfaultfd fanotify_init fanotify_mark name_to_handle_at open_by_handle_at
        quotactl quotactl_fd acct swapon swapoff reboot kexec_load kexec_file_load init_module finit_module
        delete_module create_module query_module get_kernel_syms syslog settimeofday clock_settime adjtimex
        clock_adjtime sethostname setdomainname iopl ioperm modify_ldt vhangup nfsservctl uselib sysfs _sysctl
        lookup_dcookie ustat migrate_pages move_pages vmsplice tee
        sched_setaffinity sched_setscheduler sched_setparam sched_setattr setpriority ioprio_set
        """
    ),
    # A C library or runtime knows what to do without these. Anonymous memory files would hide from the memory count.
    errno.ENOSYS: _words(
        """
        clone3 io_uring_setup io_uring_enter io_uring_register io_setup io_submit io_getevents io_pgetevents io_destroy
        io_cancel memfd_create memfd_secret
        add_key request_key keyctl
        shmget shmat shmdt shmctl semget semop semtimedop semctl msgget msgsnd msgrcv msgctl
        mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
        inotify_init inotify_init1 inotify_add_watch
        """
    ),
    errno.EACCES: ("socket",),
    errno.EOPNOTSUPP: ("setxattr", "lsetxattr", "fsetxattr"),
    0: ("setsid", "setpgid"),
}
LOCKS: Final = {errno.ENOLCK: ("flock",)}

CLONE_NAMESPACES: Final = tuple(1 << bit for bit in (17, 25, 26, 27, 28, 29, 30))  # NS CGROUP UTS IPC USER PID NET
AF_UNIX: Final = 1
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
FCNTL_LOCKS: Final = (5, 6, 7, 36, 37, 38, 1024, 1026)  # GETLK SETLK SETLKW, their OFD kin, SETLEASE, NOTIFY
PERSONALITIES: Final = (0x0, 0xFFFFFFFF)  # Linux, and "tell me"


class Test(NamedTuple):
    """One comparison with the low 32 bits of an argument: `(argument & mask) == value`, or its contrary."""

    argument: int
    value: int
    mask: int = 0xFFFFFFFF
    equal: bool = True


class Rule(NamedTuple):
    """A call fails with `error` if all tests hold."""

    call: str
    error: int
    tests: tuple[Test, ...] = ()


# Where no namespace makes the files read-only and hides other processes: what Landlock does not govern.
NOT_UNDER_LANDLOCK: Final = _words(
    "chmod fchmod fchmodat chown fchown lchown fchownat utime utimes utimensat futimesat tkill pidfd_send_signal"
)
TO_A_PROCESS: Final = ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")


def rules(*, locks: bool = False) -> list[Rule]:
    """What is denied, in order. `locks` lets files be locked: for build tools, which meet no opponent."""
    denied = DENIED if locks else DENIED | LOCKS
    plain = [Rule(call, error) for error, calls in denied.items() for call in calls]
    clone = [Rule("clone", errno.EPERM, (Test(0, flag, mask=flag),)) for flag in CLONE_NAMESPACES]
    return [
        *plain,
        *clone,
        Rule("socketpair", errno.EACCES, (Test(0, AF_UNIX, equal=False),)),
        Rule("ioctl", errno.EPERM, (Test(1, TIOCSTI),)),
        Rule("ioctl", errno.EPERM, (Test(1, TIOCLINUX),)),
        Rule("personality", errno.EPERM, tuple(Test(0, value, equal=False) for value in PERSONALITIES)),
        *([] if locks else [Rule("fcntl", errno.ENOLCK, (Test(1, command),)) for command in FCNTL_LOCKS]),
    ]


def strict_rules(own_pid: int, *, signals: bool) -> list[Rule]:
    """For the fallback: besides, no attribute of a file and no limit of another process may be changed.

    Args:
        own_pid: the process that becomes the bot.
        signals: let it send signals to others, since Landlock confines them.
    """
    others = Test(0, own_pid, equal=False)
    denied = NOT_UNDER_LANDLOCK if not signals else NOT_UNDER_LANDLOCK[:-2]
    return [
        *rules(),
        *(Rule(call, errno.EPERM) for call in denied),
        Rule("prlimit64", errno.EPERM, (others, Test(0, 0, equal=False))),
        *([] if signals else [Rule(call, errno.EPERM, (others,)) for call in TO_A_PROCESS]),
    ]


# BPF, as in <linux/bpf_common.h>.
LOAD, EQUAL, GREATER, AND, RETURN = 0x20, 0x15, 0x25, 0x54, 0x06
NR_OFFSET, ARCH_OFFSET, ARGS_OFFSET = 0, 4, 16  # in struct seccomp_data

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant


def assemble(table: list[Rule], machine: str | None = None) -> list[Instruction]:
    """The filter for `machine` (default: this one).

    Raises:
        KeyError: an architecture this table does not know.
    """
    column, audit_arch = ARCHITECTURES[machine or platform.machine()]
    program: list[Instruction] = [
        (LOAD, 0, 0, ARCH_OFFSET),
        (EQUAL, 1, 0, audit_arch),
        (RETURN, 0, 0, RET_KILL_PROCESS),
        (LOAD, 0, 0, NR_OFFSET),
        (GREATER, 0, 1, NEWEST_CHECKED),  # x32 numbers are above it, too
        (RETURN, 0, 0, RET_ERRNO | errno.ENOSYS),
    ]
    for rule in table:
        number = NUMBERS[rule.call][column]
        if number is not None:
            program += _rule(rule, number)
    program.append((RETURN, 0, 0, RET_ALLOW))
    return program


def _rule(rule: Rule, number: int) -> list[Instruction]:
    tail: list[Instruction] = [(RETURN, 0, 0, RET_ERRNO | rule.error)]
    if not rule.tests:
        return [(EQUAL, 0, 1, number), *tail]
    code: list[Instruction] = []
    following = len(tail)
    for test in reversed(rule.tests):  # from the last, since a failed test jumps over all that follows
        *before, (operation, _, _, value) = _test(test)
        jumps = (0, following) if test.equal else (following, 0)
        block = [*before, (operation, *jumps, value)]
        code = block + code
        following += len(block)
    return [(EQUAL, 0, len(code) + 2, number), *code, *tail, (LOAD, 0, 0, NR_OFFSET)]


def _test(test: Test) -> Iterator[Instruction]:
    yield (LOAD, 0, 0, ARGS_OFFSET + 8 * test.argument)
    if test.mask != 0xFFFFFFFF:
        yield (AND, 0, 0, test.mask)
    yield (EQUAL, 0, 0, test.value)


def encode(program: list[Instruction]) -> bytes:
    """The program as the array of `struct sock_filter` that the kernel and bubblewrap read."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


@cache
def filter_for_bots() -> bytes:
    return encode(assemble(rules()))


@cache
def filter_for_builds() -> bytes:
    return encode(assemble(rules(locks=True)))


def supported(machine: str | None = None) -> bool:
    return (machine or platform.machine()) in ARCHITECTURES
