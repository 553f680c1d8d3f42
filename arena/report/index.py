"""The list of games for the page: columns, so that it packs well."""

from collections.abc import Collection, Sequence
from typing import Any

from arena.model import GameResult


def index(results: Sequence[GameResult], ids: Sequence[str], replays: Collection[int]) -> dict[str, Any]:
    """Columns by name, one entry a game; seats by place in `ids`, `reason` and `code` by place in their lists."""
    place = {entrant: i for i, entrant in enumerate(ids)}
    reasons = sorted({result.reason for result in results})
    codes = sorted({fault.code for result in results for fault in result.faults})
    return {
        "reasons": reasons,
        "codes": codes,
        "number": [result.number for result in results],
        "round": [result.round for result in results],
        "pairing": [result.pairing for result in results],
        "deal": [result.deal for result in results],
        "leg": [result.leg for result in results],
        "seat0": [place[result.entrants[0]] for result in results],
        "seat1": [place[result.entrants[1]] for result in results],
        "points0": [result.half_points[0] for result in results],
        "points1": [result.half_points[1] for result in results],
        "reason": [reasons.index(result.reason) for result in results],
        "code": [codes.index(result.faults[-1].code) if result.faults else -1 for result in results],
        "plies": [result.plies for result in results],
        "replay": [int(result.number in replays) for result in results],
    }
