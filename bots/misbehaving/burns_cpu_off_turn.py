"""Has children burn CPU while the opponent thinks: all of them are stopped then."""

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
        if os.fork() == 0:
            while True:
                pass
        say(type="ready")
    elif message["type"] == "act":
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
