"""The `arena` command. A command reads its options, calls one function, and prints; each has a module of its own."""

import importlib
import importlib.util
import os
import sys
from typing import Any

import click

from arena import __version__
from arena.cli import interrupt
from arena.errors import ArenaError, HostFailure, Interrupted

COMMANDS: dict[str, str] = {
    "init": "Make a folder with a tournament and two bots that runs at once.",
    "new-bot": "Write a bot to start from, in one of eight languages.",
    "check": "Put a bot through everything that a tournament will ask of it.",
    "match": "Play games between two bots.",
    "play": "Play against a bot yourself.",
    "run": "Run a tournament, or go on where it stopped.",
    "withdraw": "Take a bot out of the rounds to come.",
    "status": "Say how far an event is.",
    "standings": "Print the table of an event.",
    "ratings": "Print the Elo ratings of an event.",
    "show": "Show a finished game.",
    "replay": "Step through a finished game.",
    "feed": "Send a bot the exact bytes of a recorded game.",
    "verify": "Prove an event from its record alone.",
    "export": "Write results for other programs.",
    "report": "Write an event as one HTML file.",
    "watch": "Follow a running event in the browser.",
    "compare": "Play two bots until it is known which is better.",
    "games": "List the games.",
    "rules": "Print the rules of a game.",
    "schema": "Print JSON Schemas.",
    "check-game": "Put a game through the contract and the search for leaks.",
    "doctor": "Say what this machine can give.",
    "bench": "Measure how fast this machine plays.",
}
"""Every command with its summary, in the order of `arena --help`; the module is arena.cli.NAME with underscores."""


class ArenaGroup(click.Group):
    """Loads a command when it is used, and shows an `ArenaError` as one line instead of a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [name for name in COMMANDS if _exists(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS or not _exists(cmd_name):
            return None
        command: click.Command = importlib.import_module(_module(cmd_name)).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self.get_command(ctx, args[0]) is None:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.list_commands(ctx), n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"there is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


def _module(name: str) -> str:
    return f"arena.cli.{name.replace('-', '_')}"


def _exists(name: str) -> bool:
    return importlib.util.find_spec(_module(name)) is not None


@click.group(cls=ArenaGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arena")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Tournaments between programs: sandboxed bots, a referee, and results that can be proved.

    \b
    Example:
      arena run configs/quickstart.yaml
      arena standings results/quickstart
    """
    if "NO_COLOR" in os.environ:
        ctx.color = False


os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read once by numpy: more threads only slow these small fits down


def main(args: list[str] | None = None) -> Any:
    """Run the command line; exits with 0 done, 1 failed check, 2 usage, 3 no sandbox, 4 interrupted."""
    try:
        with interrupt.once():
            code = cli.main(args=args, prog_name="arena", standalone_mode=False)
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        code = Interrupted.exit_code
    except Interrupted as stopped:
        click.echo(str(stopped), err=True)
        code = stopped.exit_code
    except ArenaError as error:
        click.echo(f"{click.style('Error:', fg='red', bold=True)} {error}", err=True, color=_colour(sys.stderr))
        code = error.exit_code
    except HostFailure as failure:
        click.echo(f"Error: the machine failed, and no bot is to blame: {failure}", err=True)
        code = 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        if error.filename is None:
            raise
        click.echo(f"Error: {error.filename}: {error.strerror}", err=True)
        code = 1
    sys.exit(code if isinstance(code, int) else 0)


def _colour(stream: Any) -> bool:
    return bool(stream.isatty()) and "NO_COLOR" not in os.environ
