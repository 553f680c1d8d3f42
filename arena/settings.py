"""Settings that a user wrote, checked against their types: every problem at once, in the words of the types' schemas.

`source.data` holds the settings; a type's JSON Schema says what was expected, so that messages, documentation and
what editors complete never differ.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin

import msgspec

from arena.yaml_source import KeyPath, Source, listing, nearest

T = TypeVar("T")
Schema = Mapping[str, Any]

_WORDS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}
_AT = re.compile(r" - at `\$(.*)`$", re.DOTALL)
_PART = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_KINDS = {"boolean": "true or false", "array": "a list", "object": "a mapping"}


def check_struct(source: Source, path: KeyPath, type_: type[T], *, given: Any = None) -> T | None:
    """The msgspec struct `type_` made of the mapping at `path`; None after reporting what does not fit.

    `given` replaces the mapping that the file holds there. A ValueError of the struct's `__post_init__` that begins
    with the name of a key is reported at that key.
    """
    data = value_at(source.data, path) if given is None else given
    schema = msgspec.json.schema(type_)
    if not isinstance(data, dict):
        report(source, path, schema, base=path)
        return None
    fields = {field.encode_name: field for field in msgspec.structs.fields(cast("type[msgspec.Struct]", type_))}
    for key in data.keys() - fields.keys():
        report_unknown(source, (*path, key), list(fields))
    for key, field in fields.items():
        if key not in data:
            if field.required:
                report_missing(source, (*path, key), schema, base=path)
        elif isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            check_struct(source, (*path, key), field.type, given=data[key])
        else:
            _check_value(source, (*path, key), data[key], field.type, schema, path)
    return None if source.is_broken(path, below=True) else _built(source, path, type_, data)


def _check_value(source: Source, path: KeyPath, value: Any, type_: Any, schema: Schema, base: KeyPath) -> None:
    """Report what does not fit, each item of a list and each value of a mapping on its own."""
    known = len(source.broken)
    for key, item, item_type in _items(value, type_):
        _check_value(source, (*path, key), item, item_type, schema, base)
    if len(source.broken) > known:
        return
    try:
        msgspec.convert(value, type_, strict=True)
    except msgspec.ValidationError as error:
        at = _AT.search(str(error))
        below = [name or int(index) for name, index in _PART.findall(at.group(1) if at else "")]
        report(source, (*path, *below), schema, base=base)


def _items(value: Any, type_: Any) -> Iterator[tuple[str | int, Any, Any]]:
    while get_origin(type_) is Annotated:
        type_ = get_args(type_)[0]
    for branch in get_args(type_) if get_origin(type_) in (Union, UnionType) else ():
        yield from _items(value, branch)
    match get_origin(type_), get_args(type_):
        case (container, (item, *_)) if container in (list, tuple, set, frozenset) and isinstance(value, list):
            yield from ((index, entry, item) for index, entry in enumerate(value))
        case (container, (_, item)) if container is dict and isinstance(value, dict):
            yield from ((key, entry, item) for key, entry in value.items())


def _built(source: Source, path: KeyPath, type_: type[T], data: Any) -> T | None:
    try:
        return msgspec.convert(data, type_, strict=True)
    except msgspec.ValidationError as error:
        report_text(source, path, _AT.sub("", str(error)))
        return None


def value_at(data: Any, path: KeyPath) -> Any:
    for part in path:
        data = data[part]
    return data


def report(source: Source, path: KeyPath, schema: Schema, *, base: KeyPath) -> None:
    """Report that the value at `path` is not what `schema`, that of the value at `base`, expects there."""
    wanted = schema_at(schema, path[len(base) :])
    found = source.written.get(path, "nothing")
    source.add(path, f"found {found}, expected {expected(wanted, schema)}{_nearest(found, wanted, schema)}")


def report_text(source: Source, path: KeyPath, text: str) -> None:
    """Report a sentence about the mapping at `path`, at one of its keys where it begins with `key: `."""
    key, colon, rest = text.partition(": ")
    if colon and (*path, key) in source.places:
        source.add((*path, key), rest)
    else:
        source.add(path, text)


def report_unknown(source: Source, path: KeyPath, known: Sequence[str]) -> None:
    few = f", expected {listing(sorted(known))}" if 0 < len(known) < 10 else ""
    none = "" if known else ", expected no settings here"
    source.add(path, f"found an unknown key{few}{none}{nearest(path[-1], known)}", of_key=True)


def report_missing(source: Source, path: KeyPath, schema: Schema, *, base: KeyPath) -> None:
    source.add(path, f"found nothing, expected {expected(schema_at(schema, path[len(base) :]), schema)}")


def schema_at(schema: Schema, path: KeyPath) -> Schema:
    """The part of a JSON Schema that speaks of the value at `path`; {} where it says nothing."""
    found = branches_of(schema, schema)
    for part in path:
        below = [step for branch in found for step in _steps(branch, part)]
        found = [branch for step in below for branch in branches_of(step, schema)]
        if len(below) == 1 and part == path[-1]:
            return below[0]
    return found[0] if len(found) == 1 else {"anyOf": found} if found else {}


def _steps(schema: Schema, part: str | int) -> Iterator[Schema]:
    if isinstance(part, int) and isinstance(schema.get("items"), dict):
        yield schema["items"]
    elif part in schema.get("properties", {}):
        yield schema["properties"][part]
    elif isinstance(part, str) and isinstance(schema.get("additionalProperties"), dict):
        yield schema["additionalProperties"]


def branches_of(schema: Schema, root: Schema) -> list[Schema]:
    """The schema itself, or the alternatives that it consists of, references followed."""
    while "$ref" in schema and "expected" not in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if not alternatives:
        return [schema]
    return [branch for alternative in alternatives for branch in branches_of(alternative, root)]


def expected(schema: Schema, root: Schema) -> str:
    """What a value must be, in words: `a whole number from 1 to 9`. The key "expected" in a schema overrides."""
    if "expected" in schema:
        return str(schema["expected"])
    branches = [branch for branch in branches_of(schema, root) if branch.get("type") != "null"]
    return listing(list(dict.fromkeys(_kind({**_units(schema), **branch}) for branch in branches)))


def _units(schema: Schema) -> Schema:
    return {"unit": schema["unit"]} if "unit" in schema else {}


def _kind(schema: Schema) -> str:
    if "expected" in schema:
        return str(schema["expected"])
    if "const" in schema:
        return _word(schema["const"])
    if "enum" in schema:
        return listing([_word(value) for value in schema["enum"]])
    match schema.get("type"):
        case "integer" | "number" as kind:
            name = "a whole number" if kind == "integer" else "a number"
            return name + (f" of {schema['unit']}" if "unit" in schema else "") + _bounds(schema)
        case "string":
            longest = schema.get("maxLength")
            return f"text of at most {longest:,} characters" if longest else "text"
        case str(kind):
            return _KINDS.get(kind, kind)
    return "another value"


def _word(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _bounds(schema: Schema) -> str:
    above, low, high = (schema.get(key) for key in ("exclusiveMinimum", "minimum", "maximum"))
    if above is not None:
        return f" above {_number(above)}" + (f", at most {_number(high)}" if high is not None else "")
    if low is not None:
        return f" from {_number(low)} to {_number(high)}" if high is not None else f" of at least {_number(low)}"
    return f" of at most {_number(high)}" if high is not None else ""


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:g}"


def _nearest(found: str, schema: Schema, root: Schema) -> str:
    branches = branches_of(schema, root)
    kinds = {branch.get("type") for branch in branches} - {"null"}
    if "boolean" in kinds and (word := _WORDS.get(found.strip('"').lower())):
        return f", nearest {word}"
    words = [w for branch in branches for w in (*branch.get("enum", ()), branch.get("const")) if isinstance(w, str)]
    if words:
        return nearest(found.strip('"'), words)
    is_scalar = found not in ("a list", "a mapping", "nothing") and not found.startswith('"')
    return f', nearest "{found}"' if kinds == {"string"} and is_scalar and _is_number_or_boolean(found) else ""


def _is_number_or_boolean(found: str) -> bool:
    return bool(re.fullmatch(r"[-+0-9.].*|true|false", found, re.IGNORECASE))
