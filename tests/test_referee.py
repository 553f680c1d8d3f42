"""Dialogues with a referee, without processes and without sleeping. One test for each row of the fault table."""

from typing import Any

import nim
import pytest

from arena.bot import messages
from arena.clock import FakeClock
from arena.errors import BotFault, HostFailure
from arena.model import Limits, Policies
from arena.player import Player, Setup
from arena.referee import Referee
from arena.testing import ScriptedBot
from arena.transcript import Transcript

ACT_1 = {"type": "act", "id": 1}
TAKE_3 = {"type": "action", "id": 1, "action": {"take": 3}}


def setup(*, sticks: int = 6, **changes: Any) -> Setup:
    known: dict[str, Any] = {
        "game_id": "r1p1d0g1",
        "options": nim.Options(sticks=sticks),
        "deal": nim.Deal(first_seat=0),
        "limits": Limits(startup_s=10, move_s=1),
        "policies": Policies(),
        "random_seeds": (11, 12),
        "substitute_key": b"k",
    }
    return Setup(**{**known, **changes})


def play(clock: FakeClock, *bots: ScriptedBot, **changes: Any) -> Transcript:
    return Referee(nim, setup(**changes), [Player(bot) for bot in bots], clock).play()


def two(clock: FakeClock) -> tuple[ScriptedBot, ScriptedBot]:
    return ScriptedBot(clock).starts("ann"), ScriptedBot(clock).starts("bob")


def only_fault(record: Transcript) -> Any:
    assert len(record.faults) == 1, record.faults
    return record.faults[0]


def forfeited(record: Transcript, seat: int, code: str) -> Any:
    """The one fault of a game that `seat` forfeited; both the outcome and the record agree on it."""
    assert record.outcome == messages.WireOutcome(
        half_points=(0, 2) if seat == 0 else (2, 0), reason="forfeit", forfeit_by=seat, code=code
    )
    fault = only_fault(record)
    assert (fault.seat, fault.code) == (seat, code)
    return fault


def test_a_whole_game_by_actions_and_indexes() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1 | {"legal": [{"take": 1}, {"take": 2}, {"take": 3}], "events": []}, reply=TAKE_3, after_s=0.25)
    bob.when(
        {"type": "act", "id": 1, "view": {"sticks": 3, "seat": 1}, "events": [{"seat": 0, "took": 3}]},
        reply={"type": "action", "id": 1, "index": 2, "note": "mine"},
    )
    record = play(clock, ann, bob)
    assert record.outcome == messages.WireOutcome(half_points=(0, 2), reason="last-stick")
    assert record.faults == ()
    assert [(a.seat, a.action, a.forced, a.note) for a in record.actions] == [
        (0, {"take": 3}, False, None),
        (1, {"take": 3}, False, "mine"),
    ]
    assert record.actions[0].took_ms == 250.0
    assert [seat.name for seat in record.seats] == ["ann", "bob"]
    assert ann.received[-1] == {
        "type": "game_over",
        "outcome": {"half_points": [0, 2], "reason": "last-stick"},
        "events": [{"seat": 0, "took": 3}, {"seat": 1, "took": 3}],
    }
    ann.assert_done()
    bob.assert_done()


def test_a_bot_is_told_what_it_may_know_at_the_start() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=TAKE_3)
    bob.when(ACT_1, reply=TAKE_3)
    play(clock, ann, bob)
    hello, new_game = bob.received[:2]
    assert set(hello) == {"type", "protocols", "arena", "game", "rules_version", "options", "limits"}
    assert (hello["protocols"], hello["game"], hello["options"]) == ([1], "nim", {"sticks": 6})
    assert new_game == {
        "type": "new_game",
        "game_id": "r1p1d0g1",
        "seat": 1,
        "seats": 2,
        "random_seed": 12,
        "clock": {"move_ms": 1000, "bank_ms": 0, "used_ms": 0},
    }


def test_a_single_legal_action_is_played_by_the_referee_and_told_by_events() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply={"type": "action", "id": 1, "action": {"take": 1}})
    record = play(clock, ann, bob, sticks=2)
    assert [(a.seat, a.forced) for a in record.actions] == [(0, False), (1, True)]
    assert [message["type"] for message in bob.received] == ["hello", "new_game", "game_over"]
    assert bob.received[-1]["events"] == [{"seat": 0, "took": 1}, {"seat": 1, "took": 1}]


