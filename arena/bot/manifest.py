"""A bot on disk: a folder with `bot.yaml`, or a single `.py` file. Reading, hashing and staging it.

```
bot = manifest.read(Path("bots/greedy.py"))
manifest.sha256(bot)                            what identifies it, with its id in the config
staged = manifest.stage(bot, Path("/private"))  its files alone; staged.build, if any, runs there; then staged.run
```
Links: one that leads to a file of the bot counts as that file; every other link is refused. `__pycache__` and `.git`
are no part of a bot. Nothing here runs a program, and no argument ever passes through a shell.
"""

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec

from arena import settings, yaml_source
from arena.errors import ConfigError
from arena.yaml_source import Place, Problem, Source, problem_line, shown

FILE = "bot.yaml"
SKIPPED = frozenset({"__pycache__", ".git"})
MAX_MB = 512  # of all files of one bot
MAX_FILES = 20_000
MAX_NAME_CHARACTERS = 100
MAX_WORDS = 256  # of a command
MAX_WORD_CHARACTERS = 4096
PYTHON = ("python3", "-P", "-s")
"""How a single file is run: by the referee's own interpreter (the sandbox gives it for the name `python3`).

`-P` keeps a bot called `random.py` from being imported in place of the standard module, `-s` leaves out what the
user happens to have installed. Not `-I`: search bots find `arena` by PYTHONPATH.
"""

Words = Annotated[list[str], msgspec.Meta(min_length=1, max_length=MAX_WORDS)]
_WORDS = "a list of words such as [python3, bot.py]"


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of `bot.yaml`."""

    name: Annotated[
        Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME_CHARACTERS)] | None,
        msgspec.Meta(description="Shown; the default is the folder's name."),
    ] = None
    run: Annotated[
        Words,
        msgspec.Meta(
            description="The program and its arguments, one word each; started in the bot's folder, without a shell.",
            extra_json_schema={"expected": _WORDS},
        ),
    ]
    build: Annotated[
        Words | None,
        msgspec.Meta(
            description="A command, as in `run`, that is run once in the bot's folder before the first game.",
            extra_json_schema={"expected": _WORDS},
        ),
    ] = None
    version: Annotated[str, msgspec.Meta(description='Shown; text, so quote it: "1.0".', max_length=100)] = ""
    env: Annotated[dict[str, str], msgspec.Meta(description="Environment variables of `run` and `build`.")] = {}
    games: Annotated[
        list[str], msgspec.Meta(description="The games that it plays: `arena check` checks it in all of them.")
    ] = []


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot as read from disk. `run` and `build` are argument lists for the folder as the working directory."""

    name: str
    folder: Path  # absolute
    files: tuple[str, ...]  # relative to the folder, with slashes, ordered by their bytes
    run: tuple[str, ...]
    build: tuple[str, ...] | None = None
    version: str = ""
    env: dict[str, str] = {}
    games: tuple[str, ...] = ()  # that it claims to play; empty: not said


def read(path: Path, *, label: str | None = None) -> Bot:
    """The bot at `path`. Raises ConfigError with every problem; `label` names the path in messages."""
    label = label or str(path)
    if (problem := misplaced(path)) is not None:
        raise ConfigError([problem_line(label, Problem(Place(1, 1), "", problem))])
    if path.is_file():
        return _single_file(path.absolute(), label)
    source = yaml_source.read(path / FILE, label=f"{label}/{FILE}")
    manifest = settings.check_struct(source, (), Manifest)
    _check_texts(source)
    source.check()
    assert manifest is not None
    folder = path.resolve()
    return Bot(
        name=manifest.name or path.absolute().name,
        folder=folder,
        files=_files(folder, label),
        run=tuple(manifest.run),
        build=tuple(manifest.build) if manifest.build else None,
        version=manifest.version,
        env=manifest.env,
        games=tuple(manifest.games),
    )


def misplaced(path: Path) -> str | None:
    """Why there can be no bot at `path`, or None."""
    wanted = f"expected a .py file or a folder with {FILE}"
    try:
        if path.is_dir():
            return None if (path / FILE).exists() else f"found a folder without {FILE}, {wanted}"
        if path.is_file():
            return None if path.suffix == ".py" else f"found a file that is no .py file, {wanted}"
        found = "something that is no file" if path.exists() else "no such file or folder"
    except (OSError, ValueError) as error:
        found = f"what cannot be read ({getattr(error, 'strerror', None) or error})"
    return f"found {found}, {wanted}{yaml_source.nearest_file(path)}"


def _single_file(path: Path, label: str) -> Bot:
    size_mb = path.stat().st_size / 2**20
    if size_mb > MAX_MB:
        raise _refusal(label, "", f"found {size_mb:,.0f} MiB, expected at most {MAX_MB} MiB")
    _check_file_name(path.name, label)
    script = f"./{path.name}" if path.name.startswith("-") else path.name
    return Bot(name=path.stem, folder=path.parent, files=(path.name,), run=(*PYTHON, script))


