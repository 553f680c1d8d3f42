"""Every key of a tournament config: type, unit, default, meaning. docs/config.md shows the same (a test compares).

The only module that imports pydantic; `arena.config` loads it when a config is read.
"""

from typing import Annotated, Any, Literal

import msgspec
import pydantic
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import ErrorDetails

from arena.model import Limits, Scope
from arena.settings import branches_of, report, report_missing, report_unknown, schema_at
from arena.yaml_source import KeyPath, Source

ID = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
_ID_WORDS = "1 to 64 of the characters A-Z a-z 0-9 . _ - beginning with a letter or digit"
_LIMITS: dict[str, Any] = msgspec.structs.asdict(Limits())


def _key(default: Any, meaning: str, *, unit: str = "", expected: str = "", **bounds: Any) -> Any:
    """A key as pydantic sees it; `expected` replaces the words that a message would make of type and bounds."""
    extra: dict[str, Any] = {name: text for name, text in (("unit", unit), ("expected", expected)) if text}
    return Field(default, description=meaning, json_schema_extra=extra, **bounds)


def _limit(name: str, meaning: str, **bounds: Any) -> Any:
    unit = {"s": "seconds", "mb": "MiB", "processes": "processes"}.get(name.rsplit("_", 1)[-1], "")
    return _key(_LIMITS[name], meaning, unit=unit, **bounds)


