"""Answers without a newline and waits."""

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
        print(json.dumps({"type": "action", "id": message["id"], "index": 0}), end="", flush=True)
    elif message["type"] == "quit":
        break
