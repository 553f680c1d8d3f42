"""Rules K1 to K7 of docs/formats.md."""

from collections import Counter
from random import Random

import pytest
from format_events import names, play, result
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.formats import Field, Round, knockout
from arena.formats.knockout import Settings
from arena.model import PairingResult


def finish(field: Field, made: Round, *first_took: int) -> Field:
    """The field after the matches of `made` (two games each), of which byes get nothing."""
    took = iter(first_took)
    results = tuple(
        PairingResult(pairing=pairing, half_points=(0, 0), games=0)
        if pairing.is_bye
        else result(pairing, next(took), 2)
        for pairing in made.pairings
    )
    return Field(entrants=field.entrants, rounds=(*field.rounds, results), absent=field.absent)


def favourites(entrants: int, chosen: Settings) -> list[Round]:
    """The rounds if the better seed always wins."""
    field, rounds = Field(entrants=names(entrants)), []
    while (made := knockout.next_round(field, chosen)) is not None:
        rounds.append(made)
        better = [
            4 if int(p.entrants[0][1:]) < int(str(p.entrants[1])[1:]) else 0 for p in made.pairings if not p.is_bye
        ]
        field = finish(field, made, *better)
    return rounds


def met(made: Round) -> list[set[str | None]]:
    return [set(pairing.entrants) for pairing in made.pairings]


def test_k1_seeds_are_kept_apart_and_favourites_meet_in_order() -> None:
    first, second, last = favourites(8, Settings())
    assert met(first) == [{"b1", "b8"}, {"b4", "b5"}, {"b2", "b7"}, {"b3", "b6"}]
    assert met(second) == [{"b1", "b4"}, {"b2", "b3"}]
    assert met(last) == [{"b1", "b2"}, {"b3", "b4"}]


@pytest.mark.parametrize("entrants", range(2, 34))
def test_k2_byes_go_to_the_top_seeds_in_the_first_round_only(entrants: int) -> None:
    rounds = favourites(entrants, Settings(third_place=False))
    free = {pairing.entrants[0] for pairing in rounds[0].pairings if pairing.is_bye}
    full = 1 << (entrants - 1).bit_length()
    assert free == set(names(full - entrants))
    assert not any(pairing.is_bye for made in rounds[1:] for pairing in made.pairings)
    assert len(rounds) == knockout.total_rounds(entrants, Settings())


@given(
    entrants=st.integers(2, 20), seed=st.integers(0, 2**32), replays=st.integers(0, 3), withdraw=st.sampled_from([0, 9])
)
@example(entrants=20, seed=610, replays=2, withdraw=9)  # both sides of the last open replay withdrew
@settings(max_examples=60, deadline=None)
def test_k3_who_has_lost_a_match_is_out_but_for_the_match_for_third_place(
    entrants: int, seed: int, replays: int, withdraw: int
) -> None:
    chosen = Settings(replays=replays)
    field, rounds = play("knockout", chosen, entrants, Random(seed), withdraw_percent=withdraw)
    losses, later = Counter[str](), dict[str, set[str]]()
    for done in field.rounds:
        for each in done:
            for entrant in each.pairing.entrants:
                if entrant in losses and not each.pairing.is_bye:
                    later.setdefault(entrant, set()).update(e for e in each.pairing.entrants if e and e != entrant)
        for each in done:
            a, b = each.half_points
            if a != b and not each.pairing.is_bye:
                losses[str(each.pairing.entrants[int(a > b)])] += 1
    assert len(later) <= 2
    assert all(len(opponents) == 1 for opponents in later.values())
    reached = knockout.precedence(field, chosen)
    best = [entrant for entrant in field.entrants if reached[entrant] == max(reached.values())]
    if not withdraw:
        assert len(best) == 1
        assert losses[best[0]] == 0
    assert len(rounds) >= (knockout.total_rounds(entrants, chosen) if not withdraw else 0)


def test_k4_a_tied_match_is_played_again_while_the_others_wait() -> None:
    field, chosen = Field(entrants=names(4)), Settings(replays=1)
    first = knockout.next_round(field, chosen)
    assert first is not None
    field = finish(field, first, 2, 4)
    replay = knockout.next_round(field, chosen)
    assert replay is not None
    assert met(replay) == [{"b1", "b4"}]
    assert replay.pairings[0].entrants == first.pairings[0].entrants[::-1]
    assert replay.notes == ("b1 and b4 were equal and play again: replay 1",)


def test_k5_after_the_last_replay_the_better_seed_goes_on_and_the_note_says_so() -> None:
    field, chosen = Field(entrants=names(4)), Settings(replays=1)
    for took in ((2, 4), (2,)):
        made = knockout.next_round(field, chosen)
        assert made is not None
        field = finish(field, made, *took)
    last = knockout.next_round(field, chosen)
    assert last is not None
    assert "b1 goes on as the better seed: its match with b4 was equal" in last.notes
    assert {"b1", "b2"} in met(last) or {"b1", "b3"} in met(last)


def test_k5_a_tied_final_is_settled_the_same_way() -> None:
    field, chosen = Field(entrants=names(2)), Settings(replays=0)
    made = knockout.next_round(field, chosen)
    assert made is not None
    field = finish(field, made, 2)
    assert knockout.next_round(field, chosen) is None
    reached = knockout.precedence(field, chosen)
    assert reached["b1"] > reached["b2"]


@pytest.mark.parametrize("third_place", [True, False])
def test_k6_the_losers_of_the_semi_finals_meet_if_wanted(third_place: bool) -> None:
    rounds = favourites(4, Settings(third_place=third_place))
    assert met(rounds[-1]) == ([{"b1", "b2"}, {"b3", "b4"}] if third_place else [{"b1", "b2"}])


def test_k6_places_go_by_the_stage_reached() -> None:
    field, rounds = Field(entrants=names(8)), 0
    while (made := knockout.next_round(field, Settings())) is not None:
        field, rounds = finish(field, made, *[4] * 4), rounds + 1
    reached = knockout.precedence(field, Settings())
    assert Counter(Counter(reached.values()).values()) == Counter({1: 4, 4: 1})


def test_k7_who_withdraws_gives_the_match_away_and_the_beaten_do_not_come_back() -> None:
    field = Field(entrants=names(4))
    first = knockout.next_round(field, Settings())
    assert first is not None
    field = finish(field, first, *[4 if p.entrants[0] in ("b1", "b2") else 0 for p in first.pairings])
    gone = Field(entrants=field.entrants, rounds=field.rounds, absent=frozenset({"b1"}))
    last = knockout.next_round(gone, Settings())
    assert last is not None
    assert [pairing.entrants for pairing in last.pairings if pairing.is_bye] == [("b2", None)]
    done = finish(gone, last, 4)
    assert knockout.next_round(done, Settings()) is None
    reached = knockout.precedence(done, Settings())
    assert max(reached, key=lambda entrant: reached[entrant]) == "b2"


def test_a_negative_number_of_replays_is_refused() -> None:
    with pytest.raises(ValueError, match="replays: expected at least 0, found -1"):
        Settings(replays=-1)
