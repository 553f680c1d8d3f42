"""What every format of the table promises, for any field, any results and withdrawals at any time."""

import re
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from format_events import names, play
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import formats
from arena.errors import UnknownNameError
from arena.formats import Field
from arena.formats.scoring import Scoring, bye_result, match_points, match_result, points
from arena.model import Pairing, PairingResult
from arena.tiebreaks import TIEBREAKS

ALL = sorted(formats.FORMATS)
EVENTS = st.tuples(st.integers(0, 12), st.integers(0, 2**32), st.sampled_from([0, 0, 10, 30]))


def defaults(name: str) -> Any:
    return formats.load(name).Settings()


@pytest.mark.parametrize("name", ALL)
@given(event=EVENTS)
@settings(max_examples=25, deadline=None)
def test_every_round_is_numbered_and_pairs_nobody_twice_and_nobody_who_is_absent(
    name: str, event: tuple[int, int, int]
) -> None:
    entrants, seed, withdraw_percent = event
    field, rounds = play(name, defaults(name), entrants, Random(seed), withdraw_percent=withdraw_percent)
    format_ = formats.load(name)
    assert format_.next_round(field, defaults(name)) is None
    for number, made in enumerate(rounds, start=1):
        assert made.pairings, "a round is never empty: it could not be told from one not played"
        assert [pairing.round for pairing in made.pairings] == [number] * len(made.pairings)
        assert [pairing.number for pairing in made.pairings] == list(range(1, len(made.pairings) + 1))
        assert sorted(made.pairings, key=lambda pairing: pairing.is_bye) == list(made.pairings)
        paired = [entrant for pairing in made.pairings for entrant in pairing.entrants if entrant is not None]
        assert len(paired) == len(set(paired))
        assert set(paired) <= set(field.entrants)


@pytest.mark.parametrize("name", ALL)
@given(event=EVENTS, data=st.data())
@settings(max_examples=15, deadline=None)
def test_resuming_is_calling_again_and_who_is_absent_is_left_out(
    name: str, event: tuple[int, int, int], data: st.DataObject
) -> None:
    entrants, seed, _ = event
    field, rounds = play(name, defaults(name), entrants, Random(seed))
    played = data.draw(st.integers(0, max(len(rounds) - 1, 0)))
    so_far = Field(entrants=field.entrants, rounds=field.rounds[:played])
    format_ = formats.load(name)
    assert format_.next_round(so_far, defaults(name)) == (rounds[played] if rounds else None)
    gone = frozenset(data.draw(st.sets(st.sampled_from(field.entrants), max_size=3))) if entrants else frozenset()
    reduced = format_.next_round(Field(entrants=field.entrants, rounds=so_far.rounds, absent=gone), defaults(name))
    if reduced is not None:
        assert not gone & {entrant for pairing in reduced.pairings for entrant in pairing.entrants}


@pytest.mark.parametrize("name", [name for name in ALL if name not in ("gauntlet", "knockout")])
@given(event=EVENTS)
@settings(max_examples=15, deadline=None)
def test_everybody_present_has_a_pairing_or_a_bye(name: str, event: tuple[int, int, int]) -> None:
    entrants, seed, _ = event
    field, rounds = play(name, defaults(name), entrants, Random(seed))
    for made in rounds:
        assert {e for p in made.pairings for e in p.entrants if e is not None} == set(field.entrants)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("entrants", [0, 1, 2, 3, 4, 7, 16, 33])
def test_total_rounds_tells_the_length_beforehand(name: str, entrants: int) -> None:
    chosen = formats.load(name).Settings(replays=0) if name == "knockout" else defaults(name)
    _, rounds = play(name, chosen, entrants, Random(1))
    assert len(rounds) == formats.load(name).total_rounds(entrants, chosen)


@pytest.mark.parametrize("name", ALL)
def test_a_plan_is_what_would_be_played_and_only_a_fixed_format_has_one(name: str) -> None:
    format_, field = formats.load(name), Field(entrants=names(7))
    if format_.FIXED:
        assert list(formats.plan(format_, field, defaults(name))) == play(name, defaults(name), 7, Random(5))[1]
    else:
        with pytest.raises(ValueError, match="depend on the results"):
            formats.plan(format_, field, defaults(name))


