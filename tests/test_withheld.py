"""What a bot is not told: the deal's seed, who the opponent is, and how the opponent's clock stands."""

from collections.abc import Iterator
from typing import Any

import kuhn_poker as kuhn

from arena.clock import FakeClock
from arena.commitment import Keys, Secret
from arena.model import Limits, Policies
from arena.player import Player, Setup
from arena.referee import Referee
from arena.testing import ScriptedBot

FIELDS = {
    "hello": {"type", "protocols", "arena", "game", "rules_version", "options", "limits"},
    "new_game": {"type", "game_id", "seat", "seats", "random_seed", "clock"},
    "act": {"type", "id", "view", "events", "legal", "clock"},
    "game_over": {"type", "outcome", "events"},
}


def messages_to_seat_0(*, opponent: str = "bob", opponent_takes_s: float = 0.0) -> list[dict[str, Any]]:
    """All that seat 0 is sent in a game of check, bet and call."""
    clock = FakeClock()

    def answers(*kinds: str) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, kind in enumerate(kinds, start=1):
            yield number, {"type": "action", "id": number, "action": {"type": kind}}

    ann, bob = ScriptedBot(clock).starts("ann"), ScriptedBot(clock).starts(opponent)
    for number, reply in answers("check", "call"):
        ann.when({"type": "act", "id": number}, reply=reply, after_s=0.25)
    for number, reply in answers("bet"):
        bob.when({"type": "act", "id": number}, reply=reply, after_s=opponent_takes_s)
    setup = Setup(
        game_id="r1p1d0g1",
        options=kuhn.Options(),
        deal=kuhn.Deal(("K", "J", "Q")),
        limits=Limits(move_s=1, bank_s=5, increment_s=0.5),
        policies=Policies(),
        random_seeds=(11, 12),
        substitute_key=b"",
    )
    Referee(kuhn, setup, [Player(ann), Player(bob)], clock).play()
    ann.assert_done()
    return ann.received


def test_the_opponents_name_reaches_nobody() -> None:
    assert messages_to_seat_0(opponent="bob") == messages_to_seat_0(opponent="a much longer name")


def test_the_opponents_clock_reaches_nobody() -> None:
    assert messages_to_seat_0(opponent_takes_s=0.0) == messages_to_seat_0(opponent_takes_s=5.5)


def test_a_bot_is_sent_these_fields_and_no_others() -> None:
    for message in messages_to_seat_0():
        assert set(message) <= FIELDS.get(message["type"], {"type"}), message


def test_the_random_seed_of_a_bot_says_nothing_about_the_deal() -> None:
    """It comes from a key of its own: other deals, the same seeds."""
    secret = Secret.draw("one secret")
    keys, other_deals = Keys(secret, entropy="a"), Keys(secret, entropy="b")
    deals = [[k.deal(kuhn, kuhn.Options(), n) for n in range(30)] for k in (keys, other_deals)]
    seeds = [[k.random_seed(game, seat) for game in range(30) for seat in (0, 1)] for k in (keys, other_deals)]
    assert deals[0] != deals[1]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 60, "each seat of each game has its own, so that a deal cannot be recognised by it"
