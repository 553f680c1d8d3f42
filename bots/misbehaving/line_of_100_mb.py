"""Answers with one line of 100 MB."""

import json
import os
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
        os.write(1, b'{"type":"action","id":1,"index":0,"x":"')
        for _ in range(100):
            os.write(1, b"x" * 1_000_000)
        os.write(1, b'"}\n')
    elif message["type"] == "quit":
        break
