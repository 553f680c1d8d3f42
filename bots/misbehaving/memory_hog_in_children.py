"""Spreads its memory over children, each of them modest."""

import json
import os
import sys
import time

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
        for _ in range(8):
            if os.fork() == 0:
                hoard = bytearray(b"x" * 16_000_000)
                time.sleep(60)
            time.sleep(0.005)
        time.sleep(60)
    elif message["type"] == "quit":
        break
