"""Random numbers that anyone can re-derive: a key and a label give one fixed stream of draws.

Python's `random` module does not promise the same shuffle in every version, so deals do not use it. A stream is
HMAC-SHA256(key, label ‖ counter) read as 64-bit words; a draw below n rejects the words that would favour small
results. `STREAM_VERSION` changes whenever the same key and label would give other draws.
"""

import hashlib
import hmac
from collections.abc import MutableSequence, Sequence
from typing import Protocol, TypeVar

STREAM_VERSION = 1
T = TypeVar("T")


class Chance(Protocol):
    """What a game may ask of a random source. `random.Random` fits as well as `KeyedChance`."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to stop - 1, each equally likely."""


class KeyedChance:
    """The stream of draws that belongs to a key (any bytes) and a label (any text)."""

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label.encode()
        self._counter = 0
        self._words: list[int] = []

    def randrange(self, stop: int, /) -> int:
        if not 0 < stop <= 1 << 63:
            raise ValueError(f"expected a bound from 1 to 2^63, found {stop}")
        reject_from = (1 << 64) - (1 << 64) % stop
        while (word := self._word()) >= reject_from:
            pass
        return word % stop

    def _word(self) -> int:
        if not self._words:
            block = hmac.digest(self._key, self._label + b"\0" + self._counter.to_bytes(8, "big"), hashlib.sha256)
            self._counter += 1
            self._words = [int.from_bytes(block[i : i + 8], "big") for i in (24, 16, 8, 0)]
        return self._words.pop()


def shuffle(items: MutableSequence[T], rng: Chance) -> None:
    """Put `items` in a random order, in place (Fisher and Yates; the same draws in every Python version)."""
    for i in range(len(items) - 1, 0, -1):
        j = rng.randrange(i + 1)
        items[i], items[j] = items[j], items[i]


def shuffled(items: Sequence[T], rng: Chance) -> list[T]:
    """The items in a random order, as a new list."""
    result = list(items)
    shuffle(result, rng)
    return result


def choice(items: Sequence[T], rng: Chance) -> T:
    """One of the items, each equally likely."""
    return items[rng.randrange(len(items))]
