"""A second engine for Leaders, written from the rules page alone: slow, plain dicts, every thinkable action tried.

It shares no code with `arena.games.leaders`. A game is the spectator's view as a dict, plus what a view
does not tell. `judge` says what an action would do to the figures or that it is not allowed; the legal list is every
syntactically possible action that `judge` allows.
"""

import copy
import itertools
import json
from functools import cache
from typing import Any

Game = dict[str, Any]
Moves = list[tuple[dict[str, Any], str]]  # (piece, where it goes)

CARDS = [
    "acrobat", "archer", "assassin", "brewmaster", "bruiser", "claw_launcher", "hermit_and_cub", "illusionist",
    "jailer", "manipulator", "nemesis", "protector", "rider", "royal_guard", "vizier", "wanderer",
]  # fmt: skip
FIGURES = ["leader", "hermit", "cub", *(card for card in CARDS if card != "hermit_and_cub")]
AXIAL = {
    "ABCDEFG"[q + 3] + str(min(3, 3 - q) - r + 1): (q, r) for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3
}
NAME = {axial: name for name, axial in AXIAL.items()}
WAYS = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
KINDS = {
    "action": ("move", "ability", "end_actions"),
    "nemesis": ("nemesis_move",),
    "recruit": ("recruit",),
    "banish": ("banish",),
    "over": (),
}
HOME = [["A1", "B1", "C1", "D1", "E1", "F1", "G1"], ["A4", "B5", "C6", "D7", "E6", "F5", "G4"]]


@cache
def step(space: str, way: tuple[int, int], count: int = 1) -> str | None:
    q, r = AXIAL[space]
    return NAME.get((q + way[0] * count, r + way[1] * count))


@cache
def around(space: str) -> list[str]:
    return [to for way in WAYS if (to := step(space, way))]


@cache
def straight(a: str, b: str) -> list[str] | None:
    """The spaces strictly between a and b if they lie in one line, else None."""
    for way in WAYS:
        for count in range(1, 7):
            if step(a, way, count) == b:
                return [str(step(a, way, n)) for n in range(1, count)]
    return None


def on(game: Game, space: str) -> dict[str, Any] | None:
    return next((piece for piece in game["pieces"] if piece["at"] == space), None)


def figure(game: Game, character: str, seat: int) -> dict[str, Any] | None:
    return next((p for p in game["pieces"] if p["character"] == character and p["seat"] == seat), None)


def empty(game: Game, space: str) -> bool:
    return on(game, space) is None


def sees(game: Game, a: str, b: str) -> bool:
    """Visible and not adjacent."""
    between = straight(a, b)
    return bool(between) and all(empty(game, space) for space in between)


def fallen(game: Game, seat: int) -> str | None:
    leader = figure(game, "leader", seat)["at"]
    weight = 0
    for piece in game["pieces"]:
        if piece["seat"] != seat:
            between = straight(leader, piece["at"])
            if piece["character"] == "archer":
                weight += between is not None and len(between) == 1
            elif between == []:
                weight += {"assassin": 2, "cub": 0}.get(piece["character"], 1)
    if weight >= 2:
        return "captured"
    return "surrounded" if all(not empty(game, space) for space in around(leader)) else None


def protected(game: Game, piece: dict[str, Any], against: int) -> bool:
    if piece["seat"] == against:
        return False
    guard = figure(game, "protector", piece["seat"])
    return guard is not None and (guard is piece or piece["at"] in around(guard["at"]))


def jumps(game: Game, me: dict[str, Any], start: str) -> set[str]:
    found = set()
    for way in WAYS:
        over, land = step(start, way), step(start, way, 2)
        if land and on(game, str(over)) not in (None, me) and on(game, land) in (None, me):
            found.add(land)
    return found


def walk(game: Game, start: str, steps: int) -> set[str]:
    """Where `steps` steps through empty spaces lead; the start counts as empty once left, but is no end."""
    ends = {start}
    for _ in range(steps):
        ends = {to for space in ends for to in around(space) if empty(game, to) or to == start}
    return ends - {start}


