"""Rules R1 to R5 of docs/formats.md."""

from random import Random

import pytest
from format_events import byes, imbalances, names, pairs, play, vectors
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats import Field, plan, round_robin
from arena.formats.round_robin import Settings


@pytest.mark.parametrize("entrants", [4, 6, 8, 10])
def test_r1_the_rounds_are_the_published_berger_tables(entrants: int) -> None:
    field = Field(entrants=names(entrants))
    ids = {entrant: number for number, entrant in enumerate(field.entrants, start=1)}
    rounds = [
        [[ids[entrant] for entrant in pairing.entrants] for pairing in made.pairings]
        for made in plan(round_robin, field, Settings())
    ]
    assert rounds == vectors("berger")["tables"][str(entrants)]


@given(entrants=st.integers(0, 30), cycles=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_r2_everybody_meets_everybody_once_a_cycle_with_equal_byes_and_balanced_seats(
    entrants: int, cycles: int
) -> None:
    field = Field(entrants=names(entrants))
    rounds = list(plan(round_robin, field, Settings(cycles=cycles)))
    met = pairs(rounds)
    assert len(met) == entrants * (entrants - 1) // 2
    assert set(met.values()) <= {cycles}
    had = byes(rounds)
    assert [had[entrant] for entrant in field.entrants] == [cycles * (entrants % 2 if entrants > 1 else 0)] * entrants
    allowed = 0 if entrants % 2 or cycles % 2 == 0 else 1
    assert all(abs(imbalance) <= allowed for imbalance in imbalances(rounds).values())


@given(entrants=st.integers(2, 15))
@settings(deadline=None)
def test_r3_a_second_cycle_repeats_the_first_with_seats_exchanged(entrants: int) -> None:
    rounds = plan(round_robin, Field(entrants=names(entrants)), Settings(cycles=2))
    half = len(rounds) // 2
    for first, second in zip(rounds[:half], rounds[half:], strict=True):
        assert [p.entrants if p.is_bye else p.entrants[::-1] for p in first.pairings] == [
            p.entrants for p in second.pairings
        ]


@pytest.mark.parametrize("entrants", [3, 5, 8, 13])
def test_r4_no_seat_comes_more_than_three_times_running_over_cycles_nor_more_than_twice_within_one(
    entrants: int,
) -> None:
    def longest(cycles: int, entrant: str) -> int:
        seats = "".join(
            str(p.entrants.index(entrant))
            for made in plan(round_robin, Field(entrants=names(entrants)), Settings(cycles=cycles))
            for p in made.pairings
            if entrant in p.entrants and not p.is_bye
        )
        return max(len(run) for run in seats.replace("01", "0 1").replace("10", "1 0").split())

    assert max(longest(1, entrant) for entrant in names(entrants)) <= 2
    assert max(longest(2, entrant) for entrant in names(entrants)) <= 3


def test_r5_who_would_meet_an_absent_entrant_has_a_bye_and_one_left_alone_is_done() -> None:
    field = Field(entrants=names(4), absent=frozenset({"b4"}))
    made = round_robin.next_round(field, Settings())
    assert made is not None
    assert [pairing.entrants for pairing in made.pairings] == [("b2", "b3"), ("b1", None)]
    alone = Field(entrants=names(4), absent=frozenset({"b2", "b3", "b4"}))
    assert round_robin.next_round(alone, Settings()) is None


def test_results_change_nothing() -> None:
    one, _ = play("round-robin", Settings(), 7, Random(1))
    other, _ = play("round-robin", Settings(), 7, Random(2))
    assert one.rounds != other.rounds
    assert [[r.pairing for r in done] for done in one.rounds] == [[r.pairing for r in done] for done in other.rounds]
