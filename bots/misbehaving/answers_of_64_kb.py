"""Answers out of bounds again and again, with 64 KB of padding each time, where retries are allowed."""

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
        say(type="action", id=message["id"], index=1_000_000, padding="x" * 65_000)
    elif message["type"] == "quit":
        break
