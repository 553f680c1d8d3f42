"""Perfect play in OpenSpiel's Kuhn poker, whose views are texts: the own card (0, 1, 2), then p (pass) and b (bet)."""

import json
import random
import sys

ALPHA = 1 / 5
rng = random.Random()

# How often to bet, by history, with the low, the middle and the high card; the same numbers as in equilibrium.py.
AGGRESSION = {
    "": (ALPHA, 0, 3 * ALPHA),
    "pb": (0, ALPHA + 1 / 3, 1),
    "p": (1 / 3, 0, 1),
    "b": (0, 1 / 3, 1),
}
PASS, BET = 0, 1


def send(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send({"type": "hello", "protocol": 1, "name": "equilibrium"})
    elif message["type"] == "new_game":
        rng.seed(message["random_seed"])
        send({"type": "ready"})
    elif message["type"] == "act":
        card, history = int(message["view"]["text"][0]), message["view"]["text"][1:]
        wanted = BET if rng.random() < AGGRESSION[history][card] else PASS
        index = [action["id"] for action in message["legal"]].index(wanted)
        send({"type": "action", "id": message["id"], "index": index})
    elif message["type"] == "quit":
        break
