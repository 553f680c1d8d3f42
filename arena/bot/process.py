"""A bot as a sandboxed subprocess with three pipes and a deadline on everything.

Theory of operation. One thread, the worker's own, does all of it: no reader threads, no event loop. While the referee
waits for a reply it polls the bot's stdout and stderr together, so a bot can fill neither and block itself; when the
bot is not asked anything it is stopped (unless pondering is allowed) and writes nothing. To stop a bot and let it go on
costs more than a quick answer, so a bot that gave one is stopped only when its opponent has thought for a while; at
once, as everybody else, when it has been seen to use CPU time off its turn. A message is written without
blocking and with a deadline, with stderr drained meanwhile, so a bot that never reads cannot block the referee either.
What a bot writes is a stream of lines and is taken in order: a line too many answers the next request, whose id it
does not carry, and that is a fault wherever the scheduler happened to be. The sandbox kills the whole tree, and a
descendant that holds a pipe open delays nothing, because nobody waits for the end of a pipe.
"""

import contextlib
import os
import select
import time
from collections.abc import Sequence

from arena import sandbox
from arena.bot import Reply
from arena.bot.messages import MAX_LINE_BYTES
from arena.errors import BotFault

CHUNK_BYTES = 64 * 1024
STDERR_KEPT_BYTES = 32 * 1024  # of the head, and again of the tail
MAX_STDOUT_BYTES = 8 * 1024 * 1024  # of all replies in one game
MAX_STDERR_BYTES = 256 * 1024 * 1024  # in one game
RELEASE_S = 10.0  # a sandbox that is not up by then is a failure of the machine
EXIT_STATUS_WAIT_S = 0.1
LOOK_EARLY_S = 0.005  # before a reply is due: what the referee's thread waited until then has made nothing late
QUICK_S = 0.001  # how exactly CPU time and delays are told: a reply in time that took no longer counts as free of both
STOP_AFTER_MS = 5  # of waiting for the opponent of a bot left running; nearer timers cost as much as stopping it


