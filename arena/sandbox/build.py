"""Compiles a bot in a sandbox: its `build` step may be as hostile as the bot itself.

The step sees a copy of the bot's folder that it may write to, and the host's compilers; it has no network. The result
is a folder in which nobody can change anything, and no link leads out.
"""

import os
import select
import shutil
import stat
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from arena.errors import HostFailure, UsageError
from arena.model import Limits
from arena.sandbox import tools
from arena.sandbox.child import Child
from arena.sandbox.program import Mode, Program
from arena.sandbox.starter import FIRST_UID, PLAIN, launch
from arena.sandbox.survey import Survey, require

LIMITS = Limits(memory_mb=4096, processes=256, cpu_s=900, disk_mb=1024)
LOG_B = 64 * 1024
LOOK_S = 0.2


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """What a build left."""

    folder: Path
    log: str  # the last 64 KiB of what it printed
    elapsed_s: float


def build(
    argv: Sequence[str],
    folder: Path,
    target: Path,
    *,
    mode: Mode,
    env: dict[str, str] | None = None,
    limits: Limits = LIMITS,
    timeout_s: float = 300.0,
    size_mb: int = 1024,
    found: Survey | None = None,
) -> Built:
    """Copy `folder` to `target`, a new folder, and run `argv` there in a sandbox.

    Raises:
        UsageError: the step failed, took too long or left too much; the message ends with what it printed.
        SandboxError: the mode asks for more than the machine gives.
        HostFailure: the sandbox did not come up.
    """
    survey = None if mode is Mode.OFF else require(mode, found)
    # Landlock's fallback cannot show a writable folder under another name: the compilers run as the bots would not.
    shape = PLAIN if survey is None or survey.shape.kind != "bubblewrap" else survey.shape
    if survey is not None and shape is PLAIN:
        raise HostFailure("builds need namespaces, which this machine does not give: build with `sandbox: off`")
    shutil.copytree(folder, target, symlinks=True)
    try:
        if shape is not PLAIN and os.geteuid() == 0:
            _give(target, FIRST_UID)
        chain = tools.toolchain()
        program = Program(
            argv=tuple(argv), folder=folder, env=chain.env | (env or {}) if shape is not PLAIN else env or {}
        )
        child = launch(shape, program, limits, writable=target, extra=chain.binds)
        started_s = time.monotonic()
        try:
            child.release(limits.startup_s)
            log = _watch(child, target, started_s + timeout_s, size_mb)
        finally:
            child.close()
        _seal(target)
    except BaseException:
        _remove(target)
        raise
    return Built(folder=target, log=log, elapsed_s=time.monotonic() - started_s)


def _watch(child: Child, target: Path, deadline_s: float, size_mb: int) -> str:
    """Read what the step prints until it ends well."""
    log = b""
    poll = select.poll()
    fds = {child.stdout, child.stderr}
    for fd in fds:
        poll.register(fd, select.POLLIN)
    looked_s = 0.0
    while fds:
        now_s = time.monotonic()
        if now_s > deadline_s:
            raise _failed("took too long", log)
        if now_s - looked_s > LOOK_S:
            looked_s = now_s
            if _size_b(target) > size_mb * 1024 * 1024:
                raise _failed(f"left more than {size_mb} MiB", log)
        for fd, _ in poll.poll(LOOK_S * 1000):
            part = os.read(fd, 65536)
            log = (log + part)[-LOG_B:]
            if not part:
                poll.unregister(fd)
                fds.discard(fd)
    while child.exit_status() is None and time.monotonic() < deadline_s:
        time.sleep(0.001)
    if (status := child.exit_status()) != 0:
        breach = child.breach()
        raise _failed(f"broke the limit of {breach}" if breach else f"ended with status {status}", log)
    if _size_b(target) > size_mb * 1024 * 1024:
        raise _failed(f"left more than {size_mb} MiB", log)
    return log.decode("utf-8", "replace")


def _failed(how: str, log: bytes) -> UsageError:
    text = log.decode("utf-8", "replace").strip()
    return UsageError(f"the build step {how}" + (f":\n{text[-4000:]}" if text else ""))


def _size_b(folder: Path) -> int:
    total = 0
    for parent, _, files in os.walk(folder):
        for name in files:
            with suppress(OSError):
                total += (Path(parent) / name).lstat().st_blocks * 512
    return total


def _give(folder: Path, uid: int) -> None:
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, uid, uid, follow_symlinks=False)


def _seal(folder: Path) -> None:
    """Take it back, forbid writing, and refuse what is neither file nor folder nor a link inside.

    Raises:
        UsageError: the step left something else.
    """
    owner = os.geteuid(), os.getegid()
    for path in [folder, *sorted(folder.rglob("*"))]:
        os.chown(path, *owner, follow_symlinks=False)
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            if not path.resolve().is_relative_to(folder.resolve()):
                raise UsageError(f"the build step left a link that leads out of the folder: {path.relative_to(folder)}")
        elif stat.S_ISREG(mode):
            path.chmod(0o555 if mode & 0o111 else 0o444)
        elif stat.S_ISDIR(mode):
            path.chmod(0o755)
        else:
            raise UsageError(f"the build step left something that is no file: {path.relative_to(folder)}")
    for path in [*folder.rglob("*"), folder]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o555)


def _remove(folder: Path) -> None:
    for parent, _, _ in os.walk(folder):
        with suppress(OSError):
            Path(parent).chmod(0o755)
    shutil.rmtree(folder, ignore_errors=True)