def test_a_reply_at_the_limit_is_in_time_and_one_beyond_it_loses() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=TAKE_3, after_s=1.0)
    bob.when(ACT_1, reply=TAKE_3, after_s=1.001)
    fault = forfeited(play(clock, ann, bob), 1, "timeout")
    assert (fault.ply, fault.limit_ms) == (1, 1000.0)
    assert fault.text == "no reply after 1.000 s; the limit was 1.000 s"


def test_the_first_action_may_have_a_limit_of_its_own() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1 | {"clock": {"move_ms": 5000, "bank_ms": 0, "used_ms": 0}}, reply=TAKE_3, after_s=4.0)
    bob.when(ACT_1, reply={"type": "action", "id": 1, "index": 0}, after_s=4.0)
    ann.when({"type": "act", "id": 2, "clock": {"move_ms": 1000, "bank_ms": 0, "used_ms": 4000}}, reply=None)
    forfeited(play(clock, ann, bob, limits=Limits(first_move_s=5.0)), 0, "timeout")


def test_the_bank_pays_for_what_exceeds_the_move_and_grows_by_the_increment() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    limits = Limits(move_s=1.0, bank_s=3.0, increment_s=0.5)
    take_1 = {"type": "action", "index": 0}
    ann.when(ACT_1 | {"clock": {"move_ms": 1000, "bank_ms": 3000, "used_ms": 0}}, reply=take_1 | {"id": 1}, after_s=3.0)
    bob.when(ACT_1, reply=take_1 | {"id": 1})
    ann.when({"type": "act", "id": 2, "clock": {"move_ms": 1000, "bank_ms": 1500, "used_ms": 3000}}, after_s=2.6)
    fault = forfeited(play(clock, ann, bob, limits=limits), 0, "timeout")
    assert fault.limit_ms == 2500.0


def test_what_the_host_held_up_is_not_taken_from_the_bank() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    limits = Limits(move_s=1.0, bank_s=3.0)
    ann.when(ACT_1, reply={"type": "action", "id": 1, "index": 0}, after_s=2.5, host_delay_s=1.0)
    bob.when(ACT_1, reply={"type": "action", "id": 1, "index": 0})
    ann.when({"type": "act", "id": 2, "clock": {"move_ms": 1000, "bank_ms": 2500, "used_ms": 1500}}, reply=None)
    record = play(clock, ann, bob, limits=limits)
    assert (record.actions[0].took_ms, record.actions[0].host_delay_ms) == (2500.0, 1000.0)


def test_startup_timeout() -> None:
    clock = FakeClock()
    ann = ScriptedBot(clock).when({"type": "hello"}, reply=None)
    bob = ScriptedBot(clock).starts()
    fault = forfeited(play(clock, ann, bob), 0, "startup-timeout")
    assert (fault.ply, fault.elapsed_ms, fault.limit_ms) == (None, 10000.0, 10000.0)
    assert fault.text == "sent no hello before its start-up time was over"
    assert bob.received[-1]["type"] == "game_over"


def test_loading_counts_until_ready() -> None:
    clock = FakeClock()
    ann = ScriptedBot(clock).when({"type": "hello"}, reply={"type": "hello", "protocol": 1}, after_s=6.0)
    ann.when({"type": "new_game"}, reply={"type": "ready"}, after_s=6.0)
    fault = forfeited(play(clock, ann, ScriptedBot(clock).starts()), 0, "startup-timeout")
    assert fault.text == "sent no ready before its start-up time was over"


def test_what_the_host_held_up_before_hello_is_not_charged_to_ready() -> None:
    clock = FakeClock()
    ann = ScriptedBot(clock).when({"type": "hello"}, reply={"type": "hello", "protocol": 1}, after_s=6, host_delay_s=5)
    ann.when({"type": "new_game"}, reply={"type": "ready"}, after_s=6.0).when(ACT_1, reply=TAKE_3)
    bob = ScriptedBot(clock).starts().when(ACT_1, reply=TAKE_3)
    assert play(clock, ann, bob).outcome.reason == "last-stick"


