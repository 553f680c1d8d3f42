"""A bot in its seat: what a game is set up with, what is asked of a seat, and the arithmetic of its clock."""

from collections.abc import Sequence
from typing import Any

import msgspec

from arena.bot import Bot, messages
from arena.game import Game
from arena.model import Limits, Policies
from arena.transcript import Message


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What is settled before a game begins. `options` and `deal` are the game's own values."""

    game_id: str  # for people
    options: Any
    deal: Any
    limits: Limits
    policies: Policies
    random_seeds: tuple[int, ...]  # one a seat, below 2^53
    wire_id: str = ""  # what the bots are told as `game_id`; "": as `game_id`
    substitute_key: bytes = b""  # draws the actions of a `random` policy
    accept_host_delay: bool = False  # True: a reply late by the host's doing counts as in time; False: the game is void


class Player:
    """A bot in one seat of one game, or of one game after another in a sitting: its ids, clock and news."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.greeting: list[Message] = []  # the handshake, which every game of a sitting records
        self.greeted_s = 0.0  # when the game began whose times it has
        self.hello: messages.BotHello | None = None
        self.last_id = 0
        self.forgiven_ids: set[int] = set()
        self.new_game(Limits())

    def new_game(self, limits: Limits) -> None:
        """A clock and a bank for a game with these limits; the ids go on."""
        self.limits = limits
        self.events: list[Any] = []
        # What the next answer may take without touching the bank, and the bank.
        self.base_s = limits.move_s if limits.first_move_s is None else limits.first_move_s
        self.bank_s = limits.bank_s
        self.used_s = 0.0
        self.strikes = 0

    @property
    def limit_s(self) -> float:
        """When the next answer is due."""
        return self.base_s + self.bank_s

    def clock(self) -> messages.Clock:
        """The clock as the bot is told it."""
        return messages.Clock(
            move_ms=int(self.base_s * 1000), bank_ms=int(self.bank_s * 1000), used_ms=round(self.used_s * 1000)
        )

    def charge(self, took_s: float) -> None:
        """An answer took that long."""
        self.used_s += took_s
        if took_s > self.base_s:
            self.bank_s = max(0.0, self.bank_s - (took_s - self.base_s))
        self.bank_s += self.limits.increment_s
        self.base_s = self.limits.move_s


def request(
    game: Game, state: Any, seat: int, legal: Sequence[Any], events: list[Any], id_: int, clock: messages.Clock
) -> bytes:
    """The line that asks `seat` for an action: a function of what the seat may know, of the id and of its clock."""
    return messages.encode(
        messages.Act(id=id_, view=game.view(state, seat), events=events, legal=list(legal), clock=clock)
    )