def ability(game: Game, me: dict[str, Any], target: str | None, to: str | None, target_to: str | None) -> Moves | None:
    """The moves of an ability, or None if L10–L18 do not allow it."""
    at, seat = me["at"], me["seat"]
    victim = on(game, target) if target else None
    given = (target is not None, to is not None, target_to is not None)
    goers = {
        "acrobat": lambda: jumps(game, me, at) | {b for a in jumps(game, me, at) for b in jumps(game, me, a)},
        "rider": lambda: {e for w in WAYS if (m := step(at, w)) and (e := step(at, w, 2)) and empty(game, m)},
        "wanderer": lambda: {s for s in AXIAL if all(not (p := on(game, n)) or p["seat"] == seat for n in around(s))},
        "royal_guard": lambda: guard_ends(game, me),
    }
    if me["character"] in goers:
        fine = given == (False, True, False) and to != at and empty(game, str(to)) and to in goers[me["character"]]()
        return [(me, str(to))] if fine else None
    if victim is None or victim is me:
        return None
    foe, held = victim["seat"] != seat, protected(game, victim, seat)
    target = str(target)
    match me["character"]:
        case "bruiser" if given == (True, False, True) and foe and not held and target in around(at):
            way = WAYS.index(next(w for w in WAYS if step(at, w) == target))
            opposite = [step(target, WAYS[(way + turn) % 6]) for turn in (5, 0, 1)]
            return (
                [(victim, str(target_to)), (me, target)] if target_to in opposite and empty(game, target_to) else None
            )
        case "manipulator" if given == (True, False, True) and foe and not held and sees(game, at, target):
            return [(victim, str(target_to))] if target_to in around(target) and empty(game, target_to) else None
        case "brewmaster" if given == (True, False, True) and not foe and target in around(at):
            return [(victim, str(target_to))] if target_to in around(target) and empty(game, target_to) else None
        case "illusionist" if given == (True, False, False) and not held and sees(game, at, target):
            return [(victim, at), (me, target)]
        case "claw_launcher" if sees(game, at, target):
            between = straight(at, target) or []
            if given == (True, True, False) and to == between[-1]:
                return [(me, to)]
            if given == (True, False, True) and target_to == between[0] and not held:
                return [(victim, target_to)]
    return None


def guard_ends(game: Game, me: dict[str, Any]) -> set[str]:
    beside = {space for space in around(figure(game, "leader", me["seat"])["at"]) if empty(game, space)}
    return beside | {end for space in beside for end in around(space) if empty(game, end)}


def judge(game: Game, action: dict[str, Any]) -> Game | None:
    """The game with the figures of a legal action moved or placed, before anything follows from it; else None."""
    seat, kind = game["seat_to_act"], action["type"]
    if kind not in KINDS[game["phase"]]:
        return None
    if kind == "end_actions" or (kind == "banish" and action["card"] in game["market"]):
        return game
    if kind == "nemesis_move":
        ends = nemesis_ends(game, seat)
        return moved(game, [(figure(game, "nemesis", seat), action["to"])]) if action["to"] in ends else None
    if kind == "recruit":
        return recruited(game, seat, action)
    if kind == "banish":
        return None
    me = figure(game, action["character"], seat)
    if me is None or me["acted"] or me["character"] == "nemesis":
        return None
    if kind == "move":
        far = 2 if me["character"] == "leader" and figure(game, "vizier", seat) else 1
        ends = set().union(*(walk(game, me["at"], n + 1) for n in range(far)))
        moves = [(me, action["to"])] if action["to"] in ends else None
    else:
        jailer = figure(game, "jailer", 1 - seat)
        jailed = jailer and jailer["at"] in around(me["at"])
        moves = None if jailed else ability(game, me, *(action.get(key) for key in ("target", "to", "target_to")))
    after = moved(game, moves) if moves else None
    return None if after is None or fallen(after, seat) else after


def moved(game: Game, moves: Moves) -> Game:
    ends = {id(piece): to for piece, to in moves}
    pieces = [{**piece, "at": ends.get(id(piece), piece["at"])} for piece in game["pieces"]]
    return {**game, "pieces": pieces}


def nemesis_ends(game: Game, seat: int) -> set[str]:
    me = figure(game, "nemesis", seat)
    ends = walk(game, me["at"], 2) or walk(game, me["at"], 1)
    kind = {end for end in ends if not all(not empty(moved(game, [(me, end)]), s) for s in
            around(figure(game, "leader", seat)["at"]))}  # fmt: skip
    return kind or ends


