"""What holds in every game of Leaders, and how many games there are at each depth."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game import Game
from arena.games import load
from arena.games.leaders.board import BIT, OFF, spaces_of
from arena.games.leaders.sight import fall
from arena.games.leaders.state import ACTION, RECRUIT, State

MODES = ["leaders", "leaders-expert"]
SEEDS = st.integers(0, 2**32)


def plies(game: Game, seed: int, max_turns: int = 40) -> Iterator[tuple[State, Any, State]]:
    """One random game as (before, action, after)."""
    rng, options = random.Random(seed), game.Options(max_turns=max_turns)
    state = game.initial(game.deal(rng, options), options)
    while game.seat_to_act(state) is not None:
        action = rng.choice(game.legal_actions(state))
        after = game.apply(state, action)
        yield state, action, after
        state = after


@pytest.mark.parametrize("name", MODES)
@given(seed=SEEDS)
@settings(max_examples=8, deadline=None)
def test_each_space_holds_one_figure_and_no_figure_is_lost(name: str, seed: int) -> None:
    for before, _, after in plies(load(name), seed):
        on_board = [space for space in after.at if space != OFF]
        assert len(set(on_board)) == len(on_board)
        for seat in (0, 1):
            assert after.bits[seat] == sum(BIT[after.at[figure]] for figure in after.supply.figures[seat])
        assert {figure for figure, space in enumerate(before.at) if space != OFF} <= {
            figure for figure, space in enumerate(after.at) if space != OFF
        }
        cards = [*after.supply.cards[0], *after.supply.cards[1], *after.supply.deck, *after.supply.banished]
        assert sorted([*cards, *spaces_of(after.supply.market)]) == list(range(16))


@pytest.mark.parametrize("name", MODES)
@given(seed=SEEDS)
@settings(max_examples=8, deadline=None)
def test_l8_no_legal_action_costs_the_own_leader(name: str, seed: int) -> None:
    game = load(name)
    for before, _, _ in plies(game, seed, max_turns=16):
        if before.phase not in (ACTION, RECRUIT):
            continue
        for action in game.legal_actions(before):
            after = game.apply(before, action)
            outcome = game.outcome(after)
            assert outcome is None or outcome.half_points[before.active_seat] >= 1
            assert outcome is None or fall(after.at, after.bits, before.active_seat) is None


@pytest.mark.parametrize("name", MODES)
@given(seed=SEEDS)
@settings(max_examples=8, deadline=None)
def test_every_seat_imagines_a_state_that_looks_and_plays_like_the_real_one(name: str, seed: int) -> None:
    game, rng = load(name), random.Random(seed)
    options = game.Options(max_turns=40)
    for _, _, after in plies(game, seed):
        for seat in (0, 1, None):
            imagined = game.determinize(game.view(after, seat), rng, options)
            assert game.view(imagined, seat) == game.view(after, seat)
            assert game.legal_actions(imagined) == game.legal_actions(after)
            assert game.outcome(imagined) == game.outcome(after)


@given(seed=SEEDS)
@settings(max_examples=8, deadline=None)
def test_a_redeal_keeps_the_seen_cards_and_shuffles_the_others(seed: int) -> None:
    game, rng = load("leaders"), random.Random(seed)
    options = game.Options()
    deal = game.deal(random.Random(seed), options)
    actions = [action for _, action, _ in plies(game, seed)][:8]
    seen = 3 + sum(game.to_json(action)["type"] == "recruit" for action in actions)
    decks = set()
    for seat in (0, 1, None):
        other, same = game.redeal(deal, actions, seat, rng, options)
        assert same == actions
        assert other.deck[:seen] == deal.deck[:seen]
        assert sorted(other.deck) == sorted(deal.deck)
        decks.add(other.deck)
    assert len(decks) > 1


@pytest.mark.parametrize("name", MODES)
@given(seed=SEEDS)
@settings(max_examples=4, deadline=None)
def test_no_game_is_longer_than_declared(name: str, seed: int) -> None:
    game = load(name)
    assert sum(1 for _ in plies(game, seed, max_turns=12)) <= game.max_plies(game.Options(max_turns=12))


def sequences(game: Game, state: State, depth: int) -> int:
    """The number of ways to play `depth` plies from a state."""
    actions = game.legal_actions(state)
    return len(actions) if depth == 1 else sum(sequences(game, game.apply(state, a), depth - 1) for a in actions)


PLAIN = (
    "archer", "rider", "vizier", "acrobat", "assassin", "brewmaster", "bruiser", "claw_launcher", "hermit_and_cub",
    "illusionist", "jailer", "manipulator", "nemesis", "protector", "royal_guard", "wanderer",
)  # fmt: skip
WITH_PAIR = (
    "hermit_and_cub",
    "nemesis",
    "illusionist",
    *sorted({*PLAIN} - {"hermit_and_cub", "nemesis", "illusionist"}),
)


def counts(name: str, deck: tuple[str, ...] | None, depth: int) -> list[int]:
    game = load(name)
    deal = game.from_json({"deck": list(deck)} if deck else {}, game.Deal)
    state = game.initial(deal, game.Options())
    return [sequences(game, state, plies) for plies in range(1, depth + 1)]


def test_the_number_of_games_with_plain_cards_alone() -> None:
    """By hand:

    1. three steps of the Leader, or `end_actions`: 4;
    2. three cards on 7 spaces if the Leader went to D2, else on 6 (C1 and E1 are such spaces, too): 21 + 3 * 18;
    3. after each of those the northern Leader's 4;
    4. its first recruit, as in the south: 75 * 75;
    5. its second has a space less: 75 * (21 * 18 + 54 * 15).
    """
    assert counts("leaders", PLAIN, 5) == [4, 75, 300, 5625, 89100]


def test_the_number_of_games_with_hermit_and_cub_in_the_market() -> None:
    """The pair stands on 7 * 6 ordered pairs of spaces, or on 6 * 5: (14 + 42) + 3 * (12 + 30) = 182 in ply 2."""
    assert counts("leaders", WITH_PAIR, 3) == [4, 182, 728]


def test_the_number_of_expert_games() -> None:
    """16 * 15 banishments; in ply 4, where 13 plain cards and the pair are left (210 ways), 7 * 13 + 42 recruitments
    with the Leader on D2 and 6 * 13 + 30 else; without the pair (30 ways) 7 * 14 and 6 * 14.
    """
    assert counts("leaders-expert", None, 4) == [16, 240, 960, 210 * (133 + 3 * 108) + 30 * (98 + 3 * 84)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "deck", "depth", "count"),
    [("leaders", PLAIN, 6, 968_220), ("leaders", WITH_PAIR, 6, 3_034_636), ("leaders-expert", None, 5, 425_880)],
)
def test_deeper_counts_stay_as_they_were_found(name: str, deck: tuple[str, ...], depth: int, count: int) -> None:
    assert counts(name, deck, depth)[-1] == count
