"""A search bot for Hidden Leaders Duel: it imagines what it cannot see, plays on from there, and counts.

`determinize` draws a state that fits the view. First every legal action is tried in a few such states to the end of the
turn and valued by the score as it would stand then. The best ten are then played out to the end of the game, again and
again; after each round the weaker half goes (sequential halving). All candidates meet the same imagined states, so that
luck favours none. The number of trials is fixed and the clock only cuts it short: with time enough, the same
`random_seed` gives the same game.

Needs the `arena` package, which a Python bot has. Rules and JSON: docs/games/hidden-leaders-duel.md.
"""

import json
import math
import random
import sys
import time

from arena.games import load
from arena.games.hidden_leaders_duel.notation import CARDS, ROLE_FACTIONS, SPACES

TRIALS = 4  # imagined states in which each legal action is tried to the end of the turn
SHORTLIST = 10
PLAYOUTS = 160  # to the end of the game, for one action
WIN = 8  # what winning is worth beside the margin in points
SHARE = 0.5  # of the time for one action; the rest is for the machine's hiccups
BANK_SHARE = 1 / 30  # of the bank, for each action
PLACE, ACT = 1, 2  # steps of a turn

game = load("hidden-leaders-duel")
OPTIONS = game.Options()


def choose(view, legal, rng, limit_s=math.inf):
    """The index in `legal` of the action to play, found within about `limit_s` seconds."""
    deadline = time.monotonic() + limit_s
    seen = game.from_json(view, game.View)
    candidates = list(range(len(legal)))
    if len(candidates) > SHORTLIST:
        candidates = ranked(candidates, seen, finish_turn, TRIALS, rng, deadline)[:SHORTLIST]
    rounds = math.ceil(math.log2(len(candidates)))
    while len(candidates) > 1:
        times = math.ceil(PLAYOUTS / rounds / len(candidates))
        candidates = ranked(candidates, seen, finish_game, times, rng, deadline)[: (len(candidates) + 1) // 2]
    return candidates[0]


def ranked(candidates, seen, finish, times, rng, deadline):
    """The candidates, best first, by what `finish` says of them in so many imagined states."""
    worth = dict.fromkeys(candidates, 0.0)
    for _ in range(times):
        if time.monotonic() > deadline:
            break
        state = game.determinize(seen, rng, OPTIONS)
        actions = game.legal_actions(state)
        for candidate in candidates:
            worth[candidate] += finish(game.apply(state, actions[candidate]), seen.seat, rng)
    return sorted(candidates, key=worth.__getitem__, reverse=True)


def finish_turn(state, seat, rng):
    """The margin of `seat` in points, were the game scored after this turn."""
    if state.step == PLACE:
        state = game.apply(state, quick_place(state, rng))
    if state.step == ACT:
        state = game.apply(state, quick_act(state, rng))
    points = game.score(state).points
    return points[seat] - points[1 - seat]


def finish_game(state, seat, rng):
    """Play to the end, in part by chance: the margin of `seat` in points, and something for winning."""
    while game.seat_to_act(state) is not None:
        if state.step == ACT:
            action = quick_act(state, rng)
        else:
            actions = game.legal_actions(state)
            action = actions[int(rng.random() * len(actions))]
        state = game.apply(state, action)
    points = game.score(state).points
    margin = points[seat] - points[1 - seat]
    return margin + WIN * ((margin > 0) - (margin < 0))


# Quick choices look at the score as it would stand with all cards open. What is equal is decided by chance.


def quick_place(state, rng):
    seat = state.turn % 2
    tables = faction_tables(state)

    def gain(action):
        added = {}
        for space, card in action.cards.items():
            row_of = added.setdefault("IHSU".index(card[0]), [[0, 0], [0, 0]])["AB".index(space[0])]
            row_of[0] += 1
            row_of[1] += int(card[1])
        change = sum(margin(*with_cards(tables[f], *rows)) - margin(*tables[f]) for f, rows in added.items())
        return (change if seat == 0 else -change) + rng.random() / 2

    return max(game.legal_actions(state), key=gain)


def quick_act(state, rng):
    seat = state.turn % 2
    sign = 1 if seat == 0 else -1
    blocked = state.blocked[0] | state.blocked[1]
    tables = faction_tables(state)
    best, choice = -math.inf, None
    for card in set(state.hands[seat]):
        table, value = tables[card >> 2], card & 3
        now = margin(*table)
        uses = [(None, collected(table, seat, value))]
        if blocked & 127 != 127:
            uses.append((0, with_cards(table, (1, value), (0, 0))))
        if blocked >> 7 != 127:
            uses.append((7, with_cards(table, (0, 0), (1, value))))
        for first, after in uses:
            gain = sign * (margin(*after) - now) + rng.random() / 2
            if gain > best:
                best, choice = gain, (card, first)
    card, first = choice
    if first is None:
        return game.Collect(CARDS[card])
    free = [space for space in range(first, first + 7) if not blocked >> space & 1]
    return game.Block(CARDS[card], SPACES[free[int(rng.random() * len(free))]])


def faction_tables(state):
    """For each faction: counts and worths of rows A and B, then totals of the seats and whether they have it."""
    tables = [[0] * 8 for _ in range(4)]
    for cards in (state.display, state.blockers):
        for space, card in enumerate(cards):
            if card >= 0:
                table = tables[card >> 2]
                table[space // 7] += 1
                table[2 + space // 7] += card & 3
    for seat in (0, 1):
        for faction in ROLE_FACTIONS[state.roles[seat]]:
            tables[faction][4 + seat] = tables[faction][6 + seat] = 1
        for card in state.collections[seat]:
            tables[card >> 2][4 + seat] += card & 3
            tables[card >> 2][6 + seat] = 1
    return tables


def with_cards(table, row_a, row_b):
    """The table once so many cards of so much worth were added to each row."""
    return [table[0] + row_a[0], table[1] + row_b[0], table[2] + row_a[1], table[3] + row_b[1], *table[4:]]


def collected(table, seat, value):
    after = list(table)
    after[4 + seat] += value
    after[6 + seat] = 1
    return after


def margin(count_a, count_b, near, far, total_0, total_1, has_0, has_1):
    """Rule H6 for one faction: the points of seat 0 minus those of seat 1."""
    if count_a != count_b and total_0 != total_1 and (count_a > count_b) != (total_0 > total_1):
        near, far = far, near
    return near * has_0 - far * has_1


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
