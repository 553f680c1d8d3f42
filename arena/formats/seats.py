"""Who sits where in the first leg of a match. Rules S5, S7, S8 and S10: docs/formats.md."""

from arena.formats.history import History

SeatCost = tuple[int, int, int]


def seat_cost(entrant: History, seat: int) -> SeatCost:
    """What it costs to seat `entrant` there: out of bounds, the square of the imbalance after it, not alternated.

    Out of bounds is a third equal seat running, or one seat three times oftener than the other.
    """
    imbalance = entrant.imbalance if seat == 0 else -entrant.imbalance
    out = entrant.seats[-2:] == [seat, seat] or imbalance >= 2
    return int(out), (imbalance + 1) ** 2, int(entrant.seats[-1:] == [seat])


def both(first: SeatCost, second: SeatCost) -> SeatCost:
    """What it costs to seat two, level by level."""
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


def seated(higher: History, lower: History) -> tuple[str, str]:
    """Who sits where in the first leg. `higher` is the better ranked and has its wish where all else is equal (S10)."""
    keep = both(seat_cost(higher, 0), seat_cost(lower, 1))
    swap = both(seat_cost(higher, 1), seat_cost(lower, 0))
    wish = _wish(higher, lower) if keep == swap else int(swap < keep)
    return (higher.entrant, lower.entrant) if wish == 0 else (lower.entrant, higher.entrant)


def _wish(higher: History, lower: History) -> int:
    """The seat that undoes the last difference of the two, counted from their ends; else another than the last."""
    for mine, theirs in zip(reversed(higher.seats), reversed(lower.seats), strict=False):
        if mine != theirs:
            return 1 - mine
    return 1 - higher.seats[-1] if higher.seats else higher.seed % 2