@pytest.mark.parametrize(
    ("code", "expected"), [("exit", "startup-exit"), ("closed", "startup-exit"), ("memory", "memory")]
)
def test_startup_exit(code: str, expected: str) -> None:
    clock = FakeClock()
    ann = ScriptedBot(clock).starts()
    bob = ScriptedBot(clock).when({"type": "hello"}, fault=BotFault(code, "exited with code 1 before it replied"))
    fault = forfeited(play(clock, ann, bob), 1, expected)
    assert fault.text == "exited with code 1 before it replied"


@pytest.mark.parametrize("line", [b"Welcome!", b'{"type":"hello","protocol":2}', b'{"type":"ready"}'])
def test_handshake(line: bytes) -> None:
    clock = FakeClock()
    ann = ScriptedBot(clock).when({"type": "hello"}, reply=line)
    fault = forfeited(play(clock, ann, ScriptedBot(clock).starts()), 0, "handshake")
    assert fault.offending == line.decode()


def test_two_bots_that_cannot_start_both_lose() -> None:
    clock = FakeClock()
    bots = [ScriptedBot(clock).when({"type": "hello"}, reply=b"?") for _ in range(2)]
    record = play(clock, *bots)
    assert record.outcome == messages.WireOutcome(half_points=(0, 0), reason="double-forfeit")
    assert [fault.seat for fault in record.faults] == [0, 1]


@pytest.mark.parametrize(
    "line", [b"I take 3", b'{"type":"action","id":0,"index":0}', b'{"type":"action","id":1,"index":true}']
)
def test_protocol(line: bytes) -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=line)
    fault = forfeited(play(clock, ann, bob), 0, "protocol")
    assert (fault.ply, fault.offending) == (0, line.decode())


def test_a_second_answer_to_a_request_is_a_fault_at_the_next_one() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply={"type": "action", "id": 1, "index": 0}).says(b'{"type":"action","id":1,"index":0}')
    bob.when(ACT_1, reply={"type": "action", "id": 1, "index": 0})
    ann.when({"type": "act", "id": 2}, reply=None)
    fault = forfeited(play(clock, ann, bob), 0, "protocol")
    assert fault.text == "answered request 1 when 2 was asked"


@pytest.mark.parametrize("code", ["exit", "closed", "memory", "cpu", "disk", "line-too-long", "output-limit"])
def test_what_the_process_breaks_off_with(code: str) -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, fault=BotFault(code, "why", offending=b"\xff"))
    fault = forfeited(play(clock, ann, bob), 0, code)
    assert (fault.ply, fault.text, fault.offending) == (0, "why", "\\xff")


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (
            {"action": {"take": 4}},
            '{"take":4} is not legal here; legal: {"take":1}, {"take":2}, {"take":3}',
        ),
        ({"index": 3}, "index 3 is beyond the 3 legal actions (0 to 2)"),
        ({"action": None}, "not an action of nim (Expected `object`, got `null`): null"),
        (
            {"action": {"take": 1, "x": 1}},
            'not an action of nim (Object contains unknown field `x`): {"take":1,"x":1}',
        ),
        ({"action": {"take": True}}, 'not an action of nim (Expected `int`, got `bool` - at `$.take`): {"take":true}'),
    ],
)
def test_illegal_action(answer: dict[str, Any], problem: str) -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply={"type": "action", "id": 1} | answer)
    fault = forfeited(play(clock, ann, bob), 0, "illegal-action")
    assert fault.text == problem
    assert "take" not in str(bob.received[-1]), "the sentence holds secrets of the seat"


def test_a_retry_tells_the_bot_what_was_wrong_and_does_not_stop_its_clock() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply={"type": "action", "id": 1, "index": 9}, after_s=0.6)
    ann.when(
        {"type": "error", "id": 1, "code": "illegal-action", "retries_left": 0},
        reply={"type": "action", "id": 1, "index": 8},
        after_s=0.3,
    )
    record = play(clock, ann, bob, policies=Policies(on_illegal="retry", retries=1))
    assert record.outcome.code == "illegal-action"
    assert [fault.elapsed_ms for fault in record.faults] == [600.0, 900.0]


def test_a_retry_that_comes_too_late_is_a_timeout() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply={"type": "action", "id": 1, "index": 9}, after_s=0.6)
    ann.when({"type": "error"}, reply=TAKE_3, after_s=0.6)
    record = play(clock, ann, bob, policies=Policies(on_illegal="retry", retries=5))
    assert [fault.code for fault in record.faults] == ["illegal-action", "timeout"]
    assert record.outcome.code == "timeout"


