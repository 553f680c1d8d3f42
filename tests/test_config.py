"""Tournament configs: what they mean, and what is said about each mistake."""

import json
import re
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
import yaml
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from arena import config, config_keys, config_schema, formats, games
from arena.bot.manifest import Manifest
from arena.config import Config
from arena.errors import ConfigError
from arena.model import Limits, Policies
from arena.tiebreaks import TIEBREAKS
from arena.yaml_source import listing

ROOT = Path(__file__).parent.parent
REGENERATE = "run: arena schema config > docs/config.schema.json"
HEAD = "event: cup\ngame: toy\n"
BOTS = "bots:\n  - {id: ann, path: bots/ann.py}\n  - {id: bob, path: bots/bob.py}\n"
ID_WORDS = "expected 1 to 64 of the characters A-Z a-z 0-9 . _ - beginning with a letter or digit"


class ToyOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    cards: int = 9
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.cards < 3:
            raise ValueError(f"cards: expected at least 3, found {self.cards}")


@pytest.fixture(autouse=True, scope="module")
def toy() -> Iterator[None]:
    """A game with options, so that these tests depend on no real one."""
    with pytest.MonkeyPatch.context() as patch:
        module: Any = types.ModuleType("toy_game_of_these_tests")
        module.Options = ToyOptions
        patch.setitem(sys.modules, module.__name__, module)
        patch.setitem(games.GAMES, "toy", module.__name__)
        yield
    games.load.cache_clear()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("league")
    (folder / "bots").mkdir()
    for name in ("ann.py", "bob.py"):
        (folder / "bots" / name).write_text("print('no bot')\n")
    (folder / "bots/notes.txt").write_text("text")
    (folder / "bots/broken").mkdir()
    (folder / "bots/broken/bot.yaml").write_text("rum: [./bot]\n")
    return folder


@pytest.fixture
def load(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Config]:
    monkeypatch.chdir(folder)

    def load(text: str) -> Config:
        Path("c.yaml").write_text(text)
        return config.load(Path("c.yaml"))

    return load


@pytest.fixture
def problems(load: Callable[[str], Config]) -> Callable[[str], list[str]]:
    def problems(text: str) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            load(text)
        return [problem.removeprefix("c.yaml:") for problem in caught.value.problems]

    return problems


def test_three_keys_are_enough(load: Callable[[str], Config], folder: Path) -> None:
    assert load(HEAD + BOTS) == Config(
        event="cup",
        game="toy",
        options=ToyOptions(),
        format="round-robin",
        format_settings=formats.load("round-robin").Settings(),
        deals_per_pairing=1,
        paired=True,
        deals="shared",
        scope="game",
        sandbox="required",
        ponder=False,
        limits=Limits(),
        policies=Policies(),
        tie_breaks=("direct_encounter", "sonneborn_berger", "wins"),
        rating=config.RatingScale(),
        bots=(
            config.ConfigBot(id="ann", name="ann", path="bots/ann.py", location=(folder / "bots/ann.py").resolve()),
            config.ConfigBot(id="bob", name="bob", path="bots/bob.py", location=(folder / "bots/bob.py").resolve()),
        ),
        file=folder / "c.yaml",
    )


