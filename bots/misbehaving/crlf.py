"""Ends its lines with carriage return and line feed."""

import json
import sys


def say(**message):
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\r\n")
    sys.stdout.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", protocol=1)
    elif message["type"] == "new_game":
        say(type="ready")
    elif message["type"] == "act":
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
