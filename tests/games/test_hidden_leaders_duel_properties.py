"""Hidden Leaders Duel in random games: what always holds, and that no seat can tell what it must not know."""

import copy
import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hidden_leaders_duel_position import all_cards
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game import from_json, to_json
from arena.games import hidden_leaders_duel as game
from arena.games.hidden_leaders_duel import Block, Collect, Deal, Options, State
from arena.games.hidden_leaders_duel.rules import DECK

OPTIONS = Options()
PLIES = 42
VIEWERS = (0, 1, None)
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=25, deadline=None)


def random_game(seed: int, *, block_share: float | None = None) -> tuple[Deal, list[game.Action], list[State]]:
    """A game of random actions; `block_share` is the chance to block rather than collect (None: any action alike)."""
    rng = Random(seed)
    deal = game.deal(rng, OPTIONS)
    states, actions = [game.initial(deal, OPTIONS)], []
    while legal := game.legal_actions(states[-1]):
        if block_share is not None and isinstance(legal[0], Collect):
            kind = Block if rng.random() < block_share else Collect
            legal = tuple(a for a in legal if isinstance(a, kind)) or legal
        actions.append(legal[rng.randrange(len(legal))])
        states.append(game.apply(states[-1], actions[-1]))
    return deal, actions, states


@few
@given(seeds)
def test_28_cards_at_every_ply_hands_from_3_to_0_and_42_plies(seed: int) -> None:
    _, actions, states = random_game(seed)
    assert len(actions) == PLIES
    for state in states:
        assert tuple(sorted(all_cards(state))) == DECK
        for sorted_cards in (*state.hands, *state.collections):
            assert list(sorted_cards) == sorted(sorted_cards)
    assert [len(hand) for hand in states[0].hands] == [3, 3]
    assert [len(hand) for hand in states[-1].hands] == [0, 0]
    assert [state.turn for state in states] == [ply // 3 for ply in range(PLIES + 1)]
    assert [game.outcome(state) is not None for state in states] == [False] * PLIES + [True]
    assert [game.seat_to_act(state) for state in states] == [ply // 3 % 2 for ply in range(PLIES)] + [None]


def card_key(card: str) -> tuple[int, int]:
    return "IHSU".index(card[0]), int(card[1])


def second_legal_list(view: dict[str, Any]) -> list[dict[str, Any]]:
    """The legal actions from a seat's view, in words, as the rules page tells them: plain and slow."""
    unblocked = [s for s, shown in view["display"].items() if shown is not None and shown["blocker"] is None]
    found: list[dict[str, Any]] = []
    if view["step"] == "take":
        choices = itertools.combinations(unblocked, min(2, len(unblocked)))
        return [{"type": "take", "spaces": sorted(chosen)} for chosen in sorted(choices)]
    if view["step"] == "place":
        for chosen in itertools.permutations(view["hand"], len(view["freed"])):
            action = {"type": "place", "cards": dict(zip(view["freed"], chosen, strict=True))}
            if action not in found:
                found.append(action)
        return sorted(found, key=lambda action: [card_key(card) for card in action["cards"].values()])
    cards = sorted(set(view["hand"]), key=card_key)
    collects = [{"type": "collect", "card": card} for card in cards]
    return collects + [{"type": "block", "card": card, "space": space} for card in cards for space in unblocked]


@few
@given(seeds, st.sampled_from([None, 0.1, 0.9, 1.0]))
def test_a_second_generator_finds_the_same_legal_lists_from_the_view_alone(seed: int, share: float | None) -> None:
    _, _, states = random_game(seed, block_share=share)
    for state in states[:-1]:
        view = to_json(game.view(state, game.seat_to_act(state)))
        assert to_json(game.legal_actions(state)) == second_legal_list(view)


@few
@given(seeds)
def test_everything_comes_back_from_json(seed: int) -> None:
    deal, actions, states = random_game(seed)
    assert from_json(to_json(deal), Deal) == deal
    for before, action, after in zip(states, actions, states[1:], strict=False):
        assert from_json(to_json(action), game.Action) == action
        for viewer in VIEWERS:
            view = game.view(after, viewer)
            assert from_json(to_json(view), game.View) == view
            assert msgspec.json.decode(msgspec.json.encode(view), type=game.View) == view
            for event in game.events(before, action, after, viewer):
                assert from_json(to_json(event), game.Event) == event


@few
@given(seeds)
def test_the_same_deal_and_actions_give_the_same_game_and_nothing_alters_its_input(seed: int) -> None:
    deal, actions, states = random_game(seed)
    again = game.initial(from_json(to_json(deal), Deal), OPTIONS)
    for state, action in zip(states, actions, strict=False):
        assert again == state
        kept = copy.deepcopy((state, action))
        after = game.apply(state, action)
        for viewer in VIEWERS:
            game.view(state, viewer)
            game.events(state, action, after, viewer)
        assert (state, action) == kept
        again = game.apply(again, from_json(to_json(action), game.Action))
    assert again == states[-1]


def sight(deal: Deal, actions: Sequence[game.Action], viewer: int | None) -> list[bytes]:
    """Every byte that the viewer gets. Fails if an action is not legal."""
    state = game.initial(deal, OPTIONS)
    seen = [msgspec.json.encode(game.view(state, viewer))]
    for action in actions:
        legal = game.legal_actions(state)
        assert action in legal
        if game.seat_to_act(state) == viewer:
            seen += [msgspec.json.encode(legal), msgspec.json.encode(action)]
        after = game.apply(state, action)
        seen += [msgspec.json.encode(game.events(state, action, after, viewer))]
        seen += [msgspec.json.encode(game.view(after, viewer)), msgspec.json.encode(game.outcome(after))]
        state = after
    if game.seat_to_act(state) == viewer:
        seen.append(msgspec.json.encode(game.legal_actions(state)))
    return seen


@settings(max_examples=120, deadline=None)
@given(seeds, st.integers(0, PLIES), st.sampled_from(VIEWERS), seeds, st.sampled_from([None, 0.2, 0.8]))
def test_a_viewer_cannot_tell_a_redealt_history_from_the_first(
    seed: int, plies: int, viewer: int | None, reseed: int, share: float | None
) -> None:
    deal, actions, _ = random_game(seed, block_share=share)
    other_deal, other_actions = game.redeal(deal, actions[:plies], viewer, Random(reseed), OPTIONS)
    assert sight(other_deal, other_actions, viewer) == sight(deal, actions[:plies], viewer)


def hidden_fields(deal: Deal, actions: Sequence[game.Action]) -> dict[str, str]:
    """Every single thing that might be hidden, by a name."""
    fields = {f"role {seat}": role for seat, role in enumerate(deal.roles)}
    fields |= {f"hand {seat} {i}": card for seat in (0, 1) for i, card in enumerate(deal.hands[seat])}
    fields |= dict(deal.display)
    fields |= {f"pile {i}": card for i, card in enumerate(deal.draw_pile)}
    fields |= {f"ply {ply}": a.card for ply, a in enumerate(actions) if isinstance(a, Block | Collect)}
    return fields


def varied(deal: Deal, actions: Sequence[game.Action], viewer: int | None, times: int = 150) -> set[str]:
    rng = Random(1)
    first = hidden_fields(deal, actions)
    changed: set[str] = set()
    for _ in range(times):
        other = hidden_fields(*game.redeal(deal, actions, viewer, rng, OPTIONS))
        changed |= {name for name in first if other[name] != first[name]}
    return changed


SPACES = {row + str(number) for row in "AB" for number in range(1, 8)}
PILE = {f"pile {i}" for i in range(8)}


def test_a_redeal_varies_all_that_is_hidden_at_the_start() -> None:
    deal, _, _ = random_game(3)
    hands = [{f"hand {seat} {i}" for i in range(3)} for seat in (0, 1)]
    for seat in (0, 1):
        # (a hidden card may stay if the seat sees all others of its faction; this deal has no such)
        assert varied(deal, [], seat) == {f"role {1 - seat}"} | hands[1 - seat] | SPACES | PILE
    assert varied(deal, [], None) == {"role 0", "role 1"} | hands[0] | hands[1] | SPACES | PILE


def test_a_redeal_varies_what_the_opponent_played_face_down_and_drew() -> None:
    """Seat 0 looks back on 12 plies: seat 1 blocked or collected at plies 5 and 11, and drew the cards 1 and 3."""
    for seed in range(8):
        deal, actions, states = random_game(seed)
        changed = varied(deal, actions[:12], 0)
        seen = {"role 0", "hand 0 0", "hand 0 1", "hand 0 2", "pile 0", "pile 2", "ply 2", "ply 8"}
        assert not changed & seen
        assert {"role 1", "pile 4", "pile 5", "pile 6", "pile 7"} <= changed
        face_down = {space for space in range(14) if not states[12].face_up >> space & 1}
        assert {
            sorted(SPACES)[space] for space in face_down if states[12].display[space] == states[0].display[space]
        } <= (changed | seen)
        taken_by_0 = {space for ply in (0, 6) for space in actions[ply].spaces}
        assert not changed & (taken_by_0 - set(actions[3].spaces))
    # which plies can vary depends on what the opponent showed later; over many games both do
    plies = [varied(d, a[:12], 0, times=25) & {"ply 5", "ply 11"} for d, a, _ in map(random_game, range(12))]
    assert sum("ply 5" in changed for changed in plies) >= 6
    assert sum("ply 11" in changed for changed in plies) >= 6


def test_once_scored_only_the_way_there_is_hidden() -> None:
    moved = set()
    for seed in range(8):
        deal, actions, _ = random_game(seed, block_share=0.3)
        for viewer in VIEWERS:
            changed = varied(deal, actions, viewer, times=15)
            assert not changed & {"role 0", "role 1"}
            assert not changed & {f"ply {ply}" for ply, action in enumerate(actions) if isinstance(action, Block)}
            moved |= changed
    assert any(name.startswith("ply") for name in moved)  # in which order the cards were collected
    assert any(name.startswith("hand") for name in moved)


def test_a_card_seen_by_the_opponents_taking_stays_known() -> None:
    """Seat 1 takes the two cards that seat 0 has just placed, and places them again later: seat 0 knows both."""
    deal, _, _ = random_game(5)
    state = game.initial(deal, OPTIONS)
    actions = [game.legal_actions(state)[0]]  # A1 and A2
    state = game.apply(state, actions[-1])
    for _ in range(3):
        actions.append(game.legal_actions(state)[0])
        state = game.apply(state, actions[-1])
    assert actions[3].spaces == ("A1", "A2")
    placed = list(actions[1].cards.values())
    for seed in range(50):
        other, other_actions = game.redeal(deal, actions, 0, Random(seed), OPTIONS)
        twin = game.initial(other, OPTIONS)
        for action in other_actions:
            twin = game.apply(twin, action)
        hand = to_json(game.view(twin, 1))["hand"]
        assert all(hand.count(card) >= placed.count(card) for card in placed)


@few
@given(seeds, seeds)
def test_a_determinized_state_has_the_same_view_legal_actions_and_cards(seed: int, reseed: int) -> None:
    _, _, states = random_game(seed)
    rng = Random(reseed)
    for state in states:
        for viewer in VIEWERS:
            view = game.view(state, viewer)
            drawn = game.determinize(view, rng, OPTIONS)
            assert game.view(drawn, viewer) == view
            assert tuple(sorted(all_cards(drawn))) == DECK
            assert drawn.roles[0] != drawn.roles[1]
            if viewer == game.seat_to_act(state):
                assert game.legal_actions(drawn) == game.legal_actions(state)
            for mask, other in (drawn.blocked, drawn.blocked[::-1]):
                assert not mask & other
            turns = [(state.turn + 1) // 2, state.turn // 2]
            assert [len(c) + m.bit_count() for c, m in zip(drawn.collections, drawn.blocked, strict=True)] == turns


def test_determinized_states_vary_every_hidden_field() -> None:
    _, _, states = random_game(8)
    rng = Random(0)
    drawn = [game.determinize(game.view(states[13], 0), rng, OPTIONS) for _ in range(300)]
    assert {state.roles[1] for state in drawn} == set(range(6)) - {states[13].roles[0]}
    for i in range(len(states[13].pile)):
        assert len({state.pile[i] for state in drawn}) > 1
    for space in range(14):
        if not (states[13].face_up | states[13].freed) >> space & 1:
            assert len({state.display[space] for state in drawn}) > 1
    assert len({state.hands[1] for state in drawn}) > 5


def test_a_view_that_no_state_has_is_refused() -> None:
    view = game.view(game.initial(random_game(1)[0], OPTIONS), 0)
    with pytest.raises(ValueError, match="draw pile"):
        game.determinize(msgspec.structs.replace(view, hand=view.hand[:2]), Random(0), OPTIONS)
