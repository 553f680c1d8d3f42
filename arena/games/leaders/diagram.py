"""Positions as text: the lines that tests and docs write down, and the board drawn above them for people.

```
turn 6, action, recruits 1, repeats 1
south leader D2*, archer A1, hermit B1* + cub C1
north leader D7, nemesis D5
market brewmaster, rider, vizier; deck 10
banished nothing
```
South is seat 0, north seat 1; cards stand in order of recruitment; `*` marks a figure that can no longer act this turn.
"""

import msgspec

from arena.games.leaders.board import AXIAL, NAMES
from arena.games.leaders.cards import CARDS
from arena.games.leaders.notation import View
from arena.games.leaders.state import recruit_count

SIDES = ("south", "north")
ARROWS = ("^", "v")  # each seat's figures point at the other side
SIGNS = {
    "leader": "LE", "acrobat": "AC", "archer": "AR", "assassin": "AS", "brewmaster": "BM", "bruiser": "BR",
    "claw_launcher": "CL", "cub": "CU", "hermit": "HE", "illusionist": "IL", "jailer": "JA", "manipulator": "MA",
    "nemesis": "NE", "protector": "PR", "rider": "RI", "royal_guard": "RG", "vizier": "VI", "wanderer": "WA",
}  # fmt: skip
FILE_WIDTH, LINES = 6, 13


def render(view: View) -> str:
    """The board with north above, then the position's lines. An empty space shows its name in small letters."""
    return f"{picture(view)}\n\n{text(view)}"


def picture(view: View) -> str:
    """The hexagon: `^` for figures of seat 0, `v` for those of seat 1, `*` if it can no longer act this turn."""
    shown = {name: f" {name.lower()}" for name in NAMES}
    for piece in view.pieces:
        shown[piece.at] = f"{ARROWS[piece.seat]}{SIGNS[piece.character]}{'*' if piece.acted else ''}"
    rows: list[list[str]] = [[""] * 7 for _ in range(LINES)]
    for name, (q, r) in zip(NAMES, AXIAL, strict=True):
        rows[2 * r + q + 6][q + 3] = shown[name]
    return "\n".join("".join(cell.ljust(FILE_WIDTH) for cell in row).rstrip() for row in rows)


def text(view: View) -> str:
    """The position's lines; `parse` reads them back."""
    lines = [f"turn {view.turn}, {view.phase}, recruits {view.recruits_left}, repeats {view.repeats}"]
    lines += [f"{side} {_held(view, seat)}" for seat, side in enumerate(SIDES)]
    lines += [f"market {_listed(view.market)}; deck {view.deck_count}", f"banished {_listed(view.banished)}"]
    return "\n".join(lines)


def _held(view: View, seat: int) -> str:
    at: dict[str, str] = {
        p.character: f"{p.character} {p.at}{'*' if p.acted else ''}" for p in view.pieces if p.seat == seat
    }
    names = {**at, "hermit_and_cub": f"{at.get('hermit')} + {at.get('cub')}"}
    return ", ".join(names[card] for card in view.cards[seat])


def _listed(cards: tuple[str, ...]) -> str:
    return ", ".join(cards) or "nothing"


def parse(position: str, seat: int | None = None) -> View:
    """The view of `seat` that `text` wrote.

    Only south and north are needed: turn 0, phase action, the recruitments of a fresh turn, repeats 1, an empty market
    and everything else in the deck are taken for granted. Raises ValueError or msgspec.ValidationError for nonsense.
    """
    lines = dict(line.strip().split(" ", 1) for line in position.strip().splitlines())
    turn, phase, recruits, repeats = _course(lines.get("turn", "0"))
    sides = [_side(number, lines[side]) for number, side in enumerate(SIDES)]
    market, _, deck = lines.get("market", "nothing").partition("; deck ")
    banished = _names(lines.get("banished", "nothing"))
    held = [[_card_of(piece["character"]) for piece in pieces if piece["character"] != "cub"] for pieces in sides]
    active = turn % 2
    others = {"nemesis": int("nemesis" in held[1]), "banish": len(banished) % 2, "over": None}
    data = {
        "turn": turn,
        "phase": phase,
        "seat": seat,
        "seat_to_act": others.get(phase, active),
        "active_seat": active,
        "pieces": [piece for pieces in sides for piece in sorted(pieces, key=lambda piece: str(piece["at"]))],
        "cards": held,
        "market": sorted(_names(market)),
        "deck_count": int(deck or len(CARDS) + 2 - len([*held[0], *held[1], *_names(market), *banished])),
        "banished": banished,
        "recruits_left": recruit_count(turn, tuple(range(len(held[active]) - 1))) if recruits is None else recruits,
        "repeats": repeats,
    }
    return msgspec.convert(data, View)


def _course(line: str) -> tuple[int, str, int | None, int]:
    number, phase, *rest = [*line.split(", "), "action"][: max(2, line.count(", ") + 1)]
    counts = {key: int(value) for key, value in (part.split() for part in rest)}
    return int(number), phase, counts.get("recruits"), counts.get("repeats", 1)


def _side(seat: int, line: str) -> list[dict[str, object]]:
    figures = (figure.split() for figure in line.replace(" + ", ", ").split(", "))
    return [{"character": name, "seat": seat, "at": at.rstrip("*"), "acted": at.endswith("*")} for name, at in figures]


def _card_of(character: object) -> object:
    return "hermit_and_cub" if character == "hermit" else character


def _names(line: str) -> list[str]:
    return [] if line == "nothing" else line.split(", ")
