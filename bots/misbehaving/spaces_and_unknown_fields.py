"""Puts spaces around its answer and fields into it that nobody knows."""

import json
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", protocol=1)
    elif message["type"] == "new_game":
        say(type="ready")
    elif message["type"] == "act":
        answer = {"depth": 12, "type": "action", "index": 0, "pv": [1, 2], "id": message["id"], "score": -0.5}
        print("  " + json.dumps(answer, indent=None) + "  ", flush=True)
    elif message["type"] == "quit":
        break
