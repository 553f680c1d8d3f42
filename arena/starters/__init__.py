"""Starter kits: a bot in each of several languages, to be copied by `arena new-bot`.

The folders beside this file are the one source: docs, tests and the wheel use them as they are. Each holds one source
file and a `bot.yaml`.
"""

from pathlib import Path

from arena.errors import UnknownNameError

HOME = Path(__file__).parent
ALIASES = {"c++": "cpp", "golang": "go", "js": "javascript", "py": "python", "rs": "rust", "ts": "typescript"}


def languages() -> list[str]:
    """The languages that have a kit, sorted."""
    return sorted(path.parent.name for path in HOME.glob("*/bot.yaml"))


def folder(language: str) -> Path:
    """The folder of a language's kit. Raises UnknownNameError."""
    name = ALIASES.get(language.lower(), language.lower())
    if name not in languages():
        raise UnknownNameError("language", language, languages())
    return HOME / name
