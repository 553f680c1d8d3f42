"""A game from outside, from `pip install` to a tournament: examples/kuhn_poker, described in docs/adding-a-game.md."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from arena import games
from arena.errors import UsageError
from arena.store import Store

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples/kuhn_poker"
VALUE = -1 / 18  # of perfect play for seat 0, in chips; H. W. Kuhn, "A simplified two-person poker", 1950


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the example, and a plug-in that cannot be imported."""
    folder = tmp_path_factory.mktemp("site")
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]
    command = [sys.executable, "-m", "pip", "install", *offline, "--target", folder, EXAMPLE]
    subprocess.run(command, check=True, capture_output=True)
    broken = folder / "broken_game-1.0.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1.0\n")
    (broken / "entry_points.txt").write_text("[arena.games]\nbroken = no_such_module\n")
    return folder


def arena(site: Path, *arguments: str | Path, cwd: Path = EXAMPLE) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "arena", *arguments]
    return subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, check=False, timeout=800)


def test_the_docs_show_the_whole_pyproject_toml() -> None:
    page = (ROOT / "docs/adding-a-game.md").read_text()
    assert f"```toml\n{(EXAMPLE / 'pyproject.toml').read_text()}```\n" in page


def test_an_installed_game_is_listed_with_its_package(site: Path) -> None:
    listed = {row["name"]: row for row in json.loads(arena(site, "games", "--json").stdout)}
    assert listed["kuhn-poker"]["origin"] == "arena-kuhn-poker 1.0.0"
    assert listed["kuhn-poker"]["problem"] is None


def test_a_game_that_cannot_be_imported_harms_nobody_else(site: Path) -> None:
    listed = {row["name"]: row for row in json.loads(arena(site, "games", "--json").stdout)}
    assert "No module named 'no_such_module'" in listed["broken"]["problem"]
    checked = arena(site, "check-game", "broken")
    assert checked.returncode == 2
    assert checked.stderr.startswith("Error: the game 'broken' of no_such_module cannot be imported")
    assert "Traceback" not in checked.stderr


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("pick1", "X = 1\nPAIR = (1,\n", "pick1.py:2: '(' was never closed"),
        ("pick2", "def f():\n    return unknown\n\nf()\n", "pick2.py:2: NameError: name 'unknown' is not defined"),
        ("pick3", "import json\njson.loads('')\n", "pick3.py:2: json.decoder.JSONDecodeError: Expecting value: line 1"),
        ("pick4/__init__", "raise SystemExit(3)\n", "pick4/__init__.py:1: SystemExit: 3"),
    ],
)
def test_a_game_that_cannot_be_imported_is_told_where(
    name: str, text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / f"{name}.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    module = name.partition("/")[0]
    point = EntryPoint(name="pick", value=module, group="arena.games")
    monkeypatch.setattr(games, "entry_points", lambda **_: [point])
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError) as caught:
        games.load("pick")
    assert str(caught.value).startswith(f"the game 'pick' of {module} cannot be imported: {said}")


def test_an_installed_game_shows_its_rules(site: Path) -> None:
    assert arena(site, "rules", "kuhn-poker").stdout.startswith("Kuhn poker (H. W. Kuhn, 1950)")


def test_an_installed_game_passes_check_game(site: Path) -> None:
    checked = arena(site, "check-game", "kuhn-poker")
    assert checked.returncode == 0, checked.stdout
    assert "No check failed." in checked.stdout
    assert checked.stderr == "", "nothing but the report, where nobody watches"


def test_an_installed_game_is_played_in_a_tournament(site: Path, tmp_path: Path) -> None:
    short = (EXAMPLE / "kuhn.yaml").read_text().replace("deals_per_pairing: 50", "deals_per_pairing: 5")
    config = tmp_path / "kuhn.yaml"
    config.write_text(short.replace("path: bots", f"path: {EXAMPLE}/bots"))
    run = arena(site, "run", config, "--results", tmp_path, "--workers", "1")
    assert run.returncode == 0, run.stderr
    with Store(tmp_path / "kuhn") as store:
        assert store.game_count() == 10
        assert {game.reason for game in store.results()} <= {"fold", "showdown"}


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", ["kuhn-poker", "openspiel:kuhn_poker"])
def test_equilibrium_bots_reproduce_the_value_of_the_game(game: str, site: Path, tmp_path: Path) -> None:
    """Nobody here wrote the answer: it comes out of sandboxed bots, the referee and the record."""
    if game.startswith("openspiel:"):
        pytest.importorskip("pyspiel")
    bot = EXAMPLE / ("bots/equilibrium.py" if game == "kuhn-poker" else "bots/equilibrium_openspiel.py")
    config = tmp_path / "value.yaml"
    config.write_text(
        f"event: value\ngame: {game}\nseed: one eighteenth\nscope: sitting\ndeals_per_pairing: 10000\n"
        f"limits: {{move_s: 10, cpu_s: 3600}}\nbots:\n  - {{id: a, path: {bot}}}\n  - {{id: b, path: {bot}}}\n"
    )
    run = arena(site, "run", config, "--results", tmp_path, "--quiet")
    assert run.returncode == 0, run.stderr
    by_deal: dict[int, list[float]] = defaultdict(list)
    with Store(tmp_path / "value") as store:
        for number in range(1, store.game_count() + 1):
            result, transcript = store.game(number)
            details = transcript.outcome.details
            by_deal[result.deal].append(details["chips" if game == "kuhn-poker" else "returns"][0])
    assert len(by_deal) == 10000
    means = [sum(games) / len(games) for games in by_deal.values()]
    mean = sum(means) / len(means)
    error = (sum((one - mean) ** 2 for one in means) / len(means) / (len(means) - 1)) ** 0.5
    assert error < 0.0135
    assert abs(mean - VALUE) < 3 * error, f"{mean:.4f} ± {error:.4f}"
    assert mean + 3 * error < 0, "the interval would also hold a fair game"
