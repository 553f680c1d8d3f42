"""Actions and events as sentences for people."""

from msgspec import UNSET, UnsetType

from arena.games.leaders.notation import (
    Ability,
    Acted,
    Action,
    Banish,
    Banished,
    EndActions,
    Event,
    MarketFilled,
    Move,
    NemesisMove,
    NemesisMoved,
    Recruit,
    Recruited,
    Shift,
    TurnBegan,
)


def explain(value: Event | Action) -> str:
    """What to do, as an order; what a seat did, in the past tense and without the seat."""
    match value:
        case Move():
            return f"move {_name(value.character)} to {value.to}"
        case Ability():
            return f"use {_name(value.character)}{_aim(value)}"
        case EndActions():
            return "end actions"
        case NemesisMove():
            return f"move Nemesis to {value.to}"
        case Recruit():
            return f"recruit {_name(value.card)} at {_places(value.at, value.cub_at)}"
        case Banish():
            return f"banish {_name(value.card)}"
        case Acted():
            moved = ", ".join(_way(shift, value.seat) for shift in value.moved)
            return (
                f"moved {moved}" if isinstance(value.action, Move) else f"used {_name(value.action.character)}: {moved}"
            )
        case NemesisMoved():
            return f"moved Nemesis from {value.from_} to {value.to}"
        case Recruited():
            return f"recruited {_name(value.card)} at {_places(value.at, value.cub_at)}"
        case MarketFilled():
            return f"{_name(value.card)} came into the market"
        case Banished():
            return f"banished {_name(value.card)}"
        case TurnBegan():
            return f"began turn {value.turn}"


def _name(word: str) -> str:
    """Of a character or card: `hermit_and_cub` is "Hermit and Cub"."""
    return word.replace("_", " ").title().replace(" And ", " and ")


def _aim(ability: Ability) -> str:
    parts = (
        "" if ability.target is UNSET else f" on {ability.target}",
        "" if ability.to is UNSET else f", going to {ability.to}",
        "" if ability.target_to is UNSET else f", moving it to {ability.target_to}",
    )
    return "".join(parts)


def _places(at: str, cub_at: str | UnsetType) -> str:
    return at if cub_at is UNSET else f"{at}, Cub at {cub_at}"


def _way(shift: Shift, seat: int) -> str:
    whose = "" if shift.seat == seat else "enemy "
    return f"{whose}{_name(shift.character)} from {shift.from_} to {shift.to}"
