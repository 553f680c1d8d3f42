"""Raises an exception at its first action."""

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
        raise ValueError("a bug")
    elif message["type"] == "quit":
        break