class Keys(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class LimitKeys(Keys):
    """Those of arena.model.Limits."""

    startup_s: float = _limit("startup_s", "From the start of a process to its `ready`.", ge=0.1, le=3600)
    first_move_s: float | None = _limit("first_move_s", "For the first reply; else as `move_s`.", gt=0, le=86400)
    move_s: float = _limit("move_s", "For each reply; 0: by the bank alone.", ge=0, le=86400)
    bank_s: float = _limit("bank_s", "In reserve at the start of a game, for replies beyond `move_s`.", ge=0, le=86400)
    increment_s: float = _limit("increment_s", "Added to the bank for each reply.", ge=0, le=3600)
    memory_mb: int = _limit("memory_mb", "Memory of the bot's whole process tree.", ge=16, le=1 << 20)
    processes: int = _limit("processes", "Processes and threads at a time.", ge=1, le=4096)
    cpu_s: int = _limit("cpu_s", "CPU time of one process in one game or sitting.", ge=1, le=86400)
    disk_mb: int = _limit("disk_mb", "Private scratch space in `/tmp`, gone after the game.", ge=1, le=65536)


class Retry(Keys):
    retry: int = _key(..., "Further tries for a ply before the forfeit.", ge=1, le=100)


class Strikes(Keys):
    strikes: int = _key(
        ..., "Late replies of a game answered by a random action; the next one forfeits.", ge=1, le=1000
    )


class RandomAction(Keys):
    random: Strikes = _key(..., "A random legal action instead of the late one.")


class RatingKeys(Keys):
    anchor: str | None = _key(None, "The id of the bot whose rating is fixed; without: the mean of all.")
    anchor_rating: float = _key(1500.0, "Rating of the anchor, or the mean.", unit="Elo points", ge=-10000, le=10000)


class BotKeys(Keys):
    id: str = _key(..., "Identifies the bot in the event, with the hash of its files.", pattern=ID, expected=_ID_WORDS)
    path: str = _key(
        ...,
        "A `.py` file, or a folder with `bot.yaml`; relative to the config file.",
        expected="the path of a .py file or of a folder with bot.yaml",
        min_length=1,
        max_length=4096,
    )
    name: str | None = _key(
        None, "Shown beside the id in the HTML report; the default is the bot's own.", min_length=1, max_length=100
    )
    args: list[str] = _key([], "Further arguments of the bot's `run`.", max_length=64)


class Document(Keys):
    """A tournament of Arena."""

    event: str = _key(..., "Names the event and its folder `results/EVENT`.", pattern=ID, expected=_ID_WORDS)
    game: str = _key(..., "The name of a game: `arena games` lists them.", expected="the name of a game")
    options: dict[str, Any] = _key({}, "The game's own settings: `arena rules GAME` explains them.")
    format: str | dict[str, Any] = _key(
        "round-robin",
        "A format, or a mapping of `type` and the format's settings.",
        expected="the name of a format or a mapping with `type`",
    )
    deals_per_pairing: int = _key(
        1, "Deals that two bots play each time they are paired.", unit="deals", ge=1, le=10000
    )
    paired: bool = _key(True, "Play each deal twice, with seats exchanged.")
    deals: Literal["shared", "per-pairing"] = _key("shared", "Whether the pairings of a round play the same deals.")
    seed: int | Annotated[str, Field(min_length=1, max_length=1000)] | None = _key(
        None,
        "Makes the deals repeatable, and known to whoever knows it; without: drawn by the operating system.",
        expected="text or a whole number",
    )
    entropy: str | None = _key(
        None,
        "A public value that nobody could know at the commitment, mixed into the deals.",
        min_length=1,
        max_length=1000,
    )
    workers: Literal["auto"] | Annotated[int, Field(ge=1, le=1024)] = _key(
        "auto", "Games at a time; `auto`: one for each physical core. Alters no result.", unit="games"
    )
    scope: Scope = _key("game", "Whether a process lives for one game, or for up to 100 games of a match.")
    sandbox: Literal["required", "best-effort", "off"] = _key(
        "required", "Refuse to run without the full sandbox, use what there is, or use none (own bots only)."
    )
    ponder: bool = _key(False, "Let a bot think while the other one is to act.")
    limits: LimitKeys = _key(LimitKeys(), "What a bot may use.")
    on_illegal: Literal["forfeit", "random"] | Retry = _key(
        "forfeit", "What follows an illegal action.", expected="forfeit, random or {retry: N}"
    )
    on_timeout: Literal["forfeit"] | RandomAction = _key(
        "forfeit", "What follows a late reply.", expected="forfeit or {random: {strikes: N}}"
    )
    on_crash: Literal["forfeit"] = _key("forfeit", "What follows the end of a bot's process.")
    disqualify_after_faults: int | None = _key(
        None, "Faults in the event after which a bot plays no more; without: never.", unit="faults", ge=1, le=1000000
    )
    tie_breaks: list[str] | None = _key(
        None, "Names of tie-breaks, the first decides first; without: those usual for the format.", max_length=16
    )
    rating: RatingKeys = _key(RatingKeys(), "The scale of the ratings.")
    bots: list[BotKeys] = _key(
        ..., "Who takes part, the strongest first.", expected="a list of at least 2 bots", min_length=2
    )


SCHEMA = Document.model_json_schema()


def check_document(source: Source) -> Document | None:
    """The document in `source`; None after reporting, each at its place, all values that do not fit their keys."""
    try:
        return Document.model_validate(source.data)
    except pydantic.ValidationError as error:
        found = [(_in_file(source.data, problem), problem) for problem in error.errors(include_url=False)]
    for path, problem in found:
        if any(len(other) > len(path) and other[: len(path)] == path for other, _ in found):
            continue  # an alternative that was not meant
        if problem["type"] == "extra_forbidden":
            report_unknown(source, path, _keys_around(path))
        elif problem["type"] == "missing":
            report_missing(source, path, SCHEMA, base=())
        else:
            if problem["type"] in ("too_short", "too_long") and (given := problem["input"]):
                source.written[path] = f"a list of {len(given)}"
            report(source, path, SCHEMA, base=())
    return None


def _in_file(data: Any, problem: ErrorDetails) -> KeyPath:
    """The location of a problem without the names that pydantic gives to alternatives and models."""
    path: list[str | int] = []
    *_, last = location = problem["loc"] or ("",)
    for part in location:
        if isinstance(data, dict):
            if part in data or (part == last and problem["type"] == "missing"):
                data = data.get(part)
                path.append(part)
        elif isinstance(data, list) and isinstance(part, int):
            data = data[part]
            path.append(part)
    return tuple(path)


def _keys_around(path: KeyPath) -> list[str]:
    around = branches_of(schema_at(SCHEMA, path[:-1]), SCHEMA)
    return [key for branch in around for key in branch.get("properties", {})]
