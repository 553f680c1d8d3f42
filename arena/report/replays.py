"""One finished game as the page draws it: what each viewer may see at each ply, and nothing else.

Hiding in the page is not hiding. What a viewer may not see is left out here, when the file is written: before an event
has ended there is the spectator alone, no action (the events tell what a spectator may know of it), no bot's note and
no sentence about a fault. After the end, when the key is revealed and the record public, the seats' eyes come with it.
"""

from typing import Any

import msgspec

from arena import replay
from arena.game import Game, Outcome
from arena.report.delta import series
from arena.report.ranges import reach
from arena.transcript import Action, Transcript

BOARDS = frozenset({"hidden-leaders-duel", "leaders", "leaders-expert"})  # drawn by assets/; others are shown as text
OPEN = frozenset({"leaders", "leaders-expert"})  # whose legal actions all may know
SPECTATOR = "spectator"


class Disclosure(msgspec.Struct, frozen=True, kw_only=True):
    """What a report may tell. `seats`: the views of the seats and all about faults; `notes`: also notes and stderr."""

    seats: bool
    notes: bool = False


class Replay(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A game for the page. `viewers` and `events` go by viewer; whoever sees just what a spectator sees is left out.

    `viewers[v]` is a series (`delta.series`) of the views before each ply and at the end; `events[v][ply]` is what
    happened by that ply; `plies` holds `[seat, ms or null, mark, note]`, with trailing nothings left out;
    `ranges[ply]` names the spaces that the ability used at a ply could have reached, where all see them.
    """

    number: int
    viewers: dict[str, list[Any]]
    events: dict[str, list[list[Any]]]
    plies: list[list[Any]]
    outcome: dict[str, Any]
    ranges: dict[str, str] = {}
    stderr: dict[str, str] = {}


def replay_of(number: int, record: Transcript, disclosure: Disclosure) -> Replay:
    """The game for the page. Raises CheckFailed where its record does not fit the rules."""
    game, start = replay.setup(record)
    seats: tuple[int | None, ...] = (None, *range(len(record.seats))) if disclosure.seats else (None,)
    told = [SPECTATOR if seat is None else str(seat) for seat in seats]
    views: dict[str, list[Any]] = {
        name: [shown(game, game.view(start, seat))] for seat, name in zip(seats, told, strict=True)
    }
    events: dict[str, list[list[Any]]] = {name: [] for name in told}
    ranges: dict[str, str] = {}
    for step in replay.steps(record):
        if game.NAME in OPEN and (spaces := reach(step.action, step.legal)):
            ranges[str(step.ply)] = spaces
        for seat, name in zip(seats, told, strict=True):
            views[name].append(shown(game, game.view(step.after, seat)))
            happened = game.events(step.before, step.action, step.after, seat)
            events[name].append([game.to_json(event) for event in happened])
    alike = [name for name in told[1:] if (views[name], events[name]) == (views[SPECTATOR], events[SPECTATOR])]
    return Replay(
        number=number,
        viewers={name: series(views[name]) for name in told if name not in alike},
        events={name: events[name] for name in told if name not in alike},
        plies=[_ply(action, disclosure) for action in record.actions],
        outcome=_outcome(game, record, disclosure),
        ranges=ranges,
        stderr={str(i): seat.stderr for i, seat in enumerate(record.seats) if seat.stderr} if disclosure.notes else {},
    )


def shown(game: Game, view: Any) -> Any:
    """What the page draws of a view: its JSON where the page knows the game's board, else the game's own text.

    Who looks is left out, so that views that differ in nothing else are the same.
    """
    if game.NAME not in BOARDS:
        return {"text": game.render(view)}
    data = game.to_json(view)
    data.pop("seat", None)
    return data


def _ply(action: Action, disclosure: Disclosure) -> list[Any]:
    took = None if action.took_ms is None else round(action.took_ms, 1 if action.took_ms < 10 else None)
    mark = "f" if action.forced else "s" if action.substituted else ""
    note = action.note if disclosure.notes and action.note else None
    ply: list[Any] = [action.seat, took, mark, note]
    while not ply[-1] and len(ply) > 2:
        ply.pop()
    return ply


def _outcome(game: Game, record: Transcript, disclosure: Disclosure) -> dict[str, Any]:
    """How it ended, and the fault that ended it. The sentence about it may hold secrets of a seat."""
    outcome: dict[str, Any] = game.to_json(
        Outcome(
            half_points=record.outcome.half_points,
            reason=record.outcome.reason,
            details=record.outcome.details,
        )
    )
    if record.outcome.forfeit_by is not None:
        outcome |= {"forfeit_by": record.outcome.forfeit_by, "code": record.outcome.code}
    if disclosure.seats and record.faults:
        outcome["faults"] = [
            {"seat": fault.seat, "code": fault.code, "ply": fault.ply, "text": fault.text} for fault in record.faults
        ]
    return outcome
