"""How fast this machine plays a game, bots that do not think in both seats: for planning, and to compare machines."""

import itertools
import os
import select
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec

from arena import games, roster, sandbox, starters, transcript
from arena.commitment import Keys, Secret
from arena.config import ConfigBot
from arena.executor.local import LocalExecutor
from arena.match import Contender, Game, Played, Sitting
from arena.model import Limits, Policies

SITTING_GAMES = 20
WARM_UP = 20  # games, or messages
PATIENT = Limits(startup_s=60.0, move_s=60.0)  # what a loaded machine does here is no bot's fault


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of one game. `answer_to_request_us` is the referee's own time between two bots, rules included."""

    game: str
    rules_plies_per_s: float  # random games without bots, legal actions included, on one core
    plies_per_game: float
    fresh_games_per_s: float  # both bots started for each game
    sitting_games_per_s: float  # started once for many
    ply_us: float  # of wall time and worker in a sitting, the bots' part included
    answer_to_request_us: float
    longest_host_delay_ms: float


def pipe_us(message_bytes: int = 200, rounds: int = 2000) -> float:
    """µs that a message takes to a bare process and back: what no referee can beat. The median."""
    took = []
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as echo:
        assert echo.stdin is not None
        assert echo.stdout is not None
        poll = select.poll()
        poll.register(echo.stdout, select.POLLIN)
        for _ in range(WARM_UP + rounds):
            began_s = time.perf_counter()
            os.write(echo.stdin.fileno(), b"x" * message_bytes)
            poll.poll()
            os.read(echo.stdout.fileno(), message_bytes)
            took.append(time.perf_counter() - began_s)
        echo.stdin.close()
    return 1e6 * statistics.median(took[WARM_UP:])


def speed(name: str, *, workers: int, mode: sandbox.Mode, seconds: float) -> Speed:
    """Measure one game, `seconds` for each of three figures. Raises UnknownNameError, SandboxError, HostFailure."""
    with tempfile.TemporaryDirectory(prefix="arena-") as scratch:
        kit = starters.folder("python")
        bots = [ConfigBot(id=f"bot-{seat}", name="bot", path=str(kit), location=kit) for seat in (0, 1)]
        ready = tuple(roster.contenders(bots, Path(scratch), mode=mode).values())
        fresh, fresh_s = _play(name, ready, workers, mode, seconds, games_each=1)
        sat, sat_s = _play(name, ready, workers, mode, seconds, games_each=SITTING_GAMES)
    plies = sum(played.result.plies for played in sat)
    return Speed(
        game=name,
        rules_plies_per_s=_rules_plies_per_s(name, seconds),
        plies_per_game=plies / len(sat),
        fresh_games_per_s=len(fresh) / fresh_s,
        sitting_games_per_s=len(sat) / sat_s,
        ply_us=1e6 * workers * sat_s / plies,
        answer_to_request_us=statistics.median(itertools.chain.from_iterable(map(shares_us, sat))),
        longest_host_delay_ms=max(played.max_host_delay_ms for played in (*fresh, *sat)),
    )


def _play(
    name: str, contenders: Sequence[Contender], workers: int, mode: sandbox.Mode, seconds: float, *, games_each: int
) -> tuple[list[Played], float]:
    """The games that were begun within so many seconds, and how long they took together."""
    sittings = _sittings(name, contenders, mode, games_each)
    with LocalExecutor(workers) as executor:
        _finished(executor, itertools.islice(sittings, workers))  # every worker has started a sandbox
        began_s = time.perf_counter()
        found = _finished(executor, itertools.takewhile(lambda _: time.perf_counter() < began_s + seconds, sittings))
        return found, time.perf_counter() - began_s


def _finished(executor: LocalExecutor, sittings: Iterable[Sitting]) -> list[Played]:
    return [played for finished in executor.play(sittings) for _, found in finished for played in found]


def _sittings(name: str, contenders: Sequence[Contender], mode: sandbox.Mode, games_each: int) -> Iterator[Sitting]:
    game, keys = games.load(name), Keys(Secret.draw("bench"))
    options = game.Options()
    for first in itertools.count(1, games_each):
        specs = tuple(
            Game(
                number=number,
                round=1,
                pairing=1,
                deal_number=number,
                leg=0,
                deal=game.to_json(keys.deal(game, options, number)),
                random_seeds=(keys.random_seed(number, 0), keys.random_seed(number, 1)),
            )
            for number in range(first, first + games_each)
        )
        yield Sitting(
            game=name,
            options=game.to_json(options),
            limits=PATIENT,
            policies=Policies(),
            sandbox=mode.value,
            contenders=(contenders[0], contenders[1]),
            games=specs,
        )


def shares_us(played: Played) -> Iterator[float]:
    """From each answer, as it was read, until the next request was wholly in its pipe."""
    for answer, request in itertools.pairwise(transcript.unpack(played.transcript).messages):
        if answer.to == "referee" and request.derived == "act":
            yield 1000 * (request.at_ms - answer.at_ms)


def _rules_plies_per_s(name: str, seconds: float) -> float:
    game, rng, keys = games.load(name), Random(0), Keys(Secret.draw("bench"))  # noqa: S311 - only to measure
    options = game.Options()
    plies = 0
    began_s = time.process_time()
    for number in itertools.count(1):
        state = game.initial(keys.deal(game, options, number), options)
        while game.seat_to_act(state) is not None:
            legal = game.legal_actions(state)
            state = game.apply(state, legal[rng.randrange(len(legal))])
            plies += 1
        if number == WARM_UP:
            plies, began_s = 0, time.process_time()
        elif number > WARM_UP and time.process_time() >= began_s + seconds:
            break
    return plies / (time.process_time() - began_s)
