"""Games gathered into pairs: the two legs of one deal, which are the unit of statistics."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.errors import UsageError
from arena.game import DRAW, LOSS, WIN
from arena.marks import DEALS, LEGS, Row
from arena.model import GameResult, Pairing

Integers = NDArray[np.int64]
Tally = tuple[int, int, int, int, int, int]


_OUTCOMES = {(WIN, LOSS): 0, (DRAW, DRAW): 1, (LOSS, WIN): 2}


class PairKey(msgspec.Struct, frozen=True, order=True):
    """Which games belong together: the same two entrants (`first` < `second`), pairing and deal."""

    round: int
    pairing: int
    deal: int
    first: str
    second: str


class Pair(msgspec.Struct, frozen=True, order=True):
    """The games of one pair. `tally` counts what `first` did: wins, draws, losses in seat 0, then in seat 1."""

    key: PairKey
    tally: Tally

    @property
    def games(self) -> int:
        return sum(self.tally)

    @property
    def half_points(self) -> int:
        """What `first` took in all the games of the pair."""
        return 2 * (self.tally[0] + self.tally[3]) + self.tally[1] + self.tally[4]

    @property
    def is_complete(self) -> bool:
        """Two games, one in each seat."""
        return sum(self.tally[:3]) == sum(self.tally[3:]) == 1


def gather(results: Iterable[GameResult]) -> list[Pair]:
    """The pairs of these games in the order of their keys, whatever the order of the games.

    Games of an entrant against itself are left out: they say nothing about anybody's strength. Raises UsageError for a
    result that is not a win and a loss or two draws.
    """
    return [Pair(PairKey(*key), (t[0], t[1], t[2], t[3], t[4], t[5])) for key, t in sorted(_tallies(results).items())]


def _tallies(results: Iterable[GameResult]) -> dict[tuple[int, int, int, str, str], list[int]]:
    found: dict[tuple[int, int, int, str, str], list[int]] = {}
    for game in results:
        zero, one = game.entrants
        outcome = _OUTCOMES.get(game.half_points)
        if outcome is None:
            raise UsageError(f"game {game.game_id}: half points {game.half_points}: expected (2, 0), (1, 1) or (0, 2)")
        if zero < one:
            key, place = (game.round, game.pairing, game.deal, zero, one), outcome
        elif zero > one:
            key, place = (game.round, game.pairing, game.deal, one, zero), 5 - outcome
        else:
            continue
        tally = found.get(key)
        if tally is None:
            found[key] = tally = [0, 0, 0, 0, 0, 0]
        tally[place] += 1
    return found


class Counts(msgspec.Struct, frozen=True):
    """Pairs with the same entrants, the same tally and the same cluster, counted: all that the fit looks at.

    Row k: `times[k]` pairs of `entrants[first[k]]` and `entrants[second[k]]`, each with the games of `tally[k]`
    (as in Pair), all in the cluster `cluster[k]` (-1: each pair is a cluster of its own). `forfeits[i]` counts the
    games that entrant i lost by a fault, `self_play` the games of an entrant against itself, which count nowhere else.
    """

    entrants: tuple[str, ...]
    first: Integers
    second: Integers
    tally: Integers  # rows x 6
    times: Integers
    cluster: Integers
    forfeits: tuple[int, ...]
    self_play: int = 0
    deals: int = 0  # different deals played
    shared: bool = False  # some deal was played by more than one pair of entrants

    @property
    def by_deal(self) -> bool:
        """Whether the clusters are deals, not pairs."""
        return bool(self.cluster.size) and bool(self.cluster[0] >= 0)

    @property
    def pairs(self) -> int:
        return int(self.times.sum())

    @property
    def games(self) -> int:
        return int((self.tally.sum(axis=1) * self.times).sum())


def count(results: Iterable[GameResult], entrants: Sequence[str], *, cluster: str = "auto") -> Counts:
    """Aggregate games for the fit. `cluster`: `pair`, `deal`, or `auto` (by deal where pairings share deals).

    Raises UsageError for a game of somebody who is not in `entrants`, for a name that stands there twice, and for a
    result that is not a win and a loss or two draws.
    """
    index = _index(entrants)
    games = results if isinstance(results, list | tuple) else list(results)
    tallies = _tallies(games)
    _require_known({name for game in games for name in game.entrants}, index)
    forfeits = Counter(
        game.entrants[game.forfeit_by]
        for game in games
        if game.forfeit_by is not None and game.entrants[0] != game.entrants[1]
    )
    deals = {deal for _, _, deal, _, _ in tallies}
    shared = len({key[2:] for key in tallies}) > len(deals)
    by_deal = _by_deal(cluster, shared=shared, deals=len(deals))
    found = Counter(
        (deal if by_deal else -1, index[a], index[b], *tally) for (_, _, deal, a, b), tally in tallies.items()
    )
    return _counts(
        index,
        np.array([(*row, times) for row, times in sorted(found.items())], dtype=np.int64).reshape(-1, 10),
        forfeits,
        self_play=sum(game.entrants[0] == game.entrants[1] for game in games),
        deals=len(deals),
        shared=shared,
    )


def count_marks(
    rows: Mapping[Row, str], pairings: Iterable[Pairing], entrants: Sequence[str], *, cluster: str = "auto"
) -> Counts:
    """What `count` makes of the games that have these marks, without a look at each.

    `pairings` are those that the rows belong to. Games that neither bot could start are left out.
    """
    index = _index(entrants)
    sides = {(p.round, p.number): (a, b) for p in pairings for a, b in [p.entrants] if b is not None}
    met = [sides[row[:2]] for row in rows]
    _require_known({name for pair in met for name in pair}, index)
    forfeits = Counter[str]()
    for (a, b), marks in zip(met, rows.values(), strict=True):
        forfeits[a] += marks.count("l") + marks.count("-")
        forfeits[b] += marks.count("w") + marks.count("+")
    who = np.array([(index[a], index[b]) for a, b in met], dtype=np.int64).reshape(-1, 2)
    letters = np.frombuffer("".join(rows.values()).encode("ascii"), dtype=np.uint8).reshape(-1, DEALS, LEGS)
    tallies = _TALLY_BITS[0, letters[:, :, 0]] | _TALLY_BITS[1, letters[:, :, 1]]
    tallies = np.where((who[:, 0] > who[:, 1])[:, None], _FROM_THE_OTHER_SIDE[tallies], tallies)
    row, offset = np.nonzero(tallies)
    deal = np.array([first for _, _, first in rows], dtype=np.int64)[row] + offset
    size, span = len(index), 64 * len(index) ** 2  # each pair as one number: deal, first, second, tally
    pairs = ((deal * size + who.min(axis=1)[row]) * size + who.max(axis=1)[row]) * 64 + tallies[row, offset]
    pairs.sort()
    deals = _different(pairs // span)
    shared = _different(pairs // 64) > deals
    by_deal = _by_deal(cluster, shared=shared, deals=deals)
    found, times = np.unique(pairs if by_deal else pairs % span, return_counts=True)
    return _counts(
        index,
        np.column_stack(
            [
                found // span if by_deal else np.full(found.size, -1),
                found // (64 * size) % size,
                found // 64 % size,
                found[:, None] >> np.arange(5, -1, -1) & 1,
                times,
            ]
        ),
        forfeits,
        deals=deals,
        shared=shared,
    )


# A pair's tally, none of whose numbers is above 1, as six bits; by leg and letter, for the pairing's first entrant.
_PLACES = {ord(letter): place for place, letters in enumerate(("Ww+", "D", "Ll-")) for letter in letters}
_TALLY_BITS = np.array(
    [[win >> _PLACES[letter] if letter in _PLACES else 0 for letter in range(128)] for win in (32, 4)], dtype=np.uint8
)
_FROM_THE_OTHER_SIDE = np.array([int(f"{bits:06b}"[::-1], 2) for bits in range(64)], dtype=np.uint8)


def _different(numbers: Integers) -> int:
    """How many different numbers there are in a sorted array."""
    return int(np.count_nonzero(np.diff(numbers))) + (numbers.size > 0)


def _index(entrants: Sequence[str]) -> dict[str, int]:
    """The place of each name in alphabetical order."""
    index = {name: place for place, name in enumerate(sorted(entrants))}
    if len(index) != len(entrants):
        raise UsageError("an entrant is named twice: " + ", ".join(n for n, k in Counter(entrants).items() if k > 1))
    return index


def _require_known(names: set[str], index: Mapping[str, int]) -> None:
    strangers = names - index.keys()
    if strangers:
        raise UsageError(f"games of somebody who is not among the entrants: {', '.join(sorted(strangers))}")


def _by_deal(cluster: str, *, shared: bool, deals: int) -> bool:
    return cluster == "deal" or (cluster == "auto" and shared and deals > 1)


def _counts(
    index: Mapping[str, int],
    table: Integers,
    forfeits: Mapping[str, int],
    *,
    self_play: int = 0,
    deals: int,
    shared: bool,
) -> Counts:
    """Columns of `table`: cluster, first, second, tally (six), times."""
    return Counts(
        entrants=tuple(index),
        cluster=table[:, 0],
        first=table[:, 1],
        second=table[:, 2],
        tally=table[:, 3:9],
        times=table[:, 9],
        forfeits=tuple(forfeits.get(name, 0) for name in index),
        self_play=self_play,
        deals=deals,
        shared=shared,
    )
