"""Marks: every end of a game has its letter, and what is counted from marks is what is counted from games."""

from collections import Counter
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_games import ENDS, made_games

from arena.errors import ArenaError, UsageError
from arena.formats.scoring import match_result
from arena.marks import DEALS, EMPTY, Row, mark, marked, row_of
from arena.model import GameResult, Pairing
from arena.ratings.bradley_terry import fit
from arena.ratings.pairs import Counts, count, count_marks

GAME = GameResult(
    number=7,
    round=2,
    pairing=3,
    deal=130,
    leg=0,
    entrants=("ann", "bob"),
    half_points=(2, 0),
    reason="points",
    plies=5,
)
replace = msgspec.structs.replace


def rows_of(games: list[GameResult]) -> dict[Row, str]:
    rows: dict[Row, str] = {}
    for game in games:
        row = row_of(game)
        rows[row] = marked(rows.get(row, EMPTY), game)
    return rows


@pytest.mark.parametrize(
    ("leg", "half_points", "forfeit_by", "plies", "letter"),
    [
        (0, (2, 0), None, 5, "W"),
        (1, (2, 0), None, 5, "L"),
        (0, (1, 1), None, 5, "D"),
        (0, (1, 1), None, 0, "D"),
        (0, (2, 0), 1, 5, "w"),
        (1, (2, 0), 1, 5, "l"),
        (0, (0, 2), 0, 1, "l"),
        (1, (0, 2), 0, 1, "w"),
        (0, (2, 0), 1, 0, "+"),
        (1, (2, 0), 1, 0, "-"),
        (0, (0, 2), None, 0, "L"),
        (0, (0, 0), None, 0, "0"),
        (1, (0, 0), None, 0, "0"),
    ],
)
def test_a_mark_is_what_the_first_entrant_of_the_pairing_made_of_the_game(
    leg: int, half_points: tuple[int, int], forfeit_by: int | None, plies: int, letter: str
) -> None:
    game = replace(GAME, leg=leg, half_points=half_points, forfeit_by=forfeit_by, plies=plies)
    assert mark(game) == letter


@pytest.mark.parametrize(
    ("half_points", "forfeit_by"), [((3, 0), None), ((1, 0), None), ((2, 0), 0), ((1, 1), 1), ((0, 0), 1), ((2, 0), 7)]
)
def test_a_result_that_no_game_of_two_has_is_named(half_points: tuple[int, int], forfeit_by: int | None) -> None:
    with pytest.raises(ArenaError, match=r"game r2p3d130g1: half points \(\d, \d\): expected .* `arena check-game`"):
        mark(replace(GAME, half_points=half_points, forfeit_by=forfeit_by))


def test_a_row_has_two_letters_for_each_of_its_deals() -> None:
    assert row_of(GAME) == (2, 3, 128)
    assert len(EMPTY) == 2 * DEALS == 128
    assert marked(marked(EMPTY, GAME), replace(GAME, leg=1)) == "....WL".ljust(128, ".")
    for again in (GAME, replace(GAME, leg=2)):
        with pytest.raises(ArenaError, match="game 7: there is no place for another r2p3d130g"):
            marked(marked(EMPTY, GAME), again)


@given(seed=st.integers(0, 2**32), scope=st.sampled_from(["game", "sitting"]))
@settings(max_examples=60, deadline=None)
def test_the_results_of_pairings_are_the_sums_of_their_games(seed: int, scope: str) -> None:
    _, pairings, games = made_games(Random(seed), scope=scope)
    rows = rows_of(games)
    for pairing in pairings:
        if pairing.is_bye:
            continue
        mine = [game for game in games if (game.round, game.pairing) == (pairing.round, pairing.number)]
        found = match_result(
            pairing, "".join(text for row, text in rows.items() if row[:2] == (pairing.round, pairing.number))
        )
        assert found.games == len(mine)
        for i, entrant in enumerate(pairing.entrants):
            sums: Counter[str] = Counter()
            for game in mine:
                seat = game.entrants.index(str(entrant))
                lost = game.forfeit_by == seat
                sums["half_points"] += game.half_points[seat]
                sums["wins"] += game.half_points[seat] == 2
                sums["forfeited"] += lost or game.reason == "double-forfeit"
                sums["no_shows"] += lost and game.plies == 0
            assert {name: getattr(found, name)[i] for name in sums} == sums
        losers = {None if game.forfeit_by is None or game.plies else game.entrants[game.forfeit_by] for game in mine}
        assert found.no_show == (losers.pop() if len(losers) == 1 else None)


@given(seed=st.integers(0, 2**32), scope=st.sampled_from(["game", "sitting"]))
@settings(max_examples=100, deadline=None)
def test_the_pairs_counted_from_marks_are_those_counted_from_games(seed: int, scope: str) -> None:
    """In every field, the order of the rows and the types of the numbers included."""
    names, pairings, games = made_games(Random(seed), scope=scope)
    for cluster in ("auto", "deal", "pair"):
        found = count_marks(rows_of(games), pairings, names, cluster=cluster)
        expected = count([game for game in games if any(game.half_points)], names, cluster=cluster)
        for field in Counts.__struct_fields__:
            one, other = getattr(found, field), getattr(expected, field)
            assert type(one) is type(other), field
            if isinstance(one, np.ndarray):
                assert (one.dtype, one.shape) == (other.dtype, other.shape), field
                assert one.tolist() == other.tolist(), field
            else:
                assert one == other, field
    assert fit(found) == fit(expected)


def test_marks_of_somebody_unknown_are_refused_as_games_are() -> None:
    pairing = Pairing(round=2, number=3, entrants=("ann", "bob"))
    for names, message in ((["ann"], "not among the entrants: bob"), (["ann", "bob", "ann"], "named twice: ann")):
        with pytest.raises(UsageError, match=message):
            count_marks(rows_of([GAME]), [pairing], names)
        with pytest.raises(UsageError, match=message):
            count([GAME], names)


def test_made_games_end_in_every_way() -> None:
    letters = Counter(mark(game) for seed in range(40) for game in made_games(Random(seed), scope="game")[2])
    assert set(letters) == set(ENDS)
