"""Facts about the machine that decide how many games it can play, and how exactly it can time them."""

import math
import os
import platform
import resource
import statistics
import time
from pathlib import Path

import msgspec

from arena.sandbox import bubblewrap, cgroup, landlock, seccomp

DESCRIPTORS_PER_GAME = 40  # two bots' pipes, pidfds and clocks, with room
BOTS_PER_GAME = 2
SPARE_MEMORY = 0.2  # of the machine's memory, left to everything else
NAPS, NAP_S = 50, 0.001


class Fact(msgspec.Struct, frozen=True):
    """One row of `arena doctor`."""

    name: str
    value: str
    remedy: str = ""  # empty: nothing is wrong


def facts(*, memory_mb: int, cores: int) -> list[Fact]:
    """What there is. `memory_mb` is the limit of one bot, `cores` what this process may use of real ones."""
    return [
        Fact("kernel", f"{platform.system()} {platform.release()} {platform.machine()}"),
        Fact("user", "root, whose bots run as ordinary users" if os.geteuid() == 0 else f"uid {os.geteuid()}"),
        Fact("bubblewrap", ", ".join(map(str, bubblewrap.candidates())) or "none"),
        Fact("user namespaces", _setting("user/max_user_namespaces") or "unlimited"),
        Fact("system-call filter", "yes" if seccomp.supported() else f"no table for {platform.machine()}"),
        Fact("Landlock", f"version {landlock.abi()}" if landlock.abi() else "none"),
        Fact("cgroups to make groups in", ", ".join(cgroup.parents()) or "none"),
        _jitter(),
        _descriptors(),
        Fact("cores", str(cores)),
        Fact("memory", f"{memory_b() >> 20} MiB"),
        Fact("safe number of workers", str(safe_workers(memory_mb=memory_mb, cores=cores))),
    ]


def memory_b() -> int:
    """The machine's memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def safe_workers(*, memory_mb: int, cores: int) -> int:
    """Games at a time whose bots neither share a core on move nor run the machine out of memory or descriptors.

    One bot of a game is on move and the other stopped, so that a game takes one core.
    """
    by_memory = int(memory_b() * (1 - SPARE_MEMORY) / (BOTS_PER_GAME * memory_mb * 1024 * 1024))
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    by_descriptors = 1024 if descriptors == resource.RLIM_INFINITY else descriptors // DESCRIPTORS_PER_GAME
    return max(1, min(cores, by_memory, by_descriptors))


def _jitter() -> Fact:
    """How late the scheduler wakes a process that asked to be woken after a millisecond."""
    late_ms = []
    for _ in range(NAPS):
        before_s = time.monotonic()
        time.sleep(NAP_S)
        late_ms.append((time.monotonic() - before_s - NAP_S) * 1000)
    late_ms.sort()
    worst = late_ms[math.ceil(0.95 * NAPS) - 1]
    value = f"woken {statistics.median(late_ms):.2f} ms late, 95 % within {worst:.2f} ms"
    remedy = "the machine is busy: use fewer workers, or longer limits than 100 ms a move" if worst > 10 else ""
    return Fact("clock jitter", value, remedy)


def _descriptors() -> Fact:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    remedy = f"`ulimit -n {min(hard, 4096)}` before a run with many workers" if 0 <= soft < 1024 else ""
    return Fact("descriptors", f"{soft} (at most {hard})", remedy)


def _setting(name: str) -> str:
    try:
        return Path(f"/proc/sys/{name}").read_text(encoding="ascii").strip()
    except OSError:
        return ""
