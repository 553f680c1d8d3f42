"""The cheapest way to pair everybody: a minimum-cost perfect matching whose costs are lists of priorities."""

from collections.abc import Mapping
from functools import reduce

import rustworkx

# The library computes in signed 128-bit integers and adds up to four weights; measured: right up to 126 bits.
MAX_BITS = 120
Edge = tuple[int, int]


def cheapest(size: int, costs: Mapping[Edge, tuple[int, ...]], lots: Mapping[Edge, int]) -> list[Edge]:
    """The perfect matching of nodes 0 to size - 1 whose costs, added up level by level, are lexicographically least.

    Args:
        size: an even number of nodes.
        costs: of each edge (i, j), i < j, that may be used: whole numbers >= 0, the most important first.
        lots: whole numbers from 0 to 2^32 - 1 that decide among equally cheap matchings. With independent lots the
            cheapest is unique but for a chance of about edges / 2^32 (isolation lemma: Mulmuley, Vazirani and
            Vazirani 1987), so that the answer does not depend on how the library walks through its tables.

    Returns:
        The edges, sorted.

    Raises:
        ValueError: these edges do not pair everybody.

    Should the levels need more than 120 bits together, the least important ones are left out.
    """
    if size == 0:
        return []
    weights = _weights(size // 2, costs, lots)
    heaviest = max(weights.values(), default=0)
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * size)
    graph.add_edges_from([(i, j, heaviest - weight) for (i, j), weight in weights.items()])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) != size:
        raise ValueError(f"{size} nodes cannot be paired by the {len(costs)} edges given")
    return sorted((min(edge), max(edge)) for edge in found)


def _weights(pairs: int, costs: Mapping[Edge, tuple[int, ...]], lots: Mapping[Edge, int]) -> dict[Edge, int]:
    """One whole number an edge, in which each level outweighs all that come after it."""
    radices = [_radix(pairs, {edge: cost[level] for edge, cost in costs.items()}) for level in range(_levels(costs))]
    lot_radix = _radix(pairs, lots)
    while radices and (reduce(int.__mul__, radices, lot_radix) - 1).bit_length() > MAX_BITS:
        radices.pop()
    scales = [lot_radix]
    for radix in reversed(radices[1:]):
        scales.insert(0, scales[0] * radix)
    return {
        edge: sum(map(int.__mul__, scales, cost)) + lots[edge] if radices else lots[edge]
        for edge, cost in costs.items()
    }


def _levels(costs: Mapping[Edge, tuple[int, ...]]) -> int:
    return len(next(iter(costs.values()), ()))


def _radix(pairs: int, level: Mapping[Edge, int]) -> int:
    """One more than any matching can cost on this level."""
    costly = [edge for edge, cost in level.items() if cost]
    if not costly:
        return 1
    shared = set(costly[0]).intersection(*costly[1:])  # a node of every costly edge: one of them at most is used
    return (1 if shared else pairs) * max(level.values()) + 1
