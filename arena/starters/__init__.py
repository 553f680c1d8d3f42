"""Starter kits: a bot in each of several languages, which `arena new-bot` copies.

The folders beside this file are the one source: docs, tests and the wheel use them as they are. Each holds one source
file and a `bot.yaml`.
"""

import json
import random
import shutil
from pathlib import Path
from typing import Any

from arena import games
from arena.bot import manifest
from arena.errors import UnknownNameError, UsageError

HOME = Path(__file__).parent
ALIASES = {"c++": "cpp", "golang": "go", "js": "javascript", "py": "python", "rs": "rust", "ts": "typescript"}
MAX_NAME_BYTES = 100
SHOWN_ACTIONS = 3


def languages() -> list[str]:
    """The languages that have a kit, sorted."""
    return sorted(path.parent.name for path in HOME.glob("*/bot.yaml"))


def folder(language: str) -> Path:
    """The folder of a language's kit. Raises UnknownNameError."""
    name = ALIASES.get(language.lower(), language.lower())
    if name not in languages():
        raise UnknownNameError("language", language, languages())
    return HOME / name


def source(language: str) -> Path:
    """The kit's one source file."""
    [path] = (path for path in folder(language).glob("[bB]ot.*") if path.suffix != ".yaml")
    return path


def missing_programs(language: str) -> list[str]:
    """The programs that building and running the kit asks for and that this machine's PATH does not have."""
    kit = manifest.read(folder(language))
    programs = {kit.run[0], *(kit.build or ())[:1]}
    return sorted(program for program in programs if "/" not in program and shutil.which(program) is None)


def create(name: str, *, language: str, game: str, parent: Path) -> Path:
    """Write the folder `parent/name` with a bot that runs, and return it.

    Raises UsageError for a name that cannot be a folder's or a folder that is in use, UnknownNameError for a language
    or a game that does not exist.
    """
    home = parent / _checked(name)
    kit, text = folder(language), readme(name, language=language, game=game)
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise UsageError(f"{home} exists already: choose another name, or another folder by --dir")
    home.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source(language), home / source(language).name)
    lines = (kit / "bot.yaml").read_text("utf-8").splitlines(keepends=True)
    named = f"name: {json.dumps(name, ensure_ascii=False)}\n"
    manifest_text = "".join(named if line.startswith("name:") else line for line in lines)
    (home / "bot.yaml").write_text(f"{manifest_text}games: [{game}] # what `arena check` tries\n", "utf-8")
    (home / "README.md").write_text(text, "utf-8")
    return home


def readme(name: str, *, language: str, game: str) -> str:
    """What stands in a new bot's folder for its author: the next commands, and what the game will ask."""
    return f"""# {name}

A bot for Arena that plays {game} by choosing at random.
Write your idea into `choose` in `{source(language).name}`; then, in this folder:

```sh
arena rules {game}
arena check . --game {game}
arena match . . --game {game}
```

The first prints the rules, what you will see and what you may answer.
The second builds the bot and checks that it keeps to the protocol and its limits.
The third plays it against itself; name another bot instead of a dot and see which is better.

`bot.yaml` says how the bot is built and run; both are lists of words, no shell reads them.

## What the bot is asked

This is the first request of a game of {game} (one line on the wire):

```text
{first_request(game)}
```
"""


def first_request(game: str) -> str:
    """The first request of a game, laid out for people, its list of legal actions cut."""
    rules = games.load(game)
    options = rules.Options()
    state = rules.initial(rules.deal(random.Random(1), options), options)  # noqa: S311 - an example
    seat = rules.seat_to_act(state)
    legal = [json.dumps(rules.to_json(action), ensure_ascii=False) for action in rules.legal_actions(state)]
    if len(legal) > SHOWN_ACTIONS:
        legal = [*legal[:SHOWN_ACTIONS], f"… {len(legal) - SHOWN_ACTIONS} more"]
    lines = ",\n  ".join(legal)
    return (
        '{"type": "act", "id": 1, "events": [],\n'
        f' "view": {laid_out(rules.to_json(rules.view(state, seat)), indent=1)},\n'
        f' "legal": [\n  {lines}],\n'
        ' "clock": {"move_ms": 1000, "bank_ms": 0, "used_ms": 0}}'
    )


def laid_out(value: Any, *, indent: int = 0, width: int = 110) -> str:
    """JSON with line breaks only where a value does not fit on one line."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) + indent <= width or not value:
        return text
    cut = ",\n" + " " * (indent + 1)
    if isinstance(value, dict):
        items = (f"{json.dumps(key)}: {laid_out(item, indent=indent + 1)}" for key, item in value.items())
        return "{" + cut[1:] + cut.join(items) + "}"
    if isinstance(value, list | tuple):
        return "[" + cut[1:] + cut.join(laid_out(item, indent=indent + 1) for item in value) + "]"
    return text


def _checked(name: str) -> str:
    if "/" in name or "\\" in name:
        raise UsageError(f"a bot's name holds no slash, found {name!r}: say by --dir where its folder is to be made")
    if not manifest.is_printable(name) or name.startswith((".", "-")) or len(name.encode()) > MAX_NAME_BYTES:
        raise UsageError(
            f"{name!r} cannot be the name of a bot's folder: use up to {MAX_NAME_BYTES} letters and digits"
        )
    return name
