"""A bot for Arena: write your idea into `choose`. To debug, print to sys.stderr; stdout belongs to the protocol."""

import json
import random
import sys

rng = random.Random()


def choose(view, legal, clock):
    """The index into `legal` of the action to take.

    view: what your seat may see, as on the game's page; legal: the actions open to you, never empty;
    clock: milliseconds, "move_ms" for this answer and "bank_ms" in reserve.
    """
    return rng.randrange(len(legal))


def send(message):
    print(json.dumps(message), flush=True)  # an answer left in a buffer is an answer too late


def main():
    legal = []
    for line in sys.stdin.buffer:
        if not line.endswith(b"\n"):
            break  # the input ended within a line
        message = json.loads(line)
        match message.get("type"):
            case "hello":
                send({"type": "hello", "protocol": 1})
            case "new_game":
                rng.seed(message.get("random_seed", 0))  # the same game gives the same random numbers
                send({"type": "ready"})
            case "act":
                legal = message["legal"]
                index = choose(message["view"], legal, message.get("clock", {}))
                send({"type": "action", "id": message["id"], "index": index})
            case "error":  # only where the tournament allows another try: say what was wrong, take any action
                print(message.get("text"), file=sys.stderr)
                send({"type": "action", "id": message["id"], "index": rng.randrange(len(legal))})
            case "quit":
                break


if __name__ == "__main__":
    main()
