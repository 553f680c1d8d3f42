"""The matching under the Swiss formats against a search through all matchings, up to the largest weights."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats.matching import MAX_BITS, Edge, cheapest


def matchings(nodes: list[int]) -> Iterator[list[Edge]]:
    if not nodes:
        yield []
        return
    for k in range(1, len(nodes)):
        for others in matchings(nodes[1:k] + nodes[k + 1 :]):
            yield [(nodes[0], nodes[k]), *others]


def total(found: list[Edge], costs: dict[Edge, tuple[int, ...]], lots: dict[Edge, int]) -> tuple[int, ...]:
    return (*(sum(level) for level in zip(*(costs[edge] for edge in found), strict=True)), sum(lots[e] for e in found))


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, dict[Edge, tuple[int, ...]], dict[Edge, int]]:
    """Two to eight nodes and up to four levels, each from nearly all equal to numbers of 24 bits."""
    size = 2 * draw(st.integers(1, 4))
    edges = [(i, j) for j in range(size) for i in range(j)]
    highest = draw(st.lists(st.sampled_from([0, 1, 3, 100, 2**20]), min_size=1, max_size=4))
    costs = {edge: tuple(draw(st.integers(0, top)) for top in highest) for edge in edges}
    return size, costs, {edge: draw(st.integers(0, 2**16)) for edge in edges}


@given(problem=problems())
@settings(max_examples=80, deadline=None)
def test_no_matching_is_cheaper_level_by_level(
    problem: tuple[int, dict[Edge, tuple[int, ...]], dict[Edge, int]],
) -> None:
    size, costs, lots = problem
    best = min(total(found, costs, lots) for found in matchings(list(range(size))))
    assert total(cheapest(size, costs, lots), costs, lots) == best


def test_one_unit_of_an_earlier_level_outweighs_everything_later_at_the_limit_of_the_weights() -> None:
    big = 2 ** (MAX_BITS - 40)
    costs = dict.fromkeys([(0, 1), (2, 3)], (0, big)) | {
        (0, 2): (0, 0),
        (1, 3): (1, 0),
        (0, 3): (1, 0),
        (1, 2): (1, 0),
    }
    assert cheapest(4, costs, dict.fromkeys(costs, 2**32 - 1)) == [(0, 1), (2, 3)]


def test_levels_that_do_not_fit_are_left_out_from_the_least_important() -> None:
    huge = 2**60
    costs = {(0, 1): (0, 1, 0), (2, 3): (0, 0, 0), (0, 2): (0, 0, huge), (1, 3): (0, 0, huge)}
    costs |= {(0, 3): (huge, 0, 0), (1, 2): (huge, 0, 0)}
    assert cheapest(4, costs, dict.fromkeys(costs, 0)) == [(0, 2), (1, 3)]


def test_nodes_that_cannot_be_paired_are_refused_and_none_need_none() -> None:
    with pytest.raises(ValueError, match="4 nodes cannot be paired by the 3 edges given"):
        cheapest(4, dict.fromkeys([(0, 1), (0, 2), (0, 3)], (0,)), dict.fromkeys([(0, 1), (0, 2), (0, 3)], 0))
    assert cheapest(0, {}, {}) == []
