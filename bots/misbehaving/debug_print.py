"""Prints a line for debugging before its answer."""

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
        print("thinking about", len(message["legal"]), "actions", flush=True)
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