def test_every_key_reaches_the_config(load: Callable[[str], Config]) -> None:
    found = load(
        """
event: cup
game: toy
options: {cards: 5, names: [a, b]}
format: {type: swiss, rounds: 1, points: matches, bye: draw}
deals_per_pairing: 3
paired: false
deals: per-pairing
seed: 42
entropy: "lottery 1 2 3"
workers: 2
scope: sitting
sandbox: off
ponder: true
limits: {startup_s: 5, first_move_s: 2, move_s: 0.5, bank_s: 60, increment_s: 1, memory_mb: 64, processes: 2,
         cpu_s: 30, disk_mb: 1}
on_illegal: {retry: 2}
on_timeout: {random: {strikes: 3}}
on_crash: forfeit
disqualify_after_faults: 10
tie_breaks: [wins]
rating: {anchor: bob, anchor_rating: 1000}
bots:
  - {id: bob, path: bots/bob.py, name: Bob the Bot, args: [--depth, "3"]}
  - {id: ann, path: bots/ann.py}
"""
    )
    assert found.options == ToyOptions(cards=5, names=("a", "b"))
    assert (found.format, found.format_settings) == (
        "swiss",
        formats.load("swiss").Settings(rounds=1, points="matches", bye="draw"),
    )
    assert (found.deals_per_pairing, found.paired, found.deals, found.games_per_pairing) == (3, False, "per-pairing", 3)
    assert (found.seed, found.entropy, found.workers) == (42, "lottery 1 2 3", 2)
    assert (found.scope, found.sandbox, found.ponder) == ("sitting", "off", True)
    assert found.limits == Limits(
        startup_s=5,
        first_move_s=2,
        move_s=0.5,
        bank_s=60,
        increment_s=1,
        memory_mb=64,
        processes=2,
        cpu_s=30,
        disk_mb=1,
    )
    assert found.policies == Policies(
        on_illegal="retry", retries=2, on_timeout="random", strikes=3, disqualify_after_faults=10
    )
    assert (found.tie_breaks, found.rating) == (("wins",), config.RatingScale(anchor="bob", anchor_rating=1000))
    assert [(bot.id, bot.name, bot.args) for bot in found.bots] == [
        ("bob", "Bob the Bot", ("--depth", "3")),
        ("ann", "ann", ()),
    ]
    assert config.program(found.bots[0]).run == ("python3", "-P", "-s", "bob.py", "--depth", "3")


def mistakes() -> list[tuple[str, list[str]]]:
    text = (ROOT / "tests/golden/config-mistakes.txt").read_text()
    blocks = [block.splitlines() for block in text.split("\n\n")[1:]]
    return [(line, [problem.strip() for problem in said]) for line, *said in blocks]


@pytest.mark.parametrize(("line", "said"), mistakes(), ids=[line for line, _ in mistakes()])
def test_each_mistake_is_named_exactly(problems: Callable[[str], list[str]], line: str, said: list[str]) -> None:
    assert problems(f"{HEAD}{line}\n{BOTS}") == said


def test_unknown_names_come_with_the_nearest(problems: Callable[[str], list[str]]) -> None:
    known_games = "hidden-leaders-duel, leaders, leaders-expert or toy"
    assert problems(f"event: cup\ngame: leadres\n{BOTS}") == [
        f'2:7: game: found "leadres", expected {known_games}, nearest leaders'
    ]
    known_formats = "gauntlet, knockout, round-robin, swiss or swiss-fide"
    assert problems(f"{HEAD}format: Swis\n{BOTS}") == [
        f'3:9: format: found "Swis", expected {known_formats}, nearest swiss'
    ]
    assert problems(f"{HEAD}format:\n  type: roundrobin\n{BOTS}") == [
        f'4:9: format.type: found "roundrobin", expected {known_formats}, nearest round-robin'
    ]
    known_tie_breaks = listing(sorted(TIEBREAKS))
    assert problems(f"{HEAD}tie_breaks: [bucholz]\n{BOTS}") == [
        f'3:14: tie_breaks[0]: found "bucholz", expected {known_tie_breaks}, nearest buchholz'
    ]
    (problem,) = problems(f"{HEAD}format: {{type: gauntlet, heroes: [anna]}}\n{BOTS}")
    assert problem.startswith("3:9: format: no entrant is called 'anna'; did you mean 'ann'?")


def test_missing_keys_are_all_named(problems: Callable[[str], list[str]]) -> None:
    assert problems("seed: 1\n") == [
        "1:1: bots: found nothing, expected a list of at least 2 bots",
        f"1:1: event: found nothing, {ID_WORDS}",
        "1:1: game: found nothing, expected the name of a game",
    ]
    assert problems(f"{HEAD}bots: [{{id: ann}}, {{path: bots/bob.py}}]\n") == [
        "3:8: bots[0].path: found nothing, expected the path of a .py file or of a folder with bot.yaml",
        f"3:19: bots[1].id: found nothing, {ID_WORDS}",
    ]


