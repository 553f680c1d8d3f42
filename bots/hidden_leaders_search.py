"""A search bot for Hidden Leaders Duel: it imagines what it cannot see, plays on from there, and counts.

`determinize` draws a state that fits the view. From it every candidate action is played out to the end many times;
after each round of playouts the weaker half of the candidates goes (sequential halving). All candidates of a round
meet the same imagined states, so that luck favours none. The number of playouts is fixed and the clock only cuts it
short: with time enough, the same `random_seed` gives the same game.

Needs the `arena` package, which a Python bot has. Rules and JSON: docs/games/hidden-leaders-duel.md.
"""

import json
import math
import random
import sys
import time

from arena.games import load
from arena.games.hidden_leaders_duel.notation import CARDS, ROLE_FACTIONS, SPACES

PLAYOUTS = 200  # for one action
WIN = 8  # what winning is worth beside the margin in points
SHARE = 0.5  # of the time for one action; the rest is for the machine's hiccups
BANK_SHARE = 1 / 30  # of the bank, for each action
ACT = 2  # the step in which a turn's card is blocked with or collected

game = load("hidden-leaders-duel")
OPTIONS = game.Options()


def choose(view, legal, rng, limit_s=math.inf):
    """The index in `legal` of the action to play, found within `limit_s` seconds."""
    deadline = time.monotonic() + limit_s
    seen = game.from_json(view, game.View)
    worth = [0.0] * len(legal)
    candidates = list(range(len(legal)))
    rounds = math.ceil(math.log2(len(legal))) or 1
    while len(candidates) > 1:
        for _ in range(max(2, PLAYOUTS // rounds // len(candidates))):
            state = game.determinize(seen, rng, OPTIONS)
            actions = game.legal_actions(state)
            results = []
            for candidate in candidates:
                results.append(playout(game.apply(state, actions[candidate]), view["seat"], rng))
                if time.monotonic() > deadline:
                    return max(candidates, key=worth.__getitem__)
            for candidate, result in zip(candidates, results, strict=True):
                worth[candidate] += result
        candidates.sort(key=worth.__getitem__, reverse=True)
        candidates = candidates[: (len(candidates) + 1) // 2]
    return candidates[0]


def playout(state, seat, rng):
    """Play to the end: what the seat then has is its margin in points, and something for winning."""
    while state.turn < 14:
        if state.step == ACT:
            action = quick_act(state, rng)
        else:
            actions = game.legal_actions(state)
            action = actions[int(rng.random() * len(actions))]
        state = game.apply(state, action)
    points = game.score(state).points
    margin = points[seat] - points[1 - seat]
    return margin + WIN * ((margin > 0) - (margin < 0))


def quick_act(state, rng):
    """The best use of one hand card drawn at random, by the score as it would stand with all cards open."""
    seat = state.turn % 2
    hand = state.hands[seat]
    card = hand[int(rng.random() * len(hand))]
    counts, worths, totals, has = faction_table(state, card >> 2)
    value = card & 3
    total = totals[seat] + value
    collected = (
        margin(counts, worths, (total, totals[1]), (True, has[1]))
        if seat == 0
        else margin(counts, worths, (totals[0], total), (has[0], True))
    )
    in_row_a = margin((counts[0] + 1, counts[1]), (worths[0] + value, worths[1]), totals, has)
    in_row_b = margin((counts[0], counts[1] + 1), (worths[0], worths[1] + value), totals, has)
    blocked = state.blocked[0] | state.blocked[1]
    uses = [(collected, None)]
    uses += [(worth, row) for row, worth in ((0, in_row_a), (7, in_row_b)) if blocked >> row & 127 != 127]
    sign = 1 if seat == 0 else -1
    _, first = max(uses, key=lambda use: sign * use[0] + rng.random() / 2)  # equal uses: by chance
    if first is None:
        return game.Collect(CARDS[card])
    free = [space for space in range(first, first + 7) if not blocked >> space & 1]
    return game.Block(CARDS[card], SPACES[free[int(rng.random() * len(free))]])


def faction_table(state, faction):
    """For one faction: counts and worths by row, totals and whether it is had by seat."""
    counts, worths, totals, has = [0, 0], [0, 0], [0, 0], [False, False]
    for cards in (state.display, state.blockers):
        for space, card in enumerate(cards):
            if card >> 2 == faction:
                row = space // 7
                counts[row] += 1
                worths[row] += card & 3
    for seat in (0, 1):
        if faction in ROLE_FACTIONS[state.roles[seat]]:
            totals[seat] = 1
            has[seat] = True
        for card in state.collections[seat]:
            if card >> 2 == faction:
                totals[seat] += card & 3
                has[seat] = True
    return counts, worths, totals, has


def margin(counts, worths, totals, has):
    """Rule H6 for one faction: the points of seat 0 minus those of seat 1."""
    near, far = worths
    if counts[0] != counts[1] and totals[0] != totals[1] and (counts[0] > counts[1]) != (totals[0] > totals[1]):
        near, far = far, near
    return near * has[0] - far * has[1]


def time_for(clock):
    """Seconds to think about one action."""
    return (clock.get("move_ms", 1000) * SHARE + clock.get("bank_ms", 0) * BANK_SHARE) / 1000


def main():
    rng = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "hello", "protocol": 1, "name": "search", "version": "1"})
        elif message["type"] == "new_game":
            rng.seed(message["random_seed"])
            say({"type": "ready"})
        elif message["type"] == "act":
            index = choose(message["view"], message["legal"], rng, time_for(message["clock"]))
            say({"type": "action", "id": message["id"], "index": index})
        elif message["type"] == "quit":
            return


def say(message):
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:  # `args: ["60"]` in a config: fewer playouts, faster and weaker
        PLAYOUTS = int(sys.argv[1])
    main()
