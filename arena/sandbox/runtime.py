"""What of the host every sandbox sees: the interpreter, the game rules, and the few files programs need.

Nothing is found at run time inside; the paths there are the same on every machine: `/opt/arena/python` (the
interpreter's prefix, unless that is `/usr`), `/opt/arena/lib` (the packages `arena` and `msgspec`), `/bot`.
"""

import importlib.util
import os
import shutil
import sys
import sysconfig
from functools import cache
from pathlib import Path
from typing import NamedTuple

PREFIX_INSIDE = "/opt/arena/python"
LIB_INSIDE = "/opt/arena/lib"
SITE_PACKAGES = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"  # below the prefix
PACKAGES = ("arena", "msgspec")  # what `import arena.games` needs, and no more

# Parts of an interpreter's prefix that no bot needs.
NOT_NEEDED = (
    "site-packages",
    "test",
    "tests",
    "idlelib",
    "turtledemo",
    "ensurepip",
    "lib2to3",
    "include",
    "share",
    "*.a",
)

# Files and folders of /etc that programs read to start at all: the loader, alternatives, OpenSSL (Node), Java. There is
# no time zone: bots live in UTC.
ETC = ("alternatives", "ld.so.cache", "ssl/openssl.cnf")
ETC_PATTERNS = ("java-*",)


class Bind(NamedTuple):
    """A file or folder of the host, read-only at `target`."""

    source: Path
    target: str
    leave_out: tuple[str, ...] = ()  # name patterns that need not be there if it has to be copied


@cache
def interpreter() -> Path:
    """The real interpreter behind a virtual environment or a version manager's shim."""
    base = getattr(sys, "_base_executable", None) or sys.executable
    return Path(base).resolve()


@cache
def prefix() -> Path:
    return Path(sys.base_prefix).resolve()


def interpreter_is_the_systems() -> bool:
    return interpreter().is_relative_to("/usr")


@cache
def interpreter_inside() -> str:
    """The interpreter's path in a sandbox."""
    if interpreter_is_the_systems():
        return str(interpreter())
    if interpreter().is_relative_to(prefix()):
        return f"{PREFIX_INSIDE}/{interpreter().relative_to(prefix())}"
    return f"{PREFIX_INSIDE}/bin/{interpreter().name}"


@cache
def interpreter_binds() -> tuple[Bind, ...]:
    return () if interpreter_is_the_systems() else (Bind(prefix(), PREFIX_INSIDE, NOT_NEEDED),)


@cache
def package_folders() -> dict[str, Path]:
    """Where the packages for bots are installed, editable or not."""
    found: dict[str, Path] = {}
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            found[name] = Path(next(iter(spec.submodule_search_locations))).resolve()
    return found


def package_binds() -> tuple[Bind, ...]:
    return tuple(Bind(folder, f"{LIB_INSIDE}/{name}") for name, folder in package_folders().items())


@cache
def python_env() -> dict[str, str]:
    """What a Python bot's environment needs besides PATH."""
    env = {"PYTHONPATH": LIB_INSIDE, "PYTHONDONTWRITEBYTECODE": "1"}
    if sysconfig.get_config_var("Py_ENABLE_SHARED") and not interpreter_is_the_systems():
        env["LD_LIBRARY_PATH"] = f"{PREFIX_INSIDE}/lib"  # a shared libpython is linked by its absolute path
    return env


@cache
def etc_binds() -> tuple[Bind, ...]:
    etc = Path("/etc")
    named = [etc / name for name in ETC] + [path for pattern in ETC_PATTERNS for path in sorted(etc.glob(pattern))]
    return tuple(Bind(path.resolve(), str(path)) for path in named if path.exists())


@cache
def system_links() -> tuple[tuple[str, str], ...]:
    """(target, link) for /bin, /lib … where the host has them as links into /usr."""
    names = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
    return tuple((str(Path(f"/{name}").readlink()), f"/{name}") for name in names if Path(f"/{name}").is_symlink())


@cache
def system_binds() -> tuple[Bind, ...]:
    """/usr, and what of the rest holds programs and libraries."""
    names = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "nix/store")
    return tuple(
        Bind(Path(f"/{name}"), f"/{name}")
        for name in names
        if Path(f"/{name}").is_dir() and not Path(f"/{name}").is_symlink()
    )


@cache
def shell() -> str:
    return shutil.which("sh", path="/bin:/usr/bin") or "/bin/sh"


def host_python_env() -> dict[str, str]:
    """What makes `arena` importable outside a sandbox, in the interpreter that runs Arena."""
    return {"PYTHONPATH": os.pathsep.join(dict.fromkeys(str(folder.parent) for folder in package_folders().values()))}
