"""The records that the parts of Arena hand to each other. All frozen; points are whole half points."""

import msgspec


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
    `games` counts the games behind it, forfeits included: 0 for a bye. `forfeited[i]` counts the games that
    entrant i lost by a fault.
    """

    pairing: Pairing
    half_points: tuple[int, int]
    games: int
    forfeited: tuple[int, int] = (0, 0)


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
    forfeit_by: int | None = None
    faults: tuple[Fault, ...] = ()  # every breach, those a policy forgave included

    @property
    def game_id(self) -> str:
        return f"r{self.round}p{self.pairing}d{self.deal}g{self.leg + 1}"
