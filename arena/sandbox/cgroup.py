"""Control groups: the exact count of a bot's memory, processes and CPU time, where this user may make groups.

A group is made below the one that Arena itself runs in, so that whatever limits Arena limits its bots too. In version
1 the launcher's thread enters the group, starts the sandbox, and goes back: the sandbox is born inside, nothing is
moved, and no lock of the whole machine is taken (moving a running process costs milliseconds, a thread moving itself
microseconds).
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path

CONTROLLERS = ("memory", "pids", "cpuacct")
_numbers = count()


@cache
def _mounts() -> dict[str, Path]:
    """Where each version-1 controller's hierarchy is mounted."""
    found: dict[str, Path] = {}
    for line in _lines("/proc/self/mountinfo"):
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ")[:3]
        if kind == "cgroup":
            found |= {name: Path(before.split()[4]) for name in options.split(",")}
    return found


def _own_paths() -> dict[str, str]:
    """This process's group in each version-1 hierarchy."""
    paths: dict[str, str] = {}
    for line in _lines("/proc/self/cgroup"):
        _, names, path = line.split(":", 2)
        paths |= dict.fromkeys(names.split(","), path)
    return paths


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []


@cache
def parents() -> dict[str, Path]:
    """Groups, by controller, below which this process may make groups. Empty: none.

    They are kept open: the launcher's thread lives among other mounts (`arena.sandbox.stage`) and finds them so, too.
    """
    own, found = _own_paths(), {}
    for name in CONTROLLERS:
        if name in _mounts() and name in own:
            parent = _mounts()[name] / own[name].lstrip("/")
            if _is_writable(parent):
                _sweep(parent)
                found[name] = Path(f"/proc/self/fd/{os.open(parent, os.O_PATH | os.O_CLOEXEC)}")
    return found


def _sweep(parent: Path) -> None:
    """Remove the groups of processes that were killed before they could; one in use does not let itself be removed."""
    for folder in parent.glob("arena-*-*"):
        pid = folder.name.split("-")[1]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists():
            with suppress(OSError):
                folder.rmdir()


def _is_writable(parent: Path) -> bool:
    probe = parent / f"arena-probe-{os.getpid()}"
    try:
        probe.mkdir()
        probe.rmdir()
    except OSError:
        return False
    return os.access(parent / "tasks", os.W_OK)


def available() -> bool:
    """Whether memory can be limited by a group: the least that makes groups worth their while."""
    return "memory" in parents()


class Group:
    """A group of its own in each controller, for one sandbox."""

    def __init__(self, *, memory_mb: int, tasks: int) -> None:
        """
        Raises:
            OSError: the kernel does not let us.
        """
        name = f"arena-{os.getpid()}-{next(_numbers)}"
        self._folders: dict[str, Path] = {}
        self._cpu_fd = -1
        try:
            for controller, parent in parents().items():
                (parent / name).mkdir()
                self._folders[controller] = parent / name
            limit_b = memory_mb * 1024 * 1024
            self._write("memory", "memory.limit_in_bytes", limit_b)
            with suppress(OSError):  # only where swap is accounted
                self._write("memory", "memory.memsw.limit_in_bytes", limit_b)
            if "pids" in self._folders:
                self._write("pids", "pids.max", tasks)
            if "cpuacct" in self._folders:
                self._cpu_fd = os.open(self._folders["cpuacct"] / "cpuacct.usage", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.close()
            raise

    @contextmanager
    def entered(self) -> Iterator[None]:
        """What the calling thread starts meanwhile is born in the group."""
        try:
            for folder in self._folders.values():
                _enter(folder)
            yield
        finally:
            for folder in self._folders.values():
                _enter(folder.parent)

    @property
    def counts_cpu(self) -> bool:
        return self._cpu_fd >= 0

    def cpu_s(self) -> float:
        return int(os.pread(self._cpu_fd, 32, 0)) / 1e9

    def peak_memory_b(self) -> int:
        return int(self._read("memory", "memory.max_usage_in_bytes") or 0)

    def memory_exceeded(self) -> bool:
        """Whether the kernel has killed a process of the group for its memory."""
        words = self._read("memory", "memory.oom_control").split()
        return "oom_kill" in words and words[words.index("oom_kill") + 1] != "0"

    def pids(self) -> list[int]:
        return [int(word) for word in self._read("memory", "cgroup.procs").split()]

    def close(self, timeout_s: float = 1.0) -> None:
        """Remove the groups; their processes must be dying."""
        if self._cpu_fd >= 0:
            os.close(self._cpu_fd)
            self._cpu_fd = -1
        deadline = time.monotonic() + timeout_s
        while self._folders:
            controller, folder = next(iter(self._folders.items()))
            try:
                folder.rmdir()
            except FileNotFoundError:
                pass
            except OSError:
                if time.monotonic() > deadline:
                    return
                time.sleep(0.001)
                continue
            del self._folders[controller]

    def _write(self, controller: str, name: str, value: int) -> None:
        (self._folders[controller] / name).write_text(str(value), encoding="ascii")

    def _read(self, controller: str, name: str) -> str:
        try:
            return (self._folders[controller] / name).read_text(encoding="ascii")
        except (OSError, KeyError):
            return ""


def _enter(folder: Path) -> None:
    (folder / "tasks").write_text("0", encoding="ascii")
