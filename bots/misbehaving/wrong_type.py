"""Answers a request with another ready."""

import json
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", protocol=1)
    elif message["type"] == "new_game" or message["type"] == "act":
        say(type="ready")
    elif message["type"] == "quit":
        break
