"""`arena doctor`: what this machine gives, what to do about the rest, and whether its sandbox holds."""

import os

import click
import msgspec

from arena.cli import console
from arena.config import worker_count
from arena.errors import HostFailure
from arena.model import Limits
from arena.sandbox import Survey, attack, machine, survey
from arena.sandbox.attack import Verdict

CANNOT_GIVE, ESCAPED = 3, 1


@click.command()
@click.option("--quick", is_flag=True, help="Leave the attacks out.")
@click.option("--memory-mb", type=click.IntRange(1), default=Limits().memory_mb, show_default=True,
              help="Memory of one bot, for the safe number of workers.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(memory_mb: int, *, quick: bool, as_json: bool) -> None:
    """Say what this machine can give a tournament, and attack its sandbox.

    Each missing layer comes with its remedy. Exit code 3 when the sandbox that a tournament requires by default cannot
    be had here, 1 when an attack got out of the one that can.

    \b
    Example:
      arena doctor
      arena doctor --quick --json
    """
    found = survey()
    facts = machine.facts(memory_mb=memory_mb, cores=worker_count())
    if not as_json:
        click.echo(console.table([(fact.name, fact.value) for fact in facts], ["this machine", ""]))
        for fact in facts:
            if fact.remedy:
                console.prose(f"  {fact.name}: {fact.remedy}")
        click.echo()
        for line in found.text().splitlines():
            console.prose(line)
    verdicts, trouble = ([], "") if quick else _attack(found, quiet=as_json)
    if as_json:
        shown = {"level": found.level, "layers": found.layers, "missing": found.missing, "machine": facts}
        click.echo(msgspec.json.encode({**shown, "attacks": verdicts, "trouble": trouble}))
    elif verdicts or trouble:
        _print(verdicts, trouble)
    if found.level != "full":
        raise click.exceptions.Exit(CANNOT_GIVE)
    if trouble or any(verdict.escaped for verdict in verdicts):
        raise click.exceptions.Exit(ESCAPED)


def _attack(found: Survey, *, quiet: bool) -> tuple[list[Verdict], str]:
    """Every verdict, and what kept a family of attackers from its work."""
    if attack.programs() is None:
        return [], "the attack programs are not installed"
    if found.shape.kind == "plain" and os.geteuid() == 0:
        return [], "without a sandbox root is not attacked: it would do real harm"
    verdicts: list[Verdict] = []
    troubles = []
    if not quiet:
        click.echo()
    for family in attack.FAMILIES:
        if not quiet:
            console.note(f"attacking by {family}…")
        try:
            verdicts += attack.run(family, found.shape)
        except HostFailure as failure:
            troubles.append(f"{family}: {failure}")
    return verdicts, "\n".join(troubles)


def _print(verdicts: list[Verdict], trouble: str) -> None:
    rows = []
    for family in attack.FAMILIES:
        mine = [verdict for verdict in verdicts if verdict.family == family]
        rows.append((family, len(mine), sum(verdict.escaped for verdict in mine)))
    rows.append(("all", len(verdicts), sum(verdict.escaped for verdict in verdicts)))
    click.echo(console.table(rows, ["attacks", "tried", "got out"], right=["tried", "got out"]))
    for verdict in verdicts:
        if verdict.escaped:
            console.prose(f"  {verdict.family}: {verdict.attack}: {console.plain(verdict.how)}")
    if trouble:
        for line in trouble.splitlines():
            console.prose(f"  {line}")