class Process:
    """A `Bot` that runs as a child of this process. `begin` starts the program; `close` ends everything."""

    def __init__(self, child: sandbox.Child, *, ponder: bool = False) -> None:
        self._child = child
        self._ponder = ponder
        self._released = False
        self._paused = False
        self._quick = False  # the last reply took no longer than QUICK_S
        self._quiet = True  # uses no CPU time off its turn
        self._on_move_s = 0.0  # since the last reading of the meters
        self._idle = False  # left running off its turn, until an opponent stops it
        self._opponents: Sequence[Process] = ()
        self._input_open = True
        self._read_at_s = self._cpu_before_s = self._wait_before_s = self._asked_at_s = 0.0
        self._buffer = bytearray()
        self._stderr = Kept(STDERR_KEPT_BYTES)
        self._stdout_bytes = 0
        self._poll = select.poll()
        self._poll.register(child.stdout, select.POLLIN)
        self._poll.register(child.stderr, select.POLLIN)
        self._delay = _OwnDelay()

    def meet(self, opponents: Sequence["Process"]) -> None:
        """Who plays against it, driven by this thread, too: while one of them is waited for, the others are stopped."""
        self._opponents = opponents

    def begin(self) -> float:
        """A game begins: start the program if it is not running yet; the time from which its start-up counts.

        Raises HostFailure if the prepared sandbox is not there.
        """
        if not self._released:
            self._child.release(RELEASE_S)
            self._released = True
        self._stdout_bytes = 0
        self._stderr = Kept(STDERR_KEPT_BYTES)
        return time.monotonic()

    def send(self, message: bytes, until_s: float) -> float:
        """Write one message; the monotonic time at which it was wholly in the pipe.

        Raises BotFault `timeout` when the bot does not take it by `until_s`, `exit` or `closed` when it cannot.
        """
        self._go_on()
        self._read_meters()
        written = self._write(message)
        if written < len(message):
            self._stop_opponents()
            self._write_rest(message, written, until_s)
        self._asked_at_s = time.monotonic()
        return self._asked_at_s

    def receive(self, until_s: float) -> Reply:
        """The bot's next line, or a Reply without a line if none came by `until_s` (monotonic seconds).

        Raises BotFault `exit`, `closed`, `memory`, `cpu`, `disk`, `line-too-long` or `output-limit`. That a bot has
        closed a stream and lives on shows at `until_s`: the sandbox's own processes keep the pipe open.
        """
        searched = 0
        self._stop_opponents_unless_quick()
        while (end := self._buffer.find(b"\n", searched)) < 0:
            if len(self._buffer) > MAX_LINE_BYTES:
                raise self._too_long()
            searched = len(self._buffer)
            left_s = until_s - time.monotonic()
            early_s = LOOK_EARLY_S if left_s > LOOK_EARLY_S else 0.0
            ready = self._poll.poll(max(left_s - early_s, 0) * 1000)
            if not ready and left_s <= 0:
                self._require_connection()
                reply = self._measured_reply(None, time.monotonic())
                self._delay.mark()
                return reply
            self._take(ready)
            # There was no whole line until now: what this thread waited so far has held nothing up.
            if self._buffer.find(b"\n", searched) < 0:
                self._delay.mark()
        if end > MAX_LINE_BYTES:
            raise self._too_long()
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        reply = self._reply(line, until_s)
        self._stdout_bytes += end
        if self._stdout_bytes > MAX_STDOUT_BYTES:
            raise BotFault("output-limit", f"wrote more than {MAX_STDOUT_BYTES} bytes to stdout in one game")
        return reply

    def rest(self) -> None:
        """Nothing is asked of the bot: stop it, so that it cannot take the opponent's CPU."""
        if self._quick and self._quiet and self._opponents:
            self._idle = True
        else:
            self._stop()

    def finish(self, until_s: float) -> bytes:
        """End of input; give the bot until `until_s` to leave by itself. The head of what it still wrote to stdout."""
        self._go_on()
        self._close_input()
        with contextlib.suppress(BotFault):
            while (left_s := until_s - time.monotonic()) > 0:
                del self._buffer[MAX_LINE_BYTES:]
                self._take(self._poll.poll(left_s * 1000))
        return bytes(self._buffer)

    def close(self) -> None:
        """Kill whatever is left of the bot, collect the last of stderr, release every descriptor."""
        self._child.kill()
        with contextlib.suppress(OSError):
            for _ in range(CHUNK_BYTES):
                if not self._keep_stderr():
                    break
        self._child.close()
        self._delay.close()

    @property
    def stderr(self) -> bytes:
        """Head and tail of what the bot wrote to stderr in this game."""
        return self._stderr.kept()

    def usage(self) -> sandbox.Usage:
        """Peak memory and CPU time of the bot's whole tree."""
        return self._child.usage()

    def _stop(self) -> None:
        self._idle = False
        if not self._ponder and not self._paused:
            self._paused = True
            self._child.pause()

    def _go_on(self) -> None:
        self._idle = False
        if self._paused:
            self._paused = False
            self._child.resume()

    def _stop_opponents(self) -> None:
        for opponent in self._opponents:
            if opponent._idle:
                opponent._stop()

    def _stop_opponents_unless_quick(self) -> None:
        for opponent in self._opponents:
            if opponent._idle and not self._buffer:
                if ready := self._poll.poll(STOP_AFTER_MS):
                    self._take(ready)
                else:
                    self._stop_opponents()
                return

    def _write(self, data: bytes) -> int:
        try:
            return os.write(self._child.stdin, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise self._gone() from error

    def _write_rest(self, message: bytes, written: int, until_s: float) -> None:
        # stdout is left alone here: what a bot says while it is being asked waits in its pipe for its turn.
        poll = select.poll()
        poll.register(self._child.stdin, select.POLLOUT)
        poll.register(self._child.stderr, select.POLLIN)
        while written < len(message):
            left_s = until_s - time.monotonic()
            ready = [fd for fd, _ in poll.poll(max(left_s, 0) * 1000)]
            if not ready and left_s <= 0:
                self._require_connection()
                raise BotFault("timeout", f"did not read {len(message) - written} of {len(message)} bytes in time")
            if self._child.stderr in ready and not self._drain_stderr():
                poll.unregister(self._child.stderr)
            if self._child.stdin in ready:
                written += self._write(message[written : written + CHUNK_BYTES])

    def _take(self, ready: list[tuple[int, int]]) -> None:
        """Read what is there from stdout and stderr. Raises BotFault at the end of stdout."""
        for fd, _ in ready:
            if fd == self._child.stdout:
                chunk = os.read(fd, CHUNK_BYTES)
                if not chunk:
                    raise self._gone()
                self._buffer += chunk
            elif not self._drain_stderr():
                self._poll.unregister(fd)

    def _keep_stderr(self) -> bool:
        """Take one chunk of stderr; False at its end."""
        try:
            chunk = os.read(self._child.stderr, CHUNK_BYTES)
        except BlockingIOError:
            return False
        self._stderr.add(chunk)
        return bool(chunk)

    def _drain_stderr(self) -> bool:
        """Take one chunk while the bot is being talked to; False at the end. Raises BotFault when it is too much."""
        going_on = self._keep_stderr()
        if self._stderr.total_bytes > MAX_STDERR_BYTES:
            raise BotFault("output-limit", f"wrote more than {MAX_STDERR_BYTES} bytes to stderr in one game")
        return going_on

    def _require_connection(self) -> None:
        """Raises BotFault `closed` where no answer can come any more."""
        if not self._child.is_connected():
            raise BotFault("closed", "closed its output or input but goes on running")

    def _read_meters(self) -> None:
        """What the next reply's CPU time and delays are counted from; readings of a moment ago will do.

        They come from /proc, at several times the cost of the messages to a bot that answers at once.
        """
        now_s = time.monotonic()
        if now_s - self._read_at_s > QUICK_S:
            self._delay.mark()
            cpu_s = self._child.cpu_s()
            if self._read_at_s and cpu_s - self._cpu_before_s > self._on_move_s + QUICK_S:
                self._quiet = False
            self._cpu_before_s = cpu_s
            self._on_move_s = 0.0
            self._wait_before_s = self._child.wait_s(new_threads=False)  # which have not waited long yet
            self._read_at_s = now_s

    def _reply(self, line: bytes, until_s: float) -> Reply:
        now_s = time.monotonic()
        took_s = now_s - self._asked_at_s
        self._on_move_s += took_s
        self._quick = now_s <= until_s and took_s <= QUICK_S
        if self._quick:
            return Reply(line=line, at_s=now_s)
        return self._measured_reply(line, now_s)

    def _measured_reply(self, line: bytes | None, now_s: float) -> Reply:
        cpu_s = self._child.cpu_s() - self._cpu_before_s
        wait_s = self._child.wait_s() - self._wait_before_s
        # A thread also waits for its siblings, and that is no fault of the host: while the tree ran, nobody
        # else can have kept it from running.
        starved_s = max(0.0, now_s - self._read_at_s - cpu_s)
        # The kernel adds a wait up when it is over: a bot that still waits may have done so all the time.
        if line is not None or not self._child.is_runnable():
            starved_s = min(wait_s, starved_s)
        host_delay_s = min(now_s - self._asked_at_s, starved_s + self._delay.since_mark_s())
        return Reply(line=line, at_s=now_s, cpu_s=cpu_s, host_delay_s=host_delay_s)

    def _gone(self) -> BotFault:
        """Why the pipe is at its end: a broken limit, an exit, or a closed stream of a living process."""
        until_s = time.monotonic() + EXIT_STATUS_WAIT_S
        while (status := self._child.exit_status()) is None and time.monotonic() < until_s:
            time.sleep(0.002)
        with contextlib.suppress(OSError):
            while self._keep_stderr():
                pass
        if breach := self._child.breach():
            return BotFault(breach, f"went beyond its {breach} limit and was killed")
        if status is None:
            return BotFault("closed", "closed its output or input but goes on running")
        if status < 0:
            return BotFault("exit", f"was ended by signal {-status} before it replied")
        return BotFault("exit", f"exited with code {status} before it replied")

    def _too_long(self) -> BotFault:
        return BotFault(
            "line-too-long", f"a line is longer than {MAX_LINE_BYTES} bytes", offending=bytes(self._buffer[:1024])
        )

    def _close_input(self) -> None:
        if self._input_open:
            self._input_open = False
            self._child.close_stdin()


class Kept:
    """The head and the tail of a stream, `limit_bytes` each; the middle is counted and dropped."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._head = bytearray()
        self._tail = bytearray()
        self.total_bytes = 0

    def add(self, chunk: bytes) -> None:
        self.total_bytes += len(chunk)
        room = self._limit_bytes - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        if chunk:
            self._tail += chunk
            if len(self._tail) > 4 * self._limit_bytes:
                del self._tail[: -self._limit_bytes]

    def kept(self) -> bytes:
        tail = bytes(self._tail[-self._limit_bytes :])
        dropped = self.total_bytes - len(self._head) - len(tail)
        mark = f"\n… {dropped} bytes left out …\n".encode() if dropped else b""
        return bytes(self._head) + mark + tail


class _OwnDelay:
    """How long this thread was ready to run and did not, by the kernel's account; 0 where it keeps none."""

    def __init__(self) -> None:
        try:
            self._fd = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._fd = -1
        self._marked_ns = 0

    def mark(self) -> None:
        self._marked_ns = self._read_ns()

    def since_mark_s(self) -> float:
        return (self._read_ns() - self._marked_ns) / 1e9

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _read_ns(self) -> int:
        return int(os.pread(self._fd, 64, 0).split()[1]) if self._fd >= 0 else 0
