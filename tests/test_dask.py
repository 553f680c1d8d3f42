"""A real scheduler and real worker processes on this machine; one worker is killed in the middle of a game."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arena import config as configs
from arena.errors import UsageError
from arena.executor.dask import DaskExecutor
from arena.executor.local import LocalExecutor
from arena.formats import Round
from arena.match import Played
from arena.store import Store
from arena.tournament import Event
from arena.transcript import without_times

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.filterwarnings("ignore")]

ROOT = Path(__file__).parent.parent
CONFIG = f"""
event: cluster
game: hidden-leaders-duel
deals_per_pairing: 3
sandbox: 'off'
seed: 42
limits: {{move_s: 10, startup_s: 60}}
bots:
  - {{id: ann, path: {ROOT}/bots/random_bot.py}}
  - {{id: bob, path: {ROOT}/bots/hidden_leaders_greedy.py}}
  - {{id: cid, path: {ROOT}/bots/random_bot.py}}
"""


class Silent:
    def round_paired(self, round_: Round) -> None: ...
    def game_finished(self, played: Played, done: int, total: int | None) -> None: ...


class Cluster:
    """A scheduler and workers of one slot each, as docs/organizer.md starts them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._env = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_TEMPORARY_DIRECTORY": str(folder)}
        self.address = "tcp://127.0.0.1:18786"
        command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "18786"]
        self._processes = [self._start([*command, "--no-dashboard"])]

    def add_worker(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--nworkers", "1"]
        worker = self._start([*command, "--nthreads", "1", "--resources", "slot=1", "--nanny", "--no-dashboard"])
        self._processes.append(worker)
        return worker

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        with (self._folder / f"log-{time.monotonic_ns()}").open("wb") as log:
            return subprocess.Popen(command, env=self._env, stdout=log, stderr=log, cwd=self._folder)

    def connect(self, slots: int) -> DaskExecutor:
        until_s = time.monotonic() + 60
        while True:
            try:
                executor = DaskExecutor(self.address)
                if executor.slots >= slots:
                    return executor
                executor.close()
            except UsageError:
                if time.monotonic() > until_s:
                    raise
            time.sleep(0.2)

    def stop(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            process.wait(30)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    yield made
    made.stop()


def record(folder: Path) -> list[object]:
    with Store(folder) as store:
        results = [msgspec.structs.replace(result, faults=()) for result in store.results()]
        return [results, *(without_times(store.game(n)[1]) for n in range(1, store.game_count() + 1))]


def play(folder: Path, config: Path, executor: object) -> list[object]:
    with Event(configs.load(config), folder) as event:
        event.play(executor, Silent())  # type: ignore[arg-type]
    return record(folder)


def test_a_cluster_gives_the_same_record_even_if_a_worker_is_killed(tmp_path: Path, cluster: Cluster) -> None:
    config = tmp_path / "cluster.yaml"
    config.write_text(CONFIG)
    with LocalExecutor(2) as local:
        expected = play(tmp_path / "local", config, local)
    cluster.add_worker()
    cluster.add_worker()
    with cluster.connect(2) as executor:
        assert play(tmp_path / "cluster", config, executor) == expected
    assert (tmp_path / "cluster" / "event.log").read_text().count("INFO arena.match: ") >= 18, "logs come home"

    class Assassin(Silent):
        def game_finished(self, played: Played, done: int, total: int | None) -> None:
            if done == 4:
                os.kill(worker_pid(), signal.SIGKILL)

    def worker_pid() -> int:
        return next(iter(executor._client.run(os.getpid).values()))

    with cluster.connect(2) as executor, Event(configs.load(config), tmp_path / "killed") as event:
        event.play(executor, Assassin())
    assert record(tmp_path / "killed") == expected


def test_an_unsafe_address_is_refused() -> None:
    for address in ("tcp://10.0.0.5:8786", "example.org:8786"):
        with pytest.raises(UsageError, match="needs tls://"):
            DaskExecutor(address)
