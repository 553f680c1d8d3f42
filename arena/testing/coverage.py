"""Did the redeals vary everything that is hidden? A leak test proves nothing about a field that never changed.

Three ways to find a hidden field without asking `redeal`:

- its value, which is another in other games, occurs in nothing that the viewer received (deal, views);
- two values of the deal can be exchanged and the viewer is shown the same at every ply;
- another action of the other seat would have been shown to the viewer just the same.

Each such field must have differed in some redeal. What never differed and is not hidden in these ways is listed as
open: the author reads that list once.
"""

from collections.abc import Iterable
from typing import Any

from arena.game import Game
from arena.testing.play import Viewer, kind, leaves, text, viewer_name
from arena.testing.report import Tally
from arena.testing.stream import History, feed

TWINS = 20  # fewer redeals a viewer prove nothing
CASES = 8  # a field must have been hidden this often before it counts: it may be known by deduction now and then
SHOWN = 8  # fields named for one viewer
ALTERNATIVES = 6  # looked at for one action


class Coverage:
    """What redeals varied, for each viewer. Fields are paths: `deal.…`, `action KIND.…`, `view of seat N: …`."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._twins: dict[Viewer, int] = {}
        self._seen: dict[Viewer, set[str]] = {}
        self._varied: dict[Viewer, set[str]] = {}
        self._values: dict[Viewer, dict[str, set[str]]] = {}  # two values of each field, if it had two
        self._untold: dict[Viewer, dict[str, list[str]]] = {}  # field: values of it that the viewer did not receive
        self._exchanged: dict[Viewer, dict[str, str]] = {}  # field: how it is known to be hidden
        self._choices: dict[Viewer, dict[str, int]] = {}

    def redealt(self, viewer: Viewer, one: History, other: History, received: frozenset[str]) -> None:
        """Take a history and its twin into account. `received`: all that the viewer got, as JSON."""
        self._twins[viewer] = self._twins.get(viewer, 0) + 1
        for (noun, left), (_, right) in zip(self._records(viewer, one), self._records(viewer, other), strict=True):
            before, after = dict(leaves(left)), dict(leaves(right))
            for path in {**before, **after}:
                field = noun + path
                self._seen.setdefault(viewer, set()).add(field)
                if path not in before or path not in after or before[path] != after[path]:
                    self._varied.setdefault(viewer, set()).add(field)
                elif not noun.startswith("action "):  # how an action is told is the game's business
                    self._same(viewer, field, text(before[path]), received)

    def _same(self, viewer: Viewer, field: str, value: str, received: frozenset[str]) -> None:
        values = self._values.setdefault(viewer, {}).setdefault(field, set())
        if len(values) < 2:
            values.add(value)
        if value not in received:
            self._untold.setdefault(viewer, {}).setdefault(field, []).append(value)

    def exchanged(self, viewer: Viewer, first: str, second: str) -> None:
        """Exchanging two fields of the deal goes unnoticed."""
        fields = self._exchanged.setdefault(viewer, {})
        fields.setdefault(f"deal.{first}", f"exchanging it with deal.{second} goes unnoticed")
        fields.setdefault(f"deal.{second}", f"exchanging it with deal.{first} goes unnoticed")

    def choices(self, viewer: Viewer, history: History, plies: Iterable[int]) -> None:
        """Look for actions of others that the viewer could not have told from the one that was played."""
        for ply in plies:
            action, state = history.actions[ply], history.states[ply]
            if self._game.seat_to_act(state) == viewer:
                continue
            shown = self._shown(history.cut(ply), action, viewer)
            for other in self._nearest(state, action):
                if self._shown(history.cut(ply), other, viewer) == shown:
                    counts = self._choices.setdefault(viewer, {})
                    for field in self._action_difference(action, other):
                        counts[field] = counts.get(field, 0) + 1
                    break

    def judge(self, tally: Tally) -> None:
        """Report what is hidden and was never varied."""
        found: dict[str, str] = {}
        for viewer, twins in self._twins.items():
            name = viewer_name(viewer)
            if twins < TWINS:
                tally.skip("coverage", f"{twins} redeals for {name} are too few to tell; check more games")
                continue
            varied = self._varied.get(viewer, set())
            hidden = {
                field: f"its value, {values[0]} for one, occurs in nothing that {name} received"
                for field, values in self._untold.get(viewer, {}).items()
                if len(values) >= CASES and len(self._values[viewer][field]) > 1
            }
            hidden |= self._exchanged.get(viewer, {})
            hidden |= {
                field: f"{name} was shown the same for other choices, {count} times"
                for field, count in self._choices.get(viewer, {}).items()
                if count >= CASES
            }
            missed = [f"{field} ({why})" for field, why in sorted(hidden.items()) if field not in varied]
            found[name] = f"redeal for {name} never varied " + "; ".join(missed[:SHOWN]) if missed else ""
        evidence = "\n".join(filter(None, found.values()))
        for problem in found.values():
            tally.expect("coverage", not problem, evidence)

    def open_fields(self) -> dict[str, tuple[str, ...]]:
        """For each viewer the fields of the deal that no redeal varied."""
        return {
            viewer_name(viewer): tuple(
                sorted(
                    f
                    for f in seen
                    if f.startswith("deal.") and f != "deal." and f not in self._varied.get(viewer, set())
                )
            )
            for viewer, seen in self._seen.items()
        }

    def _records(self, viewer: Viewer, history: History) -> list[tuple[str, Any]]:
        """The deal, each action of the others, and what the other seats see at the end, each with a noun before it."""
        game = self._game
        records = [("deal.", game.to_json(history.deal))]
        for state, action in zip(history.states, history.actions, strict=False):
            if game.seat_to_act(state) != viewer:
                data = game.to_json(action)
                records.append((f"action {kind(data)}.", data))
        views = ((seat, game.view(history.states[-1], seat)) for seat in range(game.SEATS) if seat != viewer)
        return records + [(f"view of seat {seat}: ", game.to_json(view)) for seat, view in views]

    def _shown(self, before: History, action: Any, viewer: Viewer) -> bytes:
        """What the viewer is shown of an action at the end of a history."""
        states = (before.states[-1], self._game.apply(before.states[-1], action))
        last = History(options=before.options, deal=before.deal, actions=(action,), states=states)
        return feed(self._game, last, viewer)[1]

    def _nearest(self, state: Any, action: Any) -> list[Any]:
        """Other legal actions, those first that differ least from the one played."""
        others = [other for other in self._game.legal_actions(state) if other != action]
        alike = [(fields, other) for other in others if (fields := self._action_difference(action, other))]
        return [other for _, other in sorted(alike, key=lambda pair: len(pair[0]))[:ALTERNATIVES]]

    def _action_difference(self, one: Any, other: Any) -> list[str]:
        left, right = self._game.to_json(one), self._game.to_json(other)
        if kind(left) != kind(right):
            return []
        twin = dict(leaves(right))
        return [f"action {kind(left)}.{path}" for path, value in leaves(left) if twin.get(path) != value]
