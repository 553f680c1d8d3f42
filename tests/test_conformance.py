"""Every game keeps the contract, and the check of the contract notices when one does not."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import kuhn_poker as kuhn
import msgspec
import pytest
from mutant import Mutant

from arena import games
from arena.game import Outcome
from arena.testing import CHECKS, Report, check_game
from arena.testing.conformance import NAMES, TYPES
from arena.testing.play import chance, random_play, viewers
from arena.testing.report import Tally

ROOT = Path(__file__).parents[1]
BUILT_IN = sorted(games.GAMES)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_game_keeps_the_contract(name: str) -> None:
    report = check_game(games.load(name), games=1)  # test_leaks has more games for the second half
    assert report.ok, "\n".join(f"{check}: {report.text(check)}" for check in report.failed)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", BUILT_IN)
def test_a_game_keeps_the_contract_in_many_games(name: str) -> None:
    report = check_game(games.load(name), games=20, seed=7)
    assert report.ok, "\n".join(f"{check}: {report.text(check)}" for check in report.failed)
    assert not report.skipped, "a game that ships with Arena is checked in full"


@pytest.mark.parametrize("name", [*BUILT_IN, "kuhn-poker"])
def test_the_json_of_a_game_fits_the_schemas_of_its_types(name: str) -> None:
    game: Any = kuhn if name == "kuhn-poker" else games.load(name)
    fits = {type_: jsonschema.Draft202012Validator(msgspec.json.schema(getattr(game, type_))) for type_ in TYPES}
    play = random_play(game, game.Options(), chance(0, "schemas"))
    fits["Options"].validate(game.to_json(play.options))
    fits["Deal"].validate(game.to_json(play.deal))
    for ply, action in list(enumerate(play.actions))[::3]:
        fits["Action"].validate(game.to_json(action))
        for viewer in viewers(game):
            fits["View"].validate(game.to_json(game.view(play.states[ply], viewer)))
            for event in game.events(play.states[ply], action, play.states[ply + 1], viewer):
                fits["Event"].validate(game.to_json(event))


RECORD = """
import sys, hashlib, json
from arena import games
from arena.testing.play import chance, random_play
for name in sys.argv[1:]:
    game = games.load(name)
    play = random_play(game, game.Options(), chance(3, "hash seeds"))
    legal = [[game.to_json(a) for a in game.legal_actions(s)] for s in play.states]
    views = [game.to_json(game.view(s, v)) for s in play.states for v in (0, 1, None)]
    print(hashlib.sha256(json.dumps([game.to_json(play.deal), legal, views]).encode()).hexdigest())
