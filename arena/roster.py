"""The bots of an event, made ready: read, hashed, copied into the event's folder, built."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from arena import config as configs
from arena import sandbox
from arena.bot import manifest
from arena.config import ConfigBot
from arena.errors import ArenaError
from arena.match import Contender
from arena.model import Entrant, Limits

READY = ".ready"  # beside a bot's folder: the hash of what stands in it


def entrants(bots: Sequence[ConfigBot]) -> tuple[Entrant, ...]:
    """The entrants in seeding order, with the hash of each bot's files as they are now."""
    return tuple(Entrant(id=bot.id, name=bot.name, sha256=manifest.sha256(configs.program(bot))) for bot in bots)


def contenders(bots: Sequence[ConfigBot], folder: Path, *, mode: sandbox.Mode, limits: Limits) -> dict[str, Contender]:
    """Each bot staged and built in `folder`/ID, by id; one that stands there already with the same bytes is kept.

    Raises ArenaError with the build's output when a build fails.
    """
    return {bot.id: _contender(bot, folder / bot.id, mode=mode, limits=limits) for bot in bots}


def _contender(bot: ConfigBot, target: Path, *, mode: sandbox.Mode, limits: Limits) -> Contender:
    program = configs.program(bot)
    sha256 = manifest.sha256(program)
    mark = target.parent / f"{target.name}{READY}"
    if not (mark.is_file() and mark.read_text() == sha256):
        mark.unlink(missing_ok=True)
        if target.exists():
            shutil.rmtree(target)
        staged = manifest.stage(program, target)
        if staged.build is not None:
            try:
                sandbox.build(staged.build, target, mode=mode, limits=limits, env=staged.env)
            except ArenaError as error:
                raise ArenaError(f"{bot.id} ({bot.path}): its build failed: {error}") from error
        mark.write_text(sha256)
    return Contender(entrant=bot.id, folder=str(target.resolve()), argv=program.run, env=program.env)
