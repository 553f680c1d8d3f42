"""Sends its first answer before there is a request: a guess that fits."""

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
        say(type="action", id=1, index=0)
    elif message["type"] == "act":
        if message["id"] > 1:
            say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
