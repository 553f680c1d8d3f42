"""Interpreters and compilers that the host has outside `/usr`, shown inside under `/opt/arena/tools`."""

import os
import shutil
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from arena.sandbox.runtime import Bind

TOOLS_INSIDE = "/opt/arena/tools"
PATH_OF_THE_SYSTEM = "/usr/local/bin:/usr/bin:/bin"
COMPILERS = ("cc", "gcc", "g++", "clang", "make", "cmake", "javac", "jar", "go", "node", "npm", "ghc", "dotnet", "zig")


class Tool(NamedTuple):
    """A program as found inside."""

    inside: str
    bind: Bind | None  # what must be shown for it; None: it is there anyway


@cache
def locate(name: str) -> Tool | None:
    """A program of the host by its bare name; None if the host has none."""
    if shutil.which(name, path=PATH_OF_THE_SYSTEM):
        return Tool(name, None)
    found = shutil.which(name)
    if found is None:
        return None
    real = Path(found).resolve()
    if real.is_relative_to("/usr"):
        return Tool(str(real), None)
    if real.name == "rustup" and (rust := _rust()) is not None:
        return Tool(f"{TOOLS_INSIDE}/rust/bin/{name}", Bind(rust, f"{TOOLS_INSIDE}/rust"))
    target = f"{TOOLS_INSIDE}/{name}"
    prefix = real.parent.parent
    if real.parent.name == "bin" and _is_a_prefix(prefix):
        return Tool(f"{target}/bin/{real.name}", Bind(prefix, target))
    return Tool(f"{target}/{real.name}", Bind(real, f"{target}/{real.name}"))


def _is_a_prefix(folder: Path) -> bool:
    """Whether a folder holds one installation, and not somebody's whole home."""
    homes = {Path.home(), Path("/"), Path("/root"), *Path("/home").glob("*")}
    return folder not in homes and not folder.name.startswith(".")


class Toolchain(NamedTuple):
    """What a build is given besides a bot's usual surroundings."""

    binds: tuple[Bind, ...]
    env: dict[str, str]


@cache
def toolchain() -> Toolchain:
    """All compilers that this host has."""
    binds, folders = [], []
    for name in COMPILERS:
        tool = locate(name)
        if tool is not None and tool.bind is not None:
            binds.append(tool.bind)
            folders.append(str(Path(tool.inside).parent))
    if (rust := _rust()) is not None:
        binds.append(Bind(rust, f"{TOOLS_INSIDE}/rust"))
        folders.append(f"{TOOLS_INSIDE}/rust/bin")
    if Path("/usr/local/go/bin").is_dir():
        folders.append("/usr/local/go/bin")
    env = {
        "PATH": ":".join([*folders, PATH_OF_THE_SYSTEM]),
        "CARGO_HOME": "/tmp/cargo",  # noqa: S108
        "CARGO_NET_OFFLINE": "true",
        "GOCACHE": "/tmp/go-cache",  # noqa: S108
        "GOPATH": "/tmp/go",  # noqa: S108
        "GOFLAGS": "-mod=mod",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
    }
    return Toolchain(tuple(binds), env)


def _rust() -> Path | None:
    """The toolchain behind rustup's stand-ins: those need rustup's own folder, the real programs do not."""
    if shutil.which("cargo", path=PATH_OF_THE_SYSTEM):
        return None
    home = Path(os.environ.get("RUSTUP_HOME", Path.home() / ".rustup"))
    try:
        name = tomllib.loads((home / "settings.toml").read_text(encoding="utf-8"))["default_toolchain"]
    except (OSError, KeyError, tomllib.TOMLDecodeError):
        return None
    folder = home / "toolchains" / name
    return folder.resolve() if (folder / "bin" / "cargo").exists() else None
