"""The workers of a Dask cluster that is already running: the same function, the same results.

A bot's files travel once to each worker, as an archive, and stand there in a folder named by its hash. A sitting takes
one unit of the resource `slot`, so a worker started with `--resources slot=1` plays one at a time. Sittings are handed
out through a window a little larger than the number of slots, so that workers that come late get some. When a worker
dies Dask gives its sitting to another one. What the workers log comes home with the results.
"""

import fcntl
import hashlib
import importlib
import io
import logging
import os
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from arena import __version__, match
from arena.errors import HostFailure, UsageError
from arena.executor import Finished
from arena.match import Contender, Played, Sitting

AHEAD = 2  # sittings handed out beyond the number of slots
CONNECT_S = 20.0
CACHE = Path(tempfile.gettempdir()) / f"arena-bots-{os.getuid()}"

log = logging.getLogger("arena.executor")
_slot_locks: list[int] = []


class DaskExecutor:
    """Plays on the cluster whose scheduler has this address. Close it, or use it in a `with` statement."""

    def __init__(self, address: str) -> None:
        """Connect. Raises UsageError for an unsafe or unreachable address, or workers with another Arena."""
        _require_safe(address)
        try:
            self._client = _distributed().Client(address, timeout=CONNECT_S, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise UsageError(f"{address}: no scheduler answers there: {error}") from error
        self._archives: dict[str, tuple[str, Any]] = {}  # folder: hash and the scattered archive
        versions = self._client.run(_version)
        if others := sorted({version for version in versions.values() if version != __version__}):
            self.close()
            raise UsageError(f"{address}: workers have Arena {', '.join(others)}; this is {__version__}")
        if not self.slots:
            self.close()
            raise UsageError(f"{address}: no worker offers a slot; start them with --resources slot=1")

    @property
    def slots(self) -> int:
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return int(sum(worker["resources"].get("slot", 0) for worker in workers))

    def __enter__(self) -> "DaskExecutor":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, sittings: Iterable[Sitting]) -> Iterator[Finished]:
        waiting = enumerate(sittings)
        places: dict[Any, int] = {}
        running = _distributed().as_completed(loop=self._client.loop)

        def hand_out() -> None:
            while len(places) < self.slots + AHEAD and (found := next(waiting, None)) is not None:
                place, sitting = found
                archives = [self._archive(contender) for contender in sitting.contenders]
                future = self._client.submit(
                    _play,
                    sitting,
                    [sha256 for sha256, _ in archives],
                    *[data for _, data in archives],
                    resources={"slot": 1},
                    pure=False,
                    key=f"arena-{os.getpid()}-{id(self)}-{place}",
                )
                places[future] = place
                running.add(future)

        hand_out()
        while places:
            over = [(places.pop(future), future) for future in running.next_batch()]
            hand_out()
            finished: Finished = []
            try:
                for place, future in over:
                    played, records = _result(future)
                    for record in records:
                        logging.getLogger(record.name).handle(record)
                    finished.append((place, played))
            finally:
                yield finished

    def close(self) -> None:
        """Let go of the cluster; what it still plays for us is cancelled."""
        self._client.close()

    def _archive(self, contender: Contender) -> tuple[str, Any]:
        if contender.folder not in self._archives:
            data = _pack(Path(contender.folder))
            sha256 = hashlib.sha256(data).hexdigest()
            (scattered,) = self._client.scatter([data], broadcast=True, hash=False)
            self._archives[contender.folder] = sha256, scattered
        return self._archives[contender.folder]


def _distributed() -> Any:
    """Dask's package, without types. Raises UsageError where the extra is not installed."""
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise UsageError("the executor dask needs an extra: pip install 'arena-referee[cluster]'") from error


def _result(future: Any) -> tuple[list[Played], list[logging.LogRecord]]:
    try:
        found: tuple[list[Played], list[logging.LogRecord]] = future.result()
    except _distributed().KilledWorker as error:
        raise HostFailure(f"a sitting lost its worker again and again: {error}") from error
    return found


def _play(sitting: Sitting, hashes: list[str], *archives: bytes) -> tuple[list[Played], list[logging.LogRecord]]:
    """On a worker: unpack the bots where they are not yet, play, and bring the log records home."""
    contenders = tuple(
        msgspec.structs.replace(contender, folder=str(_unpacked(sha256, data)))
        for contender, sha256, data in zip(sitting.contenders, hashes, archives, strict=True)
    )
    kept = _Kept()
    logger = logging.getLogger("arena")
    level = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(kept)
    try:
        here = msgspec.structs.replace(sitting, contenders=contenders)
        return match.play_sitting(here, slot=_claim_slot(), cores=frozenset(os.sched_getaffinity(0))), kept.records
    finally:
        logger.removeHandler(kept)
        logger.setLevel(level)


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        record.msg, record.args = record.getMessage(), None
        record.exc_info = None
        self.records.append(record)


def _pack(folder: Path) -> bytes:
    """The files of a bot as an archive that depends on names, bytes and the executable bit alone."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
                entry.size = path.stat().st_size
                entry.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
                with path.open("rb") as file:
                    archive.addfile(entry, file)
    return buffer.getvalue()


def _unpacked(sha256: str, data: bytes) -> Path:
    """The folder of a bot on this machine. Raises HostFailure if the bytes are not those that were sent."""
    if hashlib.sha256(data).hexdigest() != sha256:
        raise HostFailure("a bot's files arrived damaged")
    CACHE.mkdir(mode=0o755, exist_ok=True)
    if CACHE.stat().st_uid != os.getuid():
        raise HostFailure(f"{CACHE} belongs to somebody else")
    target = CACHE / sha256
    if not target.is_dir():
        fresh = Path(tempfile.mkdtemp(dir=CACHE))
        fresh.chmod(0o755)
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            archive.extractall(fresh, filter="data")
        try:
            fresh.rename(target)
        except OSError:  # another worker of this machine was first
            if not target.is_dir():
                raise
    return target


def _claim_slot() -> int:
    """A number that no other worker process of this machine has, for as long as this one lives."""
    if not _slot_locks:
        CACHE.mkdir(mode=0o755, exist_ok=True)
        for number in range(4096):
            fd = os.open(CACHE / f"slot-{number}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(fd)
                continue
            _slot_locks.extend((fd, number))
            break
    return _slot_locks[1]


def _version() -> str:
    return __version__


def _require_safe(address: str) -> None:
    """Plain TCP to another machine would let anybody on the way run code there."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    host = parts.hostname or ""
    try:
        loopback = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if parts.scheme not in ("tls", "inproc") and not loopback:
        raise UsageError(f"{address}: a scheduler on another machine needs tls://; see docs/organizer.md, A cluster")
