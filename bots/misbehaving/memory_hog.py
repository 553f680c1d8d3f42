"""Takes memory until it is stopped."""

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
        hoard = []
        while True:
            hoard.append(bytearray(os.urandom(1) * 4_000_000))
            time.sleep(0.002)
    elif message["type"] == "quit":
        break
