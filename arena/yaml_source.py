"""A YAML file as plain data in which every value remembers its place, so that problems can name line and column.

Where YAML 1.1 and 1.2 read the same characters differently, nobody can know what the writer meant: numbers of that
kind (`010`, `1:30`, `1e3`) are problems; the words `yes`, `no`, `on`, `off` and dates are text, as in YAML 1.2.
"""

import json
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from arena.errors import ConfigError

MAX_BYTES = 1 << 20
MAX_DEPTH = 32
MAX_VALUES = 100_000  # after aliases are written out
MAX_INTEGER = 1 << 63
SHOWN_CHARACTERS = 60

KeyPath = tuple[str | int, ...]

_TEXT = "tag:yaml.org,2002:str"
_PLAIN = "plain"
_TRUE, _FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")
_NULL = ("", "~", "null", "Null", "NULL")
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+][0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_TRAPS = re.compile(
    r"[-+]?("
    r"0[0-9_]+"  # octal in YAML 1.1
    r"|0o[0-7]+|0b[01][01_]*"
    r"|[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"  # base 60 in YAML 1.1
    r"|[0-9]+(_[0-9]*)+(\.[0-9_]*)?|0x[0-9a-fA-F]+_[0-9a-fA-F_]*|[0-9][0-9_]*\.[0-9]*_[0-9_]*"
    r"|([0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+"  # text in YAML 1.1 without both a point and a sign
    r")"
)


class Place(NamedTuple):
    line: int  # from 1
    column: int  # from 1, in characters


class Problem(NamedTuple):
    """Sorts by place. `key` is "" for the file as a whole."""

    place: Place
    key: str
    text: str


class Source(NamedTuple):
    """What a file says (`data`: dicts, lists, text, numbers, booleans, None), and where."""

    label: str  # the file's name as the user gave it
    data: Any
    places: dict[KeyPath, Place]  # of each value
    key_places: dict[KeyPath, Place]  # of each key of a mapping
    written: dict[KeyPath, str]  # each value as found in the file, cut to a readable length
    problems: list[Problem]  # those of the YAML itself
    broken: set[KeyPath]  # values that a problem has been reported for

    def place(self, path: KeyPath, *, of_key: bool = False) -> Place:
        """Where the value (or its key) stands; for what is not in the file, where the mapping around it begins."""
        if of_key and path in self.key_places:
            return self.key_places[path]
        while path not in self.places and path:
            path = path[:-1]
        return self.places.get(path, Place(1, 1))

    def is_broken(self, path: KeyPath, *, below: bool = False) -> bool:
        """Whether a problem of this value, or of one around it (or `below`, within it), is known."""
        if below and any(broken[: len(path)] == path for broken in self.broken):
            return True
        return any(path[:length] in self.broken for length in range(len(path) + 1))

    def add(self, path: KeyPath, text: str, *, of_key: bool = False) -> None:
        """Report a problem of a value, unless one is known there already: one mistake, one line."""
        if not self.is_broken(path):
            self.problems.append(Problem(self.place(path, of_key=of_key), key_text(path), text))
            self.broken.add(path)

    def check(self, elsewhere: Sequence[str] = ()) -> None:
        """Raise ConfigError with all problems in the order of their places, then those `elsewhere`, if any."""
        if self.problems or elsewhere:
            lines = [problem_line(self.label, problem) for problem in sorted(set(self.problems))]
            raise ConfigError([*lines, *elsewhere])


def problem_line(label: str, problem: Problem) -> str:
    """`file:line:column: key: text`, the form that editors jump to."""
    key = f"{problem.key}: " if problem.key else ""
    return file_line(f"{label}:{problem.place.line}:{problem.place.column}", f"{key}{problem.text}")


def file_line(label: str, text: str) -> str:
    """`file: text`, of a file as a whole."""
    return f"{shown(label, quotes='', limit=4096)}: {text}"


def key_text(path: KeyPath) -> str:
    """A path as people write it: `bots[2].args[0]`."""
    text = ""
    for part in path:
        plain = isinstance(part, str) and re.fullmatch(r"[\w-]+", part)
        text += f"[{part}]" if isinstance(part, int) else "." + shown(part, quotes="" if plain else '"')
    return text.removeprefix(".")


def shown(text: str, *, quotes: str = '"', limit: int = SHOWN_CHARACTERS) -> str:
    """Text on one line that is safe to print: cut, and what a terminal would act on written as an escape."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    safe = "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in cut)
    return f"{quotes}{safe}{quotes}"


def nearest(found: object, known: Iterable[str]) -> str:
    """`, nearest x`, or nothing where no known name is like what was found."""
    near = get_close_matches(str(found).lower(), list(known), n=1)
    return f", nearest {near[0]}" if near else ""


def listing(names: Sequence[str]) -> str:
    """`a, b or c`."""
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def read(path: Path, *, label: str | None = None, perhaps: Path | None = None) -> Source:
    """The file's content; `label` names it in messages (default: the path).

    `perhaps`: the file that was meant, if this one does not exist and that one does.

    Raises ConfigError where nothing can be read at all; other problems are in the result.
    """
    label = label or str(path)
    return parse(_text(path, label, perhaps), label)


def parse(text: str, label: str) -> Source:
    """The content of YAML text; `label` names it in messages."""
    source = Source(label, None, {}, {}, {}, [], set())
    with _syntax_errors_of(label, text):
        root = _Loader(text).get_single_node()
    if root is None:
        raise ConfigError([problem_line(label, Problem(Place(1, 1), "", "found an empty file, expected a mapping"))])
    return source._replace(data=_Reader(source).value(root, ()))


def _text(path: Path, label: str, perhaps: Path | None) -> str:
    def refuse(found: str, hint: str = "", place: Place | None = None) -> ConfigError:
        text = f"found {found}, expected a YAML file{hint}"
        return ConfigError([problem_line(label, Problem(place, "", text)) if place else file_line(label, text)])

    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise refuse("a folder" if stat.S_ISDIR(mode) else "something that is no file")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        is_meant = perhaps is not None and perhaps.is_file()
        raise refuse("no such file", f", nearest {perhaps}" if is_meant else nearest_file(path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise refuse(f"what cannot be read ({reason})") from None
    if len(content) > MAX_BYTES:
        raise refuse(f"more than {MAX_BYTES >> 20} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", "replace")
        raise refuse(f"a byte that is not UTF-8 (0x{content[error.start]:02x})", place=_place_at(before)) from None


def nearest_file(path: Path) -> str:
    """`, nearest x` for a file that does not exist, out of what its folder holds; endings alike mean nothing."""
    try:
        names = sorted(entry.name for entry in path.parent.iterdir())
    except (OSError, ValueError):
        return ""
    near = get_close_matches(path.stem.lower(), {Path(name).stem: name for name in names}, n=1)
    return nearest(path.name, [name for name in names if Path(name).stem in near])


def _place_at(text_before: str) -> Place:
    return Place(text_before.count("\n") + 1, len(text_before) - text_before.rfind("\n"))


@contextmanager
def _syntax_errors_of(label: str, text: str) -> Iterator[None]:
    place, problem = Place(1, 1), ""
    try:
        yield
    except yaml.MarkedYAMLError as error:
        in_the_key = (
            error.context == "while scanning a simple key"
        )  # the problem is found only where the next one begins
        mark = error.context_mark if in_the_key else error.problem_mark or error.context_mark
        if mark is not None:
            place = Place(mark.line + 1, mark.column + 1)
        problem = f"YAML cannot read this: {_in_words(error, place)}"
    except yaml.reader.ReaderError as error:
        place = _place_at(text[: error.position])
        problem = f"found the character U+{ord(text[error.position]):04X}, expected printable text"
    except RecursionError:
        problem = f"found values nested too deeply, expected at most {MAX_DEPTH} levels"
    except (yaml.YAMLError, ValueError, OverflowError):
        problem = "found an escape or a directive that has no meaning, expected plain YAML"
    if problem:
        raise ConfigError([problem_line(label, Problem(place, "", problem))])


def _in_words(error: yaml.MarkedYAMLError, place: Place) -> str:
    if error.problem and "'\\t'" in error.problem:
        return "found a tab, expected spaces"
    began = error.context_mark
    context = error.context or ""
    if context.startswith("while ") and began and began.line + 1 != place.line:
        context += f" opened at {began.line + 1}:{began.column + 1}"
    return shown(", ".join(part for part in (context, error.problem) if part), quotes="", limit=200)


class _Loader(yaml.SafeLoader):
    """Composes nodes alone; says of each scalar whether it stood there without quotes."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        if kind is yaml.ScalarNode:
            return _PLAIN if implicit[0] else _TEXT
        return super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]


