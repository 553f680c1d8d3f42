"""Fills its scratch space; writing more fails, and it plays on."""

import json
import os
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
            try:
                for number in range(100):
                    with open(f"/tmp/{number}", "wb") as file:
                        file.write(bytes(1_000_000))
                raise SystemExit("the disk has no limit")
            except OSError as error:
                print(error, file=sys.stderr)
            for name in os.listdir("/tmp"):
                os.remove(f"/tmp/{name}")
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
