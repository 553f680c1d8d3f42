"""The leak check must catch planted leaks: each test below plants one, in a game or in what the referee sends.

The first list is of games that tell too much, the second of a referee that does, the third of redeals that would let
a leak pass.
"""

import json
import types
from collections.abc import Callable, Sequence
from typing import Any

import kuhn_poker as kuhn
import msgspec
import pytest
from mutant import Mutant

from arena import games
from arena.chance import shuffled
from arena.testing import History, Report, check_leaks, stream
from arena.testing.play import Viewer

duel: Any = games.load("hidden-leaders-duel")
leaders: Any = games.load("leaders")

EVERYBODY = ("seat 0", "seat 1", "spectator")


def word(card: int) -> str:
    """A card of Hidden Leaders Duel with its value, from the number it has in a state."""
    return "IHSU"[card >> 2] + "0123"[card & 3]


def edited_view(game: Any, edit: Callable[[dict[str, Any], Any, Viewer], None]) -> Mutant:
    """The game with views that `edit(view, state, viewer)` has changed."""

    def view(state: Any, viewer: Viewer) -> dict[str, Any]:
        data: dict[str, Any] = game.to_json(game.view(state, viewer))
        edit(data, state, viewer)
        return data

    return Mutant(game, view=view)


def edited_events(game: Any, edit: Callable[[list[Any], Any, Any, Any, Viewer], None]) -> Mutant:
    """The game with events that `edit(events, before, action, after, viewer)` has changed."""

    def events(before: Any, action: Any, after: Any, viewer: Viewer) -> list[Any]:
        told = game.to_json(game.events(before, action, after, viewer))
        edit(told, before, game.to_json(action), after, viewer)
        return list(told)

    return Mutant(game, events=events)


def edited_legal(game: Any, edit: Callable[[list[Any], Any], Sequence[Any]]) -> Mutant:
    """The game with legal lists that `edit(legal, state)` has changed."""

    def legal_actions(state: Any) -> Sequence[Any]:
        return edit(list(game.legal_actions(state)), state) if game.seat_to_act(state) is not None else ()

    return Mutant(game, legal_actions=legal_actions)


# --- Games that tell too much -----------------------------------------------------------------------------------


def opponents_hand_in_the_view() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if viewer is not None:
            view["opponent"]["hand"] = [word(card) for card in state.hands[1 - viewer]]

    return edited_view(duel, edit)


def opponents_hand_sorted_by_hidden_value() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if viewer is not None:
            by_value = sorted(state.hands[1 - viewer], key=lambda card: (card & 3, card))
            view["opponent"]["hand"] = [word(card)[0] + "?" for card in by_value]

    return edited_view(duel, edit)


def count_of_the_opponents_threes() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if viewer is not None:
            view["draw_pile"]["threes"] = sum(card & 3 == 3 for card in state.hands[1 - viewer])

    return edited_view(duel, edit)


def value_of_the_top_of_the_draw_pile() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if state.pile:
            view["draw_pile"]["top"] = word(state.pile[0])

    return edited_view(duel, edit)


def faction_of_the_second_card_of_the_pile() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if len(state.pile) > 1:
            view["draw_pile"]["next"] = word(state.pile[1])[0]

    return edited_view(duel, edit)


def face_down_cards_with_their_value() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        for (space, card), number in zip(view["display"].items(), state.display, strict=True):
            if card is not None and space == "B7":
                card["card"] = word(number)

    return edited_view(duel, edit)


def opponents_blocker_with_its_value() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        for card, blocker in zip(view["display"].values(), state.blockers, strict=True):
            if card is not None and card["blocker"] is not None:
                card["blocker"] = word(blocker)

    return edited_view(duel, edit)


def opponents_role_by_the_order_of_keys() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if viewer is not None and state.roles[1 - viewer] % 2:
            view["step"] = view.pop("step")

    return edited_view(duel, edit)


def spectator_sees_a_hand() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if viewer is None:
            view["players"][1]["hand"] = [word(card) for card in state.hands[1]]

    return edited_view(duel, edit)


def spectator_sees_a_collection() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if viewer is None:
            view["players"][0]["collection"] = [word(card) for card in state.collections[0]]

    return edited_view(duel, edit)