"""


def test_games_do_not_depend_on_the_order_of_sets() -> None:
    def digests(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", RECORD, *BUILT_IN]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert digests("1") == digests("2")


# --- A game that breaks the contract is caught ------------------------------------------------------------------


def test_the_example_passes_every_check() -> None:
    report = check_game(kuhn)
    assert [check.name for check in report.checks] == list(CHECKS)
    assert {check.status for check in report.checks} == {"passed"}, report
    assert report.open_fields == {"seat 0": ("deal.cards[0]",), "seat 1": ("deal.cards[1]",), "spectator": ()}


def test_a_half_written_game_gets_the_list_of_what_is_missing() -> None:
    report = check_game(SimpleNamespace(NAME="half", SEATS=2, deal=kuhn.deal, view=kuhn.view))  # type: ignore[arg-type]
    assert report.failed == ("names",)
    assert "lacks Action, Deal, Event, Options, RULES_VERSION, View, apply, determinize, events" in report.text("names")
    assert "docs/adding-a-game.md" in report.text("names")


def test_every_check_and_every_name_stands_in_the_guide() -> None:
    guide = (ROOT / "docs/adding-a-game.md").read_text()
    assert not [name for name, text in CHECKS.items() if f"| `{name}` | {text} |" not in guide]
    assert not [name for name in NAMES if not re.search(rf"`({name}\W|[^`\n]*\b{name}`)", guide)]


def test_the_names_of_the_contract_are_those_of_the_protocol() -> None:
    assert len(NAMES) == 22
    assert set(TYPES) < set(NAMES)


class Bare:
    """A state without equality; `note` is what somebody scribbled on it."""

    def __init__(self, state: Any) -> None:
        self.state, self.history = state, list(state.history)


def changed_deal() -> Any:
    counter = iter(range(1000))

    def deal(rng: Any, options: Any) -> Any:
        twin = kuhn.deal(rng, options)
        return twin if next(counter) % 2 else kuhn.Deal((twin.cards[2], twin.cards[1], twin.cards[0]))

    return Mutant(kuhn, deal=deal)


def a_deal_by_another_method() -> Any:
    return Mutant(kuhn, deal=lambda rng, options: kuhn.Deal(tuple(rng.sample(kuhn.DECK, 3))))


def an_apply_that_alters_its_input() -> Any:
    def apply(state: Any, action: Any) -> Any:
        state["history"].append(action.type)
        return {"cards": state["cards"], "history": list(state["history"])}

    def lifted(name: str) -> Callable[..., Any]:
        inner = getattr(kuhn, name)
        return lambda state, *rest: inner(kuhn.State(state["cards"], tuple(state["history"])), *rest)

    def initial(deal: Any, options: Any) -> Any:
        return {"cards": deal.cards, "history": []}

    names = ("seat_to_act", "legal_actions", "outcome", "view")
    return Mutant(kuhn, apply=apply, initial=initial, **{name: lifted(name) for name in names}, events=lambda *_: [])


def an_action_listed_twice() -> Any:
    return Mutant(kuhn, legal_actions=lambda state: (*kuhn.legal_actions(state), *kuhn.legal_actions(state)[:1]))


def legal_actions_after_the_end() -> Any:
    return Mutant(kuhn, legal_actions=lambda state: kuhn.legal_actions(state) or (kuhn.Action("fold"),))


def an_order_that_depends_on_the_history() -> Any:
    def legal_actions(state: Any) -> Any:
        legal = kuhn.legal_actions(state)
        return legal[::-1] if state.cards[0] == "K" else legal

    return Mutant(kuhn, legal_actions=legal_actions)


def a_third_seat() -> Any:
    return Mutant(kuhn, seat_to_act=lambda state: 2 if state.history == ("bet",) else kuhn.seat_to_act(state))


def an_outcome_before_the_end() -> Any:
    early = Outcome.draw(reason="early")
    return Mutant(kuhn, outcome=lambda state: kuhn.outcome(state) or (early if state.history else None))


def half_points_that_do_not_add_up() -> Any:
    def outcome(state: Any) -> Any:
        end = kuhn.outcome(state)
        return end and msgspec.structs.replace(end, half_points=(2, 1))

    return Mutant(kuhn, outcome=outcome)


def a_reason_that_is_a_sentence() -> Any:
    def outcome(state: Any) -> Any:
        end = kuhn.outcome(state)
        return end and msgspec.structs.replace(end, reason="Seat 0 wins!")

    return Mutant(kuhn, outcome=outcome)


def details_that_are_not_json() -> Any:
    def outcome(state: Any) -> Any:
        end = kuhn.outcome(state)
        return end and msgspec.structs.replace(end, details={"odds": float("nan")})

    return Mutant(kuhn, outcome=outcome)


def a_bound_that_is_too_low() -> Any:
    return Mutant(kuhn, max_plies=lambda options: 2)


def a_float_in_a_view() -> Any:
    class View(msgspec.Struct, frozen=True):
        odds: float

    return Mutant(kuhn, View=View, view=lambda state, seat: View(0.5), render=lambda view: "odds")


def a_number_that_a_double_cannot_hold() -> Any:
    class View(msgspec.Struct, frozen=True):
        number: int

    return Mutant(kuhn, View=View, view=lambda state, seat: View(2**53 + 1), render=lambda view: "a number")


def a_view_of_another_type() -> Any:
    return Mutant(kuhn, View=kuhn.Deal)


def colours_in_the_board() -> Any:
    return Mutant(kuhn, render=lambda view: f"\x1b[31m{view.card}\x1b[0m")


def an_empty_board() -> Any:
    return Mutant(kuhn, render=lambda view: "")


def determinize_forgets_the_own_card() -> Any:
    def determinize(view: Any, rng: Any, options: Any) -> Any:
        return kuhn.determinize(msgspec.structs.replace(view, card=None, seat=None), rng, options)

    return Mutant(kuhn, determinize=determinize)


def legal_actions_that_the_view_cannot_give() -> Any:
    def legal_actions(state: Any) -> Any:
        return [a for a in kuhn.legal_actions(state) if a.type != "fold" or state.cards != ("K", "J", "Q")]

    return Mutant(kuhn, legal_actions=legal_actions)


def a_chance_event_during_the_game() -> Any:
    counter = iter(range(10**9))

    def apply(state: Any, action: Any) -> Any:
        return kuhn.apply(state._replace(cards=state.cards if next(counter) % 7 else state.cards[::-1]), action)

    return Mutant(kuhn, apply=apply)


def a_crash_in_a_corner() -> Any:
    def view(state: Any, seat: Any) -> Any:
        return {("bet", "call"): None}.get(state.history, kuhn.view(state, seat)).seat and kuhn.view(state, seat)

    return Mutant(kuhn, view=view)


def options_without_a_default() -> Any:
    class Options(msgspec.Struct):
        size: int

    return Mutant(kuhn, Options=Options)


def a_type_without_a_schema() -> Any:
    class Action:
        pass

    return Mutant(kuhn, Action=Action)


BREACHES = [
    ("deal", changed_deal),
    ("plays", a_deal_by_another_method),
    ("purity", an_apply_that_alters_its_input),
    ("legal", an_action_listed_twice),
    ("legal", legal_actions_after_the_end),
    ("order", an_order_that_depends_on_the_history),
    ("one-seat", a_third_seat),
    ("outcome", an_outcome_before_the_end),
    ("outcome", half_points_that_do_not_add_up),
    ("outcome", a_reason_that_is_a_sentence),
    ("outcome", details_that_are_not_json),
    ("length", a_bound_that_is_too_low),
    ("json", a_float_in_a_view),
    ("json", a_number_that_a_double_cannot_hold),
    ("json", a_view_of_another_type),
    ("render", colours_in_the_board),
    ("render", an_empty_board),
    ("determinize", determinize_forgets_the_own_card),
    ("determinize", legal_actions_that_the_view_cannot_give),
    ("determinism", a_chance_event_during_the_game),
    ("plays", a_crash_in_a_corner),
    ("types", options_without_a_default),
    ("types", a_type_without_a_schema),
]


@pytest.mark.parametrize(("check", "breach"), BREACHES, ids=[breach.__name__ for _, breach in BREACHES])
def test_a_breach_of_the_contract_is_caught(check: str, breach: Callable[[], Any]) -> None:
    report = check_game(breach())
    assert check in report.failed
    assert report.text(check)


def test_every_check_of_the_contract_has_a_breach_that_it_catches() -> None:
    leaks = {"names", "redeal", "non-interference", "canary", "coverage"}  # tested above, and in test_leaks
    assert {check for check, _ in BREACHES} | leaks == set(CHECKS)


def test_the_same_seed_gives_the_same_report() -> None:
    assert check_game(kuhn, games=3, seed=5) == check_game(kuhn, games=3, seed=5)


def test_a_report_is_json() -> None:
    report = check_game(kuhn, games=1)
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report
    assert json.loads(msgspec.json.encode(report))["game"] == "kuhn-poker"


def test_a_check_that_was_only_skipped_has_not_passed() -> None:
    tally = Tally()
    tally.skip("redeal", "not offered")
    tally.expect("legal", True)
    tally.fail("json", "first")
    tally.fail("json", "second")
    found = {check.name: (check.status, check.cases, check.failures, check.text) for check in tally.checks()}
    assert found == {
        "redeal": ("skipped", 0, 0, "not offered"),
        "legal": ("passed", 1, 0, ""),
        "json": ("failed", 2, 2, "first"),
    }
