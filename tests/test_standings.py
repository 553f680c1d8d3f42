"""The table: places, columns, the arithmetic shown, and independence of the order of games."""

from random import Random
from typing import Any

import pytest
from format_events import names
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import formats, standings
from arena.errors import UnknownNameError
from arena.formats import Field
from arena.formats.scoring import Scoring, bye_result, match_result
from arena.marks import mark
from arena.model import GameResult, Pairing, PairingResult
from arena.standings import Standings
from arena.tiebreaks import TIEBREAKS

Event = tuple[Field, list[PairingResult], list[GameResult], Any, Any]


def played(name: str, chosen: Any, entrants: int, rng: Random, *, faults: int = 10) -> Event:
    """A whole event with two games a match, of which some percent are lost by a fault, half of them before any ply."""
    format_ = formats.load(name)
    field, games = Field(entrants=names(entrants)), list[GameResult]()
    while (made := format_.next_round(field, chosen)) is not None:
        done = []
        for pairing in made.pairings:
            if pairing.entrants[1] is None:
                done.append(bye_result(pairing, format_.scoring(chosen), games_per_pairing=2))
                continue
            match = [game(len(games) + leg + 1, pairing, leg, rng, faults) for leg in (0, 1)]
            games += match
            done.append(match_result(pairing, "".join(map(mark, match))))
        field = Field(entrants=field.entrants, rounds=(*field.rounds, tuple(done)))
    results = [result for done in field.rounds for result in done]
    return field, results, games, format_, chosen


def game(number: int, pairing: Pairing, leg: int, rng: Random, faults: int) -> GameResult:
    a, b = pairing.entrants
    assert b is not None
    forfeit_by = rng.randrange(2) if rng.randrange(100) < faults else None
    first = rng.randrange(3) if forfeit_by is None else 2 * forfeit_by
    return GameResult(
        number=number,
        round=pairing.round,
        pairing=pairing.number,
        deal=0,
        leg=leg,
        entrants=(b, a) if leg else (a, b),
        half_points=(first, 2 - first),
        reason="x",
        plies=0 if forfeit_by is not None and rng.randrange(2) else 5,
        forfeit_by=forfeit_by,
    )


def table(event: Event, *tiebreaks: str) -> Standings:
    field, results, _, format_, chosen = event
    return standings.table(
        field.entrants,
        results,
        scoring=format_.scoring(chosen),
        tiebreaks=tiebreaks,
        precedence=format_.precedence(field, chosen),
    )


@pytest.mark.parametrize("name", sorted(formats.FORMATS))
@given(entrants=st.integers(1, 9), seed=st.integers(0, 2**32), order=st.permutations(sorted(TIEBREAKS)))
@settings(max_examples=15, deadline=None)
def test_places_follow_points_and_tie_breaks_and_only_equals_share_one(
    name: str, entrants: int, seed: int, order: list[str]
) -> None:
    found = table(played(name, formats.load(name).Settings(), entrants, Random(seed)), *order)
    keys = [(r.precedence, r.half_points, *(t.value for t in r.tiebreaks)) for r in found.rows]
    assert keys == sorted(keys, reverse=True)
    for k, row in enumerate(found.rows):
        assert row.place == keys.index(keys[k]) + 1
        if k and keys[k] == keys[k - 1]:
            assert names(entrants).index(found.rows[k - 1].entrant) < names(entrants).index(row.entrant)


