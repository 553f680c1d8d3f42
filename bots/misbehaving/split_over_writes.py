"""Writes each answer byte by byte."""

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
        for byte in json.dumps({"type": "action", "id": message["id"], "index": 0}).encode() + b"\n":
            os.write(1, bytes([byte]))
    elif message["type"] == "quit":
        break
