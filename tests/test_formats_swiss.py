"""Rules S1 to S10 of docs/formats.md; small fields against a search through all pairings, written apart from them."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from format_events import byes, imbalances, names, pairs, play, published, result, seat_pairs, vectors
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats import Field, Round, round_robin, swiss
from arena.formats.swiss import Settings
from arena.model import Pairing, PairingResult

Pair = tuple[str, str | None]


def all_rounds(entrants: list[str]) -> Iterator[list[Pair]]:
    """Every way to pair these, seats and all; an odd one out has a bye."""
    if not entrants:
        yield []
        return
    first, rest = entrants[0], entrants[1:]
    for k, other in enumerate(rest):
        for others in all_rounds(rest[:k] + rest[k + 1 :]):
            yield [(first, other), *others]
            yield [(other, first), *others]
    if len(entrants) % 2:
        for others in all_rounds(rest):
            yield [(first, None), *others]


def lean(row: str) -> int:
    return abs(row.count("0") - row.count("1"))


def badness(field: Field, pairing: list[Pair]) -> tuple[int, ...]:
    """What rules S2 to S8 say against a round, the most important first."""
    score, met, had_bye, seats = Counter[str](), Counter[frozenset[str]](), Counter[str](), dict[str, str]()
    for done in field.rounds:
        for each in done:
            a, b = each.pairing.entrants
            score[a] += each.half_points[0]
            if b is None:
                had_bye[a] += 1
            else:
                score[b] += each.half_points[1]
                met[frozenset({a, b})] += 1
                seats[a] = seats.get(a, "") + "0"
                seats[b] = seats.get(b, "") + "1"
    after = {e: seats.get(e, "") + str(seat) for pair in pairing if None not in pair for seat, e in enumerate(pair)}
    return (
        sum(had_bye[a] for a, b in pairing if b is None),
        sum(met[frozenset({a, b})] ** 2 for a, b in pairing if b is not None),
        sum(score[a] for a, b in pairing if b is None),
        sum(row.endswith(("000", "111")) or 2 < lean(row) > lean(row[:-1]) for row in after.values()),
        sum((score[a] - score[b]) ** 2 for a, b in pairing if b is not None),
        sum(lean(row) ** 2 for row in after.values()),
        sum(row.endswith(("00", "11")) for row in after.values()),
    )


@st.composite
def small_fields(draw: st.DrawFn) -> Field:
    """Up to seven entrants with any past at all: random pairings, so that every rule comes under strain."""
    entrants = names(draw(st.integers(2, 7)))
    rng = Random(draw(st.integers(0, 2**32)))
    rounds = []
    for number in range(1, draw(st.integers(0, 6)) + 1):
        order = rng.sample(entrants, len(entrants))
        done: list[PairingResult] = []
        for k in range(0, len(order), 2):
            other = order[k + 1] if k + 1 < len(order) else None
            pairing = Pairing(round=number, number=k // 2 + 1, entrants=(order[k], other))
            bye = PairingResult(pairing=pairing, half_points=(2, 0), games=0)
            done.append(bye if other is None else result(pairing, rng.randint(0, 2)))
        rounds.append(tuple(done))
    return Field(entrants=entrants, rounds=tuple(rounds))


@given(field=small_fields())
@settings(max_examples=60, deadline=None)
def test_s1_no_round_at_all_is_less_bad_than_the_one_made(field: Field) -> None:
    made = swiss.next_round(field, Settings(rounds=99))
    assert made is not None
    found = badness(field, [pairing.entrants for pairing in made.pairings])
    assert found == min(badness(field, pairing) for pairing in all_rounds(list(field.entrants)))


@pytest.mark.slow
@given(field=small_fields())
@settings(max_examples=1500, deadline=None)
def test_s1_again_with_many_more_fields(field: Field) -> None:
    test_s1_no_round_at_all_is_less_bad_than_the_one_made.hypothesis.inner_test(field)  # type: ignore[attr-defined]


@given(entrants=st.integers(2, 26), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_s2_s3_up_to_half_the_field_in_rounds_nobody_meets_twice_or_has_two_byes(entrants: int, seed: int) -> None:
    limit = (entrants + 1) // 2
    _, rounds = play("swiss", Settings(rounds=limit), entrants, Random(seed))
    assert len(rounds) == limit
    assert set(pairs(rounds).values()) <= {1}
    assert set(byes(rounds).values()) <= {1}
    assert not any(made.notes for made in rounds)


@pytest.mark.parametrize("entrants", range(2, 40))
def test_the_default_number_of_rounds_is_always_within_that_limit(entrants: int) -> None:
    assert 1 <= swiss.default_rounds(entrants) <= (entrants + 1) // 2


@given(entrants=st.integers(3, 15), seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_s2_byes_differ_by_one_at_most_however_many_the_rounds(entrants: int, seed: int) -> None:
    _, rounds = play("swiss", Settings(rounds=2 * entrants), entrants, Random(seed))
    had = [byes(rounds)[entrant] for entrant in names(entrants)]
    assert max(had) - min(had) <= 1
    assert sum(had) == (2 * entrants if entrants % 2 else 0)


@pytest.mark.parametrize("case", vectors("swiss_no_legal_pairing")["cases"], ids=lambda case: f"{case['players']}p")
def test_s3_a_field_that_has_met_in_full_plays_rematches_with_a_note_and_not_more_byes_than_it_must(
    case: dict[str, int],
) -> None:
    entrants = case["players"]
    field, _ = play("round-robin", round_robin.Settings(), entrants, Random(3), games=1)
    made = swiss.next_round(field, Settings(rounds=entrants + 2))
    assert made is not None
    assert [pairing.is_bye for pairing in made.pairings].count(True) == entrants % 2
    assert len([note for note in made.notes if "meet again" in note]) == 2
    assert len([note for note in made.notes if "bye number 2" in note]) == entrants % 2


def test_s3_rematches_are_spread_when_rounds_outnumber_opponents_again_and_again() -> None:
    _, rounds = play("swiss", Settings(rounds=30), 6, Random(11))
    met = pairs(rounds)
    assert len(met) == 15
    assert max(met.values()) - min(met.values()) <= 2


@given(seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_s4_the_bye_goes_to_the_lowest_score_group_with_somebody_who_has_had_none(seed: int) -> None:
    field, rounds = play("swiss", Settings(rounds=5), 11, Random(seed), games=1)
    score, had = Counter[str](), Counter[str]()
    for made, done in zip(rounds, field.rounds, strict=True):
        free = next(pairing.entrants[0] for pairing in made.pairings if pairing.is_bye)
        assert score[free] == min(score[entrant] for entrant in field.entrants if not had[entrant])
        had[free] += 1
        for each in done:
            for entrant, took in zip(each.pairing.entrants, each.half_points, strict=True):
                score[str(entrant)] += took


def test_s6_equal_points_meet_and_s9_the_upper_half_meets_the_lower() -> None:
    field = Field(entrants=names(8))
    first = swiss.next_round(field, Settings())
    assert first is not None
    assert seat_pairs(first, exchanged=False) == [[1, 5], [3, 7], [6, 2], [8, 4]]


@given(entrants=st.integers(2, 16).map(lambda half: 2 * half), seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_s5_nobody_has_three_equal_seats_running_nor_one_seat_three_times_oftener(entrants: int, seed: int) -> None:
    _, rounds = play("swiss", Settings(rounds=min(7, entrants // 4)), entrants, Random(seed))
    assert max((abs(each) for each in imbalances(rounds).values()), default=0) <= 2
    for entrant in names(entrants):
        row = "".join(str(p.entrants.index(entrant)) for made in rounds for p in made.pairings if entrant in p.entrants)
        assert "000" not in row
        assert "111" not in row


def test_s10_with_equal_histories_the_higher_ranked_has_its_wish() -> None:
    case = vectors("swiss_colour_rule")
    made = swiss.next_round(published(case), Settings(rounds=case["rounds_planned"]))
    assert made is not None
    assert seat_pairs(made, exchanged=True) == sorted(case["expect_pairs"])


def test_a_published_position_of_the_dutch_system_with_one_natural_answer() -> None:
    case = vectors("swiss_published")["cases"][0]
    made = swiss.next_round(published(case), Settings(rounds=case["rounds_planned"]))
    assert made is not None
    assert seat_pairs(made, exchanged=False) == sorted(case["expect_pairs"])


@pytest.mark.parametrize("entrants", [1, 2, 3, 200])
def test_fields_of_any_size_are_paired_to_the_end(entrants: int) -> None:
    count = 3 if entrants == 200 else 8
    _, rounds = play("swiss", Settings(rounds=count), entrants, Random(1))
    assert len(rounds) == (0 if entrants == 1 else count)
    assert all(len(made.pairings) == (entrants + 1) // 2 for made in rounds)


def test_many_games_a_match_and_two_hundred_entrants_still_fit_the_weights() -> None:
    field, rounds = play("swiss", Settings(rounds=3, points="games"), 200, Random(2), games=200)
    assert set(pairs(rounds).values()) == {1}
    gaps = Counter[int]()
    score = {each.pairing.entrants[i]: each.half_points[i] for each in field.rounds[0] for i in (0, 1)}
    for pairing in rounds[1].pairings:
        gaps[abs(score[pairing.entrants[0]] - score[pairing.entrants[1]])] += 1
    assert max(gaps) < 40  # of 400: neighbours meet


def test_points_by_matches_pair_by_matches() -> None:
    field = Field(entrants=names(4), rounds=(rounds_of(("b1", "b2", 3), ("b3", "b4", 4)),))
    by_games = swiss.next_round(field, Settings(rounds=3, points="games"))
    by_matches = swiss.next_round(field, Settings(rounds=3, points="matches"))
    assert met_by("b1", by_games) == "b3"
    assert met_by("b1", by_matches) == "b3"
    close = Field(entrants=names(4), rounds=(rounds_of(("b1", "b2", 4), ("b3", "b4", 2)),))
    # By games 4, 0, 2, 2: whoever b1 meets, the gap is the same. By matches 2, 0, 1, 1 likewise.
    assert met_by("b1", swiss.next_round(close, Settings(rounds=3, points="games"))) in ("b3", "b4")


def rounds_of(*played: tuple[str, str, int]) -> tuple[PairingResult, ...]:
    return tuple(
        result(Pairing(round=1, number=number, entrants=(a, b)), took, games=2)
        for number, (a, b, took) in enumerate(played, start=1)
    )


def met_by(entrant: str, made: Round | None) -> str:
    assert made is not None
    pairing = next(pairing for pairing in made.pairings if entrant in pairing.entrants)
    return str(pairing.entrants[1 - pairing.entrants.index(entrant)])


PROGRAM = """
from random import Random
from format_events import play
from arena.formats.swiss import Settings
field, rounds = play("swiss", Settings(rounds=4), 31, Random(8), games=1)
print([pairing.entrants for made in rounds for pairing in made.pairings])
"""


def test_other_processes_with_other_hash_seeds_make_the_same_pairings() -> None:
    def run(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        ran = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    assert run("1") == run("2")