def _check_texts(source: Source) -> None:
    """What types cannot say: characters that no name, argument or variable may hold."""
    data: Any = source.data if isinstance(source.data, dict) else {}
    for key in ("name", "version"):
        if isinstance(text := data.get(key), str) and not is_printable(text):
            source.add((key,), f"found {source.written[key,]}, expected text without control characters")
    for key in ("run", "build"):
        words = data.get(key)
        for index, word in enumerate(words if isinstance(words, list) else ()):
            if isinstance(word, str) and ("\0" in word or len(word) > MAX_WORD_CHARACTERS):
                wanted = f"expected at most {MAX_WORD_CHARACTERS:,} characters and no NUL"
                source.add((key, index), f"found {source.written[key, index]}, {wanted}")
        if isinstance(words, list) and words and words[0] == "":
            source.add((key, 0), 'found "", expected the name of a program')
    variables = data.get("env")
    for name, value in (variables if isinstance(variables, dict) else {}).items():
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            source.add(("env", name), "found this name, expected letters, digits and _ only", of_key=True)
        elif isinstance(value, str) and ("\0" in value or len(value) > MAX_WORD_CHARACTERS):
            source.add(("env", name), f"expected at most {MAX_WORD_CHARACTERS:,} characters and no NUL")


def is_printable(text: str) -> bool:
    """Whether a name can be shown: not blank, no control characters, nothing that turns the direction of writing."""
    return bool(text.strip()) and not re.search(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]", text)


def sha256(bot: Bot | Path) -> str:
    """The SHA-256 (hex) over the names and bytes of the bot's files, each preceded by its length in 8 bytes."""
    if isinstance(bot, Path):
        bot = read(bot)
    digest = hashlib.sha256(b"arena bot 1\n")
    for name in bot.files:
        encoded = name.encode()
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
        with (bot.folder / name).open("rb") as file:
            digest.update(os.fstat(file.fileno()).st_size.to_bytes(8, "big"))
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def stage(bot: Bot, target: Path) -> Bot:
    """A copy of the bot's files, and nothing else, in the folder `target` (made if missing, else empty).

    Copies, so that nothing done there reaches the original, readable for everybody, so that the sandbox's user can.
    The result is the same bot with `target` as its folder: build there, hash there, run there.
    """
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise ValueError(f"{target} is not empty")
    target.chmod(0o755)
    for name in bot.files:
        original, copy = bot.folder / name, target / name
        for folder in reversed(copy.relative_to(target).parents[:-1]):
            (target / folder).mkdir(exist_ok=True)
            (target / folder).chmod(0o755)
        shutil.copyfile(original, copy)
        copy.chmod(0o755 if original.stat().st_mode & stat.S_IXUSR else 0o644)
    return msgspec.structs.replace(bot, folder=target.resolve())


def _files(folder: Path, label: str) -> tuple[str, ...]:
    """The bot's files as relative names, in the order of their UTF-8 bytes."""
    names: list[str] = []
    total = 0
    for path, size in _walk(folder, folder, label):
        total += size
        names.append(path.relative_to(folder).as_posix())
        if len(names) > MAX_FILES:
            raise _refusal(label, "", f"found more than {MAX_FILES:,} files, expected fewer")
        if total > MAX_MB << 20:
            raise _refusal(label, "", f"found more than {MAX_MB} MiB of files, expected at most {MAX_MB} MiB")
    return tuple(sorted(names, key=str.encode))


def _walk(folder: Path, root: Path, label: str) -> Iterator[tuple[Path, int]]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise _refusal(
            label, _relative(folder, root), f"found a folder that cannot be read ({error.strerror})"
        ) from None
    for path in entries:
        name = _relative(path, root)
        _check_file_name(name, label)
        if path.name in SKIPPED:
            continue
        status = path.lstat()
        if stat.S_ISDIR(status.st_mode):
            yield from _walk(path, root, label)
        elif stat.S_ISLNK(status.st_mode):
            yield path, _linked(path, root, label)
        elif stat.S_ISREG(status.st_mode):
            if not os.access(path, os.R_OK):
                raise _refusal(label, name, "found a file that cannot be read")
            yield path, status.st_size
        else:
            raise _refusal(label, name, "found a pipe, socket or device, expected files and folders")


def _linked(path: Path, root: Path, label: str) -> int:
    """The size of the file that a link leads to, which must be a file of the bot."""
    try:
        target = path.resolve(strict=True)
        if target.is_file() and target.is_relative_to(root) and not SKIPPED & set(target.relative_to(root).parts):
            return target.stat().st_size
    except (OSError, RuntimeError):  # dangling, or in a circle
        pass
    raise _refusal(label, _relative(path, root), "found a link, expected one to a file inside the bot's folder")


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _check_file_name(name: str, label: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise _refusal(label, "", f"found the file name {shown(name)}, expected names in UTF-8") from None


def _refusal(label: str, name: str, text: str) -> ConfigError:
    file = f"{label}/{name}" if name else label
    return ConfigError([problem_line(file, Problem(Place(1, 1), "", text))])
