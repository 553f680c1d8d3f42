"""A plain bot for Leaders and Leaders expert: it plays the action after which the board looks best, one ply deep.

Standard library only: everything it knows comes from the view and the legal list. Rules and JSON:
docs/games/leaders.md, messages: docs/protocol.md.
"""

import json
import sys

WAYS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
AXIAL = {
    "ABCDEFG"[q + 3] + str(min(3, 3 - q) - r + 1): (q, r) for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3
}
NAME = {axial: name for name, axial in AXIAL.items()}
NEAR = {name: [NAME[q + dq, r + dr] for dq, dr in WAYS if (q + dq, r + dr) in NAME] for name, (q, r) in AXIAL.items()}

CARDS = {  # how gladly each is taken
    "assassin": 9, "archer": 8, "wanderer": 8, "illusionist": 7, "manipulator": 7, "claw_launcher": 7, "rider": 6,
    "acrobat": 6, "bruiser": 6, "hermit_and_cub": 6, "nemesis": 5, "royal_guard": 5, "brewmaster": 4, "vizier": 4,
    "protector": 4, "jailer": 3,
}  # fmt: skip
STRENGTH = {"assassin": 2.0, "cub": 0.3}  # of an attacker; 1 for all others
CLOSE = (0, 9, 5, 2.5, 1, 0.5, 0.2)  # what an attacker at this distance from the Leader is worth
BREATH = (0, -14, -6, -2, -1, 0, 0)  # a Leader's empty neighbours


def choose(view, legal):
    """The index in `legal` of the action that this bot plays."""
    if view["phase"] == "banish":
        return max(range(len(legal)), key=lambda i: CARDS[legal[i]["card"]])
    me = view["seat_to_act"]
    pieces = [(piece["character"], piece["seat"], piece["at"]) for piece in view["pieces"]]
    return max(range(len(legal)), key=lambda i: value(after(pieces, legal[i], me), me) + liking(legal[i]))


def liking(action):
    return CARDS[action["card"]] if action["type"] == "recruit" else 0


def after(pieces, action, me):
    """Where everybody stands after an action."""
    kind = action["type"]
    if kind == "end_actions":
        return pieces
    if kind == "recruit":
        if "cub_at" in action:
            return [*pieces, ("hermit", me, action["at"]), ("cub", me, action["cub_at"])]
        return [*pieces, (action["card"], me, action["at"])]
    who = "nemesis" if kind == "nemesis_move" else action["character"]
    start = next(at for name, seat, at in pieces if (name, seat) == (who, me))
    target = action.get("target")
    moves = {}
    if "target_to" in action:
        moves[target] = action["target_to"]
    if "to" in action:
        moves[start] = action["to"]
    elif who == "illusionist":
        moves = {target: start, start: target}
    elif who == "bruiser":
        moves[start] = target
    return [(name, seat, moves.get(at, at)) for name, seat, at in pieces]


def value(pieces, me):
    """How good the board is for `me`."""
    mine, theirs = pressure(pieces, 1 - me), pressure(pieces, me)
    return mine - 1.2 * theirs


def pressure(pieces, prey):
    """How close the Leader of seat `prey` is to its fall."""
    leader = next(at for name, seat, at in pieces if (name, seat) == ("leader", prey))
    occupied = {at for _, _, at in pieces}
    empty = sum(space not in occupied for space in NEAR[leader])
    weight, total = 0, -BREATH[empty]
    for name, seat, at in pieces:
        if seat != prey:
            gap = distance(leader, at)
            if name == "archer":
                aims = gap == 2 and in_line(leader, at)
                weight += aims
                total += CLOSE[1] if aims else CLOSE[gap] / 2
            else:
                weight += gap == 1 and {"assassin": 2, "cub": 0}.get(name, 1)
                total += STRENGTH.get(name, 1) * CLOSE[gap]
    return total + (1000 if weight >= 2 or empty == 0 else 0)


def distance(a, b):
    dq, dr = (x - y for x, y in zip(AXIAL[a], AXIAL[b], strict=True))
    return max(abs(dq), abs(dr), abs(dq + dr))


def in_line(a, b):
    dq, dr = (x - y for x, y in zip(AXIAL[a], AXIAL[b], strict=True))
    return 0 in (dq, dr, dq + dr)


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "hello", "protocol": 1, "name": "leaders-greedy", "version": "1"})
        elif message["type"] == "new_game":
            say({"type": "ready"})
        elif message["type"] == "act":
            say({"type": "action", "id": message["id"], "index": choose(message["view"], message["legal"])})
        elif message["type"] == "quit":
            return


def say(message):
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main()
