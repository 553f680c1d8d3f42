"""Pages from the templates: one HTML text with its style, its script and a policy that lets nothing else run.

Values are escaped by Jinja2; names of bots stand in `<bdi>`, so that no mark for the direction of writing leaves them.
"""

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

SCRIPTS = ("dom", "data", "words", "hidden_leaders", "leaders", "board", "replay", "games")


def page(
    template: str, *, scripts: tuple[str, ...] = (), connect: bool = False, load: bool = False, **values: Any
) -> str:
    """The page of a template with these values.

    Args:
        template: a file in `templates/`, extending `base.html`.
        scripts: names of files in `assets/` beyond `SCRIPTS`.
        connect: the page may speak with the server that it came from, and with no other.
        load: the page may load scripts that lie beside it.
    """
    style, script = _asset("arena.css"), _script(scripts)
    return (
        _templates()
        .get_template(template)
        .render(
            style=Markup(style),  # noqa: S704 - ours, from the package
            script=Markup(script),  # noqa: S704
            policy=_policy(style, script, connect=connect, load=load),
            **values,
        )
    )


def _policy(style: str, script: str, *, connect: bool, load: bool) -> str:
    """The content security policy: this very script and style by their hashes, nothing from anywhere else."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script)}" + (" 'strict-dynamic'" if load else ""),
            f"style-src {_hash(style)}",
            "img-src data:",
            *(("connect-src 'self'",) if connect else ()),
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _script(more: tuple[str, ...]) -> str:
    """The scripts in one scope of their own."""
    parts = "\n".join(_asset(f"{name}.js") for name in (*SCRIPTS, *more))
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


def fragment(template: str, **values: Any) -> str:
    """A part of a page, for a page that has style, script and policy already."""
    return _templates().get_template(template).render(**values)


@cache
def _asset(name: str) -> str:
    return (resources.files("arena.report") / "assets" / name).read_text(encoding="utf-8")


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("arena.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["moment"] = _moment
    return environment


def _moment(iso: str) -> str:
    """A recorded time for people: the minute, in universal time."""
    return f"{iso[:16].replace('T', ' ')} UTC"
