"""Answers index 0 to every request."""

import json
import sys

ANSWERS = {"hello": '{"type":"hello","protocol":1}', "new_game": '{"type":"ready"}'}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "act":
        print(f'{{"type":"action","id":{message["id"]},"index":0}}', flush=True)
    elif message["type"] in ANSWERS:
        print(ANSWERS[message["type"]], flush=True)
    elif message["type"] == "quit":
        break
