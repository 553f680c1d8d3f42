"""Leaves a note wherever it can for the game of the same deal with seats exchanged."""

import json
import os
import sys

if os.getcwd() != "/bot":
    raise SystemExit("this bot is dangerous and runs in a sandbox only")

PLACES = ["/bot/note", "/tmp/note", "/dev/shm/note", "/dev/note", "/var/tmp/note", "/usr/note", "/proc/note", "/note"]
if any(os.path.exists(place) for place in PLACES):
    raise SystemExit("found a note of an earlier game")


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", protocol=1)
    elif message["type"] == "new_game":
        for place in PLACES:
            try:
                with open(place, "w") as file:
                    file.write(line)
            except OSError as error:
                print(error, file=sys.stderr)
        say(type="ready")
    elif message["type"] == "act":
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
