"""Sends an integer of 5,000 digits as its index."""

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
        sys.stdout.buffer.write(b'{"type":"action","id":%d,"index":%s}\n' % (message["id"], b"9" * 5000))
        sys.stdout.flush()
    elif message["type"] == "quit":
        break
