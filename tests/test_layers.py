"""Imports point one way, and each duty has one place.

A part of `arena` may import what stands before it in `ROWS`, and nothing else. A new part gets its place there.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "arena"

ROWS = (
    "errors clock chance game yaml_source settings",
    "model commitment marks",
    "sandbox formats games ratings tiebreaks config_keys",
    "bot export",
    "transcript player referee standings config config_schema starters",
    "match person replay testing feed check_guest check",
    "lock store schedule roster",
    "executor",
    "record redact changes tournament verify bench report web",
    "cli",
)
ORDER = [name for row in ROWS for name in row.split()]

STARTERS = "starters/*/"  # programs that are copied out, not parts of the package

# What only some parts may import, by the part or file that may.
RESERVED = {
    "click": {"cli"},
    "rich": {"cli"},
    "pydantic": {"config_keys.py", "config_schema.py"},
    "pydantic_core": {"config_keys.py", "config_schema.py"},
    "subprocess": {"sandbox", "bench.py"},
    "multiprocessing": {"executor"},
    "multiprocessing_logging": {"executor", "cli"},
    "concurrent": {"executor", "sandbox"},
    "distributed": {"executor"},
    "dask": {"executor"},
    "socket": {"sandbox"},
    "sqlite3": {"store.py"},
    "rustworkx": {"formats"},
    "gacrux": {"formats"},
    "pyspiel": {"openspiel"},
    # What is recorded draws from arena.chance; these give advice, estimates and secrets.
    "random": {"starters", "cli", "person", "web", "bench.py"},
    "jinja2": {"report"},
}
PRINTS = {"print", "exit", "quit"}


def modules() -> Iterator[tuple[Path, ast.Module]]:
    """Every file of the package that Arena itself runs, with its syntax tree."""
    for path in sorted(ROOT.rglob("*.py")):
        if not path.relative_to(ROOT).match(STARTERS + "*"):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    """The full name of everything imported, wherever in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where things come from"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def part(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def test_every_part_has_its_place() -> None:
    parts = {part(path) for path, _ in modules()} - {"__init__", "__main__"}
    missing = parts - set(ORDER)
    assert not missing, f"put {', '.join(sorted(missing))} into ROWS, below everything that it imports"


def test_imports_point_one_way() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports arena.{name}"
        for path, tree in modules()
        if part(path) in ORDER
        for name in {full.split(".")[1] for full in imported(tree) if full.startswith("arena.")}
        if name in ORDER and ORDER.index(name) > ORDER.index(part(path))
    ]
    assert not wrong


def test_a_game_knows_only_the_contract_of_a_game() -> None:
    own = {"leaders_expert": ("arena.games.leaders",)}  # a variant of another game may build on it
    for path, tree in modules():
        if part(path) == "games" and path.parent != ROOT / "games":
            name = path.relative_to(ROOT / "games").parts[0]
            allowed = ("arena.game.", "arena.chance.", "arena.errors.", f"arena.games.{name}", *own.get(name, ()))
            strange = [full for full in imported(tree) if full.startswith("arena") and not full.startswith(allowed)]
            assert not strange, f"{path.relative_to(ROOT)} imports {strange}"


@pytest.mark.parametrize(
    "name", ["player", "referee", "transcript", "standings", "formats", "ratings", "tiebreaks", "testing"]
)
def test_no_particular_game_is_known_to(name: str) -> None:
    for path, tree in modules():
        if part(path) == name:
            assert not [full for full in imported(tree) if full.startswith("arena.games")], path


def test_only_the_parts_named_use_what_is_reserved() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {top}"
        for path, tree in modules()
        for top in {full.split(".")[0] for full in imported(tree)} & RESERVED.keys()
        if not {*path.relative_to(ROOT).parts} & RESERVED[top]
    ]
    assert not wrong


def test_only_cli_prints_and_exits() -> None:
    wrong = []
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and part(path) not in ("cli", "__main__"):
                function = node.func
                printed = isinstance(function, ast.Name) and function.id in PRINTS
                exited = ast.unparse(function) in ("sys.exit", "sys.stdout.write", "sys.stderr.write")
                if printed or exited:
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} calls {ast.unparse(function)}")
    assert not wrong


def test_pure_parts_read_no_clock_and_no_files() -> None:
    impure = {"os", "time", "datetime", "pathlib", "secrets", "threading", "subprocess", "io", "tempfile"}
    pure = {
        "game",
        "chance",
        "model",
        "marks",
        "formats",
        "ratings",
        "tiebreaks",
        "standings",
        "games",
        "player",
        "referee",
    }
    wrong = [
        f"{path.relative_to(ROOT)} imports {top}"
        for path, tree in modules()
        if part(path) in pure
        for top in {full.split(".")[0] for full in imported(tree)} & impure
    ]
    assert not wrong


@pytest.mark.parametrize("path", [path for path, _ in modules()], ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_short_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400, "split it by noun"
    assert not text.strip() or ast.get_docstring(ast.parse(text)), "the first line says what the module is for"
