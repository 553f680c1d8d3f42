"""Runs programs that nobody trusts, counts what they use, and leaves nothing of them behind.

```
child = start(Program(argv=("python3", "bot.py"), folder=folder), limits, mode=Mode.REQUIRED, slot=0, cores={1})
child.release(10)            # the sandbox stands: the bot's program starts now
os.write(child.stdin, …)     # plain descriptors, non-blocking
child.pause()                # not on move: stopped, with all its descendants
child.close()                # gone, with all its descendants
```

Theory of operation
-------------------
Layers, each on its own, from the outside in:

1. *Who it is.* Root drops to an ordinary uid, another for each slot, before anything of the sandbox starts. What that
   uid cannot reach (an interpreter in root's home, bots in a closed folder) is bound into a mount namespace that only
   the launcher's thread has, or copied: `stage`, `launcher`.
2. *What it sees.* bubblewrap makes user, pid, net, ipc, uts, cgroup and mount namespaces: the system's programs, the
   interpreter, the packages `arena` and `msgspec`, and the bot's folder, all read-only; a small private `/tmp` and
   `/dev/shm`; its own `/proc` with the machine's figures masked. No network, no other process, no way to a new
   namespace: `bubblewrap`, `runtime`, `tools`.
3. *What it may ask the kernel.* A filter denies what reaches around the walls or is a rarely used door, every socket,
   file locks and inotify (two bots could whisper by them), and leaving the process group: `seccomp`, `syscalls`.
4. *How much it gets.* Limits on each process (`rlimits`), and on the whole tree a cgroup where one can be made
   (`cgroup`), else the watchdog's count (`watchdog`, `tree`). The watchdog also counts files and CPU time.
5. *How it ends.* The first process of the pid namespace is killed, and the kernel kills the rest, whatever it did.
   bubblewrap dies with the launcher's thread, and the sandbox with bubblewrap, so that a killed referee leaves no bot
   either: `child`.

A start is a handshake. Inside, a three-word script says that the sandbox stands, waits for the word, and becomes the
bot. So a sandbox that fails is told from a bot that fails; sandboxes of the next game are prepared while the current
one is played; and limits are set from outside on a process that stands still, by `prlimit`.

Where user namespaces are forbidden there is a weaker fallback (`landlock`, `confine`); what a machine gives is found
by trying (`survey`), and `attack` proves it by some 260 small programs. A bot's `build` step runs in a sandbox as
well (`build`). docs/sandbox.md says what all this promises, and what not.
"""

from arena.sandbox.build import Built, build
from arena.sandbox.child import Child
from arena.sandbox.program import Mode, Program, Usage
from arena.sandbox.survey import Missing, Survey, require, start, survey

__all__ = [
    "Built",
    "Child",
    "Missing",
    "Mode",
    "Program",
    "Survey",
    "Usage",
    "build",
    "require",
    "start",
    "survey",
]
