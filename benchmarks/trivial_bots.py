"""Bots that answer at once, in C, Python and JavaScript, and sittings of the game of `steps.py` for them."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from arena import games
from arena.match import Contender, Game, Sitting
from arena.model import Limits, Policies

HERE = Path(__file__).parent
SOURCES = HERE / "trivial"
ARGV = {"c": ("./bot",), "python": ("python3", "-P", "-s", "bot.py"), "node": ("node", "bot.js")}

games.GAMES["steps"] = "steps"
sys.path.append(str(HERE))


def compile_c(source: Path, target: Path) -> Path:
    """The program compiled from one C file."""
    subprocess.run(["gcc", "-O2", "-o", target, source], check=True)
    return target


def contender(language: str, folder: Path) -> Contender:
    """The trivial bot of a language, put into `folder`."""
    home = folder / language
    home.mkdir(parents=True, exist_ok=True)
    if language == "c":
        compile_c(SOURCES / "bot.c", home / "bot")
    else:
        shutil.copy(next(SOURCES.glob({"python": "bot.py", "node": "bot.js"}[language])), home)
    return Contender(entrant=language, folder=str(home), argv=ARGV[language])


def available(language: str) -> bool:
    """Whether this machine can run the bot."""
    return shutil.which({"c": "gcc", "python": sys.executable, "node": "node"}[language]) is not None


@contextlib.contextmanager
def on_cores(count: int) -> Iterator[None]:
    """This process and all that it starts meanwhile keep to so many cores: a worker for each."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def sittings(bot: Contender, *, count: int, games_each: int, plies: int, sandbox: str) -> list[Sitting]:
    """`count` sittings of the bot against itself; limits that no loaded machine breaks."""
    pair = (bot, bot)
    return [
        Sitting(
            game="steps",
            options={"plies": plies},
            limits=Limits(startup_s=60, move_s=60),
            policies=Policies(),
            sandbox=sandbox,
            contenders=pair,
            games=tuple(spec(place * games_each + k + 1) for k in range(games_each)),
        )
        for place in range(count)
    ]


def spec(number: int) -> Game:
    """One game of the schedule."""
    return Game(
        number=number,
        round=1,
        pairing=1,
        deal_number=number,
        leg=0,
        deal={"first_seat": number % 2},
        random_seeds=(number, number + 1),
    )
