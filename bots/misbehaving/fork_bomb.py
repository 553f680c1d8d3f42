"""Starts processes that start processes."""

import json
import os
import sys

if os.getcwd() != "/bot":
    raise SystemExit("this bot is dangerous and runs in a sandbox only")


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", protocol=1)
    elif message["type"] == "new_game":
        say(type="ready")
    elif message["type"] == "act":
        while True:
            try:
                os.fork()
            except OSError:
                pass
    elif message["type"] == "quit":
        break
