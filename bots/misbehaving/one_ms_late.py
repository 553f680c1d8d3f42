"""Answers one millisecond after the limit by its own clock, which starts after the referee's."""

import json
import sys
import time


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", protocol=1)
    elif message["type"] == "new_game":
        say(type="ready")
    elif message["type"] == "act":
        limit_s = (message["clock"]["move_ms"] + message["clock"]["bank_ms"]) / 1000
        time.sleep(limit_s + 0.001)
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