@pytest.mark.parametrize(
    ("id_", "found"),
    [
        ("../up", '"../up"'),
        ("a/b", '"a/b"'),
        ("-x", '"-x"'),
        ("'.'", '"."'),
        ("''", '""'),
        ("a b", '"a b"'),
        ("🤖", '"🤖"'),
        ("é", '"é"'),
        ('"a\\n"', '"a\\n"'),
        ('"\\e[31m"', '"\\u001b[31m"'),
        ("x" * 65, '"' + "x" * 59 + '…"'),
        ("x" * 300, '"' + "x" * 59 + '…"'),
    ],
)
def test_an_id_is_a_plain_word(problems: Callable[[str], list[str]], id_: str, found: str) -> None:
    assert problems(f"{HEAD}{BOTS}  - {{path: bots/ann.py, id: {id_}}}\n") == [
        f"6:29: bots[2].id: found {found}, {ID_WORDS}"
    ]


def test_an_id_that_yaml_takes_for_a_number_is_to_be_quoted(problems: Callable[[str], list[str]]) -> None:
    assert problems(f"{HEAD}{BOTS}  - {{path: bots/ann.py, id: 12}}\n") == [
        f'6:29: bots[2].id: found 12, {ID_WORDS}, nearest "12"'
    ]


@pytest.mark.parametrize("id_", ["no", "off", "2024-05-01", "x" * 64, "A.b_c-9", "'12'"])
def test_ids_that_look_odd_are_ids_all_the_same(load: Callable[[str], Config], id_: str) -> None:
    assert load(f"{HEAD}{BOTS}  - {{path: bots/ann.py, id: {id_}}}\n").bots[2].id == id_.strip("'")


def test_an_id_belongs_to_one_bot(problems: Callable[[str], list[str]]) -> None:
    assert problems(f"{HEAD}{BOTS}  - {{id: ann, path: bots/bob.py}}\n") == [
        '6:10: bots[2].id: found "ann" again, expected an id of its own; the first is in line 4'
    ]


@pytest.mark.parametrize("name", ['"a\\nb"', '"\\e[0m"', '"\\u202eabc"', '" "'])
def test_a_name_is_free_text_without_control_characters(problems: Callable[[str], list[str]], name: str) -> None:
    (problem,) = problems(f"{HEAD}{BOTS}  - {{id: cid, path: bots/bob.py, name: {name}}}\n")
    assert re.fullmatch(r'6:40: bots\[2\]\.name: found "[ -~]*", expected text without control characters', problem)


def test_a_name_may_be_anything_else(load: Callable[[str], Config]) -> None:
    name = "Zoë’s 🤖 «bot» | <b>"
    assert load(f"{HEAD}{BOTS}  - {{id: cid, path: bots/bob.py, name: '{name}'}}\n").bots[2].name == name


def test_one_bot_is_too_few(problems: Callable[[str], list[str]]) -> None:
    assert problems(f"{HEAD}bots: [{{id: ann, path: bots/ann.py}}]\n") == [
        "3:7: bots: found a list of 1, expected a list of at least 2 bots"
    ]
    assert problems(f"{HEAD}bots: []\n") == ["3:7: bots: found an empty list, expected a list of at least 2 bots"]


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("bots/anm.py", 'found "bots/anm.py", no such file or folder, {}, nearest ann.py'),
        ("bots/notes.txt", "found a file that is no .py file, {}"),
        ("bots", "found a folder without bot.yaml, {}"),
        ('"a\\0b"', 'found "a\\u0000b", no such file or folder, {}'),
        ("''", 'found "", expected the path of a .py file or of a folder with bot.yaml'),
    ],
)
def test_a_bot_is_a_file_or_a_folder(problems: Callable[[str], list[str]], path: str, problem: str) -> None:
    expected = problem.format("expected a .py file or a folder with bot.yaml")
    assert problems(f"{HEAD}{BOTS}  - {{id: cid, path: {path}}}\n") == [f"6:21: bots[2].path: {expected}"]


def test_a_broken_bot_is_not_missed_in_the_first_round(problems: Callable[[str], list[str]]) -> None:
    text = f"{HEAD}bots:\n  - {{id: ann, path: bots/ann.py}}\n  - {{id: bob, path: bots/broken}}\n"
    assert [line.partition(":")[0] for line in problems(text)] == ["bots/broken/bot.yaml"] * 2


