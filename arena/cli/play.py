"""`arena play GAME [BOT]`: a person against a bot, at the terminal or in the browser."""

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from arena import games, person, roster, sandbox
from arena.bot import manifest
from arena.cli import console, event_options, interrupt
from arena.cli.wording import asked, outcome_lines, told
from arena.config import ConfigBot
from arena.errors import UsageError
from arena.model import Limits
from arena.person import HINT_BEST, Person, Request
from arena.tiebreaks import half_points_text
from arena.transcript import Transcript

OPPONENTS = {
    "hidden-leaders-duel": "hidden_leaders_greedy.py",
    "leaders": "leaders_greedy.py",
    "leaders-expert": "leaders_greedy.py",
}
BOTS = Path(__file__).parent.parent.parent / "bots"
SHOWN = 20  # legal actions listed without a filter
HELP = (
    "a number: that action · text: only actions with it · Enter: all · h: hint · b: board · q: give up · ?: this help"
)


@click.command()
@click.argument("game")
@click.argument("bot", type=click.Path(path_type=Path), required=False)
@click.option("--seat", type=click.IntRange(0, 1), help="Your seat; else drawn.")
@event_options.seed
@event_options.move_s
@event_options.sandbox_mode
@click.option("--web", is_flag=True, help="Play in the browser, through a server on this machine alone.")
def command(
    game: str, bot: Path | None, seat: int | None, seed: str | None, move_s: float, sandbox_mode: str, web: bool
) -> None:
    """Play GAME against BOT (else a bot that comes with Arena), at the terminal or in the browser.

    You see what a bot in your seat would be sent, and nothing more. You have all the time you want; the bot has
    --move-s for each action.

    \b
    Example:
      arena play hidden-leaders-duel
      arena play leaders bots/leaders_search.py --seat 0
      arena play leaders --web
    """
    rules = games.load(game)
    path = bot or _opponent(game)
    if (problem := manifest.misplaced(path)) is not None:
        raise UsageError(f"{path}: {problem}")
    sandbox.require(sandbox.Mode(sandbox_mode))
    mine = random.SystemRandom().randrange(2) if seat is None else seat
    limits = Limits(move_s=move_s)
    with tempfile.TemporaryDirectory(prefix="arena-") as scratch:
        registered = ConfigBot(id="bot", name="bot", path=str(path), location=path.resolve())
        ready = roster.contenders([registered], Path(scratch), mode=sandbox.Mode(sandbox_mode))

        def referee(seated: Person) -> Transcript:
            return person.play(
                game,
                seated,
                ready["bot"],
                person_seat=mine,
                seed=seed,
                limits=limits,
                mode=sandbox.Mode(sandbox_mode),
            )

        if web:
            _play_in_browser(game, mine, path.stem, referee)
            return
        click.echo(f"You have seat {mine}; the bot is {path}.")
        console.prose(HELP)
        table = Table(rules, mine)
        record = referee(Person(table.decide, table.over))
    for fault in record.faults:
        console.prose(console.plain(f"Fault of seat {fault.seat}: {fault.code}: {fault.text}"))


def _play_in_browser(game: str, seat: int, opponent: str, referee: Callable[[Person], Transcript]) -> None:
    from arena.web import game as web_game
    from arena.web.server import Server

    table = web_game.Table(game, seat, opponent)
    with Server(table.page, table.answers) as server:
        click.echo(f"You have seat {seat}. Open this address in a browser on this machine:\n{server.url}")
        record = web_game.play(table, referee)
        if record is None:
            click.echo("You gave the game up.")
            return
        for line in outcome_lines(msgspec.to_builtins(record.outcome), seat):
            click.echo(line)
        click.echo("The whole game is in the browser now. Ctrl-C ends this command.")
        interrupt.wait()


def _opponent(game: str) -> Path:
    path = BOTS / OPPONENTS.get(game, "random_bot.py")
    if not path.is_file():
        raise UsageError(f"name a bot to play against: arena play {game} BOT")
    return path


class Table:
    """What the person sees and types."""

    def __init__(self, game: Any, seat: int) -> None:
        self._game = game
        self._seat = seat
        self._options = game.from_json({}, game.Options)

    def decide(self, request: Request) -> int:
        """Show the position and ask until a legal action is chosen."""
        for event in request.events:
            click.echo(told(self._game, event, self._seat))
        view = self._game.from_json(request.view, self._game.View)
        self._show_board(view)
        texts = [asked(self._game, action) for action in request.legal]
        shown = self._listed(texts, "")
        while True:
            typed = click.prompt(
                f"1–{len(texts)} (? for help)", prompt_suffix=" > ", default="", show_default=False
            ).strip()
            if typed.isdecimal() and 1 <= int(typed) <= len(texts):
                return int(typed) - 1
            if typed == "q":
                if click.confirm("Give the game up?"):
                    click.echo("You gave the game up.")
                    raise click.exceptions.Exit(0)
            elif typed == "?":
                console.prose(HELP)
            elif typed == "b":
                self._show_board(view)
            elif typed == "h":
                self._show_hint(view, request, texts)
            elif typed.isdecimal():
                click.echo(f"There are actions 1 to {len(texts)}.")
            else:
                shown = self._listed(texts, typed)
                if len(shown) == 1 and click.confirm("This one?", default=True):
                    return shown[0]

    def over(self, message: dict[str, Any]) -> None:
        """The end: what happened last, and the score explained."""
        for event in message["events"]:
            click.echo(told(self._game, event, self._seat))
        click.echo()
        for line in outcome_lines(message["outcome"], self._seat, message["events"]):
            click.echo(line)

    def _show_board(self, view: Any) -> None:
        click.echo()
        click.echo(self._game.render(view))
        click.echo()

    def _listed(self, texts: list[str], wanted: str) -> list[int]:
        """List the actions that hold every word wanted; their places."""
        parts = wanted.lower().replace("_", " ").split()  # the board says royal_guard
        found = [i for i, text in enumerate(texts) if all(part in text.lower() for part in parts)]
        for i in found[:SHOWN]:
            click.echo(f"{i + 1:4}  {texts[i]}")
        if len(found) > SHOWN:
            click.echo(f"      … and {len(found) - SHOWN} more; type a part of the action to find it")
        if not found:
            console.prose(f"No action holds {wanted!r}. {HELP}")
        return found

    def _show_hint(self, view: Any, request: Request, texts: list[str]) -> None:
        legal = [self._game.from_json(action, self._game.Action) for action in request.legal]
        try:
            ranked = person.trials(self._game, view, legal, random.Random(), self._options)  # noqa: S311 - only advice
        except NotImplementedError as error:  # a game without `determinize`
            click.echo(f"There are no hints for this game: {error}.")
            return
        for trial in ranked[:HINT_BEST]:
            won = half_points_text(trial.half_points)
            click.echo(f"{trial.index + 1:4}  {texts[trial.index]}  (won {won} of {trial.games} random games)")