def took_names_the_value_for_both() -> Mutant:
    def edit(events: list[Any], before: Any, action: Any, after: Any, viewer: Viewer) -> None:
        for event in events:
            if event["type"] == "took":
                spaces = list(event["cards"])
                numbers = {s: before.display["AB".index(s[0]) * 7 + int(s[1]) - 1] for s in spaces}
                event["cards"] = {space: word(numbers[space]) for space in spaces}

    return edited_events(duel, edit)


def collected_names_the_value_for_both() -> Mutant:
    def edit(events: list[Any], before: Any, action: Any, after: Any, viewer: Viewer) -> None:
        for event in events:
            if event["type"] == "collected":
                event["card"] = action["card"]

    return edited_events(duel, edit)


def events_ordered_by_a_hidden_value() -> Mutant:
    def edit(events: list[Any], before: Any, action: Any, after: Any, viewer: Viewer) -> None:
        if before.pile and before.pile[0] & 3 >= 2:
            events.reverse()

    return edited_events(duel, edit)


def keys_of_an_event_ordered_by_hidden_values() -> Mutant:
    def edit(events: list[Any], before: Any, action: Any, after: Any, viewer: Viewer) -> None:
        for event in events:
            if event["type"] == "took" and len(event["cards"]) == 2 and max(before.hands[1]) & 3 == 3:
                event["cards"] = dict(reversed(event["cards"].items()))

    return edited_events(duel, edit)


def place_in_the_hand_of_a_collected_card() -> Mutant:
    def edit(events: list[Any], before: Any, action: Any, after: Any, viewer: Viewer) -> None:
        for event in events:
            if event["type"] == "collected":
                hand = [word(card) for card in before.hands[before.turn % 2]]
                event["place"] = hand.index(action["card"])

    return edited_events(duel, edit)


def a_legal_action_listed_twice_if_the_top_is_a_three() -> Mutant:
    def edit(legal: list[Any], state: Any) -> Sequence[Any]:
        return [*legal, legal[-1]] if state.pile and state.pile[0] & 3 == 3 else legal

    return edited_legal(duel, edit)


def legal_actions_ordered_by_the_opponents_hand() -> Mutant:
    def edit(legal: list[Any], state: Any) -> Sequence[Any]:
        other = state.hands[1 - state.turn % 2]
        return legal[::-1] if sum(card & 3 for card in other) % 2 else legal

    return edited_legal(duel, edit)


def legal_actions_computed_from_hidden_values() -> Mutant:
    def edit(legal: list[Any], state: Any) -> Sequence[Any]:
        zeros = {f"{'AB'[s // 7]}{s % 7 + 1}" for s, card in enumerate(state.display) if card >= 0 and card & 3 == 0}
        kept = [a for a in legal if not zeros & set(getattr(a, "spaces", ()))]
        return kept or legal

    return edited_legal(duel, edit)


def a_forced_ply_that_tells() -> Mutant:
    """Facing a bet, a seat is given no choice if the other holds the king: the referee plays on without asking."""

    def edit(legal: list[Any], state: Any) -> Sequence[Any]:
        return legal[:1] if state.history == ("bet",) and state.cards[0] == "K" else legal

    return edited_legal(kuhn, edit)


def details_of_the_outcome_show_folded_cards() -> Mutant:
    def outcome(state: Any) -> Any:
        end = kuhn.outcome(state)
        return end and msgspec.structs.replace(end, details=end.details | {"cards": state.cards[:2]})

    return Mutant(kuhn, outcome=outcome)


def the_unseen_card_is_shown_at_the_end() -> Mutant:
    def edit(events: list[Any], before: Any, action: Any, after: Any, viewer: Viewer) -> None:
        if kuhn.outcome(after):
            events.append({"type": "shown", "cards": after.cards})

    return edited_events(kuhn, edit)


def a_view_that_is_no_view_of_the_seat() -> Mutant:
    """One branch, one ply: the other seat's card appears in the history only after check and bet."""

    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if viewer == 0 and state.history == ("check", "bet"):
            view["history"] = ["check", "bet" + state.cards[1]]

    return edited_view(kuhn, edit)


