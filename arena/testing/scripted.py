"""Dialogues without processes: a bot that says what it was told to, and moves a fake clock while it thinks."""

import json
from typing import Any, NamedTuple, Self

from arena.bot import Reply
from arena.clock import FakeClock
from arena.errors import BotFault


class _Line(NamedTuple):
    line: bytes | None  # None: it never answers
    after_s: float
    cpu_s: float
    host_delay_s: float
    fault: BotFault | None


class _Turn(NamedTuple):
    expected: dict[str, Any] | None  # None: no message is awaited, the bot speaks again
    answer: _Line


class ScriptedBot:
    """A `Bot` of the referee's. Tell it in order what to expect and what to answer; end with `assert_done()`.

        clock = FakeClock()
        bot = ScriptedBot(clock).starts().when({"type": "act", "id": 1}, reply={"type": "action", "id": 1, "index": 0})

    A message fits if it holds what was expected, at any depth; further fields do not matter. What the bot was sent
    stands in `received`, in order. Messages that nothing waits for (`game_over`) are taken silently.
    """

    def __init__(self, clock: FakeClock) -> None:
        self.received: list[dict[str, Any]] = []
        self._clock = clock
        self._turns: list[_Turn] = []
        self._pending: list[tuple[float, _Line]] = []  # due at, what

    def starts(self, name: str | None = None) -> Self:
        """Greets as it should: `hello` for `hello`, `ready` for `new_game`."""
        hello = {"type": "hello", "protocol": 1} | ({"name": name} if name else {})
        return self.when({"type": "hello"}, reply=hello).when({"type": "new_game"}, reply={"type": "ready"})

    def when(
        self,
        expected: dict[str, Any],
        *,
        reply: dict[str, Any] | bytes | None = None,
        after_s: float = 0.0,
        cpu_s: float = 0.0,
        host_delay_s: float = 0.0,
        fault: BotFault | None = None,
    ) -> Self:
        """Expects a message and answers `after_s` seconds later.

        `reply` is JSON, or the bytes of a line; None: it never answers. With `fault` the bot breaks off instead, as a
        process does that exits. `host_delay_s` is the part of `after_s` that the referee should blame on the machine.
        """
        line = json.dumps(reply).encode() if isinstance(reply, dict) else reply
        self._turns.append(_Turn(expected, _Line(line, after_s, cpu_s, host_delay_s, fault)))
        return self

    def says(self, line: bytes, *, after_s: float = 0.0) -> Self:
        """One more line after the previous answer, unasked."""
        self._turns.append(_Turn(None, _Line(line, after_s, 0.0, 0.0, None)))
        return self

    def assert_done(self) -> None:
        """Everything expected was received."""
        left = [turn.expected for turn in self._turns if turn.expected is not None]
        assert not left, f"the referee never sent {left}"

    def begin(self) -> float:
        return self._clock.now_s()

    def send(self, message: bytes, until_s: float, /) -> float:  # noqa: ARG002 - a pipe that is never full
        assert message.endswith(b"\n"), f"not a line: {message!r}"
        data = json.loads(message)
        self.received.append(data)
        if self._turns and self._turns[0].expected is not None and self._turns[0].expected.get("type") == data["type"]:
            turn = self._turns.pop(0)
            problem = _misfit(turn.expected, data)
            assert not problem, f"message {len(self.received)}: {problem}"
            self._pending.append((self._clock.now_s() + turn.answer.after_s, turn.answer))
            while self._turns and self._turns[0].expected is None:
                answer = self._turns.pop(0).answer
                self._pending.append((self._pending[-1][0] + answer.after_s, answer))
        else:
            assert data["type"] in ("game_over", "quit", "error"), f"nobody expected message {data}"
        return self._clock.now_s()

    def receive(self, until_s: float, /) -> Reply:
        due_s, answer = self._pending[0] if self._pending else (float("inf"), _Line(None, 0.0, 0.0, 0.0, None))
        never = answer.line is None and answer.fault is None
        if never or due_s > until_s:
            self._clock.advance(max(0.0, until_s - self._clock.now_s()))
            return Reply(line=None, at_s=self._clock.now_s(), cpu_s=answer.cpu_s, host_delay_s=answer.host_delay_s)
        self._pending.pop(0)
        self._clock.advance(max(0.0, due_s - self._clock.now_s()))
        if answer.fault is not None:
            raise answer.fault
        return Reply(line=answer.line, at_s=due_s, cpu_s=answer.cpu_s, host_delay_s=answer.host_delay_s)

    def rest(self) -> None:
        """Nothing to stop."""


def _misfit(expected: Any, found: Any, path: str = "") -> str:
    """Where `found` does not hold what is expected, or nothing."""
    if isinstance(expected, dict) and isinstance(found, dict):
        missing = [key for key in expected if key not in found]
        if missing:
            return f"{path or 'the message'} has no {missing[0]!r}"
        inner = (_misfit(expected[key], found[key], f"{path}.{key}".lstrip(".")) for key in expected)
        return next(filter(None, inner), "")
    return "" if expected == found else f"{path}: expected {expected!r}, found {found!r}"