@pytest.mark.parametrize("name", sorted(formats.FORMATS))
@given(entrants=st.integers(1, 9), seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_every_game_is_in_the_columns_of_both_and_every_sum_is_what_it_says(
    name: str, entrants: int, seed: int
) -> None:
    event = played(name, formats.load(name).Settings(), entrants, Random(seed))
    _, results, games, _, _ = event
    found = table(event, *sorted(TIEBREAKS))
    assert sum(row.games for row in found.rows) == 2 * len(games)
    assert sum(row.wins for row in found.rows) == sum(row.losses for row in found.rows)
    assert sum(row.faults for row in found.rows) == sum(each.forfeit_by is not None for each in games)
    assert sum(row.byes for row in found.rows) == sum(each.pairing.is_bye for each in results)
    for row in found.rows:
        assert row.games == row.wins + row.draws + row.losses
        sections = dict(standings.explain(found, row.entrant))
        assert sections["points"].value == row.half_points
        assert [sections[each].value for each in found.tiebreaks] == [each.value for each in row.tiebreaks]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_the_order_of_results_changes_nothing(seed: int) -> None:
    field, results, games, format_, chosen = played("swiss", formats.load("swiss").Settings(), 7, Random(seed))
    mixed = (field, Random(seed).sample(results, len(results)), games, format_, chosen)
    assert table(mixed, *sorted(TIEBREAKS)) == table((field, results, games, format_, chosen), *sorted(TIEBREAKS))


def test_points_of_a_round_robin_by_games_are_two_half_points_a_game() -> None:
    found = table(played("round-robin", formats.load("round-robin").Settings(cycles=2), 5, Random(1)))
    assert sum(row.half_points for row in found.rows) == 2 * sum(row.games for row in found.rows) // 2
    assert [len(found.crosstable.rows[row.entrant]) for row in found.rows] == [8] * 5


def one_match(marks: str) -> list[PairingResult]:
    return [match_result(Pairing(round=1, number=1, entrants=("ann", "bob")), marks)]


@pytest.mark.parametrize(
    ("marks", "unplayed", "kinds"),
    [
        ("++", "count", ("forfeit-win", "forfeit-loss")),
        ("ww", "count", ("played", "played")),
        ("+w", "count", ("played", "played")),
        ("++", "skip", ("played", "played")),
    ],
)
def test_a_match_is_unplayed_in_a_swiss_if_one_side_never_acted(marks: str, unplayed: Any, kinds: tuple[str]) -> None:
    found = standings.table(("ann", "bob"), one_match(marks), scoring=Scoring(unplayed=unplayed))
    assert tuple(found.crosstable.rows[entrant][0].kind for entrant in ("ann", "bob")) == kinds
    assert [row.faults for row in found.rows] == [0, 2]


def test_a_game_that_neither_could_start_is_lost_by_both_by_a_fault_and_was_played() -> None:
    found = standings.table(("ann", "bob"), one_match("+0"), scoring=Scoring(unplayed="count"))
    assert [meeting.kind for rows in found.crosstable.rows.values() for meeting in rows] == ["played", "played"]
    assert [(row.games, row.wins, row.draws, row.losses, row.faults) for row in found.rows] == [
        (2, 1, 0, 1, 1),
        (2, 0, 0, 2, 2),
    ]


def test_rounds_without_a_pairing_are_absences_in_a_swiss_alone() -> None:
    swiss = standings.table(("ann", "bob", "cid"), one_match("w"), scoring=Scoring(unplayed="count"))
    others = standings.table(("ann", "bob", "cid"), one_match("w"), scoring=Scoring())
    assert [meeting.kind for meeting in swiss.crosstable.rows["cid"]] == ["absent"]
    assert others.crosstable.rows["cid"] == ()


def test_equals_share_a_place_in_seeding_order_and_the_next_place_is_left_out() -> None:
    pairing = Pairing(round=1, number=1, entrants=("bob", "ann"))
    drawn = [PairingResult(pairing=pairing, half_points=(1, 1), games=1)]
    found = standings.table(("cid", "ann", "bob"), drawn, scoring=Scoring(), tiebreaks=("wins", "buchholz"))
    assert [(row.place, row.entrant) for row in found.rows] == [(1, "ann"), (1, "bob"), (3, "cid")]


def test_an_event_without_results_puts_everybody_first() -> None:
    found = standings.table(("ann", "bob"), [], scoring=Scoring(), tiebreaks=tuple(TIEBREAKS))
    assert [(row.place, row.games) for row in found.rows] == [(1, 0), (1, 0)]
    assert standings.table((), [], scoring=Scoring()).rows == ()


def test_the_explanation_adds_up_line_by_line() -> None:
    found = standings.table(
        ("ann", "bob"), one_match("w"), scoring=Scoring(), tiebreaks=("sonneborn_berger", "direct_encounter")
    )
    assert standings.explain_text(found, "ann").splitlines() == [
        "ann: place 1",
        "points: 1",
        "         1  round 1, bob",
        "sonneborn_berger: 0",
        "         0  round 1, bob counts 0, × 1",
        "direct_encounter: 0",
    ]


def test_a_shared_place_is_explained() -> None:
    found = standings.table(("ann", "bob"), [], scoring=Scoring())
    assert standings.explain_text(found, "bob").splitlines()[0] == (
        "bob: place 1, shared with ann (nothing tells them apart; listed in seeding order)"
    )


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="no tie-break is called 'bucholz'"):
        standings.table(("ann",), [], scoring=Scoring(), tiebreaks=("bucholz",))
    found = standings.table(("ann",), [], scoring=Scoring())
    with pytest.raises(UnknownNameError, match="no entrant is called 'anne'; did you mean 'ann'"):
        standings.explain_text(found, "anne")
