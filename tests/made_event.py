"""Events made without any bot: random games by the rules, recorded as the referee would, in a real event file."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from arena import config as configs
from arena import games, match, schedule, transcript
from arena.bot.messages import WireOutcome
from arena.formats import Round
from arena.match import Contender, Played, Sitting
from arena.model import Fault
from arena.tournament import Event
from arena.transcript import Action, Seat, Transcript

RANDOM = Path(__file__).parent.parent / "bots" / "random_bot.py"
CONFIG = """
event: made
game: {game}
format: {format}
deals_per_pairing: {deals}
sandbox: 'off'
bots:
"""


def make(
    folder: Path,
    *,
    game: str = "hidden-leaders-duel",
    format_: str = "round-robin",
    entrants: Sequence[str] = ("ann", "bob", "cid"),
    names: Sequence[str] = (),
    deals: int = 2,
    played: int | None = None,
    forfeits: Sequence[int] = (),
    note: str = "",
    stderr: str = "",
    hello: str = "",
) -> Path:
    """The folder of an event of random games.

    Args:
        played: how many games are finished; None: all, and the event has ended.
        forfeits: numbers of games that seat 1 loses by a fault half-way.
        note, stderr, hello: what every bot says.
    """
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "made.yaml"
    bots = [
        {"id": entrant, "path": str(RANDOM), **({"name": names[i]} if names else {})}
        for i, entrant in enumerate(entrants)
    ]
    lines = [f"  - {msgspec.json.encode(bot).decode()}\n" for bot in bots]
    config.write_text(CONFIG.format(game=game, format=format_, deals=deals) + "".join(lines), encoding="utf-8")
    with Event(configs.load(config), folder / "event") as event:
        contenders = {entrant: Contender(entrant=entrant, folder="", argv=()) for entrant in entrants}
        rounds: list[Round] = []
        while (played is None or event.store.game_count() < played) and (paired := event._next_rounds()):
            for round_ in paired:
                rounds.append(round_)
                event.store.add_round(len(rounds), round_)
            after = event.store.game_count()
            done: list[Played] = []
            for sitting in schedule.sittings(rounds, event.config, event.keys, contenders, after=after):
                if played is not None and after + len(done) >= played:
                    break
                done.append(_played(sitting, forfeits, note, stderr, hello))
            event.store.add_games(done)
            if not done:
                break
        if played is None:
            event._end()
    return folder / "event"


def _played(sitting: Sitting, forfeits: Sequence[int], note: str, stderr: str, hello: str) -> Played:
    (spec,) = sitting.games
    record = random_game(
        sitting, Random(spec.number), forfeit=spec.number in forfeits, note=note, stderr=stderr, hello=hello
    )
    voids = ("the machine held a reply up",) if spec.number == 2 else ()
    return Played(
        result=match.result(spec, record), transcript=transcript.pack(record), voids=voids, max_host_delay_ms=1.5
    )


def random_game(
    sitting: Sitting, rng: Random, *, forfeit: bool = False, note: str = "", stderr: str = "", hello: str = ""
) -> Transcript:
    """A game of random actions, with times as a bot might take."""
    (spec,) = sitting.games
    game = games.load(sitting.game)
    options = game.from_json(sitting.options, game.Options)
    state = game.initial(game.from_json(spec.deal, game.Deal), options)
    actions: list[Action] = []
    while (seat := game.seat_to_act(state)) is not None:
        legal = game.legal_actions(state)
        if forfeit and len(actions) >= 20 and seat == 1:
            break
        action = legal[rng.randrange(len(legal))]
        forced = len(legal) == 1
        actions.append(
            Action(
                ply=len(actions),
                seat=seat,
                action=game.to_json(action),
                forced=forced,
                took_ms=None if forced else round(rng.expovariate(0.05), 3),
                note=note or None,
            )
        )
        state = game.apply(state, action)
    outcome, faults = _outcome(game, state, len(actions))
    contenders = sitting.contenders
    return Transcript(
        arena="0",
        game_id=f"r{spec.round}p{spec.pairing}d{spec.deal_number}g{spec.leg + 1}",
        game=sitting.game,
        rules_version=game.RULES_VERSION,
        options=sitting.options,
        deal=spec.deal,
        limits=sitting.limits,
        policies=sitting.policies,
        seats=tuple(
            Seat(entrant=one.entrant, name=hello or None, stderr=stderr, cpu_s=0.5, peak_memory_mb=20.0)
            for one in contenders
        ),
        messages=(),
        actions=tuple(actions),
        outcome=outcome,
        faults=tuple(msgspec.structs.replace(fault, stderr_tail=stderr) for fault in faults),
        sandbox="off",
    )


def _outcome(game: Any, state: Any, plies: int) -> tuple[WireOutcome, tuple[Fault, ...]]:
    ended = game.outcome(state)
    if ended is not None:
        return WireOutcome(half_points=ended.half_points, reason=ended.reason, details=ended.details), ()
    fault = Fault(seat=1, code="illegal-action", ply=plies, text="SECRET-SENTENCE legal: I3", offending='{"SECRET":1}')
    return WireOutcome(half_points=(2, 0), reason="forfeit", forfeit_by=1, code=fault.code), (fault,)
