"""From the pairings of a round to numbered games with their deals: a pure function, the same on every resume.

Numbers run through the whole event. In process scope `game` a round is played deal by deal, so that the table is fair
at any time; in scope `sitting` the games of one sitting follow each other, so that a sitting is stored as one. It has
at most `MAX_SITTING` games: what is not stored yet would be played again after a crash, and watchers wait for it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from arena import formats, games
from arena.commitment import Keys
from arena.config import Config
from arena.formats import Field, Round
from arena.match import Contender, Game, Sitting
from arena.model import GameResult, Pairing

MAX_SITTING = 100  # games


def game_count(round_: Round, config: Config) -> int:
    """How many games a round has."""
    return config.games_per_pairing * sum(not pairing.is_bye for pairing in round_.pairings)


def games_in_all(config: Config, entrants: Sequence[str]) -> int | None:
    """How many games the event has if nobody drops out; None where that depends on the results."""
    format_ = formats.load(config.format)
    if format_.FIXED:
        plan = formats.plan(format_, Field(entrants=tuple(entrants)), config.format_settings)
        return sum(game_count(round_, config) for round_ in plan)
    rounds = format_.total_rounds(len(entrants), config.format_settings)
    return None if rounds is None else rounds * (len(entrants) // 2) * config.games_per_pairing


def sittings(
    rounds: Sequence[Round], config: Config, keys: Keys, contenders: Mapping[str, Contender], *, after: int = 0
) -> Iterator[Sitting]:
    """What is to be played of these rounds (all from the first one on), games up to number `after` left out.

    Every game with a number above `after` is in exactly one sitting, and sittings come in the order of their games.
    """
    game = games.load(config.game)
    options = game.to_json(config.options)
    for seats, parts in in_order(rounds, config):
        specs = []
        for number, pairing, deal_number, leg in parts:
            if number <= after:
                continue
            deal = keys.deal(game, config.options, deal_number)
            specs.append(
                Game(
                    number=number,
                    round=pairing.round,
                    pairing=pairing.number,
                    deal_number=deal_number,
                    leg=leg,
                    deal=game.to_json(deal),
                    wire_id=keys.wire_id(number),
                    random_seeds=(keys.random_seed(number, 0), keys.random_seed(number, 1)),
                )
            )
        if specs:
            yield Sitting(
                game=config.game,
                options=options,
                limits=config.limits,
                policies=config.policies,
                sandbox=config.sandbox,
                ponder=config.ponder,
                contenders=(contenders[seats[0]], contenders[seats[1]]),
                games=tuple(specs),
                substitute_key=keys.substitute_key,
            )


Part = tuple[int, Pairing, int, int]  # number of the game, its pairing, deal, leg


def in_order(rounds: Sequence[Round], config: Config) -> Iterator[tuple[tuple[str, str], list[Part]]]:
    """The sittings in schedule order: who sits where, and the games."""
    number = 0
    pairings_before = 0
    legs = range(2 if config.paired else 1)
    for index, round_ in enumerate(rounds):
        met = [pairing for pairing in round_.pairings if not pairing.is_bye]

        def deal_number(place: int, k: int, *, index: int = index, before: int = pairings_before) -> int:
            block = index if config.deals == "shared" else before + place
            return block * config.deals_per_pairing + k

        if config.scope == "game":
            for k in range(config.deals_per_pairing):
                for place, pairing in enumerate(met):
                    for leg in legs:
                        number += 1
                        yield _seats(pairing, leg), [(number, pairing, deal_number(place, k), leg)]
        else:
            for place, pairing in enumerate(met):
                for begin in range(0, config.deals_per_pairing, MAX_SITTING):
                    for leg in legs:
                        parts: list[Part] = []
                        for k in range(begin, min(begin + MAX_SITTING, config.deals_per_pairing)):
                            number += 1
                            parts.append((number, pairing, deal_number(place, k), leg))
                        yield _seats(pairing, leg), parts
        pairings_before += len(met)


def misplaced(results: Iterable[GameResult], rounds: Sequence[Round], config: Config) -> str | None:
    """What is wrong with the first game (of all from number 1 on) that is not the schedule's; None: all are."""
    planned = (
        (number, pairing.round, pairing.number, deal, leg, seats)
        for seats, parts in in_order(rounds, config)
        for number, pairing, deal, leg in parts
    )
    for result in results:
        plan = next(planned, None)
        here = (result.number, result.round, result.pairing, result.deal, result.leg, result.entrants)
        if here != plan:
            stead = "no game" if plan is None else f"game {plan[0]}, {_words(*plan[1:])}"
            return f"game {result.number} is {_words(*here[1:])}; there the schedule has {stead}"
    return None


def _words(round_: int, pairing: int, deal: int, leg: int, seats: tuple[str, str]) -> str:
    return f"{seats[0]} v {seats[1]} in leg {leg + 1} of deal {deal} (round {round_}, pairing {pairing})"


def _seats(pairing: Pairing, leg: int) -> tuple[str, str]:
    a, b = pairing.entrants
    assert b is not None, "a bye has no games"
    return (a, b) if leg == 0 else (b, a)