def the_next_card_of_the_deck_in_the_market() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if state.supply.deck:
            view["deck_count"] = state.supply.deck[0]

    return edited_view(leaders, edit)


def the_market_in_an_order_that_tells_the_next_card() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if state.supply.deck and state.supply.deck[0] % 2:
            view["market"] = view["market"][::-1]

    return edited_view(leaders, edit)


def a_recruitment_that_names_the_card_after_next() -> Mutant:
    def edit(events: list[Any], before: Any, action: Any, after: Any, viewer: Viewer) -> None:
        for event in events:
            if event["type"] == "market":
                event["after"] = after.supply.deck[0]

    return edited_events(leaders, edit)


def the_spectator_sees_the_bottom_of_the_deck() -> Mutant:
    def edit(view: dict[str, Any], state: Any, viewer: Viewer) -> None:
        if viewer is None and state.supply.deck:
            view["bottom"] = state.supply.deck[-1]

    return edited_view(leaders, edit)


def recruits_ordered_by_the_deck() -> Mutant:
    def edit(legal: list[Any], state: Any) -> Sequence[Any]:
        return legal[::-1] if state.supply.deck and state.supply.deck[0] > state.supply.deck[-1] else legal

    return edited_legal(leaders, edit)


TALKATIVE_GAMES = [
    opponents_hand_in_the_view,
    opponents_hand_sorted_by_hidden_value,
    count_of_the_opponents_threes,
    value_of_the_top_of_the_draw_pile,
    faction_of_the_second_card_of_the_pile,
    face_down_cards_with_their_value,
    opponents_blocker_with_its_value,
    opponents_role_by_the_order_of_keys,
    spectator_sees_a_hand,
    spectator_sees_a_collection,
    took_names_the_value_for_both,
    collected_names_the_value_for_both,
    events_ordered_by_a_hidden_value,
    keys_of_an_event_ordered_by_hidden_values,
    place_in_the_hand_of_a_collected_card,
    a_legal_action_listed_twice_if_the_top_is_a_three,
    legal_actions_ordered_by_the_opponents_hand,
    legal_actions_computed_from_hidden_values,
    a_forced_ply_that_tells,
    details_of_the_outcome_show_folded_cards,
    the_unseen_card_is_shown_at_the_end,
    a_view_that_is_no_view_of_the_seat,
    the_next_card_of_the_deck_in_the_market,
    the_market_in_an_order_that_tells_the_next_card,
    a_recruitment_that_names_the_card_after_next,
    the_spectator_sees_the_bottom_of_the_deck,
    recruits_ordered_by_the_deck,
]


@pytest.mark.parametrize("plant", TALKATIVE_GAMES, ids=lambda plant: plant.__name__)
def test_a_game_that_tells_too_much_is_caught(plant: Callable[[], Mutant]) -> None:
    report = check_leaks(plant(), games=10)
    assert "non-interference" in report.failed
    assert "can tell two histories" in report.text("non-interference")


# --- A referee that tells too much ------------------------------------------------------------------------------


def edited_stream(edit: Callable[[dict[str, Any], History, int], Any]) -> Callable[[Any, History, int], list[bytes]]:
    """What the referee sends, after `edit(message, history, seat)`."""

    def send(game: Any, history: History, seat: int) -> list[bytes]:
        lines = []
        for line in stream(game, history, seat):
            message = json.loads(line)
            edit(message, history, seat)
            lines.append(json.dumps(message).encode() + b"\n")
        return lines

    return send


def other_card(history: History, seat: int) -> int:
    return kuhn.DECK.index(history.deal.cards[1 - seat])


def an_id_that_counts_hidden_things(message: dict[str, Any], history: History, seat: int) -> None:
    if "id" in message:
        message["id"] += other_card(history, seat)


def a_random_seed_from_the_deal(message: dict[str, Any], history: History, seat: int) -> None:
    if message["type"] == "new_game":
        message["random_seed"] = int.from_bytes("".join(history.deal.cards).encode(), "big")


def a_game_id_from_the_deal(message: dict[str, Any], history: History, seat: int) -> None:
    if message["type"] == "new_game":
        message["game_id"] = "".join(history.deal.cards)


