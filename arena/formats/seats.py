"""Who sits where in the first leg of a match. Rules S5, S7, S8 and S10: docs/formats.md."""

from arena.formats.history import History


def seat_cost(first: History, second: History) -> tuple[int, int, int]:
    """What it costs to put `first` in seat 0: seats out of bounds, imbalance after it, seats not alternated.

    Out of bounds is a third equal seat running, or one seat three times oftener than the other.
    """
    out = (first.seats[-2:] == [0, 0] or first.imbalance >= 2) + (second.seats[-2:] == [1, 1] or second.imbalance <= -2)
    balance = (first.imbalance + 1) ** 2 + (second.imbalance - 1) ** 2
    repeated = (first.seats[-1:] == [0]) + (second.seats[-1:] == [1])
    return out, balance, repeated


def seated(higher: History, lower: History) -> tuple[str, str]:
    """Who sits where in the first leg. `higher` is the better ranked and has its wish where all else is equal (S10)."""
    keep, swap = seat_cost(higher, lower), seat_cost(lower, higher)
    if keep == swap:
        # Undo the last difference of the two histories, counted from their ends; without one, the higher alternates.
        for mine, theirs in zip(reversed(higher.seats), reversed(lower.seats), strict=False):
            if mine != theirs:
                return (higher.entrant, lower.entrant) if mine == 1 else (lower.entrant, higher.entrant)
        wish = 1 - higher.seats[-1] if higher.seats else higher.seed % 2
        return (higher.entrant, lower.entrant) if wish == 0 else (lower.entrant, higher.entrant)
    return (higher.entrant, lower.entrant) if keep < swap else (lower.entrant, higher.entrant)
