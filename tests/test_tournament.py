"""Events from config to end with real worker processes; sandbox off, since the sandbox has tests of its own."""

import contextlib
import errno
import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

import msgspec
import pytest

from arena import config as configs
from arena import games, replay, verify
from arena.cli.status import status
from arena.commitment import Keys, Secret
from arena.errors import ArenaError, Interrupted, UsageError
from arena.executor.local import LocalExecutor
from arena.formats import Round
from arena.match import Played
from arena.record import departures, finished_rounds, progress, recorded_config, recorded_entrants, tables
from arena.store import FILE, Store
from arena.tournament import Event
from arena.transcript import without_times

ROOT = Path(__file__).parent.parent
RANDOM = ROOT / "bots" / "random_bot.py"

CONFIG = """
event: try
game: hidden-leaders-duel
deals_per_pairing: 2
sandbox: 'off'
seed: 42
limits: {{move_s: 5, startup_s: 30}}
{extra}
bots:
  - {{id: ann, path: {bot}}}
  - {{id: bob, path: {bot}}}
  - {{id: cid, path: {bot}}}
"""


class Silent:
    """An observer that only counts."""

    def __init__(self) -> None:
        self.rounds: list[Round] = []
        self.done: list[int] = []

    def round_paired(self, round_: Round) -> None:
        self.rounds.append(round_)

    def game_finished(self, played: Played, done: int, total: int | None) -> None:
        assert played.result.number == done
        assert total is None or done <= total
        self.done.append(done)


def write_config(folder: Path, *, extra: str = "", bot: Path = RANDOM) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "try.yaml"
    path.write_text(CONFIG.format(extra=extra, bot=bot))
    return path


def run(config: Path, folder: Path, *, workers: int = 2, **options: bool) -> Silent:
    seen = Silent()
    with (
        Event(configs.load(config), folder, **options) as event,
        LocalExecutor(workers, handlers=event.log_handlers) as executor,
    ):
        event.play(executor, seen)
    return seen


