"""Sends signals to the first process and to its parent."""

import json
import os
import signal
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
        if message["id"] == 1:
            for pid in (1, os.getppid()):
                for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
                    try:
                        os.kill(pid, number)
                    except OSError as error:
                        print(error, file=sys.stderr)
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
