"""Rules F1 to F4 of docs/formats.md."""

import sys
from random import Random

import pytest
from format_events import names, pairs, play, published, seat_pairs, vectors
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.formats import Field, swiss_fide
from arena.formats.swiss_fide import Settings

# The third published case holds forfeited games that the book does not count as played; in Arena they were.
PUBLISHED = [*vectors("swiss_published")["cases"][:2], {"id": "colour rule", **vectors("swiss_colour_rule")}]


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["id"])
def test_f1_published_positions_are_paired_as_published(case: dict[str, object]) -> None:
    made = swiss_fide.next_round(published(case), Settings(rounds=int(str(case["rounds_planned"]))))
    assert made is not None
    assert seat_pairs(made, exchanged=case["initial_seat"] == "black") == sorted(case["expect_pairs"])  # type: ignore[call-overload]
    assert made.notes == ()


@given(entrants=st.integers(2, 16), seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_f2_where_the_book_pairs_there_are_no_rematches(entrants: int, seed: int) -> None:
    _, rounds = play("swiss-fide", Settings(), entrants, Random(seed))
    assert not any(made.notes for made in rounds)
    assert set(pairs(rounds).values()) <= {1}


def test_f3_a_round_that_the_book_refuses_is_paired_by_the_matching_and_says_so() -> None:
    _, rounds = play("swiss-fide", Settings(rounds=5), 4, Random(4))
    assert [bool(made.notes) for made in rounds] == [False, False, False, True, True]
    assert "the FIDE rules allow no complete pairing (C.04.3, article 1.9.3)" in rounds[3].notes[0]
    assert [len(made.pairings) for made in rounds] == [2] * 5


def test_f3_the_book_refuses_many_fields_of_six_over_five_rounds() -> None:
    refused = [any(made.notes for made in play("swiss-fide", Settings(rounds=5), 6, Random(s))[1]) for s in range(20)]
    assert 0 < sum(refused) < 20


@pytest.mark.parametrize(("bye", "half_points"), [("win", 2), ("draw", 1), ("none", 0)])
def test_f4_the_bye_counts_for_the_next_pairing_as_the_settings_say(bye: str, half_points: int) -> None:
    field, rounds = play("swiss-fide", Settings(rounds=2, bye=bye), 5, Random(1))  # type: ignore[arg-type]
    assert [p.is_bye for p in rounds[0].pairings].count(True) == 1
    assert [done.half_points[0] for done in field.rounds[0] if done.pairing.is_bye] == [half_points * 2]


def test_without_the_library_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gacrux.pairingdutch", None)
    with pytest.raises(UsageError, match=r"install arena-referee\[swiss-fide\]"):
        swiss_fide.next_round(Field(entrants=names(4)), Settings())