def test_mistakes_in_a_bot_are_found_in_its_own_file_and_once(problems: Callable[[str], list[str]]) -> None:
    broken = "  - {{id: {}, path: bots/broken}}\n"
    rum = "bots/broken/bot.yaml:1:1: rum: found an unknown key"
    assert problems(f"{HEAD}paired: 1\n{BOTS}{broken.format('cid')}{broken.format('dan')}") == [
        "3:9: paired: found 1, expected true or false",
        f"{rum}, expected build, env, games, name, run or version, nearest run",
        "bots/broken/bot.yaml:1:1: run: found nothing, expected a list of words such as [python3, bot.py]",
    ]


def test_arguments_are_text_without_nul(problems: Callable[[str], list[str]]) -> None:
    assert problems(f'{HEAD}{BOTS}  - {{id: cid, path: bots/bob.py, args: [1, "\\0"]}}\n') == [
        '6:41: bots[2].args[0]: found 1, expected text, nearest "1"',
        '6:44: bots[2].args[1]: found "\\u0000", expected at most 4,096 characters and no NUL',
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "1:1: found an empty file, expected a mapping"),
        ("- event", "1:1: found a list, expected a mapping"),
        ("event", '1:1: found "event", expected a mapping'),
        (
            "event: ]",
            "1:8: YAML cannot read this: while parsing a block node, expected the node content, but found ']'",
        ),
    ],
)
def test_a_config_is_a_mapping(problems: Callable[[str], list[str]], text: str, problem: str) -> None:
    assert problems(text) == [problem]


def test_all_problems_come_at_once_in_the_order_of_the_file(problems: Callable[[str], list[str]]) -> None:
    found = problems(
        "gmae: toy\nevent: a b\npaired: maybe\nevent: c\nformat: swis\nseed: 010\n" + BOTS.replace("bob.py", "bo.py")
    )
    assert [problem.split(": ")[0] for problem in found] == ["1:1", "1:1", "2:8", "3:9", "4:1", "5:9", "6:7", "9:21"]
    keys = [problem.split(": ")[1] for problem in found]
    assert keys == ["game", "gmae", "event", "paired", "event", "format", "seed", "bots[1].path"]


def test_a_config_named_by_its_stem_is_looked_for_where_configs_stand(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "configs").mkdir()
    (folder / "configs/cup.yaml").write_text(HEAD + BOTS)
    monkeypatch.chdir(folder)
    with pytest.raises(ConfigError) as caught:
        config.load(Path("cup"))
    assert str(caught.value) == "cup: found no such file, expected a YAML file, nearest configs/cup.yaml"
    with pytest.raises(ConfigError) as caught:
        config.load(Path("cap"))
    assert str(caught.value) == "cap: found no such file, expected a YAML file"
    with pytest.raises(ConfigError, match="cannot be read"):
        config.load(Path("x" * 300))


def test_a_broken_plug_in_is_a_problem_of_the_config(
    problems: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib.metadata import EntryPoint

    points = [EntryPoint(name="broken", value="no_such_module_at_all", group="arena.games")]
    monkeypatch.setattr(games, "entry_points", lambda **_: points)
    (problem,) = problems(f"event: cup\ngame: broken\n{BOTS}")
    assert problem.startswith("2:7: game: the game 'broken' of no_such_module_at_all cannot be imported: ")


def test_what_is_frozen_names_nothing_of_this_machine(load: Callable[[str], Config], folder: Path) -> None:
    frozen = load(f"{HEAD}seed: secret\nworkers: 3\n{BOTS}").canonical()
    text = json.dumps(frozen)
    assert str(folder) not in text
    assert "secret" not in text
    assert frozen["seeded"] is True
    assert "workers" not in frozen
    assert frozen["bots"][0] == {"id": "ann", "name": "ann", "path": "bots/ann.py", "args": []}
    assert frozen["format_settings"] == {"cycles": 1, "points": "games"}


def test_a_thawed_config_freezes_to_the_same(load: Callable[[str], Config]) -> None:
    frozen = load(f"{HEAD}options: {{names: [x]}}\nformat: swiss\n{BOTS}").canonical()
    thawed = config.thaw(json.loads(json.dumps(frozen)))
    assert thawed.canonical() == frozen
    assert thawed.options == ToyOptions(names=("x",))
    with pytest.raises(ConfigError, match="does not fit this version of Arena"):
        config.thaw({**frozen, "limits": {"move_s": "soon"}})
    with pytest.raises(ConfigError, match="does not fit this version of Arena"):
        config.thaw({"game": "toy"})


def test_the_same_config_written_otherwise_freezes_to_the_same(load: Callable[[str], Config]) -> None:
    short = load(HEAD + BOTS).canonical()
    long = load(
        f"{HEAD}{BOTS}workers: 2\npaired: true\nlimits: {{move_s: 1}}\nformat: {{type: round-robin}}\n"
    ).canonical()
    assert json.dumps(short) == json.dumps(long)


def test_auto_workers_are_physical_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config.os, "sched_getaffinity", lambda _: {0, 1, 2, 3})
    monkeypatch.setattr(config, "_siblings", lambda cpu: f"{cpu // 2}")
    assert config.worker_count() == 2
    monkeypatch.undo()
    assert 1 <= config.worker_count() <= len(config.os.sched_getaffinity(0))


