"""What a check of a game found: one line a check, with the evidence of the first failure."""

from typing import Literal

import msgspec

CHECKS: dict[str, str] = {
    "names": "every name of the contract is there",
    "types": "Options have defaults; every type has a JSON Schema",
    "plays": "random games run to their end without an exception",
    "deal": "the same random numbers give the same deal, drawn by randrange alone",
    "determinism": "the same deal and actions give the same game, also from their JSON",
    "purity": "no function alters its input",
    "one-seat": "one seat acts, or the game is over and nobody does",
    "legal": "legal actions are distinct, at least one, and the same when listed again",
    "order": "legal actions have one canonical order: no two ever change places",
    "json": "options, deals, actions, views and events survive strict JSON",
    "outcome": "there is an outcome exactly at the end; its half points add up; its reason is a code",
    "length": "no game has more plies than max_plies says",
    "render": "a view is text of several lines without control codes",
    "determinize": "a state drawn for a view gives that view, the same legal actions, and plays on",
    "redeal": "redeal gives a legal history in which the viewer did the same",
    "non-interference": "every byte for a viewer is the same in histories that it must not tell apart",
    "canary": "values in the deal that a viewer's views do not show can be exchanged unnoticed",
    "coverage": "the redeals varied everything that is hidden",
}

Status = Literal["passed", "failed", "skipped"]


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one check. `text` is the first failure in full, or why the check was skipped."""

    name: str
    status: Status
    cases: int
    failures: int = 0
    text: str = ""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All checks of one game. `open_fields` lists for each viewer what redeal never varied: read it once.

    A field stands there if its value reached the viewer in every sampled history. Everything else in the deal and in
    the other seats' views was varied, or the check `coverage` failed.
    """

    game: str
    games: int
    plies: int
    seed: int
    checks: tuple[Check, ...]
    open_fields: dict[str, tuple[str, ...]] = {}

    @property
    def ok(self) -> bool:
        """No check failed (some may have been skipped)."""
        return all(check.status != "failed" for check in self.checks)

    @property
    def failed(self) -> tuple[str, ...]:
        return tuple(check.name for check in self.checks if check.status == "failed")

    @property
    def skipped(self) -> tuple[str, ...]:
        return tuple(check.name for check in self.checks if check.status == "skipped")

    def text(self, name: str) -> str:
        """The evidence of the check called `name`."""
        return next(check.text for check in self.checks if check.name == name)


class Tally:
    """Counts the cases of each check and keeps the first failure of each."""

    def __init__(self) -> None:
        self._cases: dict[str, int] = {}
        self._failures: dict[str, int] = {}
        self._texts: dict[str, str] = {}

    def expect(self, name: str, condition: bool, text: str = "") -> bool:
        """Count one case of the check; `text` is the evidence if the condition does not hold."""
        if not condition:
            self.fail(name, text)
        else:
            self._cases[name] = self._cases.get(name, 0) + 1
        return condition

    def fail(self, name: str, text: str) -> None:
        assert name in CHECKS, name
        self._cases[name] = self._cases.get(name, 0) + 1
        if not self._failures.get(name):
            self._texts[name] = text
        self._failures[name] = self._failures.get(name, 0) + 1

    def skip(self, name: str, text: str) -> None:
        """The game does not offer what the check needs; counts only if the check has no other cases."""
        self._texts.setdefault(name, text)

    def failures(self, name: str) -> int:
        return self._failures.get(name, 0)

    def checks(self) -> tuple[Check, ...]:
        """The checks that had a case or were skipped, in the order of `CHECKS`."""
        return tuple(
            Check(
                name=name,
                status=self._status(name),
                cases=self._cases.get(name, 0),
                failures=self._failures.get(name, 0),
                text=self._texts.get(name, "") if self._status(name) != "passed" else "",
            )
            for name in CHECKS
            if name in self._cases or name in self._texts
        )

    def _status(self, name: str) -> Status:
        if self._failures.get(name):
            return "failed"
        return "passed" if self._cases.get(name) else "skipped"
