"""Every exception of Arena, and the answer to two questions: whose fault is it, and does the run go on?

```
ArenaError            a mistake the organizer can mend; one line, no traceback
├── UsageError        a wrong word on the command line or in a file            exit code 2
│   ├── ConfigError       places in a file, all at once
│   └── UnknownNameError  a name that is not in a table
├── SandboxError      the machine cannot give the required sandbox             exit code 3
├── Interrupted       stopped on request; the event can be resumed             exit code 4
└── CheckFailed       a check or comparison ended badly                        exit code 1
BotFault              a bot broke a rule of play: a result, never shown as an error
HostFailure           the machine failed: the game is void and nobody is blamed
```
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import ClassVar


class ArenaError(Exception):
    """A mistake the organizer can mend. Shown without a traceback."""

    exit_code: ClassVar[int] = 1


class UsageError(ArenaError):
    """A wrong word on the command line or in a file."""

    exit_code = 2


class ConfigError(UsageError):
    """Everything that is wrong with one file, each problem with its place: `file:line:column: key: …`."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class UnknownNameError(UsageError):
    """A name that no table has; the message lists the known ones and the nearest."""

    def __init__(self, kind: str, name: str, known: Sequence[str]) -> None:
        near = get_close_matches(name, known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        super().__init__(f"no {kind} is called {name!r}{hint} There are: {', '.join(sorted(known)) or 'none'}")


class SandboxError(ArenaError):
    """The machine cannot give what the config requires; the message says how to enable it."""

    exit_code = 3


class Interrupted(ArenaError):  # noqa: N818 - not an error of anybody's
    """Stopped on request. Nothing is lost: the same command goes on."""

    exit_code = 4


class CheckFailed(ArenaError):  # noqa: N818
    """A check, a comparison or a verification ended badly."""

    exit_code = 1


class BotFault(Exception):  # noqa: N818 - a fault is a result of the game
    """A bot broke a rule of play. `code` is stored and stable (docs/protocol.md); the sentence may change.

    The sentence may hold what the bot's seat alone knows: it is for its author and the organizer.
    """

    def __init__(self, code: str, problem: str, *, offending: bytes = b"") -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.offending = offending  # the bytes that broke the rule, cut to a readable length


class HostFailure(Exception):  # noqa: N818 - voids the game
    """The machine failed, not a bot: the game is void and is played again."""


FAULTS: dict[str, str] = {
    "startup-timeout": "no `hello`, or no `ready`, within `startup_s`",
    "startup-exit": "the program ended, or closed a stream, before `ready`",
    "handshake": "the first line is no valid `hello` of a common version, or the answer to `new_game` is not `ready`",
    "protocol": "a line that is no strict JSON object, an answer that is no valid `action`, or one to another request",
    "line-too-long": "more than 65,536 bytes without a line feed",
    "output-limit": "more than 8 MiB on standard output or 256 MiB on standard error in one game",
    "timeout": "no answer within the limit, or a bot that does not read its input",
    "illegal-action": "a valid answer whose action is not in `legal`, or whose index is beyond it",
    "exit": "the program ended before it answered",
    "closed": "the program has closed its input or output and goes on running; known when the answer is due",
    "memory": "killed for going beyond `memory_mb`",
    "cpu": "killed for going beyond `cpu_s`",
    "disk": "killed for filling its scratch space with files",
}
"""What a bot can do wrong: every fault code, and what triggers it. docs/protocol.md shows this table."""