def padding_by_a_hidden_card(message: dict[str, Any], history: History, seat: int) -> None:
    if message["type"] == "act":
        message["clock"]["pad"] = " " * other_card(history, seat)


def an_error_that_names_the_other_hand(message: dict[str, Any], history: History, seat: int) -> None:
    if message["type"] == "error":
        message["text"] += f"; your opponent holds {history.deal.cards[1 - seat]}"


def a_goodbye_that_names_the_other_hand(message: dict[str, Any], history: History, seat: int) -> None:
    if message["type"] == "game_over" and message["outcome"]["reason"] == "forfeit":
        message["outcome"]["text"] = f"not legal with {history.deal.cards[1 - seat]}"


def options_that_hold_the_deal(message: dict[str, Any], history: History, seat: int) -> None:
    if message["type"] == "hello":
        message["options"]["third"] = history.deal.cards[2]


def a_clock_that_tells(message: dict[str, Any], history: History, seat: int) -> None:
    if message["type"] == "act":
        message["clock"]["used_ms"] += 7 * other_card(history, seat)


def one_more_message(game: Any, history: History, seat: int) -> list[bytes]:
    lines = stream(game, history, seat)
    return [*lines, b'{"type":"ping"}\n'] if other_card(history, seat) == 2 else lines


def spaces_after_colons(game: Any, history: History, seat: int) -> list[bytes]:
    lines = stream(game, history, seat)
    return [line.replace(b'":', b'": ') for line in lines] if other_card(history, seat) == 2 else lines


TALKATIVE_REFEREES = {
    edit.__name__: edited_stream(edit)
    for edit in (
        an_id_that_counts_hidden_things,
        a_random_seed_from_the_deal,
        a_game_id_from_the_deal,
        padding_by_a_hidden_card,
        an_error_that_names_the_other_hand,
        a_goodbye_that_names_the_other_hand,
        options_that_hold_the_deal,
        a_clock_that_tells,
    )
} | {"one_more_message": one_more_message, "spaces_after_colons": spaces_after_colons}


@pytest.mark.parametrize("name", TALKATIVE_REFEREES)
def test_a_referee_that_tells_too_much_is_caught(name: str) -> None:
    report = check_leaks(kuhn, games=10, send=TALKATIVE_REFEREES[name])
    assert "non-interference" in report.failed


@pytest.mark.parametrize("name", TALKATIVE_REFEREES)
def test_the_canary_catches_such_a_referee_without_redeal(name: str) -> None:
    def none(*_: Any) -> Any:
        raise NotImplementedError

    report = check_leaks(Mutant(kuhn, redeal=none), games=20, send=TALKATIVE_REFEREES[name])
    assert report.failed == ("canary",)
    assert "non-interference" in report.skipped


# --- Redeals that would let a leak pass -------------------------------------------------------------------------


def redeals_nothing(deal: Any, actions: Any, seat: Viewer, rng: Any, options: Any) -> Any:
    return deal, actions


def keeps_the_roles(deal: Any, actions: Any, seat: Viewer, rng: Any, options: Any) -> Any:
    twin, other = duel.redeal(deal, actions, seat, rng, options)
    return (msgspec.structs.replace(twin, roles=deal.roles), other)


def keeps_the_pile(deal: Any, actions: Any, seat: Viewer, rng: Any, options: Any) -> Any:
    for _ in range(1000):
        twin, other = duel.redeal(deal, actions, seat, rng, options)
        if twin.draw_pile[-1] == deal.draw_pile[-1]:
            return twin, other
    return deal, actions


def keeps_what_the_others_did(deal: Any, actions: Any, seat: Viewer, rng: Any, options: Any) -> Any:
    for _ in range(50):
        twin, other = duel.redeal(deal, actions, seat, rng, options)
        if list(other) == list(actions):
            return twin, other
    return deal, actions


