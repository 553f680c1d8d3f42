"""Is late with its second action."""

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
        if message["id"] == 2:
            time.sleep(60)
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
