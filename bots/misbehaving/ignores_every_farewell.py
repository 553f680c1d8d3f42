"""Ignores quit, the end of its input and every signal that can be ignored."""

import json
import signal
import sys
import time

for number in {signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGALRM}:
    signal.signal(number, signal.SIG_IGN)


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", protocol=1)
    elif message["type"] == "new_game":
        say(type="ready")
    elif message["type"] == "act":
        say(type="action", id=message["id"], index=0)
while True:
    time.sleep(60)
