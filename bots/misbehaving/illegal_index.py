"""Names an index beyond the list."""

import json
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", protocol=1)
    elif message["type"] == "new_game":
        say(type="ready")
    elif message["type"] == "act":
        say(type="action", id=message["id"], index=len(message["legal"]))
    elif message["type"] == "quit":
        break
