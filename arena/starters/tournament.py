"""A folder with a tournament that runs at once, which `arena init` makes: a config, two bots, a README."""

import re
import unicodedata
from pathlib import Path

from arena import games, starters
from arena.errors import UsageError

CONFIG = "tournament.yaml"


def create(home: Path, *, game: str, language: str = "python") -> Path:
    """Write a tournament of `game` into the folder `home` and return its config's path.

    Raises UsageError for a folder that is in use, UnknownNameError for a game or language that does not exist.
    """
    games.load(game)
    starters.folder(language)
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise UsageError(f"{home} exists already and is not empty: choose another folder")
    (home / "bots").mkdir(parents=True, exist_ok=True)
    starters.create("mine", language=language, game=game, parent=home / "bots")
    (home / "bots" / "rival.py").write_text(rival(), "utf-8")
    event = event_name(home)
    (home / CONFIG).write_text(config(event, game), "utf-8")
    (home / "README.md").write_text(readme(event, game), "utf-8")
    return home / CONFIG


def event_name(home: Path) -> str:
    """The folder's name with only what an event's id may hold."""
    letters = unicodedata.normalize("NFKD", home.absolute().name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9._-]+", "-", letters).strip("._-")[:64] or "tournament"


def rival() -> str:
    """A single-file bot: the Python kit that always takes the first legal action."""
    kit, drawn = starters.source("python").read_text("utf-8"), "    return rng.randrange(len(legal))\n"
    assert drawn in kit
    return kit.replace(drawn, "    return 0\n", 1)


def config(event: str, game: str) -> str:
    return f"""# A tournament. Every key: `arena schema config`. To run it: arena run {CONFIG}
event: {event}
game: {game}
format: round-robin
deals_per_pairing: 10 # each deal is played twice, with seats exchanged
limits:
  move_s: 1
  memory_mb: 512
bots:
  - id: mine
    path: bots/mine # a folder with bot.yaml
  - id: rival
    path: bots/rival.py # a single file of Python
"""


def readme(event: str, game: str) -> str:
    return f"""# {event}

A tournament of {game} between two bots; type the commands in this folder.
`bots/mine` is yours to improve and plays at random so far; `bots/rival.py` always takes the first legal action.

```sh
arena run {CONFIG}
arena standings {event}
arena show {event}/1
```

The first plays all games, and goes on where it stopped if it is stopped.
The second prints the table again, the third shows the first game ply by ply.

To improve your bot, read its README in `bots/mine` and the rules (`arena rules {game}`).
After a change run the tournament under a new `event` name: a finished event is a record and stays as it is.
Further bots: `arena new-bot NAME --lang LANGUAGE --game {game} --dir bots`, then add them to `{CONFIG}`.
"""