def record(folder: Path) -> list[object]:
    """Everything about the games of an event that may not depend on the machine."""
    with Store(folder) as store:
        count = store.game_count()
        results = [msgspec.structs.replace(result, faults=()) for result in store.results()]
        return [results, *(without_times(store.game(number)[1]) for number in range(1, count + 1))]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event played to its end with one worker."""
    folder = tmp_path_factory.mktemp("finished")
    config = write_config(folder)
    seen = run(config, folder / "event", workers=1)
    assert seen.done == list(range(1, 13))
    assert len(seen.rounds) == 3
    return folder / "event"


def test_two_workers_play_the_same_event_as_one(finished: Path, tmp_path: Path) -> None:
    run(write_config(tmp_path), tmp_path / "event", workers=2)
    assert record(tmp_path / "event") == record(finished)


def test_each_deal_is_played_twice_with_seats_exchanged_and_shared_by_a_round(finished: Path) -> None:
    with Store(finished) as store:
        results = list(store.results())
        deals = {result.number: store.game(result.number)[1].deal for result in results}
    for first, second in zip(results[::2], results[1::2], strict=True):
        assert (first.deal, first.leg, second.leg) == (second.deal, 0, 1)
        assert first.entrants == second.entrants[::-1]
        assert deals[first.number] == deals[second.number]
    assert len({json.dumps(deal) for deal in deals.values()}) == 6


def test_the_deals_follow_from_the_revealed_root(finished: Path) -> None:
    with Store(finished) as store:
        secret = Secret(root=store.meta("root") or "", salt=store.meta("salt") or "")
        assert secret.commitment == store.meta("commitment")
        config = recorded_config(store)
        game = games.load(config.game)
        keys = Keys(secret)
        for result in store.results():
            _, transcript = store.game(result.number)
            assert transcript.deal == game.to_json(keys.deal(game, config.options, result.deal))
            seeds = [keys.random_seed(result.number, seat) for seat in (0, 1)]
            assert [seat.random_seed for seat in transcript.seats] == seeds
    assert not (finished / "event.key").exists()


def test_every_message_can_be_derived_again(finished: Path) -> None:
    with Store(finished) as store:
        for number in range(1, store.game_count() + 1):
            whole = replay.complete(store.game(number)[1])
            assert all(message.line for message in whole.messages)
            asked = [m for m in whole.messages if m.to == "bot" and b'"type":"act"' in m.line[:20]]
            assert len(asked) == sum(not action.forced for action in whole.actions)


def test_a_finished_event_is_not_played_again(finished: Path) -> None:
    seen = run(finished.parent / "try.yaml", finished)
    assert seen.done == []


def test_the_totals_are_the_sums_of_the_games(finished: Path) -> None:
    with Store(finished) as store:
        config = recorded_config(store)
        assert [entrant.id for entrant in recorded_entrants(store)] == ["ann", "bob", "cid"]
        for round_ in finished_rounds(store, config):
            for result in round_:
                games_ = [g for g in store.results() if (g.round, g.pairing) == _place(result)]
                assert result.games == len(games_)
                for entrant, points in zip(result.pairing.entrants, result.half_points, strict=True):
                    assert points == sum(
                        g.half_points[seat] for g in games_ for seat in (0, 1) if g.entrants[seat] == entrant
                    )


def test_the_workers_log_to_the_events_log(finished: Path) -> None:
    text = (finished / "event.log").read_text()
    assert "commitment" in text
    assert text.count("INFO arena.match: ") >= 12, "each game is logged by the worker that played it"


def test_a_changed_config_is_shown_and_refused_and_recorded_when_accepted(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    Event(configs.load(config), tmp_path / "event").close()
    write_config(tmp_path, extra="ponder: true")
    with pytest.raises(UsageError, match=r"(?s)\nponder: false → true\n.*--accept-changes"):
        Event(configs.load(config), tmp_path / "event")
    Event(configs.load(config), tmp_path / "event", accept_changes=True).close()
    with Store(tmp_path / "event") as store:
        (change,) = json.loads(store.meta("changes") or "[]")
        assert change["after_game"] == 0
        assert change["changes"] == "ponder: false → true"
    Event(configs.load(config), tmp_path / "event").close()


def test_a_bot_that_has_been_paired_cannot_be_taken_out_of_the_config(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    run_in_part(config, tmp_path / "event", 3)
    whole = config.read_text()
    config.write_text(whole.replace("id: cid", "id: eve"))
    for accept in (False, True):
        with pytest.raises(UsageError, match="cid has been paired in this event and is not in the config any more"):
            Event(configs.load(config), tmp_path / "event", accept_changes=accept)
    config.write_text(whole)
    run(config, tmp_path / "event")


def test_a_disk_that_is_full_for_the_log_hides_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Event(configs.load(write_config(tmp_path)), tmp_path / "event") as event:
        (log,) = event.log_handlers
        monkeypatch.setattr(log, "flush", lambda: full(None))
        logging.getLogger("arena").info("a line that has no room")


def test_an_event_that_has_ended_takes_no_changes(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    run(config, tmp_path / "event")
    before = (tmp_path / "event" / FILE).read_bytes()
    write_config(tmp_path, extra="ponder: true")
    for accept in (False, True):
        with pytest.raises(UsageError, match="this event has ended, and was played with another config"):
            Event(configs.load(config), tmp_path / "event", accept_changes=accept)
    assert (tmp_path / "event" / FILE).read_bytes() == before


class StopsAfter(Silent):
    """An observer that breaks the run off after so many games."""

    def __init__(self, games: int) -> None:
        super().__init__()
        self._games = games

    def game_finished(self, played: Played, done: int, total: int | None) -> None:
        super().game_finished(played, done, total)
        if done == self._games:
            raise KeyboardInterrupt


def run_in_part(config: Path, folder: Path, games: int) -> None:
    with (
        Event(configs.load(config), folder) as event,
        LocalExecutor(1, handlers=event.log_handlers) as executor,
        pytest.raises(Interrupted),
    ):
        event.play(executor, StopsAfter(games))


def test_more_deals_in_the_first_round_are_accepted_and_the_event_is_proved(tmp_path: Path) -> None:
    run_in_part(write_config(tmp_path), tmp_path / "event", 3)
    config = write_config(tmp_path)
    config.write_text(config.read_text().replace("deals_per_pairing: 2", "deals_per_pairing: 3"))
    run(config, tmp_path / "event", accept_changes=True)
    with Store(tmp_path / "event") as store:
        ids = [result.game_id for result in store.results()]
        assert len(set(ids)) == len(ids) == 18
        lines = list(verify.checks(store))
    assert "schedule: 3 rounds not paired again, because changes were accepted; every game in its place" in lines


@pytest.mark.parametrize("deals", [1, 3])
def test_a_change_by_which_played_games_would_stand_elsewhere_is_never_accepted(tmp_path: Path, deals: int) -> None:
    run_in_part(write_config(tmp_path), tmp_path / "event", 6)
    config = write_config(tmp_path)
    config.write_text(config.read_text().replace("deals_per_pairing: 2", f"deals_per_pairing: {deals}"))
    for accept in (False, True):
        with pytest.raises(
            UsageError, match=r"(?s)stand elsewhere in the schedule: game [35] is .*; there the schedule has"
        ):
            Event(configs.load(config), tmp_path / "event", accept_changes=accept)
    with Store(tmp_path / "event") as store:
        assert store.meta("changes") is None


def test_changed_bot_bytes_are_shown_and_refused(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(RANDOM.read_text())
    config = write_config(tmp_path, bot=bot)
    Event(configs.load(config), tmp_path / "event").close()
    bot.write_text(RANDOM.read_text() + "\n# changed\n")
    with pytest.raises(UsageError, match=r"bot ann: its files have changed \(SHA-256 [0-9a-f]{12}… → [0-9a-f]{12}…\)"):
        Event(configs.load(config), tmp_path / "event")


def test_another_seed_is_refused(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    Event(configs.load(config), tmp_path / "event").close()
    config.write_text(config.read_text().replace("seed: 42", "seed: 43"))
    with pytest.raises(UsageError, match="began with another `seed`"):
        Event(configs.load(config), tmp_path / "event")


def test_entropy_may_be_mixed_in_after_the_commitment_and_before_the_first_game(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    Event(configs.load(config), tmp_path / "event").close()
    write_config(tmp_path, extra="entropy: the lottery numbers of Saturday")
    run(config, tmp_path / "event")
    with Store(tmp_path / "event") as store:
        assert store.meta("changes") is None
        assert recorded_config(store).entropy == "the lottery numbers of Saturday"
        assert store.game(1)[1].deal != Keys(Secret.draw(42)).deal


def test_a_lost_key_and_a_foreign_key_are_said(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    Event(configs.load(config), tmp_path / "event").close()
    key = tmp_path / "event" / "event.key"
    assert key.stat().st_mode & 0o777 == 0o600
    key.write_bytes(msgspec.json.encode(Secret.draw()))
    with pytest.raises(ArenaError, match="not the one that the event was committed to"):
        Event(configs.load(config), tmp_path / "event")
    key.unlink()
    with pytest.raises(ArenaError, match="the event's key cannot be read"):
        Event(configs.load(config), tmp_path / "event")


def test_a_second_run_is_refused_while_the_first_goes_on(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    with (
        Event(configs.load(config), tmp_path / "event"),
        pytest.raises(ArenaError, match=r"run by another process \(pid \d+\)"),
    ):
        Event(configs.load(config), tmp_path / "event")


def test_sittings_play_the_same_schedule_with_few_processes(tmp_path: Path) -> None:
    """A bot that counts its games shows that a process plays one leg of every deal, and no deal twice."""
    bot = tmp_path / "counter.py"
    bot.write_text(
        RANDOM.read_text().replace(
            'say({"type": "ready"})', 'print(message["game_id"], file=sys.stderr)\n        say({"type": "ready"})'
        )
    )
    config = write_config(tmp_path, extra="scope: sitting", bot=bot)
    run(config, tmp_path / "event")
    with Store(tmp_path / "event") as store:
        heard = [store.game(number)[1].seats[0].stderr.split() for number in range(1, store.game_count() + 1)]
        results = list(store.results())
    assert heard == [[result.wire_id] for result in results], "stderr is kept by game"
    ids = [result.game_id for result in results]
    deals = [id_[: id_.index("g")] for id_ in ids]
    assert all(first != second for first, second in zip(deals[::2], deals[1::2], strict=True)), "one sitting, two deals"


def test_a_disqualified_bot_is_paired_no_more_and_the_event_goes_on(tmp_path: Path) -> None:
    dead = tmp_path / "dead.py"
    dead.write_text("raise SystemExit(3)\n")
    config = write_config(tmp_path, extra="disqualify_after_faults: 2")
    config.write_text(config.read_text().replace(f"cid, path: {RANDOM}", f"cid, path: {dead}"))
    run(config, tmp_path / "event")
    with Store(tmp_path / "event") as store:
        lost = [result for result in store.results() if result.forfeit_by is not None]
        assert {result.reason for result in lost} == {"startup-exit"}
        assert {result.entrants[result.forfeit_by or 0] for result in lost} == {"cid"}
        assert len(lost) == 4, "the rest of the round is played, then it is out"
        fault = lost[0].faults[0]
        assert fault.text == "exited with code 3 before it replied"
        told = "cid was disqualified after round 1: 4 faults"
        assert [departure.text for departure in departures(store, recorded_config(store))] == [told]
        assert f"note: {told}" in list(verify.checks(store))
        assert status(store)["no longer paired"] == told
    assert told in (tmp_path / "event" / "event.log").read_text()


@pytest.mark.parametrize("format_", ["round-robin", "swiss"])
def test_a_withdrawn_bot_plays_no_further_round_and_the_event_is_proved(tmp_path: Path, format_: str) -> None:
    config = write_config(tmp_path, extra=f"format: {{type: {format_}{', rounds: 3' if format_ == 'swiss' else ''}}}")
    run_in_part(config, tmp_path / "event", 3)
    with Store(tmp_path / "event") as store:
        assert progress(store, recorded_config(store)).text == "round 1 of 3, 3 of its 4 games"
        assert status(store)["state"] == "stopped; the command that began it goes on"
    with Store(tmp_path / "event", writable=True) as store:
        last = store.withdraw("cid")
        assert store.writer == f"pid {os.getpid()}"
    assert last == 1
    run(config, tmp_path / "event")
    with Store(tmp_path / "event") as store:
        assert all("cid" not in result.entrants for result in store.results() if result.round > last)
        assert max(result.round for result in store.results()) > last
        assert any(line == "note: cid withdrew after round 1" for line in verify.checks(store))
        assert status(store)["state"] == "ended"
        assert store.writer is None


def test_a_knockout_puts_nobody_above_others_before_a_match_is_over(tmp_path: Path) -> None:
    config = write_config(tmp_path, extra="format: {type: knockout, replays: 0}")
    run_in_part(config, tmp_path / "event", 3)
    with Store(tmp_path / "event") as store:
        assert {row.precedence for row in tables(store).standings} == {5}
    run(config, tmp_path / "event")
    with Store(tmp_path / "event") as store:
        assert len({row.precedence for row in tables(store).standings}) == 3


class Runs:
    """`arena run` as a process of its own, to be killed."""

    def __init__(self, config: Path, results: Path) -> None:
        self._command = [sys.executable, "-m", "arena", "run", str(config), "--results", str(results), "-q"]
        self.folder = results / "try"

    def start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        )

    def games(self) -> int:
        try:
            with Store(self.folder) as store:
                return store.game_count()
        except ArenaError:
            return 0


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(write_config(tmp_path), tmp_path / "results")


def test_killed_at_several_instants_and_resumed_it_is_the_same_event(runs: Runs, finished: Path) -> None:
    kill_and_resume(runs, [0.4, 0.9, 1.3], finished)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_killed_at_a_hundred_random_instants_and_resumed_it_is_the_same_event(runs: Runs, finished: Path) -> None:
    rng = random.Random(6)
    victims = [rng.choice(["referee", "worker", "group"]) for _ in range(100)]
    kill_and_resume(runs, [rng.uniform(0.1, 1.6) for _ in victims], finished, victims)


def kill_and_resume(runs: Runs, instants_s: list[float], finished: Path, victims: Sequence[str] = ()) -> None:
    """Kill the run at each instant and start it again; a `worker` first, then what is left of the run."""
    kept = 0
    for instant_s, victim in zip_longest(instants_s, victims, fillvalue="referee"):
        process = runs.start()
        time.sleep(float(instant_s))
        if victim == "worker":
            for child in _children(process.pid)[:1]:
                os.kill(child, signal.SIGKILL)
            time.sleep(0.1)
        if victim == "group":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
        assert runs.games() >= kept, "an acknowledged game was lost"
        kept = runs.games()
    process = runs.start()
    _, errors = process.communicate(timeout=100)
    assert process.returncode == 0, errors
    assert record(runs.folder) == record(finished)


def test_ctrl_c_stops_cleanly_within_two_seconds_and_says_how_to_go_on(runs: Runs, finished: Path) -> None:
    process = runs.start()
    until_s = time.monotonic() + 30
    while runs.games() < 1 and time.monotonic() < until_s:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    began_s = time.monotonic()
    _, errors = process.communicate(timeout=30)
    assert time.monotonic() - began_s < 2
    assert process.returncode == 4
    assert b"nothing is lost: run the same command to go on" in errors
    assert b"Traceback" not in errors
    process = runs.start()
    process.communicate(timeout=100)
    assert record(runs.folder) == record(finished)


def test_a_killed_worker_costs_a_replay_and_nothing_else(tmp_path: Path, finished: Path) -> None:
    class Assassin(Silent):
        def game_finished(self, played: Played, done: int, total: int | None) -> None:
            super().game_finished(played, done, total)
            if done in (2, 5):
                for child in _children(os.getpid()):
                    os.kill(child, signal.SIGKILL)

    folder = tmp_path / "event"
    with (
        Event(configs.load(write_config(tmp_path)), folder) as event,
        LocalExecutor(2, handlers=event.log_handlers) as executor,
    ):
        event.play(executor, Assassin())
    assert record(folder) == record(finished)
    assert "the worker of slot" in (folder / "event.log").read_text()


def _children(pid: int) -> list[int]:
    """Worker processes: children of this process that run this very program."""
    with contextlib.suppress(OSError):  # one of them is gone
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        mine = Path(f"/proc/{pid}/cmdline").read_bytes()
        return [int(child) for child in listed if Path(f"/proc/{child}/cmdline").read_bytes() == mine]
    return []


def _place(result: object) -> tuple[int, int]:
    pairing = result.pairing  # type: ignore[attr-defined]
    return pairing.round, pairing.number
