"""Starts a program in the strongest sandbox that its mode asks for."""

import os
import resource
import subprocess
import sys
from contextlib import nullcontext

from arena.errors import HostFailure
from arena.model import Limits
from arena.sandbox import bubblewrap, cgroup, runtime, seccomp
from arena.sandbox.child import Child
from arena.sandbox.launcher import launcher
from arena.sandbox.program import Mode, Program
from arena.sandbox.stage import Stage

# Host uids for root to drop to, one a slot: a range that no distribution hands out (systemd's table of uids).
FIRST_UID, UIDS = 60706, 478


def start(
    program: Program,
    limits: Limits,
    *,
    mode: Mode,
    slot: int = 0,
    cores: frozenset[int] | None = None,
) -> Child:
    """Launch a program. Its sandbox is being built when this returns; `Child.release` lets the program start.

    Args:
        slot: which of the places for bots on this machine it takes; as root, each has a uid of its own.
        cores: the cores it may run on; None: all.

    Raises:
        HostFailure: the machine would not start a process.
    """
    start_one = _start_plain if mode is Mode.OFF else _start_bubblewrap
    try:
        return launcher().run(lambda stage: start_one(program, limits, stage, slot, cores))
    except OSError as error:
        raise HostFailure(f"the sandbox could not be started: {error}") from error


def _start_bubblewrap(program: Program, limits: Limits, stage: Stage, slot: int, cores: frozenset[int] | None) -> Child:
    with _Descriptors() as fds:
        filter_fd = fds.memory(seccomp.encode(seccomp.assemble(seccomp.rules())))
        options = bubblewrap.arguments(program, limits, stage, seccomp_fd=filter_fd)
        options_fd = fds.memory(b"".join(os.fsencode(option) + b"\0" for option in options))
        binary = bubblewrap.place(bubblewrap.candidates()[-1], stage)
        argv = [str(binary), "--args", str(options_fd), "--", *bubblewrap.shim(bubblewrap.command(program))]
        group = _group(limits)
        return _spawn(
            argv,
            fds,
            limits,
            env={},
            folder="/",
            slot=slot,
            cores=cores,
            group=group,
            nested=True,
            keep=(filter_fd, options_fd),
        )


def _start_plain(program: Program, limits: Limits, stage: Stage, slot: int, cores: frozenset[int] | None) -> Child:
    """No isolation: a session of its own, limits, and the same handshake."""
    del stage, slot
    env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8"}
    env |= runtime.host_python_env() | program.env
    argv = [bubblewrap.resolve(program, sys.executable), *program.argv[1:]]
    # Counted by user, and this user runs more than one bot.
    skip = frozenset({resource.RLIMIT_NPROC})
    with _Descriptors() as fds:
        return _spawn(
            bubblewrap.shim(argv),
            fds,
            limits,
            env=env,
            folder=str(program.folder),
            slot=None,
            cores=cores,
            group=_group(limits),
            nested=False,
            skip_limits=skip,
        )


def _group(limits: Limits) -> cgroup.Group | None:
    # Beside the bot's own there are bubblewrap's two processes and the shell.
    return cgroup.Group(memory_mb=limits.memory_mb, tasks=limits.processes + 4) if cgroup.available() else None


def _spawn(
    argv: list[str],
    fds: "_Descriptors",
    limits: Limits,
    *,
    env: dict[str, str],
    folder: str,
    slot: int | None,
    cores: frozenset[int] | None,
    group: cgroup.Group | None,
    nested: bool,
    keep: tuple[int, ...] = (),
    skip_limits: frozenset[int] = frozenset(),
) -> Child:
    (child_in, stdin), (stdout, child_out), (stderr, child_err) = fds.pipe(), fds.pipe(), fds.pipe()
    uid = FIRST_UID + slot % UIDS if slot is not None and os.geteuid() == 0 else None
    cores_before = os.sched_getaffinity(0) if cores is not None else None
    try:
        if cores is not None:
            os.sched_setaffinity(0, cores)
        with group.entered() if group is not None else nullcontext():
            process = subprocess.Popen(
                argv,
                stdin=child_in,
                stdout=child_out,
                stderr=child_err,
                pass_fds=keep,
                env=env,
                cwd=folder,
                start_new_session=True,
                user=uid,
                group=uid,
                extra_groups=None if uid is None else (),
                umask=0o022,
            )
    except BaseException:
        if group is not None:
            group.close()
        raise
    finally:
        if cores_before is not None:
            os.sched_setaffinity(0, cores_before)
    pipes = fds.release(stdin, stdout, stderr)
    return Child(process, pipes, limits, nested=nested, group=group, skip_limits=skip_limits)


class _Descriptors:
    """Closes what it opened, unless released."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def __enter__(self) -> "_Descriptors":
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
        pair = os.pipe2(os.O_CLOEXEC)
        self._open.update(pair)
        return pair

    def release(self, stdin: int, stdout: int, stderr: int) -> tuple[int, int, int]:
        for fd in (stdin, stdout, stderr):
            os.set_blocking(fd, False)
            self._open.discard(fd)
        return stdin, stdout, stderr