def test_pydantic_is_imported_only_where_a_config_is_read() -> None:
    program = "import sys, arena.config, arena.bot.manifest; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == 0


def test_the_keys_of_limits_are_those_of_the_model() -> None:
    fields = {field.name: field.default for field in msgspec.structs.fields(Limits)}
    assert fields == {name: key.default for name, key in config_keys.LimitKeys.model_fields.items()}
    assert config_keys.RatingKeys().model_dump() == msgspec.structs.asdict(config.RatingScale())


valid: dict[str, Any] = {
    "event": "cup",
    "game": "toy",
    "options": {"cards": 5, "names": ["a"]},
    "format": {"type": "swiss", "rounds": 1},
    "deals_per_pairing": 2,
    "seed": "s",
    "workers": "auto",
    "limits": {"move_s": 1.5, "memory_mb": 64, "first_move_s": None},
    "on_illegal": {"retry": 2},
    "on_timeout": {"random": {"strikes": 3}},
    "tie_breaks": ["wins"],
    "rating": {"anchor": "ann"},
    "bots": [{"id": "ann", "path": "bots/ann.py", "args": ["x"]}, {"id": "bob", "path": "bots/bob.py", "name": "B"}],
}
words = ["ann", "bots/ann.py", "swiss", "knockout", "gauntlet", "toy", "random", "auto", "bots", "~", "type"]
keys = ["type", "retry", "random", "strikes", "id", "path", "anchor", "move_s", "rounds", "cards"]
numbers = st.integers(-(10**20), 10**20) | st.floats()
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5) | st.sampled_from(words),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4) | st.sampled_from(keys), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    for key in data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        yield from places(data[key], (*path, key))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_changed_config_is_read_or_refused_line_by_line(load: Callable[[str], Config], data: st.DataObject) -> None:
    changed: Any = json.loads(json.dumps(valid))
    for _ in range(data.draw(st.integers(1, 3))):
        *around, last = data.draw(st.sampled_from([path for path in places(changed) if path]))
        target = changed
        for part in around:
            target = target[part]
        if data.draw(st.booleans()):
            target[last] = data.draw(values)
        elif isinstance(target, dict):
            del target[last]
            target[data.draw(st.text(max_size=6))] = data.draw(values)
    found: tuple[str, ...] = ()
    try:
        load(yaml.safe_dump(changed, allow_unicode=data.draw(st.booleans())))
    except ConfigError as error:
        found = error.problems
        event("refused")
    assert all(re.fullmatch(r"c\.yaml:\d+:\d+: \S.*", problem) for problem in found)


def test_the_valid_config_of_the_property_is_valid(load: Callable[[str], Config]) -> None:
    assert load(yaml.safe_dump(valid)).event == "cup"


