"""A search bot for Leaders and Leaders expert: it thinks in whole turns, its own and the opponent's answer.

A turn is a chain of plies, and its order hardly matters. So the search walks through the own turn level by level, drops
positions it has met and keeps the best of each level (a beam). The turns found that way are then tried in order of
their promise: what can the opponent's best turn do against them? Any win ends the search. A deeper tree is out of
reach: a turn has thousands of outcomes.

Uses the rules of the installed `arena` package and the tables inside `arena.games.leaders`. Messages: docs/protocol.md.
"""

import json
import math
import random
import sys
import time

from arena.games import load
from arena.games.leaders.board import AXIAL, NEAR, SPACES, TWO_AWAY
from arena.games.leaders.cards import CARDS, FIGURES

MARGIN_S = 0.04  # kept back for the way of the answer
SHARE = 0.85  # of the time for a move that is used
WIDTHS = (4, 12, 40)  # positions kept in each level of the own turn, in turn until the time is up
REPLY_WIDTH = 6  # likewise in the opponent's turn
CANDIDATES = 60  # own turns that are answered at most
WIN = 10_000.0

CARD_VALUE = {
    "assassin": 16, "archer": 13, "wanderer": 13, "illusionist": 12, "manipulator": 12, "claw_launcher": 12,
    "rider": 11, "acrobat": 11, "bruiser": 10, "hermit_and_cub": 11, "nemesis": 10, "royal_guard": 9, "brewmaster": 8,
    "vizier": 9, "protector": 8, "jailer": 7,
}  # fmt: skip
CLOSE = (0, 8, 5.5, 3.5, 2, 1, 0.5)  # what an attacker at this distance from the Leader is worth
STRENGTH = {"assassin": 1.8, "cub": 0.2, "leader": 0.4}  # of an attacker; 1 for all others
BREATH = (-60, -16, -7, -3, -1, 0, 0)  # by a Leader's empty neighbours


def distance(a, b):
    dq, dr = (x - y for x, y in zip(AXIAL[a], AXIAL[b], strict=True))
    return max(abs(dq), abs(dr), abs(dq + dr))


def attack_table(name):
    """table[leader][space]: what an enemy figure of this name on the space is worth; 0 off the board."""
    strength = STRENGTH.get(name, 1.0)
    table = [[strength * CLOSE[distance(leader, space)] for space in SPACES] for leader in SPACES]
    if name == "archer":
        for leader in SPACES:
            for space in SPACES:
                aims = TWO_AWAY[leader] >> space & 1
                table[leader][space] = CLOSE[1] if aims else 0.6 * CLOSE[max(1, distance(leader, space))] - 1
    return [[*row, 0.0] for row in table]


ATTACK = [attack_table(name) for name in FIGURES]
VALUE = [float(CARD_VALUE[card]) for card in CARDS]


def evaluate(state, side):
    """How good a position is for `side`, in no particular unit; WIN and -WIN at the end."""
    if state.outcome is not None:
        return (state.outcome.half_points[side] - 1) * WIN
    at, supply = state.at, state.supply
    occupied = state.bits[0] | state.bits[1]
    total = 0.0
    for seat in (0, 1):
        prey = at[1 - seat]
        points = -float(BREATH[(NEAR[prey] & ~occupied).bit_count()])
        for figure in supply.figures[seat]:
            points += ATTACK[figure][prey][at[figure]]
        for card in supply.cards[seat]:
            points += VALUE[card]
        total += points if seat == side else -points
    return total


class OutOfTime(Exception):  # noqa: N818 - not an error
    """The search must end now."""


class Search:
    """One decision: which of the legal actions of `state`, found within `seconds`."""

    def __init__(self, game, state, seconds, clock=time.monotonic):
        self.game = game
        self.root = state
        self.side = game.seat_to_act(state)
        self.clock = clock
        self.deadline = clock() + seconds
        self.choice, self.value = 0, -math.inf
        self.answered = set()

    def best(self):
        """The index of the action. Wider and wider beams; what the narrow ones found stays found."""
        try:
            for width in WIDTHS:
                for value, end, first in self.turns(self.root, self.side, width)[:CANDIDATES]:
                    if value >= WIN:
                        return first
                    self.consider(end, first)
        except OutOfTime:
            pass
        return self.choice

    def consider(self, end, first):
        """Prefer the turn that begins with action `first` if its end stands better after the opponent's best answer."""
        if position(end) in self.answered:
            return
        value = self.worst(end) if end.outcome is None else evaluate(end, self.side)
        self.answered.add(position(end))
        if value > self.value:
            self.choice, self.value = first, value

    def worst(self, state):
        """What the opponent's best turn from `state` leaves to `self.side`; any refutation will do."""
        return -self.turns(state, 1 - self.side, REPLY_WIDTH, enough=-self.value)[0][0]

    def turns(self, state, side, width, enough=WIN):
        """Ends of the turn that `side` has begun, the best first: (value for it, state, index of the first action).

        An end that is worth `enough` is returned alone, at once.
        """
        game = self.game
        turn = state.turn
        ends, level, met = [], [(state, None)], set()
        while level:
            found = []
            for parent, first in level:
                if self.clock() > self.deadline:
                    raise OutOfTime
                children = [(game.apply(parent, action), i) for i, action in enumerate(game.legal_actions(parent))]
                if game.seat_to_act(parent) != side:  # the opponent's Nemesis or banishment in between
                    children = [min(children, key=lambda child: evaluate(child[0], side))]
                for child, i in children:
                    key = position(child)
                    if key in met:
                        continue
                    met.add(key)
                    value = evaluate(child, side)
                    row = (value, child, i if first is None else first)
                    if child.outcome is not None or child.turn != turn:
                        ends.append(row)
                        if value >= enough:
                            return [row]
                    else:
                        found.append(row)
            found.sort(key=worth, reverse=True)
            level = [(child, first) for _, child, first in found[:width]]
        ends.sort(key=worth, reverse=True)
        return ends


def worth(row):
    return row[0]


def position(state):
    return state.at, state.acted, state.phase, state.turn, state.supply.cards, state.supply.banished


def choose(game, view, seed, seconds, options=None):
    """The index of the action to play; `view` as JSON."""
    options = game.from_json(options or {}, game.Options)
    state = game.determinize(game.from_json(view, game.View), random.Random(seed), options)
    return Search(game, state, seconds).best()


def seconds_for(clock):
    """How long to think, given the message's `clock`."""
    whole = clock["move_ms"] + clock.get("bank_ms", 0) / 40
    return max(0.01, SHARE * whole / 1000 - MARGIN_S)


def main():
    game, options, seed = None, {}, 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            game, options = load(message["game"]), message.get("options", {})
            say({"type": "hello", "protocol": 1, "name": "leaders-search", "version": "1"})
        elif message["type"] == "new_game":
            seed = message["random_seed"]
            say({"type": "ready"})
        elif message["type"] == "act":
            index = choose(game, message["view"], seed, seconds_for(message["clock"]), options)
            say({"type": "action", "id": message["id"], "index": index})
        elif message["type"] == "quit":
            return


def say(message):
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main()