class _Reader:
    """Turns nodes into data and notes places and problems on the way."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._count = 0
        self._open: set[int] = set()  # the nodes that are being read, by id

    def value(self, node: yaml.Node, path: KeyPath) -> Any:
        if id(node) in self._open:
            return self._problem(path, "found an alias to what holds it, expected a value that ends")
        self._open.add(id(node))
        try:
            return self._value(node, path)
        finally:
            self._open.remove(id(node))

    def _value(self, node: yaml.Node, path: KeyPath) -> Any:
        self._source.places[path] = _place(node)
        self._count += 1
        if len(path) > MAX_DEPTH:
            return self._problem(path, f"found values nested too deeply, expected at most {MAX_DEPTH} levels")
        if self._count > MAX_VALUES:
            text = f"found more than {MAX_VALUES:,} values once aliases are written out, expected fewer"
            raise ConfigError([problem_line(self._source.label, Problem(Place(1, 1), "", text))])
        match node:
            case yaml.ScalarNode(tag="plain"):
                return self._plain(node.value, path)
            case yaml.ScalarNode(tag="tag:yaml.org,2002:str"):
                return self._text(node.value, path)
            case yaml.SequenceNode(tag="tag:yaml.org,2002:seq"):
                self._source.written[path] = "a list" if node.value else "an empty list"
                return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
            case yaml.MappingNode(tag="tag:yaml.org,2002:map"):
                self._source.written[path] = "a mapping" if node.value else "an empty mapping"
                return self._mapping(node, path)
        return self._problem(path, f"found the tag {shown(str(node.tag))}, expected a value without a tag")

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode) or not key_node.value or _has_surrogate(key_node.value):
                self._source.problems.append(Problem(_place(key_node), key_text(path), "expected a name as the key"))
                continue
            key = key_node.value
            below = (*path, key)
            if key in result:
                first = self._source.key_places[below].line
                text = f"found the key twice, expected it once; the first is in line {first}"
                self._source.problems.append(Problem(_place(key_node), key_text(below), text))
                continue
            self._source.key_places[below] = _place(key_node)
            result[key] = self.value(value_node, below)
        return result

    def _text(self, text: str, path: KeyPath) -> Any:
        self._source.written[path] = shown(text)
        if _has_surrogate(text):
            return self._problem(path, f"found half of a surrogate pair in {shown(text)}, expected Unicode text")
        return text

    def _plain(self, text: str, path: KeyPath) -> Any:
        self._source.written[path] = shown(text, quotes="") if text not in _NULL else "nothing"
        if text in _NULL:
            return None
        if text in _TRUE or text in _FALSE:
            return text in _TRUE
        if _INTEGER.fullmatch(text):
            integer = int(text, 0) if len(text) <= 24 else MAX_INTEGER
            if abs(integer) < MAX_INTEGER:
                return integer
            return self._problem(
                path, f"found {shown(text, quotes='')}, expected a number below 2^63 or text in quotes"
            )
        if _FLOAT.fullmatch(text):
            number = float(re.sub(r"\.(?=inf|nan)", "", text.lower()))
            if isfinite(number):
                return number
            return self._problem(path, f"found {shown(text, quotes='')}, expected a finite number")
        if _TRAPS.fullmatch(text):
            cut = shown(text, quotes="")
            meant = f'expected {_unambiguous(text)} for a number or "{cut}" for text'
            return self._problem(path, f"found {cut}, which YAML 1.1 and YAML 1.2 read differently, {meant}")
        return self._text(text, path)

    def _problem(self, path: KeyPath, text: str) -> Any:
        self._source.add(path, text)
        return None


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= c <= "\udfff" for c in text)


def _place(node: yaml.Node) -> Place:
    return Place(node.start_mark.line + 1, node.start_mark.column + 1)


def _unambiguous(text: str) -> str:
    """A number that a trap may have meant, written so that every YAML reads the same."""
    sign, digits = ("-", text[1:]) if text[0] == "-" else ("", text.removeprefix("+"))
    digits = digits.replace("_", "")
    if ":" in digits:
        total = 0.0
        for part in digits.split(":"):
            total = total * 60 + float(part)
        return f"{sign}{total:g}" if total < 1e6 else "plain digits"
    if digits[:2] in ("0x", "0o", "0b"):
        return f"{sign}{int(digits, 0)}" if len(digits) < 20 else "plain digits"
    if re.fullmatch(r"[0-9]+", digits):
        return f"{sign}{digits.lstrip('0') or '0'}"
    value = float(digits)
    return f"{sign}{value:.1f}" if 1e-3 <= value < 1e9 and value == round(value, 1) else "a number without an exponent"
