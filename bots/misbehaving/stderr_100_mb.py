"""Writes 100 MB to stderr and answers."""

import json
import os
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
        if message["id"] == 1:
            for _ in range(1600):
                os.write(2, b"x" * 65536)
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
