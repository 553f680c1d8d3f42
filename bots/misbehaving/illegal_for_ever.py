"""Answers against the rules and ignores what it is told, where one retry is allowed."""

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
    elif message["type"] in ("act", "error"):
        say(type="action", id=message["id"], index=1_000_000)
    elif message["type"] == "quit":
        break
