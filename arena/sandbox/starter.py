"""Starts a program in the strongest sandbox that its mode asks for and the machine gives."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import HostFailure
from arena.model import Limits
from arena.sandbox import bubblewrap, cgroup, landlock, runtime, seccomp
from arena.sandbox.child import Child
from arena.sandbox.descriptors import Descriptors
from arena.sandbox.launcher import launcher
from arena.sandbox.program import Program
from arena.sandbox.stage import Stage

# Host uids for root to drop to, one a slot: a range that no distribution hands out (systemd's table of uids).
FIRST_UID, UIDS = 60706, 478


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """How a program is confined."""

    kind: str  # "bubblewrap", "landlock" or "plain"
    binary: Path | None = None  # bubblewrap's program
    proc: bool = True  # with a /proc of its own
    filtered: bool = True  # behind the system-call filter
    own_uid: bool = True  # as root: an ordinary uid for each slot
    groups: bool = True  # in cgroups, where they can be made


PLAIN = Shape(kind="plain", filtered=False, own_uid=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Plan:
    argv: list[str]
    env: dict[str, str]
    folder: str
    nested: bool = False
    keep: tuple[int, ...] = ()
    skip_limits: frozenset[int] = field(default_factory=frozenset)
    count_tasks: bool = False


def launch(
    shape: Shape,
    program: Program,
    limits: Limits,
    *,
    slot: int = 0,
    cores: frozenset[int] | None = None,
    writable: Path | None = None,
    extra: tuple[runtime.Bind, ...] = (),
) -> Child:
    """Launch a program in a given shape; see `arena.sandbox.start`. `writable`, `extra`: see `arena.sandbox.build`.

    Raises:
        HostFailure: the machine would not start a process.
    """

    def job(stage: Stage) -> Child:
        with Descriptors() as fds:
            plan = _PLANS[shape.kind](shape, program, limits, stage, fds, writable, extra)
            return _spawn(shape, plan, fds, limits, slot, cores, _group(shape, limits))

    try:
        return launcher().run(job)
    except OSError as error:
        raise HostFailure(f"the sandbox could not be started: {error}") from error


def _plan_bubblewrap(
    shape: Shape,
    program: Program,
    limits: Limits,
    stage: Stage,
    fds: Descriptors,
    writable: Path | None,
    extra: tuple[runtime.Bind, ...],
) -> _Plan:
    assert shape.binary is not None
    filter_fd = None
    if shape.filtered:
        filter_fd = fds.memory(seccomp.filter_for_bots() if writable is None else seccomp.filter_for_builds())
    options = bubblewrap.arguments(
        program, limits, stage, seccomp_fd=filter_fd, proc=shape.proc, writable=writable, extra=extra
    )
    options_fd = fds.memory(bubblewrap.encode(options))
    binary = bubblewrap.place(shape.binary, stage)
    return _Plan(
        argv=[str(binary), "--args", str(options_fd), "--", *bubblewrap.shim(bubblewrap.command(program))],
        env={},  # else it would show in /proc/1/environ
        folder="/",
        nested=True,
        keep=(options_fd,) if filter_fd is None else (filter_fd, options_fd),
    )


def _plan_landlock(
    shape: Shape,
    program: Program,
    limits: Limits,
    stage: Stage,
    fds: Descriptors,
    writable: Path | None,
    extra: tuple[runtime.Bind, ...],
) -> _Plan:
    del shape, limits, writable, extra
    configuration_fd = fds.memory(landlock.configuration(program, stage))
    return _Plan(
        argv=landlock.command(configuration_fd, stage),
        env=landlock.python_env(stage),
        folder=str(stage.place_readable(program.folder)),
        keep=(configuration_fd,),
        skip_limits=frozenset({resource.RLIMIT_NPROC}),  # counted by uid, which other bots may share
        count_tasks=True,
    )


def _plan_plain(
    shape: Shape,
    program: Program,
    limits: Limits,
    stage: Stage,
    fds: Descriptors,
    writable: Path | None,
    extra: tuple[runtime.Bind, ...],
) -> _Plan:
    """No isolation: a session of its own, limits, and the same handshake."""
    del limits, fds, extra
    env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8"}
    env |= runtime.host_python_env()
    python, folder = Path(sys.executable), writable or program.folder
    if shape.own_uid and os.geteuid() == 0:
        env |= {"HOME": "/", **landlock.python_env(stage)}
        python, folder = landlock.interpreter(stage), stage.place_readable(program.folder)
    argv = bubblewrap.shim([bubblewrap.resolve(program, str(python)), *program.argv[1:]])
    # A killed referee would leave its bots behind, stopped for ever: they are to die with it.
    binding = _setpriv()
    return _Plan(
        argv=[binding, "--pdeathsig", "KILL", "--", *argv] if binding else argv,
        env=env | program.env,
        folder=str(folder),
        skip_limits=frozenset({resource.RLIMIT_NPROC}),
    )


_Planner = Callable[
    [Shape, Program, Limits, Stage, Descriptors, Path | None, tuple[runtime.Bind, ...]],
    _Plan,
]
_PLANS: dict[str, _Planner] = {"bubblewrap": _plan_bubblewrap, "landlock": _plan_landlock, "plain": _plan_plain}


def _group(shape: Shape, limits: Limits) -> cgroup.Group | None:
    if not shape.groups or not cgroup.available():
        return None
    # Beside the bot's own tasks there are bubblewrap's two processes and the shell.
    return cgroup.Group(memory_mb=limits.memory_mb, tasks=limits.processes + 4)


def _setpriv() -> str | None:
    """The program of util-linux that starts another one with other rights."""
    return shutil.which("setpriv", path="/usr/bin:/bin")


def _spawn(
    shape: Shape,
    plan: _Plan,
    fds: Descriptors,
    limits: Limits,
    slot: int,
    cores: frozenset[int] | None,
    group: cgroup.Group | None,
) -> Child:
    (child_in, stdin), (stdout, child_out), (stderr, child_err) = fds.pipe(), fds.pipe(), fds.pipe()
    uid = FIRST_UID + slot % UIDS if shape.own_uid and os.geteuid() == 0 else None
    argv = plan.argv
    if uid is not None and (setpriv := _setpriv()) is not None:
        # With `Popen(user=…)` Python copies this whole process to start the other: seven times the cost here.
        argv = [setpriv, "--reuid", str(uid), "--regid", str(uid), "--clear-groups", "--", *argv]
        uid = None
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
                pass_fds=plan.keep,
                env=plan.env,
                cwd=plan.folder,
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
    pipes = fds.hand_over(stdin, stdout, stderr)
    return Child(
        process,
        pipes,
        limits,
        nested=plan.nested,
        one_group=shape.filtered,
        group=group,
        skip_limits=plan.skip_limits,
        count_tasks=plan.count_tasks,
    )