def test_the_names_of_the_modules_are_those_of_the_table() -> None:
    assert {name: formats.load(name).NAME for name in ALL} == {name: name for name in ALL}
    with pytest.raises(UnknownNameError, match="no format is called 'swis'; did you mean 'swiss'"):
        formats.load("swis")


@pytest.mark.parametrize(
    ("name", "key"), [("round-robin", "cycles"), ("gauntlet", "cycles"), ("swiss", "rounds"), ("swiss-fide", "rounds")]
)
def test_settings_that_make_no_sense_are_refused_with_the_key(name: str, key: str) -> None:
    with pytest.raises(ValueError, match=f"{key}: expected at least 1, found 0"):
        formats.load(name).Settings(**{key: 0})


PAIRING = Pairing(round=2, number=1, entrants=("ann", "bob"))
BYE = Pairing(round=2, number=2, entrants=("cid", None))


@pytest.mark.parametrize(
    ("marks", "half_points", "wins", "forfeited", "no_shows"),
    [
        ("", (0, 0), (0, 0), (0, 0), (0, 0)),
        ("W.D.l...", (3, 3), (1, 1), (1, 0), (0, 0)),
        ("+-", (2, 2), (1, 1), (1, 1), (1, 1)),
        ("--", (0, 4), (0, 2), (2, 0), (2, 0)),
        ("w0", (2, 0), (1, 0), (1, 2), (0, 0)),
        ("00", (0, 0), (0, 0), (2, 2), (0, 0)),
    ],
)
def test_a_match_adds_up_its_games(marks: str, half_points: Any, wins: Any, forfeited: Any, no_shows: Any) -> None:
    found = match_result(PAIRING, marks)
    assert found == PairingResult(
        pairing=PAIRING,
        half_points=half_points,
        games=len(marks.replace(".", "")),
        wins=wins,
        forfeited=forfeited,
        no_shows=no_shows,
    )
    assert found.no_show == ("ann" if marks == "--" else None)


def test_a_bye_has_no_games() -> None:
    with pytest.raises(ValueError, match="is a bye: it has no games"):
        match_result(BYE, "W")


@pytest.mark.parametrize(("bye", "by_games", "by_matches"), [("win", 8, 2), ("draw", 4, 1), ("none", 0, 0)])
def test_a_bye_is_worth_the_whole_match_that_the_settings_name(bye: Any, by_games: int, by_matches: int) -> None:
    scoring = Scoring(points="games", bye=bye)
    credited = bye_result(BYE, scoring, games_per_pairing=4)
    assert points(credited, scoring) == (by_games, 0)
    assert match_points(credited, scoring) == (by_matches, 0)
    with pytest.raises(ValueError, match="is not a bye"):
        bye_result(PAIRING, scoring, games_per_pairing=4)


@pytest.mark.parametrize(("took", "expected"), [(5, (2, 0)), (4, (1, 1)), (1, (0, 2))])
def test_points_by_matches_go_to_whoever_took_more_of_the_games(took: int, expected: tuple[int, int]) -> None:
    match = PairingResult(pairing=PAIRING, half_points=(took, 8 - took), games=4)
    assert points(match, Scoring(points="matches")) == expected
    assert points(match, Scoring(points="games")) == (took, 8 - took)


DOCS = Path(__file__).parent.parent / "docs"


def test_the_page_of_formats_names_every_format_setting_and_tie_break() -> None:
    page = (DOCS / "formats.md").read_text(encoding="utf-8")
    for name in ALL:
        assert f"| `{name}` |" in page
        for field in formats.load(name).Settings.__struct_fields__:
            assert f"`{field}`" in page, f"{name}: {field} is not described in docs/formats.md"
    for name in TIEBREAKS:
        assert f"| `{name}` |" in page


def test_the_format_in_the_guide_works() -> None:
    code = re.search(r"```python\n(.*?)```", (DOCS / "adding-a-format.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    module = ModuleType("neighbours")
    exec(compile(code[1], "adding-a-format.md", "exec"), module.__dict__)
    rounds = formats.plan(module, Field(entrants=names(5)), module.Settings(rounds=2))
    assert [[p.entrants for p in made.pairings] for made in rounds] == [
        [("b1", "b2"), ("b3", "b4"), ("b5", None)],
        [("b2", "b1"), ("b4", "b3"), ("b5", None)],
    ]
