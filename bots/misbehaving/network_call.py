"""Calls home: there is no network."""

import json
import socket
import sys


def call(address):
    try:
        socket.create_connection(address, timeout=1).close()
    except OSError as error:
        print(error, file=sys.stderr)
    else:
        raise SystemExit(f"reached {address}")


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
            call(("192.0.2.1", 80))
            call(("127.0.0.1", 22))
            call(("localhost", 80))
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
