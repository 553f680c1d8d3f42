"""A plain bot for Hidden Leaders Duel: it plays what looks best if the game were scored right away.

Standard library only. Unseen cards count as the average of what is left of their faction. Everything it knows comes
from the view; rules and JSON: docs/games/hidden-leaders-duel.md, messages: docs/protocol.md.
"""

import json
import math
import sys

FACTIONS = "IHSU"
ROLES = {"Lemron": "HS", "Cyra": "IS", "Myrad": "HU", "Xiadul": "IU", "Pavyr": "IH", "Enned": "SU"}


def choose(view, legal):
    """The index in `legal` of the action that this bot plays."""
    means = unseen_means(view)
    table = Table(view, means)
    values = [value_of(action, table, view, means) for action in legal]
    return max(range(len(legal)), key=values.__getitem__)


def value_of(action, table, view, means):
    """The margin that the action leads to, in points for this bot."""
    if action["type"] == "take":
        return value_of_take(action["spaces"], table, view, means)
    changes = []
    if action["type"] == "place":
        changes = [(card, space[0]) for space, card in action["cards"].items()]
    elif action["type"] == "block":
        changes = [(action["card"], action["space"][0])]
    after = table.copy()
    for card, row in changes:
        after.add_to_row(card, row)
    if action["type"] == "collect":
        after.collect(action["card"])
    return after.margin()


def value_of_take(spaces, table, view, means):
    """What is best once the two cards are in the hand and two hand cards lie in their places."""
    after = table.copy()
    hand = list(view["hand"])
    for space in spaces:
        card = view["display"][space]["card"]
        after.add_to_row(card, space[0], sign=-1)
        hand.append(card)
    best = -math.inf
    for i, first in enumerate(hand):
        for j, second in enumerate(hand):
            if i == j and len(spaces) > 1:
                continue
            placed = after.copy()
            placed.add_to_row(first, spaces[0][0])
            if len(spaces) > 1:
                placed.add_to_row(second, spaces[1][0])
            best = max(best, placed.margin())
    kept = sum(card_value(card, means) for card in hand)
    return best + 0.05 * kept  # a high card in the hand is worth a little


class Table:
    """By faction: how many cards lie in each row and what they are worth, and what each seat has collected."""

    def __init__(self, view=None, means=None):
        if view is None:
            return
        near = view["near_row"]
        self.means = means
        self.near = near
        self.count = {(faction, row): 0 for faction in FACTIONS for row in "AB"}
        self.worth = {(faction, row): 0.0 for faction in FACTIONS for row in "AB"}
        for space, shown in view["display"].items():
            for card in (shown["card"], shown["blocker"]) if shown else ():
                if card:
                    self.add_to_row(card, space[0])
        mine = view["role"]["factions"]
        self.own = {faction: float(faction in mine) for faction in FACTIONS}
        self.own_has = {faction: float(faction in mine) for faction in FACTIONS}
        for card in view["collection"]:
            self.collect(card)
        # The opponent has one of the five other roles: two of them share a given faction of ours, three any other.
        others = {faction: 0.4 if faction in mine else 0.6 for faction in FACTIONS}
        self.other = dict(others)
        self.other_has = dict(others)
        for card in view["opponent"]["collection"]:
            self.other[card[0]] += card_value(card, means)
            self.other_has[card[0]] = 1.0

    def copy(self):
        twin = Table()
        twin.__dict__ = {name: dict(part) if isinstance(part, dict) else part for name, part in self.__dict__.items()}
        return twin

    def add_to_row(self, card, row, sign=1):
        self.count[card[0], row] += sign
        self.worth[card[0], row] += sign * card_value(card, self.means)

    def collect(self, card):
        self.own[card[0]] += card_value(card, self.means)
        self.own_has[card[0]] = 1.0

    def margin(self):
        return sum(self.faction_margin(faction) for faction in FACTIONS)

    def faction_margin(self, faction):
        """Expected points of this bot minus those of the opponent. A lead is never certain: hence tanh."""
        far = "B" if self.near == "A" else "A"
        near_worth, far_worth = self.worth[faction, self.near], self.worth[faction, far]
        own_has, other_has = self.own_has[faction], self.other_has[faction]
        as_seated = own_has * near_worth - other_has * far_worth
        exchanged = own_has * far_worth - other_has * near_worth
        surplus = self.count[faction, self.near] - self.count[faction, far]
        if surplus == 0:
            return as_seated
        lead = math.tanh(self.own[faction] - self.other[faction])
        wanted, unwanted = (as_seated, exchanged) if surplus > 0 else (exchanged, as_seated)
        decided = wanted if lead > 0 else unwanted
        return abs(lead) * decided + (1 - abs(lead)) * as_seated


def unseen_means(view):
    """The average value of the unseen cards of each faction; a faction holds 0, 1, 1, 2, 2, 3, 3."""
    count = dict.fromkeys(FACTIONS, 7)
    worth = dict.fromkeys(FACTIONS, 12)
    seen = [*view["hand"], *view["collection"]]
    for shown in view["display"].values():
        seen += [card for card in (shown["card"], shown["blocker"]) if card] if shown else []
    for card in seen:
        if card[1] != "?":
            count[card[0]] -= 1
            worth[card[0]] -= int(card[1])
    return {faction: worth[faction] / max(1, count[faction]) for faction in FACTIONS}


def card_value(card, means):
    return means[card[0]] if card[1] == "?" else int(card[1])


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "hello", "protocol": 1, "name": "greedy", "version": "1"})
        elif message["type"] == "new_game":
            say({"type": "ready"})
        elif message["type"] == "act":
            say({"type": "action", "id": message["id"], "index": choose(message["view"], message["legal"])})
        elif message["type"] == "quit":
            return


def say(message):
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main()
