"""Starts threads until it gets no more, and plays on."""

import json
import os
import sys
import threading
import time

if os.getcwd() != "/bot":
    raise SystemExit("this bot is dangerous and runs in a sandbox only")


def start_threads():
    for _ in range(500):
        try:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        except RuntimeError as error:
            print(error, file=sys.stderr)
            return
    raise SystemExit("threads have no limit")


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
            start_threads()
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
