"""The fallback where user namespaces are forbidden: Landlock, a stricter filter and limits.

Weaker than the full set, and named so everywhere: the bot sees the host's paths and the names of its users, has no
writable `/tmp`, shares the host's process numbers, and an ordinary user's bots share that user's uid. Files outside
its folder and the system's programs, the network, other processes and their signals are denied all the same.
"""

import ctypes
import json
from functools import cache
from pathlib import Path

from arena.sandbox import bubblewrap, confine, runtime, seccomp
from arena.sandbox.program import Program
from arena.sandbox.stage import Stage
from arena.sandbox.syscalls import NUMBERS

CREATE_RULESET_VERSION = 1
LEAST_ABI_WITH_SIGNALS = 6
OWN_PID = 0x7FFFFFF1  # no process has this number: the marker that `confine` replaces
READABLE_PROC = (
    "self",
    "thread-self",
    "cpuinfo",
    "meminfo",
    "stat",
    "sys/vm/overcommit_memory",
    "sys/kernel/osrelease",
)
WRITABLE = ("/dev/null", "/dev/zero", "/dev/full")
RANDOM = ("/dev/random", "/dev/urandom")


@cache
def abi() -> int:
    """The kernel's Landlock version; 0: none."""
    call = NUMBERS["landlock_create_ruleset"][0]  # the same on every architecture
    version: int = ctypes.CDLL(None, use_errno=True).syscall(call, None, 0, CREATE_RULESET_VERSION)
    return max(0, version)


def command(configuration_fd: int, stage: Stage) -> list[str]:
    """What to start on the host."""
    script = stage.place(Path(confine.__file__).resolve())
    return [str(interpreter(stage)), "-I", "-S", str(script), str(configuration_fd)]


def configuration(program: Program, stage: Stage) -> bytes:
    """What `confine` is told."""
    folder = stage.place_readable(program.folder)
    library = stage.links(runtime.package_folders())  # Python must be able to list it
    places = [*runtime.system_binds(), *runtime.etc_binds(), *runtime.interpreter_binds(), *runtime.package_binds()]
    read = [str(stage.place(bind.source, bind.leave_out)) for bind in places]
    read += [str(folder), str(library), *RANDOM, *(f"/proc/{name}" for name in READABLE_PROC)]
    env = bubblewrap.environment(program) | {
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PATH": f"{interpreter(stage).parent}:/usr/local/bin:/usr/bin:/bin",
        **python_env(stage),
    }
    argv = [bubblewrap.resolve(program, str(interpreter(stage))), *program.argv[1:]]
    filter_rules = seccomp.strict_rules(OWN_PID, signals=abi() >= LEAST_ABI_WITH_SIGNALS)
    return json.dumps(
        {
            "read": read,
            "write": WRITABLE,
            "landlock_abi": abi(),
            "filter": seccomp.encode(seccomp.assemble(filter_rules)).hex(),
            "own_pid_marker": OWN_PID,
            "greeting": bubblewrap.GREETING.decode(),
            "go": bubblewrap.GO.decode(),
            "argv": argv,
            "env": env,
        }
    ).encode()


def interpreter(stage: Stage) -> Path:
    """The referee's interpreter where any uid can run it."""
    if runtime.interpreter_is_the_systems():
        return runtime.interpreter()
    return stage.place(runtime.prefix(), runtime.NOT_NEEDED) / runtime.interpreter().relative_to(runtime.prefix())


def python_env(stage: Stage) -> dict[str, str]:
    """What makes that interpreter find `arena`, and its own library."""
    env = {"PYTHONPATH": str(stage.links(runtime.package_folders()))}
    if "LD_LIBRARY_PATH" in runtime.python_env():
        env["LD_LIBRARY_PATH"] = str(interpreter(stage).parent.parent / "lib")
    return env
