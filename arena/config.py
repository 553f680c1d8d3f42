"""A tournament's config: read from YAML with every problem at once, and frozen into the record.

```
config = load(Path("configs/quickstart.yaml"))        ConfigError: file:line:column: key: found, expected, nearest
config.canonical()                                    JSON data that decides all results; `thaw` makes a config of it
program(config.bots[0])                               the bot on disk, with the config's arguments
```
All keys with defaults and units: docs/config.md.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from arena import formats, games, settings, yaml_source
from arena.bot import manifest
from arena.errors import ArenaError, ConfigError, UsageError
from arena.model import Limits, Policies, Scope
from arena.tiebreaks import TIEBREAKS
from arena.yaml_source import KeyPath, Source, listing, nearest, shown

if TYPE_CHECKING:
    from arena.config_keys import Document

Sandbox = Literal["required", "best-effort", "off"]
MAX_ROUNDS = 10_000
CONFIGS = "configs"  # the folder where those of a project usually stand

TIE_BREAKS: dict[str, tuple[str, ...]] = {
    "swiss": ("buchholz_cut_1", "buchholz", "game_points", "direct_encounter"),
    "swiss-fide": ("buchholz_cut_1", "buchholz", "game_points", "direct_encounter"),
}
"""Where a config names none; other formats: `OTHER_TIE_BREAKS`."""
OTHER_TIE_BREAKS = ("direct_encounter", "sonneborn_berger", "wins")


class RatingScale(msgspec.Struct, frozen=True, kw_only=True):
    """`anchor_rating` is the rating of the entrant `anchor`, or the mean of all where that is None."""

    anchor: str | None = None
    anchor_rating: float = 1500.0


class ConfigBot(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant as the config names it; the order of `Config.bots` is the seeding."""

    id: str
    name: str  # shown
    path: str  # as written in the config
    args: tuple[str, ...] = ()
    location: Path | None = None  # absolute; None in a thawed config


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament, complete: every default filled in, every name known to exist."""

    event: str
    game: str
    options: Any  # the game's Options
    format: str
    format_settings: Any  # the format's Settings
    deals_per_pairing: int
    paired: bool
    deals: Literal["shared", "per-pairing"]
    scope: Scope
    sandbox: Sandbox
    ponder: bool
    limits: Limits
    policies: Policies
    tie_breaks: tuple[str, ...]
    rating: RatingScale
    bots: tuple[ConfigBot, ...]
    entropy: str | None = None
    seed: str | int | None = None  # secret until the event has ended
    workers: int | None = None  # games at a time; None: `worker_count()`
    file: Path | None = None  # absolute; None in a thawed config

    @property
    def games_per_pairing(self) -> int:
        return self.deals_per_pairing * (2 if self.paired else 1)

    def canonical(self) -> dict[str, Any]:
        """The config as JSON data: what decides results, with all defaults, without anything of this machine.

        Left out: `workers` and `file`, which decide nothing, and the value of `seed`, which would give away the deals
        (`seeded` says whether there is one; the commitment to the root key binds it).
        """
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self, enc_hook=str))  # paths need the hook
        for key in ("seed", "workers", "file"):
            del data[key]
        for bot in data["bots"]:
            del bot["location"]
        return {**data, "seeded": self.seed is not None}


def thaw(canonical: dict[str, Any]) -> Config:
    """The config that `canonical()` was called on, as far as it tells; ConfigError where it does not fit this Arena."""
    data = {key: value for key, value in canonical.items() if key != "seeded"}
    try:
        data["options"] = msgspec.convert(data["options"], games.load(data["game"]).Options)
        data["format_settings"] = msgspec.convert(data["format_settings"], formats.load(data["format"]).Settings)
        return msgspec.convert(data, Config)
    except (KeyError, TypeError, msgspec.ValidationError) as error:
        raise ConfigError([f"the config in the record does not fit this version of Arena: {error}"]) from error


def load(path: Path) -> Config:
    """The config in a YAML file. Raises ConfigError with every problem, sorted by place."""
    from arena import config_keys  # pydantic takes a third of a second to import

    source = yaml_source.read(path, perhaps=path.parent / CONFIGS / f"{path.stem}.yaml")
    document = config_keys.check_document(source)
    data = source.data if isinstance(source.data, dict) else {}
    options = _options(source, data)
    format_name, format_settings = _format(source, data)
    bots, elsewhere = _bots(source, data, path)
    _check_names(source, data)
    if not source.problems and not elsewhere:
        _check_field(source, format_name, format_settings, bots)
    source.check(elsewhere)
    assert document is not None
    return Config(
        event=document.event,
        game=document.game,
        options=options,
        format=format_name,
        format_settings=format_settings,
        deals_per_pairing=document.deals_per_pairing,
        paired=document.paired,
        deals=document.deals,
        seed=document.seed,
        entropy=document.entropy,
        workers=None if document.workers == "auto" else document.workers,
        scope=document.scope,
        sandbox=document.sandbox,
        ponder=document.ponder,
        limits=Limits(**document.limits.model_dump()),
        policies=_policies(document),
        tie_breaks=_tie_breaks(document.tie_breaks, format_name),
        rating=RatingScale(**document.rating.model_dump()),
        bots=bots,
        file=path.absolute(),
    )


def program(bot: ConfigBot) -> manifest.Bot:
    """The bot's files and commands, the config's arguments appended to `run`. ConfigError as `manifest.read`."""
    if bot.location is None:
        raise ValueError(f"the config of {bot.id} was read from a record, which holds no files")
    read = manifest.read(bot.location, label=bot.path)
    return msgspec.structs.replace(read, run=(*read.run, *bot.args))


def worker_count() -> int:
    """Games at a time where the config says `auto`: the physical cores that this process may use."""
    cpus = os.sched_getaffinity(0)
    return max(1, len({_siblings(cpu) for cpu in cpus}))


def _siblings(cpu: int) -> str:
    try:
        return Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list").read_text()
    except OSError:
        return str(cpu)


def _policies(document: "Document") -> Policies:
    illegal, timeout = document.on_illegal, document.on_timeout
    return Policies(
        on_illegal=illegal if isinstance(illegal, str) else "retry",
        retries=0 if isinstance(illegal, str) else illegal.retry,
        on_timeout=timeout if isinstance(timeout, str) else "random",
        strikes=0 if isinstance(timeout, str) else timeout.random.strikes,
        on_crash=document.on_crash,
        disqualify_after_faults=document.disqualify_after_faults,
    )


def _tie_breaks(named: list[str] | None, format_name: str) -> tuple[str, ...]:
    return tuple(named) if named is not None else TIE_BREAKS.get(format_name, OTHER_TIE_BREAKS)


def _options(source: Source, data: dict[str, Any]) -> Any:
    name = data.get("game")
    if not isinstance(name, str):
        return None
    if not games.exists(name):
        _report_name(source, ("game",), name, games.names())
        return None
    try:
        game = games.load(name)
    except ArenaError as error:
        source.add(("game",), str(error))
        return None
    given = data.get("options", {})
    return settings.check_struct(source, ("options",), game.Options, given=given) if isinstance(given, dict) else None


def _format(source: Source, data: dict[str, Any]) -> tuple[str, Any]:
    given = data.get("format", "round-robin")
    path: KeyPath = ("format", "type") if isinstance(given, dict) else ("format",)
    name = given.get("type") if isinstance(given, dict) else given
    if not isinstance(name, str):
        if isinstance(given, dict):
            source.add(
                path, f"found {source.written.get(path, 'nothing')}, expected {listing(sorted(formats.FORMATS))}"
            )
        return "", None
    if name not in formats.FORMATS:
        _report_name(source, path, name, list(formats.FORMATS))
        return name, None
    chosen = {key: value for key, value in given.items() if key != "type"} if isinstance(given, dict) else {}
    return name, settings.check_struct(source, ("format",), formats.load(name).Settings, given=chosen)


def _check_field(source: Source, format_name: str, format_settings: Any, bots: tuple[ConfigBot, ...]) -> None:
    """Ask the format for the first round: settings may fit each for itself, and yet not these bots."""
    format_ = formats.load(format_name)
    try:
        first = format_.next_round(formats.Field(entrants=tuple(bot.id for bot in bots)), format_settings)
    except UsageError as error:
        settings.report_text(source, ("format",), str(error))
        return
    rounds = format_.total_rounds(len(bots), format_settings) or 1
    if first is None:
        source.add(("format",), "found settings by which nobody meets anybody, expected at least one pairing")
    elif rounds > MAX_ROUNDS:
        source.add(("format",), f"found settings that make {rounds:,} rounds, expected at most {MAX_ROUNDS:,}")


def _bots(source: Source, data: dict[str, Any], file: Path) -> tuple[tuple[ConfigBot, ...], list[str]]:
    """The bots, and problems of files other than the config."""
    bots: list[ConfigBot] = []
    elsewhere: list[str] = []
    first: dict[str, int] = {}
    for index, entry in enumerate(_list(data, "bots")):
        if not isinstance(entry, dict):
            continue
        id_, written, name = entry.get("id"), entry.get("path"), entry.get("name")
        path: KeyPath = ("bots", index)
        if isinstance(id_, str) and first.setdefault(id_, index) != index:
            line = source.place(("bots", first[id_], "id")).line
            source.add(
                (*path, "id"), f"found {shown(id_)} again, expected an id of its own; the first is in line {line}"
            )
        if isinstance(name, str) and not manifest.is_printable(name):
            source.add(
                (*path, "name"), f"found {source.written[*path, 'name']}, expected text without control characters"
            )
        _check_args(source, (*path, "args"), entry.get("args"))
        if isinstance(written, str) and not source.is_broken((*path, "path")):
            location = file.absolute().parent / written
            if (problem := manifest.misplaced(location)) is not None:
                source.add((*path, "path"), problem.replace("found no such", f"found {shown(written)}, no such", 1))
                continue
            try:
                bot = manifest.read(location, label=os.path.normpath(file.parent / written))
            except ConfigError as error:
                elsewhere += (problem for problem in error.problems if problem not in elsewhere)
                continue
            args = entry.get("args", [])
            if isinstance(id_, str) and isinstance(args, list):
                shown_name = name if isinstance(name, str) else bot.name
                bots.append(
                    ConfigBot(id=id_, name=shown_name, path=written, args=tuple(args), location=location.resolve())
                )
    return tuple(bots), elsewhere


def _check_args(source: Source, path: KeyPath, args: Any) -> None:
    for index, word in enumerate(args if isinstance(args, list) else ()):
        if isinstance(word, str) and ("\0" in word or len(word) > manifest.MAX_WORD_CHARACTERS):
            wanted = f"expected at most {manifest.MAX_WORD_CHARACTERS:,} characters and no NUL"
            source.add((*path, index), f"found {source.written[(*path, index)]}, {wanted}")


def _check_names(source: Source, data: dict[str, Any]) -> None:
    """What no single key can tell: names that other parts of the file or of Arena must know."""
    named = _list(data, "tie_breaks")
    for index, name in enumerate(named):
        path: KeyPath = ("tie_breaks", index)
        if isinstance(name, str) and name not in TIEBREAKS:
            _report_name(source, path, name, list(TIEBREAKS))
        elif isinstance(name, str) and name in named[:index]:
            source.add(path, f"found {name} again, expected it once")
    ids = [str(entry["id"]) for entry in _list(data, "bots") if isinstance(entry, dict) and "id" in entry]
    rating = data.get("rating")
    anchor = rating.get("anchor") if isinstance(rating, dict) else None
    if isinstance(anchor, str) and anchor not in ids:
        source.add(("rating", "anchor"), f"found {shown(anchor)}, expected the id of a bot{nearest(anchor, ids)}")
    limits = data.get("limits")
    if isinstance(limits, dict) and limits.get("move_s") == 0 and limits.get("bank_s", 0) == 0:
        source.add(("limits", "move_s"), "found 0, expected more than 0 seconds, or a bank_s of more than 0 seconds")


def _list(data: dict[str, Any], key: str) -> list[Any]:
    found = data.get(key)
    return found if isinstance(found, list) else []


def _report_name(source: Source, path: KeyPath, name: str, known: list[str]) -> None:
    few = listing(sorted(known)) if len(known) < 10 else "a known name"
    source.add(path, f"found {source.written.get(path, shown(name))}, expected {few}{nearest(name, known)}")
