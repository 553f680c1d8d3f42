"""Is late once, where one strike is allowed; its late answer is passed over."""

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
        if message["id"] == 1:
            time.sleep(0.4)
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
