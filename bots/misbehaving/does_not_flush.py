"""Forgets to flush, so that its hello stays in its own buffer."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1}))
    elif message["type"] == "new_game":
        print(json.dumps({"type": "ready"}))
    elif message["type"] == "act":
        print(json.dumps({"type": "action", "id": message["id"], "index": 0}))
    elif message["type"] == "quit":
        break
