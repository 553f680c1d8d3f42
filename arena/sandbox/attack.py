"""Attacks a sandbox and tells what got through.

The attackers are small programs in `tests/attacks/` (in a wheel: `arena/sandbox/attacks/`), run inside like a bot.
Outside, `Stake` prepares what they try to steal, reach or break: a secret file, listening sockets, a System V segment,
a sibling in a sandbox of its own. `FAMILIES` are runs of many small attacks; each prints its own verdict.
"""

import ctypes
import json
import os
import secrets
import select
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from arena.errors import HostFailure
from arena.model import Limits
from arena.sandbox.child import Child
from arena.sandbox.program import Program
from arena.sandbox.starter import Shape, launch

FAMILIES = ("files", "processes", "kernel", "channels", "limits", "network")
FAMILY_S = 60.0
CORES = 1
IPC_PRIVATE_MODE, IPC_CREAT, IPC_RMID = 0o666, 0o1000, 0


class Verdict(msgspec.Struct, frozen=True):
    """What came of one attack."""

    family: str
    attack: str
    verdict: str  # "blocked" or "escaped"
    how: str  # the error it met, or what it got

    @property
    def escaped(self) -> bool:
        return self.verdict != "blocked"


def programs() -> Path | None:
    """Where the attackers are: beside this module in a wheel, in the tests of a checkout."""
    here = Path(__file__).resolve()
    places = (here.parent / "attacks", here.parents[2] / "tests" / "attacks")
    return next((place for place in places if (place / "attempt.py").is_file()), None)


def run(family: str, shape: Shape, limits: Limits | None = None) -> list[Verdict]:
    """Every attack of a family, in a sandbox of this shape.

    Raises:
        ValueError: root without a sandbox, who could do real harm.
        HostFailure: the sandbox did not come up, or the attackers did not come to an end.
        FileNotFoundError: the attackers are not installed.
    """
    if shape.kind == "plain" and os.geteuid() == 0:
        raise ValueError("these attacks are not for root without a sandbox")
    source = programs()
    if source is None:
        raise FileNotFoundError("the attack programs are not installed")
    limits = limits or Limits(processes=16, disk_mb=4)
    with _stake(source, shape, limits) as folder:
        core = min(os.sched_getaffinity(0))
        env = {"TMPDIR": str(folder.parent / "scratch")} if shape.kind == "plain" else {}
        program = Program(argv=("python3", f"{family}.py"), folder=folder, env=env)
        child = launch(shape, program, limits, slot=0, cores=frozenset({core}))
        try:
            child.release(20.0)
            output, errors = read_to_end(child, FAMILY_S)
        finally:
            child.close()
    verdicts = [Verdict(family, **json.loads(line)) for line in output.decode("utf-8", "replace").splitlines()]
    if not verdicts or errors:
        raise HostFailure(f"the attackers of {family} failed: {errors.decode('utf-8', 'replace')[-2000:]}")
    return verdicts


def read_to_end(child: Child, timeout_s: float) -> tuple[bytes, bytes]:
    """All of stdout and stderr, until both end.

    Raises:
        HostFailure: they did not end in time.
    """
    poll, output = select.poll(), {child.stdout: b"", child.stderr: b""}
    for fd in output:
        poll.register(fd, select.POLLIN)
    open_fds, deadline_s = set(output), time.monotonic() + timeout_s
    while open_fds:
        left_s = deadline_s - time.monotonic()
        if left_s <= 0:
            raise HostFailure(f"no end of output within {timeout_s} s")
        for fd, _ in poll.poll(left_s * 1000):
            part = os.read(fd, 65536)
            output[fd] += part
            if not part:
                poll.unregister(fd)
                open_fds.discard(fd)
    return output[child.stdout], output[child.stderr]


@contextmanager
def _stake(source: Path, shape: Shape, limits: Limits) -> Iterator[Path]:
    """The attackers' folder; what is at stake stands in a file there."""
    word = f"host-{secrets.token_hex(6)}"
    host = Path(tempfile.mkdtemp(prefix=f"arena-{word}-"))
    sibling = None
    try:
        host.chmod(0o755)
        for name in ("attackers", "opponent", "referee", "scratch"):
            (host / name).mkdir(mode=0o755)
        for path in source.glob("*.py"):
            shutil.copy(path, host / "attackers")
        (host / "secret.txt").write_text("the secret\n", encoding="ascii")
        (host / "opponent" / "bot.py").write_text("print('strategy')\n", encoding="ascii")
        (host / "referee" / "event.sqlite").write_text("the deals\n", encoding="ascii")
        mailbox = f"mail-{word}"
        script = f"for f in /tmp /dev/shm; do echo psst > $f/{mailbox}; done 2>&-; while read -r l; do :; done"
        sibling = launch(shape, Program(argv=("sh", "-c", script), folder=host / "opponent"), limits, slot=1)
        sibling.release(20.0)
        with _listeners(host, word) as ports, _segment() as key:
            stake = {
                "secret": str(host / "secret.txt"),
                "opponent": str(host / "opponent"),
                "database": str(host / "referee" / "event.sqlite"),
                "host_word": word,
                "host_name": socket.gethostname(),
                "referee_pid": os.getpid(),
                "sibling_pid": sibling.pid,
                "mailbox": mailbox,
                "shm_key": key,
                "cores": CORES,
                "processes": limits.processes,
                "disk_mb": limits.disk_mb,
                **ports,
            }
            (host / "attackers" / "stake.json").write_text(json.dumps(stake), encoding="utf-8")
            yield host / "attackers"
        if sibling.exit_status() is not None and shape.kind != "plain":
            raise HostFailure("an attack ended the sibling's sandbox")
    finally:
        if sibling is not None:
            sibling.close()
        for folder in (Path("/tmp"), Path("/dev/shm")):  # noqa: S108 - where the sibling without a sandbox wrote
            (folder / f"mail-{word}").unlink(missing_ok=True)
        shutil.rmtree(host, ignore_errors=True)


@contextmanager
def _listeners(host: Path, word: str) -> Iterator[dict[str, object]]:
    """A TCP, a unix and an abstract unix socket that answer whoever comes."""
    tcp = socket.create_server(("127.0.0.1", 0))
    unix, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    unix.bind(str(host / "socket"))
    (host / "socket").chmod(0o777)
    abstract.bind(f"\0{word}")
    listeners: tuple[socket.socket, ...] = (tcp, unix, abstract)
    stop_read, stop_write = os.pipe()

    def serve() -> None:
        while True:
            watched = [stop_read, *(listener.fileno() for listener in listeners)]
            ready = select.select(watched, [], [])[0]
            if stop_read in ready:
                return
            for listener in listeners:
                if listener.fileno() in ready:
                    with suppress(OSError):
                        connection = listener.accept()[0]
                        connection.sendall(b"welcome")
                        connection.close()

    for one in (unix, abstract):
        one.listen()
    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield {"tcp_port": tcp.getsockname()[1], "unix_path": str(host / "socket"), "abstract_name": word}
    finally:
        os.write(stop_write, b"x")
        thread.join()
        for one in listeners:
            one.close()
        os.close(stop_read)
        os.close(stop_write)


@contextmanager
def _segment() -> Iterator[int]:
    """A System V shared memory segment that everybody may use."""
    libc = ctypes.CDLL(None, use_errno=True)
    key = 0x41000000 | secrets.randbits(20)
    number = libc.shmget(key, 4096, IPC_CREAT | IPC_PRIVATE_MODE)
    try:
        yield key
    finally:
        if number >= 0:
            libc.shmctl(number, IPC_RMID, None)
