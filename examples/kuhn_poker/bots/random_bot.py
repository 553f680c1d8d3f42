"""The smallest legal bot: any game, any legal action, nothing but the standard library."""

import json
import random
import sys


def say(message: dict) -> None:
    print(json.dumps(message), flush=True)


rng = random.Random()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": 1, "name": "random"})
    elif message["type"] == "new_game":
        rng.seed(message["random_seed"])
        say({"type": "ready"})
    elif message["type"] == "act":
        say({"type": "action", "id": message["id"], "index": rng.randrange(len(message["legal"]))})
    elif message["type"] == "quit":
        break
