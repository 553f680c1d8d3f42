"""The tutorial and the author guide, followed to the letter: their code runs, their commands work."""

import json
import random
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena import games

ROOT = Path(__file__).parent.parent
TUTORIAL = (ROOT / "docs/tutorial.md").read_text()
GUIDE = (ROOT / "docs/author.md").read_text()
FEWER = {"--deals": "1", "--max-pairs": "1"}  # what a quick trial changes in a command


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def replace_choose(bot: Path, code: str, *, below: str | None = None) -> None:
    """Take the old `choose` away and put `code` in its place, or behind the function `below`."""
    functions = re.split(r"\n\n\n(?=def )", bot.read_text())
    [old] = [i for i, text in enumerate(functions) if text.startswith("def choose")]
    place = old if below is None else next(i for i, text in enumerate(functions) if text.startswith(f"def {below}"))
    functions[place] = code.strip() if below is None else f"{functions[place]}\n\n\n{code.strip()}"
    if below is not None:
        del functions[old]
    bot.write_text("\n\n\n".join(functions))


def arena(command: str, folder: Path, *, quick: bool) -> str:
    """What a command of the page prints. Exit code 5 is `compare` undecided, which a quick trial always is."""
    words = shlex.split(command)
    assert words[0] == "arena"
    if quick:
        words = [FEWER.get(before, word) for before, word in zip(["", *words], words, strict=False)]
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words[1:]],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode in ((0, 5) if words[1] == "compare" else (0,)), done.stdout + done.stderr
    return done.stdout


def half_points(table: str, bot: str) -> tuple[float, int]:
    """Points and games of a bot in the table of `arena match`; the faults column must hold 0."""
    row = re.search(rf"^ *\d+ +{bot} +([\d.]+) +(\d+) +\d+ +\d+ +\d+ +0 ", table, flags=re.MULTILINE)
    assert row is not None, table
    return float(row[1]), int(row[2])


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("quick", [True, pytest.param(False, marks=pytest.mark.soak)], ids=["quick", "in full"])
def test_the_tutorial_leads_where_it_says(quick: bool, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "bots", tmp_path / "bots", ignore=shutil.ignore_patterns("misbehaving", "__pycache__"))
    parts = re.split(r"^## ", TUTORIAL, flags=re.MULTILINE)[1:]
    shares: dict[tuple[int, str], float] = {}
    for part in parts:
        step = int(part[0])
        for code in blocks(part, "python"):
            replace_choose(tmp_path / "climber" / "bot.py", code, below="margin" if step == 3 else None)
        for command in "".join(blocks(part, "sh")).splitlines():
            printed = arena(command, tmp_path, quick=quick)
            if " match " in command:
                points, games = half_points(printed, "climber")
                shares[step, Path(shlex.split(command)[3]).stem] = points / games
    assert {step for step, _ in shares} == {1, 2, 3}
    if not quick:
        assert shares[1, "hidden_leaders_greedy"] < 0.3
        assert shares[2, "random_bot"] > 0.7
        assert shares[3, "hidden_leaders_greedy"] > shares[1, "hidden_leaders_greedy"] + 0.2


def test_the_tutorials_code_fits_into_the_kit_and_answers(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text((ROOT / "arena/starters/python/bot.py").read_text())
    rules = games.load("hidden-leaders-duel")
    options = rules.Options()
    state = rules.initial(rules.deal(random.Random(3), options), options)
    legal = [rules.to_json(action) for action in rules.legal_actions(state)]
    clock = {"move_ms": 50, "bank_ms": 0, "used_ms": 0}
    request = {"type": "act", "id": 1, "view": rules.to_json(rules.view(state, 0)), "legal": legal, "clock": clock}
    lines = [{"type": "hello"}, {"type": "new_game", "random_seed": 5}, request]
    sent = "".join(json.dumps(line) + "\n" for line in lines)
    for step, code in enumerate(blocks(TUTORIAL, "python"), start=2):
        replace_choose(tmp_path / "bot.py", code, below="margin" if step == 3 else None)
        done = subprocess.run(
            [sys.executable, "bot.py"],
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT)},
            input=sent,
            capture_output=True,
            text=True,
            check=True,
        )
        assert 0 <= json.loads(done.stdout.splitlines()[2])["index"] < len(legal)
    assert (tmp_path / "bot.py").read_text().count("def choose") == 1


def test_the_guides_first_bot_has_25_lines_and_speaks_the_protocol(tmp_path: Path) -> None:
    code = blocks(GUIDE, "python")[0]
    assert len(code.splitlines()) <= 25
    (tmp_path / "first.py").write_text(code)
    act = {"type": "act", "id": 3, "view": {}, "events": [], "legal": [{}, {}], "clock": {}}
    lines = [{"type": "hello"}, {"type": "new_game", "random_seed": 1}, act, {"type": "quit"}]
    sent = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        [sys.executable, "first.py"], cwd=tmp_path, input=sent, capture_output=True, text=True, check=True
    )
    kinds = [json.loads(line)["type"] for line in done.stdout.splitlines()]
    assert kinds == ["hello", "ready", "action"]
    by_hand = next(block for block in blocks(GUIDE, "sh") if block.startswith("printf"))
    done = subprocess.run(["bash", "-c", by_hand], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert [json.loads(line)["type"] for line in done.stdout.splitlines()] == ["hello", "ready"]


def test_the_guides_game_with_the_rules_library_plays_to_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(blocks(GUIDE, "python")[1], "docs/author.md", "exec"), {})
    assert sum(json.loads(capsys.readouterr().out.replace("(", "[").replace(")", "]"))) == 2


@pytest.mark.parametrize("text", sorted(set(re.findall(r"^\| `[a-z-]+` \| `([^`…(]+)", GUIDE, flags=re.MULTILINE))))
def test_the_texts_of_common_faults_are_those_of_the_referee(text: str) -> None:
    source = "".join(
        (ROOT / "arena" / name).read_text() for name in ("referee.py", "bot/process.py", "bot/messages.py")
    )
    words = re.split(r" after |\d[\d.]*|\{|\bmemory\b|\bhello before\b|leaders|\"protocol\": ", text)
    assert all(piece.strip() in source for piece in words if len(piece.strip()) > 3), text
