"""Has a child that wakes it whenever it is stopped."""

import json
import os
import signal
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
        if os.fork() == 0:
            os.setpgid(0, 0)
            while True:
                os.kill(os.getppid(), signal.SIGCONT)
                time.sleep(0.001)
        say(type="ready")
    elif message["type"] == "act":
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
