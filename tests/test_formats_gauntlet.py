"""Rules G1 to G4 of docs/formats.md."""

import pytest
from format_events import imbalances, names, pairs
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UnknownNameError
from arena.formats import Field, gauntlet, plan
from arena.formats.gauntlet import Settings


@given(entrants=st.integers(0, 14), heroes=st.integers(1, 5), cycles=st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_g1_g2_each_hero_meets_each_challenger_once_a_cycle_with_balanced_seats(
    entrants: int, heroes: int, cycles: int
) -> None:
    field = Field(entrants=names(entrants))
    chosen = field.entrants[1 : heroes + 1]
    rounds = list(plan(gauntlet, field, Settings(heroes=chosen, cycles=cycles)))
    against = chosen or field.entrants[:1]
    challengers = [entrant for entrant in field.entrants if entrant not in against]
    assert pairs(rounds) == {frozenset({hero, other}): cycles for hero in against for other in challengers}
    assert all(abs(imbalance) <= 1 for imbalance in imbalances(rounds).values())


def test_g1_the_first_entrant_is_the_hero_unless_others_are_named() -> None:
    rounds = plan(gauntlet, Field(entrants=names(4)), Settings())
    assert [[set(pairing.entrants) for pairing in made.pairings] for made in rounds] == [
        [{"b1", "b2"}],
        [{"b1", "b3"}],
        [{"b1", "b4"}],
    ]


def test_g3_who_would_meet_an_absent_entrant_has_a_bye_and_without_heroes_it_ends() -> None:
    field = Field(entrants=names(4), absent=frozenset({"b2"}))
    made = gauntlet.next_round(field, Settings())
    assert made is not None
    assert [pairing.entrants for pairing in made.pairings] == [("b1", None)]
    assert gauntlet.next_round(Field(entrants=names(4), absent=frozenset({"b1"})), Settings()) is None


def test_g4_heroes_stand_above_the_challengers() -> None:
    assert gauntlet.precedence(Field(entrants=names(3)), Settings(heroes=("b3", "b2"))) == {"b3": 1, "b2": 1}


def test_a_hero_that_is_no_entrant_is_named() -> None:
    with pytest.raises(UnknownNameError, match="no entrant is called 'b9'"):
        gauntlet.next_round(Field(entrants=names(3)), Settings(heroes=("b9",)))
    with pytest.raises(ValueError, match="heroes: expected each id once"):
        Settings(heroes=("b1", "b1"))
