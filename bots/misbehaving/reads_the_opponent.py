"""Looks for the opponent's files and processes."""

import json
import os
import sys

if os.getcwd() != "/bot":
    raise SystemExit("this bot is dangerous and runs in a sandbox only")


def look():
    own = {"bot", "dev", "proc", "tmp"}
    for top in sorted(os.listdir("/")):
        if top in own or os.path.islink(f"/{top}") or top in ("usr", "etc", "opt", "lib", "lib64", "bin", "sbin"):
            continue
        raise SystemExit(f"found /{top}")
    found = [name for name in os.listdir("/bot") if name != "reads_the_opponent.py"]
    found += os.listdir("/tmp")
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        if int(pid) not in (1, os.getpid()):
            found.append(f"process {pid}")
    if found:
        raise SystemExit(f"found {found}")


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
            look()
        say(type="action", id=message["id"], index=0)
    elif message["type"] == "quit":
        break
