"""A person's game in the browser: what the page may ask, which is what a bot in the same seat is told.

The game runs in the thread that calls `play`; the server's threads come with questions. The page cannot ask for
anything else while the game goes on; when it is over the whole game is shown, as everybody may see it then.
"""

import random
import threading
from collections.abc import Callable
from typing import Any

from arena import games, person
from arena.errors import ArenaError
from arena.person import Person, Request
from arena.report.page import page
from arena.report.replays import Disclosure, replay_of, shown
from arena.transcript import Transcript
from arena.web.server import WAIT_S, Answer

HINTS = 3


class GaveUp(Exception):  # noqa: N818 - a decision, not an error
    """The person left the game."""


class Table:
    """The seat of a person whose eyes and hands are a page."""

    def __init__(self, game: str, seat: int, opponent: str) -> None:
        self._game = games.load(game)
        self._options = self._game.from_json({}, self._game.Options)
        self._names = ["You", opponent] if seat == 0 else [opponent, "You"]
        self._seat = seat
        self._changed = threading.Condition()
        self._messages: list[dict[str, Any]] = []
        self._open: tuple[int, Request] | None = None
        self._chosen: int | None = None
        self._left = False

    @property
    def person(self) -> Person:
        return Person(self._decide, self._over)

    @property
    def page(self) -> str:
        """The page, which holds nothing of the game."""
        return page("play.html", scripts=("server", "play"), connect=True, game=self._game.NAME)

    @property
    def answers(self) -> dict[str, Answer]:
        """What the page may ask the server."""
        return {"setup": self._setup, "news": self._news, "act": self._act, "hint": self._hint, "leave": self._leave}

    def show(self, record: Transcript) -> None:
        """The game is over: everything may be seen."""
        self._publish({"kind": "record", "replay": replay_of(1, record, Disclosure(seats=True))})

    def fail(self, text: str) -> None:
        """The game cannot go on."""
        self._publish({"kind": "failed", "text": text})

    def _decide(self, request: Request) -> int:
        """Ask the page, and wait for as long as the person likes. Raises GaveUp."""
        view = self._game.from_json(request.view, self._game.View)
        with self._changed:
            for message in self._messages:
                message.pop("legal", None)  # a page that is loaded again needs the news and the last question
                message.pop("view", None)
            self._open = (len(self._messages) + 1, request)
            self._chosen = None
        self._publish(
            {"kind": "ask", "view": shown(self._game, view), "events": request.events, "legal": request.legal}
        )
        with self._changed:
            self._changed.wait_for(lambda: self._chosen is not None or self._left)
            self._open = None
            if self._chosen is None:
                raise GaveUp
            return self._chosen

    def _over(self, message: dict[str, Any]) -> None:
        self._publish({"kind": "over", "events": message["events"], "outcome": message["outcome"]})

    def _publish(self, message: dict[str, Any]) -> None:
        with self._changed:
            self._messages.append({"id": len(self._messages) + 1, **message})
            self._changed.notify_all()

    def _setup(self, _: dict[str, Any]) -> Any:
        return {"game": self._game.NAME, "seat": self._seat, "names": self._names}

    def _news(self, question: dict[str, Any]) -> Any:
        """Every message after the one that the page has seen last; waits for one."""
        after = _number(question, "after")
        with self._changed:
            self._changed.wait_for(lambda: len(self._messages) > after, timeout=WAIT_S)
            return [dict(message) for message in self._messages[after:]]  # `_decide` cuts down the originals

    def _act(self, question: dict[str, Any]) -> Any:
        index = _number(question, "index")
        with self._changed:
            request = self._asked(question)
            if index >= len(request.legal):
                raise ArenaError(f"there are actions 0 to {len(request.legal) - 1}, not {index}")
            self._chosen = index
            self._open = None
            self._changed.notify_all()
        return {"index": index}

    def _hint(self, question: dict[str, Any]) -> Any:
        with self._changed:
            request = self._asked(question)
        view = self._game.from_json(request.view, self._game.View)
        legal = [self._game.from_json(action, self._game.Action) for action in request.legal]
        ranked = person.hint(self._game, view, legal, random.Random(), self._options)  # noqa: S311 - only advice
        return [{"index": index, "share": share} for index, share in ranked[:HINTS]]

    def _leave(self, _: dict[str, Any]) -> Any:
        with self._changed:
            self._left = True
            self._changed.notify_all()
        return {}

    def _asked(self, question: dict[str, Any]) -> Request:
        """The open request, if the question is about it."""
        if self._open is None or self._open[0] != _number(question, "id"):
            raise ArenaError("that request is not open: it was answered already")
        return self._open[1]


def play(table: Table, referee: Callable[[Person], Transcript]) -> Transcript | None:
    """Let the referee play with the person at the table; None where the person left."""
    try:
        record = referee(table.person)
    except GaveUp:
        return None
    except Exception as error:
        table.fail(str(error))
        raise
    table.show(record)
    return record


def _number(question: dict[str, Any], key: str) -> int:
    value = question.get(key)
    if type(value) is not int or value < 0:
        raise ArenaError(f"{key}: expected a whole number from 0")
    return value
