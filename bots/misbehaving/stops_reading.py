"""Never reads again after it was ready, and says nothing."""

import json
import sys
import time

for _ in range(2):
    message = json.loads(sys.stdin.readline())
    answer = {"type": "hello", "protocol": 1} if message["type"] == "hello" else {"type": "ready"}
    print(json.dumps(answer), flush=True)
time.sleep(10**6)
