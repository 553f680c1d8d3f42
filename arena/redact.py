"""The public form of a transcript: what everybody may read, while an event goes on and when it has ended.

Deals are played more than once: with seats exchanged, and in a round by several pairs. Until nobody is left to play
one, everything that tells of it stays back. What a bot wrote for its author (notes, stderr, what the referee told it
of a fault) never becomes public.
"""

import msgspec

from arena import schedule
from arena.model import Fault
from arena.record import recorded_config
from arena.store import Store
from arena.transcript import Action, Seat, Transcript

replace = msgspec.structs.replace


def is_spent(store: Store, number: int) -> bool:
    """Whether the deal of a game will be played no more: its round is complete, or the event has ended."""
    if store.meta("root") is not None:
        return True
    round_ = store.game(number)[0].round
    played = sum(result.games for result in store.round_results()[round_ - 1])
    return played >= schedule.game_count(store.rounds()[round_ - 1], recorded_config(store))


def public(record: Transcript, *, spent: bool, own: int | None = None) -> Transcript:
    """The record without what is secret.

    Args:
        spent: the deal will be played no more; else deal, actions and the details of the outcome are left out.
        own: the seat of the author who asks: its own notes, stderr and fault sentences stay.

    What was sent and received is left out in any case: with the deal and the actions `arena.replay` derives it.
    """
    return replace(
        record,
        deal=record.deal if spent else None,
        seats=tuple(_seat(known, spent=spent, own=seat == own) for seat, known in enumerate(record.seats)),
        messages=(),
        actions=tuple(_action(action, own=action.seat == own) for action in record.actions) if spent else (),
        outcome=record.outcome if spent else replace(record.outcome, details={}),
        faults=tuple(fault if fault.seat == own else _fault(fault) for fault in record.faults),
    )


def _seat(seat: Seat, *, spent: bool, own: bool) -> Seat:
    """Without the hash of what was sent: with it a guess at the deal could be proved."""
    return replace(
        seat,
        random_seed=seat.random_seed if spent or own else 0,
        sent_sha256="",
        stderr=seat.stderr if own else "",
    )


def _action(action: Action, *, own: bool) -> Action:
    return action if own else replace(action, note=None)


def _fault(fault: Fault) -> Fault:
    return replace(fault, text="", offending="", stderr_tail="")
