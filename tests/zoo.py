"""The table of the hostile zoo: read it, play it, compare what came of it, and make the page of it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml

from arena import transcript
from arena.bot import manifest
from arena.match import Contender, Game, Played, Sitting
from arena.model import Limits, Policies
from arena.transcript import Transcript

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "bots" / "misbehaving"
HONEST = ROOT / "bots" / "random_bot.py"
STICKS = 100


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One bot of the zoo and its exact verdict. What each field means stands at the top of TABLE.yaml."""

    group: str
    bot: str
    does: str
    verdict: str
    at: str
    check: str
    limits: Limits
    policies: Policies
    games: int
    faults: int  # of the last game
    own_limits: dict[str, Any]  # where they differ from the defaults
    own_policies: dict[str, Any]

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.bot}.py"


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a bot, in the words of the table."""

    verdict: str
    at: str
    faults: int
    opponent: str  # how the honest bot fared


def rows() -> list[Row]:
    """The table, in its order."""
    data = yaml.safe_load((FOLDER / "TABLE.yaml").read_text(encoding="utf-8"))
    defaults = data["defaults"]
    found = []
    for group, entries in data["groups"].items():
        for entry in entries:
            own_limits, own_policies = entry.pop("limits", {}), entry.pop("policies", {})
            found.append(
                Row(
                    group=group,
                    limits=msgspec.convert(defaults["limits"] | own_limits, Limits),
                    policies=msgspec.convert(defaults["policies"] | own_policies, Policies),
                    games=entry.pop("games", defaults["games"]),
                    faults=entry.pop("faults", int(entry["verdict"] != "fine")),
                    own_limits=own_limits,
                    own_policies=own_policies,
                    **entry,
                )
            )
    return found


def contender(path: Path, folder: Path, *, entrant: str = "") -> Contender:
    """A bot staged below `folder`."""
    bot = manifest.read(path)
    target = folder / bot.name
    if not target.exists():
        manifest.stage(bot, target)
    return Contender(entrant=entrant or bot.name, folder=str(target), argv=bot.run, env=bot.env)


def sitting(row: Row, folder: Path, *, seat: int = 0, first: int = 0, sandbox: str = "required") -> Sitting:
    """The games of a row: its bot sits at `seat` against an honest one; seat `first` begins."""
    zoo, honest = contender(row.path, folder), contender(HONEST, folder, entrant="honest")
    games = tuple(
        Game(
            number=k + 1,
            round=1,
            pairing=1,
            deal_number=k,
            leg=0,
            deal={"first_seat": (first + k) % 2},
            random_seeds=(2 * k, 2 * k + 1),
        )
        for k in range(row.games)
    )
    return Sitting(
        game="nim",
        options={"sticks": STICKS},
        limits=row.limits,
        policies=row.policies,
        sandbox=sandbox,
        contenders=(zoo, honest) if seat == 0 else (honest, zoo),
        games=games,
        substitute_key=b"zoo",
    )


def found(played: Sequence[Played], *, seat: int) -> Found:
    """The verdict on the bot at `seat`, from the record of its last game."""
    records = [transcript.unpack(game.transcript) for game in played]
    for record in records[:-1]:
        assert not record.faults, f"a fault before the last game: {record.faults}"
    record = records[-1]
    guilty = {fault.seat for fault in record.faults}
    mine = [fault for fault in record.faults if fault.seat == seat]
    if record.outcome.reason == "last-stick":
        verdict, opponent = "fine", "plays to the end"
    else:
        verdict = record.outcome.code or record.outcome.reason
        opponent = "wins" if record.outcome.half_points[1 - seat] == 2 else "does not win"
    if guilty - {seat}:
        opponent = f"is blamed: {[fault for fault in record.faults if fault.seat != seat]}"
    return Found(
        verdict=verdict, at=place(record, mine[0].ply, seat) if mine else "never", faults=len(mine), opponent=opponent
    )


def place(record: Transcript, ply: int | None, seat: int) -> str:
    """A ply as the table counts: the N-th decision of the seat itself."""
    if ply is None:
        return "start"
    own = sum(action.seat == seat and not action.forced for action in record.actions if action.ply < ply)
    return f"action {own + 1}"


def problem(row: Row, result: Found) -> str:
    """How the verdict differs from the table's, or nothing."""
    expected_opponent = "plays to the end" if row.verdict == "fine" else "wins"
    wanted = Found(verdict=row.verdict, at=row.at, faults=row.faults, opponent=expected_opponent)
    at = "later" if row.at == "later" and result.at not in ("start", "action 1", "action 2", "never") else result.at
    result = msgspec.structs.replace(result, at=at)
    return "" if result == wanted else f"{row.bot}: expected {wanted}, found {result}"


def page(table: Sequence[Row]) -> str:
    """docs/misbehaving.md."""
    return "\n".join(_lines(table)) + "\n"


def _lines(table: Sequence[Row]) -> Iterator[str]:
    yield from INTRODUCTION.format(count=len(table)).splitlines()
    for group in dict.fromkeys(row.group for row in table):
        yield from [
            "",
            f"## {group}",
            "",
            "| bot | what it does | verdict | when | `arena check` |",
            "|---|---|---|---|---|",
        ]
        for row in table:
            if row.group == group:
                verdict = row.verdict if row.verdict == "fine" else f"`{row.verdict}`"
                check = "passes" if row.check == "passes" else f"fails at *{row.check}*"
                link = f"[{row.bot}](../bots/misbehaving/{row.bot}.py)"
                yield f"| {link} | {row.does}{_terms(row)} | {verdict} | {row.at} | {check} |"


def _terms(row: Row) -> str:
    terms = [f"`{key}: {value}`" for key, value in {**row.own_limits, **row.own_policies}.items()]
    if row.games > 1:
        terms.append(f"{row.games} games in one sitting")
    return f" ({', '.join(terms)})" if terms else ""


INTRODUCTION = """\
# Bots that misbehave

```sh
arena match bots/misbehaving/two_answers.py bots/random_bot.py
arena check bots/misbehaving/two_answers.py
```

The folder `bots/misbehaving` holds {count} tiny programs.
Each does one thing wrong, or one thing that looks wrong and is allowed, and each has an exact verdict.
A test holds the referee to the verdicts, 20 times in a row on a loaded machine.
This page is made from `bots/misbehaving/TABLE.yaml`.

- *fine* means that the game goes to its end and nobody is blamed.
- Any other verdict is a fault code of [protocol.md](protocol.md#faults).
  The game is forfeited, the opponent wins, and the event goes on.
- *When* is `start` (before the first request), the bot's own N-th decision, `later` (a buffer is full), or `never`.
- The last column names the step at which `arena check` finds it.
- Limits are `move_s: 0.3`, `memory_mb: 256`, `processes: 16`, `disk_mb: 4` with the default policies, unless a row
  says otherwise.
- Those that could do harm refuse to run outside of a sandbox."""