def test_the_schema_for_editors_accepts_what_load_accepts() -> None:
    schema = config_schema.config_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(valid)
    for change in (
        {"fromat": "swiss"},
        {"format": "swis"},
        {"format": {"type": "swiss", "cycles": 2}},
        {"options": {"crads": 2}},
        {"game": "chess"},
        {"tie_breaks": ["bucholz"]},
        {"limits": {"move_s": -1}},
        {"on_illegal": "retry"},
    ):
        assert not validator.is_valid({**valid, **change}), change
    jsonschema.Draft202012Validator.check_schema(config_schema.manifest_schema())


@pytest.mark.parametrize("file", sorted(ROOT.glob("configs/*.yaml")), ids=lambda file: file.stem)
def test_a_sample_config_names_its_schema_and_fits_it(file: Path) -> None:
    text = file.read_text()
    assert text.startswith("# yaml-language-server: $schema=")
    jsonschema.Draft202012Validator(config_schema.config_schema()).validate(yaml.safe_load(text))


@pytest.mark.parametrize("file", sorted(ROOT.glob("configs/*.yaml")), ids=lambda file: file.stem)
def test_a_sample_config_can_be_read(file: Path) -> None:
    assert config.load(file).event == file.stem


def keys_of(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every key of the config with its schema, as docs/config.md lists them: `limits.move_s`, `bots[].id`."""
    for name, key in schema.get("properties", {}).items():
        yield f"{path}{name}", key
        for branch in config_keys.branches_of(key, config_keys.SCHEMA):
            inner = branch.get("items", branch)
            below = f"{path}{name}[]." if "items" in branch else f"{path}{name}."
            for part in config_keys.branches_of(inner, config_keys.SCHEMA):
                yield from keys_of(part, below)


def test_the_samples_show_every_key_with_a_comment() -> None:
    text = "\n".join(file.read_text() for file in sorted(ROOT.glob("configs/*.yaml")))
    for path, _ in keys_of(config_keys.SCHEMA):
        assert re.search(rf"\b{path.rsplit('.', 1)[-1]}:( .*)? # \S", text), path


def table_row(path: str, key: dict[str, Any]) -> str:
    default = json.dumps(key["default"], ensure_ascii=False) if "default" in key else ""
    shown = (
        "required"
        if not default
        else "none"
        if default == "null"
        else "as below"
        if len(default) > 20
        else f"`{default}`"
    )
    return f"| `{path}` | {config.settings.expected(key, config_keys.SCHEMA)} | {shown} | {key['description']} |"


def test_the_page_lists_every_key_as_it_is() -> None:
    page = (ROOT / "docs/config.md").read_text().splitlines()
    rows = [table_row(path, key) for path, key in keys_of(config_keys.SCHEMA)]
    assert [line for line in page if line.startswith("| `") and line in rows] == rows


def test_the_page_lists_the_settings_of_every_format() -> None:
    page = (ROOT / "docs/config.md").read_text()
    for name in formats.FORMATS:
        fields = msgspec.structs.fields(formats.load(name).Settings)
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` "))
        assert re.findall(r"`(\w+)`", row.split("|")[2]) == [field.name for field in fields], name


def test_the_page_lists_the_keys_of_a_manifest() -> None:
    page = (ROOT / "docs/config.md").read_text()
    for field in msgspec.structs.fields(Manifest):
        assert f"| `{field.name}` |" in page


def test_the_first_example_of_the_page_fits_the_schema() -> None:
    (text, *_) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/config.md").read_text(), re.DOTALL)
    jsonschema.Draft202012Validator(config_schema.config_schema()).validate(yaml.safe_load(text))


def test_the_mistakes_on_the_page_are_what_load_says(
    problems: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(games.GAMES, "toy")
    page = (ROOT / "docs/config.md").read_text()
    text, said = re.findall(r"```(?:yaml|text)\n(.*?)```", page.split("## Mistakes")[1], re.DOTALL)[:2]
    assert [f"league.yaml:{problem}" for problem in problems(text)] == said.splitlines()


def test_the_schema_beside_the_page_is_that_of_the_keys() -> None:
    shipped = json.loads((ROOT / "docs/config.schema.json").read_text())
    built_in = [name for name in games.GAMES if name != "toy"]
    assert shipped == json.loads(json.dumps(config_schema.config_schema(built_in))), REGENERATE
