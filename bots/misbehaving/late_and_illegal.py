"""Answers late and against the rules: late counts."""

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
        time.sleep(limit_s + 0.02)
        say(type="action", id=message["id"], index=1_000_000)
    elif message["type"] == "quit":
        break
