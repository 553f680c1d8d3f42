"""The secret that all deals of an event come from: committed to before play, revealed after it.

```
root          32 bytes from the operating system, or derived from the config's `seed`
commitment    SHA-256("arena commitment 1" ‖ salt ‖ root), in the record before the first game
deal key      HMAC(root, "deals" ‖ entropy)      deal k is drawn from KeyedChance(deal key, "deal k")
bot key       HMAC(root, "bots")                 random seeds of the bots: nothing about them tells of a deal
referee key   HMAC(root, "referee")              actions substituted for a bot under a `random` policy
```
Who knows the root before play knows every deal, so it is kept in a file of its own until the event ends.
docs/organizer.md says what this proves and what not.
"""

import hashlib
import hmac
import secrets

import msgspec

from arena.chance import KeyedChance
from arena.game import Game

VERSION = 1


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """Root and salt of an event, as hexadecimal text."""

    root: str
    salt: str

    @classmethod
    def draw(cls, seed: int | str | None = None) -> "Secret":
        """A new secret: from the operating system, or the one that belongs to a seed."""
        if seed is None:
            return cls(root=secrets.token_hex(32), salt=secrets.token_hex(16))
        root = hashlib.sha256(f"arena seed {VERSION}\0{seed}".encode()).hexdigest()
        return cls(root=root, salt=root[:32])

    @property
    def commitment(self) -> str:
        """What is published before play."""
        parts = f"arena commitment {VERSION}".encode() + bytes.fromhex(self.salt) + bytes.fromhex(self.root)
        return hashlib.sha256(parts).hexdigest()


class Keys:
    """What an event draws from its secret."""

    def __init__(self, secret: Secret, *, entropy: str | None = None) -> None:
        root = bytes.fromhex(secret.root)
        self._deals = hmac.digest(root, b"deals\0" + (entropy or "").encode(), hashlib.sha256)
        self._bots = hmac.digest(root, b"bots", hashlib.sha256)
        self.substitute_key = hmac.digest(root, b"referee", hashlib.sha256)

    def deal(self, game: Game, options: object, number: int) -> object:
        """Deal `number` (from 0) of the event, as the game's own value."""
        return game.deal(KeyedChance(self._deals, f"deal {number}"), options)

    def wire_id(self, game_number: int) -> str:
        """What bots are told a game is called: from its number nobody can tell, nor the schedule from it."""
        return KeyedChance(self._bots, f"name of game {game_number}").randrange(1 << 63).to_bytes(8, "big").hex()

    def random_seed(self, game_number: int, seat: int) -> int:
        """The seed that the bot in a seat is given for its own use: below 2^53."""
        return KeyedChance(self._bots, f"game {game_number} seat {seat}").randrange(1 << 53)
