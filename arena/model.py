"""The records that the parts of Arena hand to each other. All frozen; points are whole half points."""

from typing import Literal

import msgspec

Scope = Literal["game", "sitting"]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot may use. Times in seconds of wall clock, sizes in MiB; sent to every bot in `hello`.

    A reply is due within `move_s` (`first_move_s` for the first one of a game, None: as the others) plus what is
    left of the bank: `bank_s` at the start of a game, plus `increment_s` for each action, minus what each action
    used beyond `move_s`. `move_s` 0 plays by the bank alone. `startup_s` covers start, hello and ready.
    """

    startup_s: float = 10.0
    first_move_s: float | None = None
    move_s: float = 1.0
    bank_s: float = 0.0
    increment_s: float = 0.0
    memory_mb: int = 512  # of the whole process tree
    processes: int = 64  # threads count
    cpu_s: int = 600  # CPU time of one process in one game or sitting
    disk_mb: int = 16  # of private scratch space in /tmp


class Policies(msgspec.Struct, frozen=True, kw_only=True):
    """What follows a fault. The default: the game is forfeited, the bot stays in the event."""

    on_illegal: Literal["forfeit", "retry", "random"] = "forfeit"
    retries: int = 0  # with on_illegal "retry": further tries a ply before the forfeit
    on_timeout: Literal["forfeit", "random"] = "forfeit"
    strikes: int = 0  # with on_timeout "random": late replies forgiven in a game before the forfeit
    on_crash: Literal["forfeit"] = "forfeit"
    disqualify_after_faults: int | None = None  # faults in the event after which an entrant plays no more


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A bot as registered in a tournament. Its identity is `id` (from the config) and `sha256` (of its files)."""

    id: str
    name: str  # shown; never an identity
    sha256: str


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """Two entrants who meet in a round, or a bye (`entrants[1]` is None).

    `entrants[0]` sits in seat 0 in the first leg of each deal; with paired deals the legs exchange the seats.
    """

    round: int  # from 1
    number: int  # from 1 within the round
    entrants: tuple[str, str | None]

    @property
    def is_bye(self) -> bool:
        return self.entrants[1] is None


class PairingResult(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a pairing.

    `half_points[i]` is what `pairing.entrants[i]` took over all its games; for a bye `(credit, 0)`, as configured.
    `games` counts the games behind it, forfeits included: 0 for a bye. Of these entrant i won `wins[i]`, lost
    `forfeited[i]` by a fault (one that neither bot could start is lost by both) and `no_shows[i]` by a fault of its own
    before any action.
    """

    pairing: Pairing
    half_points: tuple[int, int]
    games: int
    wins: tuple[int, int] = (0, 0)
    forfeited: tuple[int, int] = (0, 0)
    no_shows: tuple[int, int] = (0, 0)

    @property
    def no_show(self) -> str | None:
        """The entrant that lost every game by a fault before any action."""
        return next(
            (name for name, lost in zip(self.pairing.entrants, self.no_shows, strict=True) if lost == self.games > 0),
            None,
        )


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A breach of play by a bot. `code` is stable (docs/protocol.md); `text` is for its author and the organizer."""

    seat: int
    code: str
    ply: int | None  # None: before the first request
    text: str
    offending: str = ""  # the bytes that broke the rule, decoded with backslash escapes, cut
    stderr_tail: str = ""
    elapsed_ms: float | None = None
    limit_ms: float | None = None


class FaultCount(msgspec.Struct, frozen=True, kw_only=True):
    """How often an entrant broke a rule of play in a round, forgiven breaches included."""

    round: int
    entrant: str
    code: str
    count: int
    first: int  # number of the first such game


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """One finished game as standings, ratings and exports see it.

    `entrants[seat]` and `half_points[seat]` go by seat. `deal` names the deal: games with the same `deal` and the
    same two entrants are the legs of one pair, which is the unit of statistics. `forfeit_by` is the seat that lost
    by a fault.
    """

    number: int  # in schedule order, from 1: the whole event's numbering
    round: int  # from 1
    pairing: int  # number within the round, from 1
    deal: int  # number of the deal, from 0
    leg: int  # 0 or 1 with paired deals, else 0
    entrants: tuple[str, str]
    half_points: tuple[int, int]
    reason: str
    plies: int = 0
    wire_id: str = ""  # what the bots were told as `game_id`: it says nothing of round, pairing or deal
    forfeit_by: int | None = None
    faults: tuple[Fault, ...] = ()  # every breach, those a policy forgave included

    @property
    def game_id(self) -> str:
        return f"r{self.round}p{self.pairing}d{self.deal}g{self.leg + 1}"