@pytest.mark.parametrize(
    ("redeal", "missed"),
    [
        (redeals_nothing, "deal."),
        pytest.param(keeps_the_roles, "deal.roles[", marks=pytest.mark.slow),
        pytest.param(keeps_the_pile, "deal.draw_pile[7]", marks=pytest.mark.slow),
        pytest.param(keeps_what_the_others_did, "action collect.card", marks=pytest.mark.slow),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_redeal_that_leaves_a_hidden_field_alone_is_caught(redeal: Any, missed: str) -> None:
    report = check_leaks(Mutant(duel, redeal=redeal), games=6)
    assert report.failed == ("coverage",)
    assert missed in report.text("coverage")


def test_a_redeal_against_the_rules_is_caught() -> None:
    def redeal(deal: Any, actions: Any, seat: Viewer, rng: Any, options: Any) -> Any:
        return msgspec.structs.replace(deal, cards=("J", "J", "Q")), actions

    report = check_leaks(Mutant(kuhn, redeal=redeal), games=2)
    assert "redeal" in report.failed
    assert "expected each of J, Q, K once" in report.text("redeal")


def test_a_redeal_that_lets_the_viewer_act_otherwise_is_caught() -> None:
    def redeal(deal: Any, actions: Any, seat: Viewer, rng: Any, options: Any) -> Any:
        return deal, tuple({"call": kuhn.Action("fold")}.get(a.type, a) for a in actions)

    report = check_leaks(Mutant(kuhn, redeal=redeal), games=10)
    assert "redeal" in report.failed
    assert "let the viewer itself act otherwise" in report.text("redeal")


def test_a_redeal_of_another_length_is_caught() -> None:
    def redeal(deal: Any, actions: Any, seat: Viewer, rng: Any, options: Any) -> Any:
        return deal, actions[:-1]

    assert "redeal" in check_leaks(Mutant(kuhn, redeal=redeal), games=2).failed


def test_a_redeal_that_varies_what_the_viewer_knows_is_not_excused() -> None:
    def redeal(deal: Any, actions: Any, seat: Viewer, rng: Any, options: Any) -> Any:
        return msgspec.structs.replace(deal, cards=tuple(shuffled(deal.cards, rng))), actions

    report = check_leaks(Mutant(kuhn, redeal=redeal), games=2)
    assert "view.card" in report.text("non-interference")


# --- What a failure looks like, and what is open ----------------------------------------------------------------


def test_a_leak_is_shown_as_a_minimal_pair_side_by_side() -> None:
    report = check_leaks(faction_of_the_second_card_of_the_pile(), games=10)
    lines = report.text("non-interference").splitlines()
    assert lines[0].startswith(
        "seat 0 can tell two histories of 0 plies apart that it must not tell apart, by message 3"
    )
    rows = [line for line in lines if line.startswith("deal.")]
    assert any(row.startswith("deal.draw_pile[1]") for row in rows)
    assert len(rows) <= 6, "the twin differs in more fields than it needs"
    assert any(line.startswith("message 3 (act): view.draw_pile.next") for line in lines)
    assert any(line.startswith('deal {"roles":') for line in lines)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "hidden-leaders-duel",
            {
                **{f"seat {s}": {f"deal.roles[{s}]", *(f"deal.hands[{s}][{i}]" for i in range(3))} for s in (0, 1)},
                "spectator": set(),
            },
        ),
        ("leaders", {who: {f"deal.deck[{i}]" for i in range(3)} for who in EVERYBODY}),
        ("leaders-expert", {who: set() for who in EVERYBODY}),
    ],
)
def test_nothing_leaks_and_exactly_this_much_of_the_deal_is_open(name: str, expected: dict[str, set[str]]) -> None:
    report: Report = check_leaks(games.load(name), games=3, seed=1)
    assert report.ok, [report.text(check) for check in report.failed]
    assert not report.skipped or name == "leaders-expert"
    assert {viewer: set(fields) for viewer, fields in report.open_fields.items()} == expected


def test_the_list_of_planted_leaks_is_long_enough() -> None:
    assert len(TALKATIVE_GAMES) + len(TALKATIVE_REFEREES) >= 15
    planted = {
        name
        for name, value in globals().items()
        if isinstance(value, types.FunctionType) and not value.__code__.co_argcount
    }
    assert {plant.__name__ for plant in TALKATIVE_GAMES} == {n for n in planted if not n.startswith("test_")}
