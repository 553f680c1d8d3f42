"""`arena watch EVENT`: a running event, live in the browser."""

from pathlib import Path

import click

from arena.cli import event_options, interrupt
from arena.web.live import Live
from arena.web.server import Server


@click.command()
@event_options.event
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port to listen on; else a free one.")
def command(event: Path, port: int) -> None:
    """Follow a running EVENT in the browser: its report as it stands, renewed with every finished game.

    The server listens on this machine alone and asks for the token in the address that is printed. As long as the
    event goes on the page shows what a spectator may see. Ctrl-C ends it.

    \b
    Example:
      arena watch results/quickstart
    """
    with event_options.open_event(event) as store:
        live = Live(store.folder)
    with Server(live.page, live.answers, port=port) as server:
        click.echo(f"Open this address in a browser on this machine:\n{server.url}")
        interrupt.wait()