def test_a_random_action_takes_the_place_of_an_illegal_one_and_is_marked() -> None:
    def game() -> Transcript:
        clock = FakeClock()
        ann, bob = two(clock)
        ann.when(ACT_1, reply={"type": "action", "id": 1, "index": 9})
        bob.when(ACT_1, reply={"type": "action", "id": 1, "index": 0})
        return play(clock, ann, bob, sticks=3, policies=Policies(on_illegal="random"))

    record = game()
    assert record.actions[0].substituted
    assert only_fault(record).code == "illegal-action"
    assert record.outcome.reason == "last-stick"
    assert record == game(), "the substitute follows from the event's key"


def test_strikes_forgive_late_replies_and_their_stale_answers() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=TAKE_3, after_s=1.5)
    bob.when(ACT_1, reply={"type": "action", "id": 1, "index": 0})
    # The late answer to request 1 comes first and is passed over; then the answer to request 2.
    ann.when({"type": "act", "id": 2}, reply={"type": "action", "id": 2, "index": 0}, after_s=0.1)
    bob.when({"type": "act", "id": 2}, fault=BotFault("exit", "enough"))
    record = play(clock, ann, bob, sticks=20, policies=Policies(on_timeout="random", strikes=1))
    assert [(fault.seat, fault.code) for fault in record.faults] == [(0, "timeout"), (1, "exit")]
    assert record.actions[0].substituted
    assert not record.actions[2].substituted
    assert record.actions[2].action == {"take": 1}


def test_the_strike_after_the_last_forfeits() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=None)
    bob.when(ACT_1, reply={"type": "action", "id": 1, "index": 0})
    ann.when({"type": "act", "id": 2}, reply=None)
    record = play(clock, ann, bob, sticks=20, policies=Policies(on_timeout="random", strikes=1))
    assert [fault.code for fault in record.faults] == ["timeout", "timeout"]
    assert (record.outcome.reason, record.outcome.forfeit_by) == ("forfeit", 0)


def test_a_reply_that_the_host_made_late_voids_the_game() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=TAKE_3, after_s=1.2, host_delay_s=0.3)
    with pytest.raises(HostFailure, match=r"seat 0: the machine held a reply up by 300.0 ms, .* 200.0 ms late"):
        play(clock, ann, bob)


def test_after_enough_voids_such_a_reply_counts_as_in_time() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=TAKE_3, after_s=1.2, host_delay_s=0.3)
    bob.when(ACT_1, reply=TAKE_3)
    record = play(clock, ann, bob, accept_host_delay=True)
    assert record.outcome.reason == "last-stick"
    assert record.actions[0].host_delay_ms == 300.0
    assert record.max_host_delay_ms == 300.0


def test_a_reply_that_is_late_beyond_the_hosts_share_is_the_bots_fault() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=TAKE_3, after_s=1.2, host_delay_s=0.1)
    forfeited(play(clock, ann, bob), 0, "timeout")


def test_ids_go_on_over_the_games_of_a_sitting_and_the_greeting_is_in_every_transcript() -> None:
    clock = FakeClock()
    ann, bob = two(clock)
    ann.when(ACT_1, reply=TAKE_3)
    bob.when(ACT_1, reply=TAKE_3)
    players = [Player(ann), Player(bob)]
    first = Referee(nim, setup(), players, clock).play()
    for bot in (ann, bob):
        bot.when({"type": "new_game"}, reply={"type": "ready"})
        bot.when({"type": "act", "id": 2, "clock": {"used_ms": 0}}, reply=TAKE_3 | {"id": 2})
    clock.advance(2.5)
    second = Referee(nim, setup(), players, clock).play()
    assert second.outcome == first.outcome
    began_apart_ms = second.messages[0].at_ms - first.messages[0].at_ms
    assert [m.at_ms - first.messages[k].at_ms for k, m in enumerate(second.messages[:2])] == [began_apart_ms] * 2
    assert began_apart_ms <= -2500.0
    assert [m.text for m in second.messages[:2]] == [m.text for m in first.messages[:2]]
    assert second.seats[0].name == "ann"
