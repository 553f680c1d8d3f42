"""Hidden Leaders Duel: views, events and actions as text for people in a terminal."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET

from arena.games.hidden_leaders_duel.notation import (
    SPACES,
    Action,
    Block,
    Blocked,
    Collect,
    Collected,
    DisplayCard,
    Drew,
    Event,
    Place,
    Placed,
    Scored,
    Space,
    Take,
    Took,
    View,
)

FACTION_NAMES = {"I": "Imperial Army", "H": "Hill Tribes", "S": "Sea Folk", "U": "Undead"}
CELL = 7  # "S3/U?" and two blanks
VERBS = {"take": "takes", "place": "places", "act": "blocks or collects"}


def render(view: View) -> str:
    """The display with the viewer's near row at the bottom, then what is seen of each seat.

    `I?` lies face down, `I3` face up; `I3/U?` has a blocker; `--` is a freed space.
    """
    rows = ("A", "B") if view.near_row == "B" else ("B", "A")
    lines = [_heading(view), "", " " * CELL + "".join(f"{number:<{CELL}}" for number in range(1, 8)).rstrip()]
    lines += [_row(view, row) for row in rows]
    lines += ["", f"draw pile: {_pile(view)}", *_seats(view)]
    return "\n".join(lines) + "\n"


def explain(value: Event | Action) -> str:
    """An event or action in words; the scoring faction by faction, as H6 and H7 have it."""
    match value:
        case Take():
            return f"take {' and '.join(value.spaces)}"
        case Place():
            return f"place {_on_spaces(value.cards)}"
        case Block():
            return f"block {value.space} with {value.card}"
        case Collect():
            return f"collect {value.card}"
        case Took():
            return f"took {' and '.join(f'{card} from {space}' for space, card in value.cards.items())}"
        case Placed():
            return f"placed {_on_spaces(value.cards)}"
        case Blocked():
            return f"blocked {value.space} with {value.card}"
        case Collected():
            return f"collected {value.card}"
        case Drew():
            return f"drew {value.card}"
        case Scored():
            return "\n".join(_scoring(value))


def _on_spaces(cards: Mapping[Space, str]) -> str:
    return " and ".join(f"{card} on {space}" for space, card in cards.items())


def _scoring(event: Scored) -> list[str]:
    lines = ["The scoring:"]
    for faction, score in event.factions.items():
        a, b = score.totals
        tied = "totals" if a == b else "counts" if score.counts["A"] == score.counts["B"] else ""
        rule = f"equal {tied}: each the nearer row" if tied else f"seat {int(b > a)} gets the row with more"
        counts = ", ".join(f"{count} in row {row}" for row, count in score.counts.items())
        lines.append(f"{FACTION_NAMES[faction]}: totals {a} and {b}; cards {counts}; {rule}.")
        for seat, (row, cards) in enumerate(zip(score.rows, score.received, strict=True)):
            points = sum(int(card[1]) for card in cards)
            taken = (
                f"receives row {row}: {' '.join(cards)}, {points} point{'' if points == 1 else 's'}"
                if cards
                else "receives nothing"
            )
            lines.append(f"  seat {seat} {taken}")
    lines.append(
        f"In all: {event.points[0]} to {event.points[1]} points, {event.received[0]} to {event.received[1]} cards."
    )
    return lines


def _heading(view: View) -> str:
    if view.step == "over":
        return "The game is over."
    return f"Round {view.round} of 7, turn {view.turn + 1} of 14: seat {view.seat_to_act} {VERBS[view.step]}."


def _row(view: View, row: str) -> str:
    cells = [f"row {row}", *(_cell(view.display[space]) for space in SPACES if space[0] == row)]
    return "".join(f"{cell:<{CELL}}" for cell in cells).rstrip()


def _cell(card: DisplayCard | None) -> str:
    if card is None:
        return "--"
    return card.card if card.blocker is None else f"{card.card}/{card.blocker}"


def _pile(view: View) -> str:
    pile = view.draw_pile
    return "empty" if pile.top is None else f"{pile.top} on top of {pile.count - 1} more"


def _seats(view: View) -> list[str]:
    if view.players is not UNSET:
        return [_cards(f"seat {seat}", cards.hand, cards.collection) for seat, cards in enumerate(view.players)]
    if (
        view.role is UNSET
        or view.hand is UNSET
        or view.collection is UNSET
        or view.opponent is UNSET
        or view.seat is None
    ):
        raise ValueError("the view is neither a seat's nor the spectator's")
    first, second = view.role.factions
    return [
        _cards(f"seat {1 - view.seat}", view.opponent.hand, view.opponent.collection),
        _cards(f"seat {view.seat} (you)", view.hand, view.collection),
        f"your role: {view.role.name} ({first} and {second})",
    ]


def _cards(who: str, hand: Sequence[str], collection: Sequence[str]) -> str:
    return f"{who}: hand {' '.join(hand) or 'empty'}; collection {' '.join(collection) or 'empty'}"
