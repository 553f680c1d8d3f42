"""Answers by counting and never reads, until its small input pipe is full."""

import fcntl
import json
import sys

F_SETPIPE_SZ = 1031

fcntl.fcntl(0, F_SETPIPE_SZ, 4096)
for _ in range(2):
    message = json.loads(sys.stdin.readline())
    answer = {"type": "hello", "protocol": 1} if message["type"] == "hello" else {"type": "ready"}
    print(json.dumps(answer), flush=True)
for id_ in range(1, 200):
    print(json.dumps({"type": "action", "id": id_, "index": 0}), flush=True)
while True:
    pass
