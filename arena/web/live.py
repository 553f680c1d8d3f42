"""A running event in the browser: the report as it stands, again whenever a game is finished.

As long as the event goes on the page gets what a spectator may see, and no more (`arena.report.replays`).
"""

import time
from pathlib import Path
from typing import Any

from arena import report
from arena.errors import ArenaError
from arena.report import facts
from arena.report.page import fragment, page
from arena.report.replays import Disclosure, replay_of
from arena.store import Store
from arena.web.server import WAIT_S, Answer

LOOK_EVERY_S = 0.5
REST = 20  # times as long as making the page took, before it is made again: whoever watches must not slow the games


class Live:
    """An event that may still be running; `folder` holds its record."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._next_s = 0.0

    @property
    def page(self) -> str:
        """The page, which holds nothing of the event."""
        return page("watch.html", scripts=("server", "watch"), connect=True)

    @property
    def answers(self) -> dict[str, Answer]:
        """What the page may ask the server."""
        return {"news": self._news, "event": self._event, "replay": self._replay}

    def _news(self, question: dict[str, Any]) -> Any:
        """What the event has come to, once it differs from what the page has seen."""
        until_s = time.monotonic() + WAIT_S
        while True:
            with Store(self._folder) as store:
                version = _version(store)
            seen, now_s = question.get("seen"), time.monotonic()
            if version != seen and now_s >= self._next_s:
                return {"version": version}
            if now_s > until_s:
                return {"version": seen}
            time.sleep(LOOK_EVERY_S)

    def _event(self, _: dict[str, Any]) -> Any:
        """The report of now as HTML."""
        began_s = time.monotonic()
        with Store(self._folder) as store:
            version = _version(store)
            results = list(store.results())
            withheld = report.withheld_deals(store, results)
            replays = {result.number for result in results if result.deal not in withheld}
            context = report.context(store, facts.gather(store, results), results, replays)
        html = fragment("_live.html", **context, usage=(), sandboxes=(), missing=())
        self._next_s = time.monotonic() + REST * (time.monotonic() - began_s)
        return {"version": version, "html": html, "over": context["facts"].is_over}

    def _replay(self, question: dict[str, Any]) -> Any:
        """One game, unless its deal is still to be played by others."""
        number = question.get("number")
        if type(number) is not int:
            raise ArenaError("number: expected a whole number")
        with Store(self._folder) as store:
            result, record = store.game(number)
            if result.deal in report.withheld_deals(store, list(store.results())):
                raise ArenaError("its deal is still to be played by others")
            disclosure = Disclosure(seats=store.meta("ended") is not None)
        return {str(number): replay_of(number, record, disclosure)}


def _version(store: Store) -> str:
    return f"{store.game_count()} {len(store.rounds())} {store.meta('ended') or ''}"
