"""A bot's process tree: start, release, stop and go, kill, and what it used.

The life of a `Child`:

1. `Launch` makes three pipes and starts bubblewrap (or, with the sandbox off, a bare shell) from the launcher's
   thread. Nothing of the bot runs: a three-word shell script inside waits for the word.
2. `release` reads the script's greeting, the proof that the sandbox stands, sets the limits of the waiting process and
   lets it become the bot. Whatever fails up to here is the host's failure.
3. `kill` ends the first process of the sandbox's pid namespace, and the kernel everything in it.
4. `close` waits for the end and gives back every descriptor and group.
"""

import os
import select
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

from arena.errors import HostFailure
from arena.model import Limits
from arena.sandbox import rlimits, tree
from arena.sandbox.bubblewrap import GO, GREETING
from arena.sandbox.cgroup import Group
from arena.sandbox.program import Usage
from arena.sandbox.watchdog import watchdog

MB = 1024 * 1024
GONE_WITHIN_S = 2.0  # a killed tree that is still there after that is the host's failure, not waited for
INODES_PER_MB = 512  # files in /tmp: a tmpfs made by bubblewrap has no limit of its own
FRESH_S = 0.02  # how long a list of the tree's processes, and of their memory, is believed


class Child:
    """One bot. Made by `arena.sandbox.start`; every method may be called at any time, from any thread."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        pipes: tuple[int, int, int],
        limits: Limits,
        *,
        nested: bool,
        one_group: bool = True,
        group: Group | None = None,
        skip_limits: frozenset[int] = frozenset(),
        count_tasks: bool = False,
    ) -> None:
        """
        Args:
            pipes: the referee's ends of stdin, stdout, stderr.
            nested: the process is bubblewrap, with the sandbox's first process below it.
            one_group: the filter keeps the whole tree in its process group.
            skip_limits: resource limits not to be set.
            count_tasks: let the watchdog count processes and threads, since no such limit of the kernel applies.
        """
        self.pid = process.pid
        self.stdin, self.stdout, self.stderr = pipes
        self._process = process
        self._process_fd = os.pidfd_open(process.pid)
        self._limits = limits
        self._nested = nested
        self._one_group = one_group
        self._group = group
        self._skip_limits = skip_limits
        self._count_tasks = count_tasks
        self._lock = threading.RLock()
        self._released = self._paused = self._killed = self._closed = False
        self._breach: str | None = None
        self._top = -1  # first process inside; -1: not known yet
        self._top_fd = -1  # its pidfd
        self._process_group = -1
        self._scratch_fds: list[int] = []
        self._strays: set[int] = set()
        self._pids: list[int] = []
        self._pids_at_s = 0.0
        self._measured_at_s = 0.0
        self._wait_clock = tree.WaitClock()
        self._cpu_clock = tree.CpuClock()
        self._peak_b = 0
        self._cpu_s = self._wait_s = 0.0

    # Starting

    def release(self, timeout_s: float) -> None:
        """Wait until the sandbox stands, then let the bot's program start.

        Raises:
            HostFailure: the sandbox did not come up. The bot has not run.
        """
        try:
            self._read_greeting(time.monotonic() + timeout_s)
            self._find_top()
            with self._lock:
                self._released = True
            watchdog().watch(self)
            os.write(self.stdin, GO)
        except OSError as error:
            self.kill()
            raise HostFailure(f"the sandbox went away while it was started: {error}") from error
        except HostFailure:
            self.kill()
            raise

    def _read_greeting(self, deadline_s: float) -> None:
        read = b""
        poll = select.poll()
        poll.register(self.stdout, select.POLLIN)
        while len(read) < len(GREETING):
            left_ms = (deadline_s - time.monotonic()) * 1000
            if left_ms <= 0 or not poll.poll(left_ms):
                raise HostFailure(f"the sandbox did not come up in time{self._complaint()}")
            part = os.read(self.stdout, len(GREETING) - len(read))
            if not part:
                raise HostFailure(f"the sandbox did not come up{self._complaint()}")
            read += part
        if read != GREETING:
            raise HostFailure(f"the sandbox greeted with {read!r}")

    def _complaint(self) -> str:
        try:
            text = os.read(self.stderr, 2000).decode("utf-8", "replace").strip()
        except OSError:
            return ""
        return f": {text}" if text else ""

    def _find_top(self) -> None:
        waiting = self.pid  # the shell that will become the bot
        if self._nested:
            (self._top,) = tree.children(self.pid) or [-1]
            (waiting,) = tree.children(self._top) or [-1]
            if waiting < 0:
                raise HostFailure("the processes of the sandbox are not to be seen in /proc")
        else:
            self._top = self.pid
        self._top_fd = os.pidfd_open(self._top)
        self._process_group = os.getpgid(waiting)
        rlimits.apply(waiting, self._limits, skip=self._skip_limits)
        with suppress(OSError):  # if the machine runs out of memory, bots go first
            Path(f"/proc/{waiting}/oom_score_adj").write_text("1000", encoding="ascii")
        if self._nested:
            for folder in ("tmp", "dev/shm"):
                with suppress(OSError):  # root without the right to look into another uid's process
                    self._scratch_fds.append(os.open(f"/proc/{waiting}/root/{folder}", os.O_PATH | os.O_CLOEXEC))

    # Stop and go

    def pause(self) -> None:
        """Stop the whole tree: it uses no CPU until `resume`."""
        with self._lock:
            if self._released and not self._killed and not self._paused:
                self._paused = True
                self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        with self._lock:
            if self._paused and not self._killed:
                self._paused = False
                self._signal(signal.SIGCONT)

    def _signal(self, which: signal.Signals) -> None:
        """To the process group, which the filter lets nobody leave; without a filter, to the rest of the tree, too."""
        try:
            signal.pidfd_send_signal(self._top_fd, 0)  # the group's number is still its own
            os.killpg(self._process_group, which)
        except OSError:
            return
        if not self._one_group:
            for pid in tree.descendants(self._top):
                with suppress(OSError):
                    if os.getpgid(pid) != self._process_group:
                        os.kill(pid, which)

    # The end

    def kill(self) -> None:
        """End the bot and all its descendants. Closes nothing."""
        with self._lock:
            if self._killed:
                return
            self._measure()
            self._killed = True
            if self._nested and self._top_fd >= 0:
                with suppress(OSError):
                    signal.pidfd_send_signal(self._top_fd, 0)
                    os.killpg(self._process_group, signal.SIGKILL)  # all at once, the first one among them
                    signal.pidfd_send_signal(self._top_fd, signal.SIGKILL)
            elif self._nested:
                self._kill_unborn()
            else:
                self._kill_tree()

    def _kill_unborn(self) -> None:
        """bubblewrap may be anywhere in its start-up: hold it still, so that its child's number stays its own."""
        if self._process.poll() is not None:
            return
        os.kill(self.pid, signal.SIGSTOP)
        until = time.monotonic() + 0.05
        while tree.state(self.pid) not in ("T", "Z", "") and time.monotonic() < until:
            time.sleep(0)
        born = tree.children(self.pid)
        for child in born:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        # With a child bubblewrap makes no other, and reaps it; without one it must not come to make it.
        os.kill(self.pid, signal.SIGCONT if born else signal.SIGKILL)

    def _kill_tree(self) -> None:
        """Without a pid namespace: stop what is found until nothing new is found, then kill it, the group first."""
        if self._process.poll() is not None and self._group is None:
            with suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
            return
        found: set[int] = set()
        for _ in range(10):
            new = set(tree.descendants(self.pid)) | set(self._group.pids() if self._group else ())
            if new <= found:
                break
            found |= new
            for pid in new:
                with suppress(OSError):
                    os.kill(pid, signal.SIGSTOP)
        self._strays = found - {self.pid}
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def close_stdin(self) -> None:
        """End of input for the bot. Idempotent."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def close(self) -> None:
        """Kill, wait for the end, and give everything back.

        Raises:
            HostFailure: something of the tree is still there after two seconds.
        """
        self.kill()
        with self._lock:
            if self._closed:
                return
            self._closed = True
        watchdog().forget(self)
        self.close_stdin()
        os.close(self.stdout)
        os.close(self.stderr)
        try:
            self._await_end()
        finally:
            self._wait_clock.close()
            for fd in (*self._scratch_fds, self._top_fd, self._process_fd):
                if fd >= 0:
                    os.close(fd)
            if self._group is not None:
                self._group.close()

    def _await_end(self) -> None:
        if self._nested and self._top_fd >= 0 and not tree.has_ended(self._top_fd, GONE_WITHIN_S):
            raise HostFailure(f"process {self._top} of a killed bot is still there")
        if self._nested and not tree.has_ended(self._process_fd, 0.2):
            self._process.kill()  # it should have gone with its child
        if not tree.has_ended(self._process_fd, GONE_WITHIN_S):
            raise HostFailure(f"process {self.pid} of a killed bot is still there")
        self._process.wait()
        self._collect_orphans(time.monotonic() + GONE_WITHIN_S)

    def _collect_orphans(self, deadline_s: float) -> None:
        """What the tree left behind has become this process's: see `arena.sandbox.launcher`."""
        while self._process_group > 0 and time.monotonic() < deadline_s:
            try:
                if os.waitpid(-self._process_group, os.WNOHANG) == (0, 0):
                    time.sleep(0.0005)
            except ChildProcessError:
                break
        for pid in self._strays:
            with suppress(ChildProcessError):
                while os.waitpid(pid, os.WNOHANG) == (0, 0) and time.monotonic() < deadline_s:
                    time.sleep(0.0005)

    # What it did and used

    def exit_status(self) -> int | None:
        """The bot's exit status as far as it is known, negative for a signal; None while it lives."""
        with self._lock:
            code = self._process.poll()
        if code is not None and self._nested and code > 128:
            return 128 - code  # bubblewrap says it as a shell does
        return code

    def breach(self) -> str | None:
        """The limit that was broken: "memory", "cpu" or "disk"; None if none was."""
        if self._breach is None:
            if self._group is not None and self._group.memory_exceeded():
                self._breach = "memory"
            elif self.exit_status() == -signal.SIGXCPU:
                self._breach = "cpu"
        return self._breach

    def is_connected(self) -> bool:
        """Whether the bot has kept the other ends of stdin and stdout open.

        The sandbox's own processes hold them, too, so that the end of the file says nothing while they live.
        """
        with self._lock:
            pids = self._own_tree()
        return tree.hold_pipes(pids, [fd for fd in (self.stdin, self.stdout) if fd >= 0])

    def cpu_s(self) -> float:
        """CPU time of the tree so far."""
        with self._lock:
            if self._released and not self._killed:
                self._cpu_s = max(self._cpu_s, self._read_cpu_s())
            return self._cpu_s

    def wait_s(self, *, new_threads: bool = True) -> float:
        """Time that the tree's threads were ready to run and had no core; `new_threads`: of those just begun, too."""
        with self._lock:
            if self._released and not self._killed:
                if new_threads or self._wait_clock.is_empty:
                    self._wait_clock.refresh(self._own_tree())
                self._wait_s = self._wait_clock.now_s()
            return self._wait_s

    def is_runnable(self) -> bool:
        """Whether the bot has something to do just now, and a core or none to do it on."""
        with self._lock:
            return any(map(tree.is_runnable, self._own_tree()))

    def usage(self) -> Usage:
        """All of it, up to now or to the end; of memory, what was seen a moment ago will do."""
        with self._lock:
            if time.monotonic() - self._measured_at_s > FRESH_S:
                self._measure()
            elif self._released and not self._killed:
                self._cpu_s = max(self._cpu_s, self._read_cpu_s())
            return Usage(peak_memory_mb=self._peak_b / MB, cpu_s=self._cpu_s, wait_s=self._wait_s)

    def look(self) -> bool:
        """For the watchdog: end the bot if it is beyond a limit. False when there is nothing left to watch."""
        with self._lock:
            if self._killed:
                return False
            if self._paused:
                return True
            self._measure()
            self._breach = self._breach or self._broken_limit()
            if self._breach is not None or self._sprawls():
                self.kill()
            return not self._killed and bool(self._pids)

    def _broken_limit(self) -> str | None:
        if self._peak_b > self._limits.memory_mb * MB or (self._group is not None and self._group.memory_exceeded()):
            return "memory"
        if self._cpu_s > self._limits.cpu_s:
            return "cpu"
        for fd in self._scratch_fds:
            figures = os.fstatvfs(fd)
            if figures.f_files - figures.f_ffree > INODES_PER_MB * max(1, self._limits.disk_mb):
                return "disk"
        return None

    def _sprawls(self) -> bool:
        """Where the kernel does not refuse it further processes, a bot with too many ends by a signal."""
        return self._count_tasks and sum(map(tree.tasks, self._pids)) > self._limits.processes

    def _measure(self) -> None:
        if self._released and not self._killed:
            self._pids_at_s = 0.0
            self._measured_at_s = time.monotonic()
            self._peak_b = max(self._peak_b, sum(map(tree.memory_b, self._tree())))
            self._cpu_s = max(self._cpu_s, self._read_cpu_s())
            self._wait_clock.refresh(self._own_tree())
            self._wait_s = self._wait_clock.now_s()

    def _read_cpu_s(self) -> float:
        if self._group is not None and self._group.counts_cpu:
            return self._group.cpu_s()
        return self._cpu_clock.now_s(self._tree())

    def _own_tree(self) -> list[int]:
        """The bot's processes, without the sandbox's first one, which waits for a core now and then, too."""
        return [pid for pid in self._tree() if not (self._nested and pid == self._top)]

    def _tree(self) -> list[int]:
        now_s = time.monotonic()
        if now_s - self._pids_at_s > FRESH_S:
            self._pids = [pid for pid in tree.descendants(self._top) if tree.state(pid)]
            self._pids_at_s = now_s
        return self._pids
