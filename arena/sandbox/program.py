"""What is to run, how strictly, and what it used."""

from enum import StrEnum
from pathlib import Path

import msgspec


class Mode(StrEnum):
    """How much of a sandbox a run insists on."""

    REQUIRED = "required"  # the full set, or the run is refused
    BEST_EFFORT = "best-effort"  # the most that this machine gives; reports say what was missing
    OFF = "off"  # none: for one's own bots


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's program.

    `argv[0]` is looked for in the folder first (`"./mybot"`, `"mybot"`), then on the sandbox's PATH; `"python3"` and
    `"python"` mean the interpreter that runs Arena, with the `arena` package importable.
    """

    argv: tuple[str, ...]
    folder: Path  # the bot's files on the host: read-only at /bot inside, where it also starts
    env: dict[str, str] = {}


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot and all its descendants used."""

    peak_memory_mb: float  # anonymous, shared and page-table memory
    cpu_s: float
    wait_s: float  # time spent runnable, waiting for a core


PYTHON_NAMES = frozenset({"python", "python3"})
