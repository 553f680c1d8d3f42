"""An event from its config to its end: register, commit, pair, play, reveal; or go on where it stopped."""

import contextlib
import json
import logging
import os
import platform
import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec

from arena import __version__, formats, games, roster, sandbox, schedule
from arena.changes import changes as changed
from arena.commitment import Keys, Secret
from arena.config import Config
from arena.errors import ArenaError, Interrupted, UsageError
from arena.executor import Executor
from arena.formats import Field, Round
from arena.match import Contender, Played
from arena.record import absent_after, computed_tables, departures, finished_rounds
from arena.store import Store

KEY_FILE = "event.key"
BOTS_FOLDER = "bots"
LOG_FILE = "event.log"

log = logging.getLogger("arena.tournament")


class Observer(Protocol):
    """Who wants to know how an event goes."""

    def round_paired(self, round_: Round, /) -> None: ...
    def game_finished(self, played: Played, done: int, total: int | None, /) -> None:
        """`done` games of the event are finished, of `total` as far as that is known."""


class Event:
    """An event whose record is open for writing, ready to be played. Raises ArenaError if it cannot be."""

    def __init__(self, config: Config, folder: Path, *, accept_changes: bool = False) -> None:
        self.config = config
        self._contenders: dict[str, Contender] | None = None
        self.store = Store(folder, writable=True, create=True)
        self._log = _open_log(folder / LOG_FILE)
        try:
            self.game = games.load(config.game)
            self.format = formats.load(config.format)
            self.entrants = roster.entrants(config.bots)
            self._register(accept_changes=accept_changes)
            self.keys = Keys(self._secret, entropy=config.entropy)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        logging.getLogger("arena").removeHandler(self._log)
        with contextlib.suppress(OSError):  # a full disk loses lines of the log, and the store has said so
            self._log.close()
        self.store.close()

    def __enter__(self) -> "Event":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def log_handlers(self) -> list[logging.Handler]:
        """Where all of Arena's logging goes while the event is open: for the workers to share."""
        return [self._log]

    @property
    def folder(self) -> Path:
        return self.store.folder

    @property
    def is_over(self) -> bool:
        return self.store.meta("ended") is not None

    def _ready_bots(self) -> dict[str, Contender]:
        """The bots staged and built. Before an event is registered, so that one that cannot be built begins none."""
        if self._contenders is None:
            mode = sandbox.Mode(self.config.sandbox)
            self._contenders = roster.contenders(self.config.bots, self.folder / BOTS_FOLDER, mode=mode)
        return self._contenders

    def total_games(self) -> int | None:
        """How many games the event has if nobody drops out; None where that depends on the results."""
        return schedule.games_in_all(self.config, self._ids)

    def play(self, executor: Executor, observer: Observer) -> None:
        """Play what is left of the event. Raises Interrupted on Ctrl-C; nothing that was acknowledged is lost."""
        if self.is_over:
            return
        contenders = self._ready_bots()
        total = self.total_games()
        rounds = self.store.rounds()
        try:
            while True:
                self._play_rounds(rounds, contenders, executor, observer, total)
                paired = self._next_rounds()
                if not paired:
                    break
                for round_ in paired:
                    rounds.append(round_)
                    self.store.add_round(len(rounds), round_)
                    observer.round_paired(round_)
        except KeyboardInterrupt:
            executor.close()
            raise Interrupted(
                f"stopped after {self.store.game_count()} games; nothing is lost: run the same command to go on"
            ) from None
        self._end()

    def _play_rounds(
        self,
        rounds: Sequence[Round],
        contenders: dict[str, Contender],
        executor: Executor,
        observer: Observer,
        total: int | None,
    ) -> None:
        """Play the games of these rounds that are not stored yet, and store them in schedule order."""
        done = self.store.game_count()
        early: dict[int, Played] = {}
        sittings = schedule.sittings(rounds, self.config, self.keys, contenders, after=done)
        for finished in executor.play(sittings):
            early.update((played.result.number, played) for _, games_ in finished for played in games_)
            ready: list[Played] = []
            while done + len(ready) + 1 in early:
                ready.append(early.pop(done + len(ready) + 1))
            if ready:
                self.store.add_games(ready)
            for played in ready:
                done += 1
                self._log_game(played)
                observer.game_finished(played, done, total)
        assert not early, f"games without their predecessors: {sorted(early)}"

    def _next_rounds(self) -> Sequence[Round]:
        """The rounds to play next: one, or all that are left where no result can change them."""
        finished = finished_rounds(self.store, self.config)
        gone = departures(self.store, self.config)
        for departure in gone:
            if departure.last_round == len(finished):
                log.warning(departure.text)
        absent = absent_after(len(finished), gone)
        field = Field(entrants=self._ids, rounds=finished, absent=absent)
        if self.format.FIXED and self.config.policies.disqualify_after_faults is None:
            return formats.plan(self.format, field, self.config.format_settings)
        found = self.format.next_round(field, self.config.format_settings)
        return () if found is None else (found,)

    @property
    def _ids(self) -> tuple[str, ...]:
        return tuple(entrant.id for entrant in self.entrants)

    def _register(self, *, accept_changes: bool) -> None:
        """A new event: draw the secret, write the commitment. An old one: require that nothing has changed."""
        frozen = {
            "config": json.dumps(self.config.canonical(), sort_keys=True, ensure_ascii=False),
            "entrants": msgspec.json.encode(self.entrants).decode(),
            "rules_version": str(self.game.RULES_VERSION),
        }
        key_file = self.folder / KEY_FILE
        if self.store.meta("commitment") is None:
            self._ready_bots()
            self._secret = Secret.draw(self.config.seed)
            _write_secret(key_file, self._secret)
            registered = json.dumps({**frozen, "commitment": self._secret.commitment, "arena": __version__})
            self.store.register(
                registered,
                **frozen,
                commitment=self._secret.commitment,
                arena=__version__,
                python=platform.python_version(),
                began=_now(),
            )
            log.info("event %s: commitment %s, seal %s", self.config.event, self._secret.commitment, self.store.seal)
            return
        self._secret = self._read_secret(key_file)
        if self._secret.commitment != self.store.meta("commitment"):
            raise ArenaError(f"{key_file}: this key is not the one that the event was committed to; restore it")
        if self.config.seed is not None and Secret.draw(self.config.seed) != self._secret:
            raise UsageError(
                f"{self.folder}: this event began with another `seed`, and its deals were committed to; "
                "put the seed back, or take another folder or name"
            )
        if self._mixes_in_entropy():
            self.store.set_meta(config=frozen["config"], entropy_at=_now())
        elif json.loads(self.store.meta("config") or "{}").get("entropy") != self.config.entropy:
            raise UsageError(
                f"{self.folder}: `entropy` cannot change: it is mixed in once, before the first game and alone"
            )
        before = {key: self.store.meta(key) for key in frozen}
        changes = "\n".join(changed(before, frozen))
        if changes:
            self._accept(changes, before, frozen, accept_changes=accept_changes)
        log.info("event %s goes on after game %d", self.config.event, self.store.game_count())

    def _accept(
        self, changes: str, before: dict[str, str | None], frozen: dict[str, str], *, accept_changes: bool
    ) -> None:
        """Record changes of what was registered. Raises UsageError for those that cannot be, or are not accepted."""
        if self.is_over:
            table = shlex.join(["arena", "standings", str(self.folder)])
            raise UsageError(
                f"{self.folder}: this event has ended, and was played with another config or other bots:\n{changes}\n"
                f"Take another name or folder to play again; `{table}` prints the table."
            )
        rounds = self.store.rounds()
        paired = {entrant for round_ in rounds for p in round_.pairings for entrant in p.entrants}
        if gone := sorted(str(entrant) for entrant in paired - {None, *self._ids}):
            raise UsageError(
                f"{self.folder}: {', '.join(gone)} has been paired in this event and is not in the config any more; "
                f"put it back, and `arena withdraw {self.folder} {gone[0]}` takes it out of the rounds to come"
            )
        misplaced = schedule.misplaced(self.store.results(), rounds, self.config)
        if misplaced is not None:
            raise UsageError(
                f"{self.folder}: this event began with another config:\n{changes}\n"
                f"With it, games that have been played would stand elsewhere in the schedule: {misplaced}.\n"
                "Take another name or folder, or put things back."
            )
        if not accept_changes:
            unplayed = "" if self.store.game_count() else f"; or delete {self.folder}, as no game has been played yet"
            raise UsageError(
                f"{self.folder}: this event began with another config or other bots:\n{changes}\n"
                "Take another name or folder, put things back, or let `arena run` go on with --accept-changes"
                f"{unplayed}."
            )
        told = json.loads(self.store.meta("changes") or "[]")
        told.append({"after_game": self.store.game_count(), "at": _now(), "changes": changes, "before": before})
        self.store.set_meta(**frozen, changes=json.dumps(told, ensure_ascii=False))
        log.warning("changes accepted after game %d:\n%s", self.store.game_count(), changes)

    def _mixes_in_entropy(self) -> bool:
        """Whether the config differs from the committed one by a public `entropy` alone, before any game."""
        committed = json.loads(self.store.meta("config") or "null")
        now = self.config.canonical()
        return (
            self.store.game_count() == 0
            and committed["entropy"] is None
            and now["entropy"] is not None
            and {**committed, "entropy": now["entropy"]} == json.loads(json.dumps(now))
        )

    def _read_secret(self, key_file: Path) -> Secret:
        if (root := self.store.meta("root")) is not None:
            return Secret(root=root, salt=self.store.meta("salt") or "")
        try:
            return msgspec.json.decode(key_file.read_bytes(), type=Secret)
        except (OSError, msgspec.DecodeError) as error:
            raise ArenaError(
                f"{key_file}: the event's key cannot be read ({error}); without it no further deal can be drawn"
            ) from error

    def _log_game(self, played: Played) -> None:
        result = played.result
        log.info(
            "game %d %s: %s %s, %s", result.number, result.game_id, result.entrants, result.half_points, result.reason
        )
        for fault in result.faults:
            log.warning(
                "game %d %s: %s: %s: %s",
                result.number,
                result.game_id,
                result.entrants[fault.seat],
                fault.code,
                fault.text,
            )

    def _end(self) -> None:
        """Reveal the secret: from now on everybody can derive every deal."""
        final = msgspec.json.encode(computed_tables(self.store)).decode()
        self.store.set_meta(final=final, root=self._secret.root, salt=self._secret.salt, ended=_now())
        (self.folder / KEY_FILE).unlink(missing_ok=True)
        log.info("event %s has ended after %d games", self.config.event, self.store.game_count())


class _Log(logging.FileHandler):
    """The event's log. A line that does not fit on the disk is lost: it is the store that must not fail in silence."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


def _open_log(path: Path) -> logging.Handler:
    handler = _Log(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("arena")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(handler)
    return handler


def _write_secret(path: Path, secret: Secret) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode(secret))
        file.flush()
        os.fsync(file.fileno())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
