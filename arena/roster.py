"""The bots of an event, made ready: read, hashed, copied into the event's folder, built."""

import logging
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from arena import config as configs
from arena import sandbox
from arena.bot import manifest
from arena.config import ConfigBot
from arena.errors import ArenaError, UsageError
from arena.match import Contender
from arena.model import Entrant

log = logging.getLogger("arena.roster")

READY = ".ready"  # beside a bot's folder: the hash of what stands in it


def entrants(bots: Sequence[ConfigBot]) -> tuple[Entrant, ...]:
    """The entrants in seeding order, with the hash of each bot's files as they are now."""
    return tuple(Entrant(id=bot.id, name=bot.name, sha256=manifest.sha256(configs.program(bot))) for bot in bots)


def contenders(bots: Sequence[ConfigBot], folder: Path, *, mode: sandbox.Mode) -> dict[str, Contender]:
    """Each bot staged and built in `folder`/ID, by id; one that stands there already with the same bytes is kept.

    Raises ArenaError with the build's output when a build fails.
    """
    return {bot.id: _contender(bot, folder.absolute() / bot.id, mode=mode) for bot in bots}


def _contender(bot: ConfigBot, target: Path, *, mode: sandbox.Mode) -> Contender:
    program = configs.program(bot)
    sha256 = manifest.sha256(program)
    mark = target.parent / f"{target.name}{READY}"
    if not (mark.is_file() and mark.read_text() == sha256):
        mark.unlink(missing_ok=True)
        if target.exists():
            shutil.rmtree(target)
        if program.build is None:
            manifest.stage(program, target)
        else:
            _build(bot, program, target, mode)
        mark.write_text(sha256)
    return Contender(entrant=bot.id, folder=str(target.resolve()), argv=program.run, env=program.env)


def _build(bot: ConfigBot, program: manifest.Bot, target: Path, mode: sandbox.Mode) -> None:
    assert program.build is not None
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        sources = manifest.stage(program, Path(scratch) / "sources").folder
        log.info("building %s: %s", bot.id, " ".join(program.build))
        try:
            built = sandbox.build(program.build, sources, target, mode=mode, env=program.env)
        except ArenaError as error:
            raise UsageError(f"{bot.id} ({bot.path}): its build failed: {error}") from error
        log.info("built %s in %.1f s:\n%s", bot.id, built.elapsed_s, built.log)