def recruited(game: Game, seat: int, action: dict[str, Any]) -> Game | None:
    pair = action["card"] == "hermit_and_cub"
    spaces = [action["at"], *([action["cub_at"]] if "cub_at" in action else [])]
    if action["card"] not in game["market"] or len(spaces) != 1 + pair or len({*spaces}) != len(spaces):
        return None
    if not all(space in HOME[seat] and empty(game, space) for space in spaces):
        return None
    names = ["hermit", "cub"] if pair else [action["card"]]
    new = [{"character": n, "seat": seat, "at": s, "acted": False} for n, s in zip(names, spaces, strict=True)]
    after = {**game, "pieces": [*game["pieces"], *new]}
    return None if fallen(after, seat) else after


def thinkable() -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Every syntactically possible action, by type and character: groups that cannot matter cost no time."""
    shapes = [("to",), ("target",), ("target", "to"), ("target", "target_to")]
    every: list[dict[str, Any]] = [{"type": "end_actions"}]
    every += [{"type": "move", "character": c, "to": to} for c in FIGURES for to in AXIAL]
    every += [{"type": "nemesis_move", "to": to} for to in AXIAL]
    every += [{"type": "banish", "card": card} for card in CARDS]
    every += [{"type": "recruit", "card": c, "at": at} for c in CARDS for at in AXIAL]
    every += [{"type": "recruit", "card": c, "at": a, "cub_at": b} for c in CARDS for a in AXIAL for b in AXIAL]
    every += [
        {"type": "ability", "character": c} | dict(zip(shape, spaces, strict=True))
        for c in FIGURES
        for shape in shapes
        for spaces in itertools.product(AXIAL, repeat=len(shape))
    ]
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for action in every:
        groups.setdefault((action["type"], action.get("character", "")), []).append(action)
    return groups


THINKABLE = thinkable()


def legal(game: Game) -> list[dict[str, Any]]:
    mine = {"", *(piece["character"] for piece in game["pieces"] if piece["seat"] == game["seat_to_act"])}
    groups = (group for (kind, who), group in THINKABLE.items() if kind in KINDS[game["phase"]] and who in mine)
    tried = (action for group in groups for action in group)
    return sorted((a for a in tried if judge(game, a) is not None), key=lambda a: json.dumps(a, sort_keys=True))


def start(deck: list[str] | None, max_turns: int) -> Game:
    leaders = [{"character": "leader", "seat": s, "at": at, "acted": False} for s, at in enumerate(["D1", "D7"])]
    game: Game = {
        "turn": 0, "phase": "banish", "seat": None, "seat_to_act": 0, "active_seat": 0, "pieces": leaders,
        "cards": [["leader"], ["leader"]], "market": sorted(deck[:3] if deck else CARDS),
        "deck_count": 0, "banished": [], "recruits_left": 1, "repeats": 0,
        "deck": deck[3:] if deck else [], "expert": deck is None, "max_turns": max_turns, "history": [], "result": None,
    }  # fmt: skip
    return game if deck is None else begin_turn(game, 0)


def play(game: Game, action: dict[str, Any]) -> tuple[Game, list[dict[str, Any]]]:
    """The next game and its events. `action` is legal."""
    before, seat, kind = game, game["seat_to_act"], action["type"]
    game = copy.deepcopy(judge(game, action))
    told: list[dict[str, Any]] = []
    if kind in ("move", "ability"):
        told = [{"type": "acted", "seat": seat, "action": action, "moved": shifts(before, game, action)}]
        me = figure(game, action["character"], seat)
        me["acted"] = True
        for one, other in (("hermit", "cub"), ("cub", "hermit")):
            pair = figure(game, one, seat), figure(game, other, seat)
            if all(pair) and pair[0]["acted"] and me not in pair:
                pair[1]["acted"] = True
        game = after_action(before, game)
    elif kind == "nemesis_move":
        told = [
            {"type": "nemesis_moved", "seat": seat, "from": figure(before, "nemesis", seat)["at"], "to": action["to"]}
        ]
        game["phase"] = "action"
        game = settle(game) or carry_on(game)
    elif kind == "end_actions":
        game = end_actions(game)
    elif kind == "recruit":
        told = [{**action, "type": "recruited", "seat": seat}]
        game["cards"][seat].append(action["card"])
        game["market"].remove(action["card"])
        if game["deck"]:
            told.append({"type": "market", "card": game["deck"][0]})
            game["market"] = sorted([*game["market"], game["deck"].pop(0)])
        game["recruits_left"] -= 1
        game = settle(game) or recruit_or_end(game)
    else:
        told = [{"type": "banished", "seat": seat, "card": action["card"]}]
        game["market"].remove(action["card"])
        game["banished"].append(action["card"])
        count = len(game["banished"])
        game["seat_to_act"] = count % 2
        if count in (2, 4):
            game = begin_turn(game, 0 if count == 2 else game["turn"] + 1)
    turns = [{"type": "turn", "seat": turn % 2, "turn": turn} for turn in range(before["turn"] + 1, game["turn"] + 1)]
    draw = game["result"] and game["result"][1] is None
    return game, told + (turns[:-1] if draw else turns)


def shifts(before: Game, after: Game, action: dict[str, Any]) -> list[dict[str, Any]]:
    """Every figure that changed space, the one that acts first."""
    found = [
        {"character": old["character"], "seat": old["seat"], "from": old["at"], "to": new["at"]}
        for old, new in zip(before["pieces"], after["pieces"], strict=True)
        if old["at"] != new["at"]
    ]
    doer = (action["character"], before["seat_to_act"])
    return sorted(found, key=lambda row: (row["character"], row["seat"]) != doer)


def settle(game: Game) -> Game | None:
    """L7, Q6: the game if it has ended."""
    for loser in (game["active_seat"], 1 - game["active_seat"]):
        if reason := fallen(game, loser):
            return over(game, reason, 1 - loser)
    return None


def over(game: Game, reason: str, winner: int | None) -> Game:
    return {**game, "phase": "over", "seat_to_act": None, "result": (reason, winner)}


def after_action(before: Game, game: Game) -> Game:
    if ended := settle(game):
        return ended
    for owner in (0, 1):
        fled = figure(before, "leader", 1 - owner)["at"] != figure(game, "leader", 1 - owner)["at"]
        if fled and figure(game, "nemesis", owner) and nemesis_ends(game, owner):
            return {**game, "phase": "nemesis", "seat_to_act": owner}
    return carry_on(game)


def carry_on(game: Game) -> Game:
    game = {**game, "phase": "action", "seat_to_act": game["active_seat"]}
    return game if len(legal(game)) > 1 else end_actions(game)


def end_actions(game: Game) -> Game:
    for piece in game["pieces"]:
        piece["acted"] = piece["seat"] == game["active_seat"] and piece["character"] != "nemesis"
    return recruit_or_end(game)


def recruit_or_end(game: Game) -> Game:
    game = {**game, "phase": "recruit"}
    if game["recruits_left"] and legal(game):
        return game
    game["recruits_left"] = 0
    if game["expert"] and len(game["banished"]) == 2 and all(len(cards) >= 3 for cards in game["cards"]):
        return {**game, "phase": "banish", "seat_to_act": 0}
    return begin_turn(game, game["turn"] + 1)


def begin_turn(game: Game, turn: int) -> Game:
    seat = turn % 2
    for piece in game["pieces"]:
        piece["acted"] = False
    cards = game["cards"]
    key = json.dumps([
        sorted((p["character"], p["seat"], p["at"]) for p in game["pieces"]),
        [sorted(held) for held in cards], game["market"], sorted(game["banished"]), seat,
    ])  # fmt: skip
    history = [*game["history"], key]
    recruits = min(2 if turn == 1 else 1, 5 - len(cards[seat]))
    game = {**game, "turn": turn, "active_seat": seat, "seat_to_act": seat, "phase": "action", "history": history,
            "recruits_left": recruits, "repeats": history.count(key)}  # fmt: skip
    if game["repeats"] == 3:
        return over(game, "repetition", None)
    return over(game, "turn-limit", None) if turn >= game["max_turns"] else carry_on(game)


def look(game: Game) -> dict[str, Any]:
    hidden = ("deck", "expert", "max_turns", "history", "result")
    view = {key: value for key, value in game.items() if key not in hidden}
    pieces = sorted(game["pieces"], key=lambda piece: (piece["seat"], piece["at"]))
    return view | {"pieces": pieces, "deck_count": len(game["deck"])}
