"""Is ready one millisecond after the start-up limit."""

import json
import sys
import time

limit_s = 0.0
began_s = time.monotonic()  # the referee's clock began earlier


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        limit_s = message["limits"]["startup_s"]
        say(type="hello", protocol=1)
    elif message["type"] == "new_game":
        time.sleep(max(0.0, began_s + limit_s + 0.001 - time.monotonic()))
        say(type="ready")
    elif message["type"] == "act":
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
