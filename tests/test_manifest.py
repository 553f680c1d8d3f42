"""Bots on disk: reading them, what identifies them, and the private copy that is played with."""

import hashlib
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena import starters
from arena.bot import manifest
from arena.errors import ConfigError

EXPECTED = "expected a .py file or a folder with bot.yaml"
Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes a bot's folder out of file names and contents."""

    def make(files: dict[str, str | bytes] | None = None, *, name: str = "ann", text: str = "run: [./bot]\n") -> Path:
        folder = tmp_path / name
        for relative, content in {"bot.yaml": text, **(files or {})}.items():
            (folder / relative).parent.mkdir(parents=True, exist_ok=True)
            (folder / relative).write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return make


def problems(path: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        manifest.read(path, label="b")
    return list(caught.value.problems)


def test_a_folder_is_what_its_manifest_says(make: Make) -> None:
    folder = make(
        {"bot": "x", "data/book.txt": "y"},
        text='name: Ann\nrun: [./bot, --book, "data/book.txt"]\nbuild: [make]\nversion: "1.10"\nenv: {A_1: x}\n',
    )
    assert manifest.read(folder) == manifest.Bot(
        name="Ann",
        folder=folder.resolve(),
        files=("bot", "bot.yaml", "data/book.txt"),
        run=("./bot", "--book", "data/book.txt"),
        build=("make",),
        version="1.10",
        env={"A_1": "x"},
    )


def test_all_but_run_has_a_default(make: Make) -> None:
    bot = manifest.read(make(name="my bot"))
    assert (bot.name, bot.build, bot.version, bot.env) == ("my bot", None, "", {})


def test_a_single_file_is_run_by_the_referees_python(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("")
    (tmp_path / "secret.py").write_text("")
    assert manifest.read(tmp_path / "random.py") == manifest.Bot(
        name="random", folder=tmp_path, files=("random.py",), run=("python3", "-P", "-s", "random.py")
    )


@pytest.mark.parametrize("name", ["my bot.py", 'it\'s "ann".py', "Zoë 🤖.py", "-c.py", "$(touch x);.py", "a\nb.py"])
def test_no_name_of_a_file_is_taken_for_anything_else(tmp_path: Path, name: str) -> None:
    """The command is run as it stands: quotes, spaces, dashes and dollars are letters like any other."""
    original = tmp_path / "bots ü" / name
    original.parent.mkdir()
    original.write_text("import random, sys; print('played', random.random() < 1, sys.argv[1:])")
    staged = manifest.stage(manifest.read(original), tmp_path / "private")
    said = subprocess.run(
        [sys.executable, *staged.run[1:], "a b"], cwd=staged.folder, capture_output=True, text=True, check=True
    )
    assert said.stdout == "played True ['a b']\n"


def test_a_bot_called_like_a_module_does_not_hide_it(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("import random; print(random.randrange(1))")
    bot = manifest.read(tmp_path / "random.py")
    said = subprocess.run([sys.executable, *bot.run[1:]], cwd=bot.folder, capture_output=True, text=True, check=True)
    assert said.stdout == "0\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ["b/bot.yaml:1:1: found an empty file, expected a mapping"]),
        ("run: python3 bot.py", [
            'b/bot.yaml:1:6: run: found "python3 bot.py", expected a list of words such as [python3, bot.py]']),
        ("run: []", ["b/bot.yaml:1:6: run: found an empty list, expected a list of words such as [python3, bot.py]"]),
        ("run: ['']", ['b/bot.yaml:1:7: run[0]: found "", expected the name of a program']),
        ("run: [./bot, 5, on]", ['b/bot.yaml:1:14: run[1]: found 5, expected text, nearest "5"']),
        ('run: [./bot, "a\\0b"]', [
            'b/bot.yaml:1:14: run[1]: found "a\\u0000b", expected at most 4,096 characters and no NUL']),
        ("nmae: x", [
            ("b/bot.yaml:1:1: nmae: found an unknown key, "
             "expected build, env, games, name, run or version, nearest name"),
            "b/bot.yaml:1:1: run: found nothing, expected a list of words such as [python3, bot.py]"]),
        ("run: [x]\nversion: 1.10", [
            'b/bot.yaml:2:10: version: found 1.10, expected text of at most 100 characters, nearest "1.10"']),
        ('run: [x]\nname: "a\\e[0m"', [
            'b/bot.yaml:2:7: name: found "a\\u001b[0m", expected text without control characters']),
        ("run: [x]\nname: ''", ['b/bot.yaml:2:7: name: found "", expected text of at most 100 characters']),
        ("run: [x]\nenv: {A-B: x, C: 3, D: 'y'}", [
            "b/bot.yaml:2:7: env.A-B: found this name, expected letters, digits and _ only",
            'b/bot.yaml:2:18: env.C: found 3, expected text, nearest "3"']),
        ("run: [x]\nbuild: [.inf]", [
            "b/bot.yaml:2:9: build[0]: found .inf, expected a finite number"]),
    ],
)  # fmt: skip
def test_each_mistake_in_a_manifest_has_its_line(make: Make, text: str, said: list[str]) -> None:
    assert problems(make(text=text)) == said


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from(["run", "./bot"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(["name", "run", "build", "version", "env", "nmae"]), anything))
def test_a_manifest_of_anything_is_read_or_refused_line_by_line(make: Make, keys: dict[str, Any]) -> None:
    folder = make(text=yaml.safe_dump(keys))
    try:
        bot = manifest.read(folder, label="b")
    except ConfigError as error:
        assert all(re.fullmatch(r"b/bot\.yaml:\d+:\d+: \S.*", problem) for problem in error.problems)  # noqa: PT017
    else:
        assert bot.run == tuple(keys["run"])
        assert all(isinstance(word, str) for word in bot.run)


def test_what_is_no_bot_is_named_for_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_text("")
    (tmp_path / "ann.txt").write_text("")
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    assert problems(tmp_path / "anm.py") == [f"b:1:1: found no such file or folder, {EXPECTED}, nearest ann.py"]
    assert problems(tmp_path / "ann.txt") == [f"b:1:1: found a file that is no .py file, {EXPECTED}"]
    assert problems(tmp_path / "empty") == [f"b:1:1: found a folder without bot.yaml, {EXPECTED}"]
    assert problems(tmp_path / "pipe.py")[0].startswith(f"b:1:1: found something that is no file, {EXPECTED}")


def test_caches_and_repositories_are_no_part_of_a_bot(make: Make) -> None:
    folder = make({"bot.py": "x"})
    before = manifest.sha256(folder)
    make({"__pycache__/bot.pyc": "y", ".git/config": "z", "lib/__pycache__/a.pyc": "y"})
    assert manifest.read(folder).files == ("bot.py", "bot.yaml")
    assert manifest.sha256(folder) == before


def test_a_link_to_a_file_of_the_bot_counts_as_that_file(make: Make, tmp_path: Path) -> None:
    folder = make({"real.txt": "text"})
    (folder / "link.txt").symlink_to("real.txt")
    bot = manifest.read(folder)
    assert bot.files == ("bot.yaml", "link.txt", "real.txt")
    staged = manifest.stage(bot, tmp_path / "private")
    assert not (staged.folder / "link.txt").is_symlink()
    assert (staged.folder / "link.txt").read_text() == "text"
    assert manifest.sha256(staged) == manifest.sha256(bot)


@pytest.mark.parametrize("target", ["/etc/hostname", "../outside.txt", "nowhere", "link", "folder", ".git/config", "."])
def test_every_other_link_is_refused(make: Make, tmp_path: Path, target: str) -> None:
    folder = make({"folder/file": "x", ".git/config": "y"})
    (tmp_path / "outside.txt").write_text("a file of somebody else")
    (folder / "link").symlink_to(target)
    assert problems(folder) == ["b/link:1:1: found a link, expected one to a file inside the bot's folder"]


def test_a_link_to_the_bots_folder_itself_is_followed(make: Make, tmp_path: Path) -> None:
    folder = make({"bot.py": "x"})
    (tmp_path / "alias").symlink_to(folder)
    assert manifest.sha256(tmp_path / "alias") == manifest.sha256(folder)


def test_pipes_and_names_that_are_not_utf_8_are_refused(make: Make) -> None:
    os.mkfifo(make() / "pipe")
    assert problems(make()) == ["b/pipe:1:1: found a pipe, socket or device, expected files and folders"]
    other = make(name="bob")
    Path(os.fsdecode(os.fsencode(other) + b"/\xff")).write_text("")
    assert problems(other) == ['b:1:1: found the file name "\\udcff", expected names in UTF-8']


def test_a_bot_has_at_most_so_many_bytes_and_files(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make({"big": ""})
    with (folder / "big").open("wb") as file:
        file.truncate((manifest.MAX_MB << 20) + 1)
    assert problems(folder) == ["b:1:1: found more than 512 MiB of files, expected at most 512 MiB"]
    with (tmp_path / "big.py").open("wb") as file:
        file.truncate(2 * manifest.MAX_MB << 20)
    assert problems(tmp_path / "big.py") == ["b:1:1: found 1,024 MiB, expected at most 512 MiB"]
    monkeypatch.setattr(manifest, "MAX_FILES", 3)
    assert problems(make({"1": "", "2": "", "3": ""}, name="bob")) == ["b:1:1: found more than 3 files, expected fewer"]


def test_the_hash_is_over_lengths_names_and_bytes_in_the_order_of_names(make: Make) -> None:
    folder = make({"a/b": "1", "a-b": "22", "é": ""}, text="run: [x]\n")
    expected = hashlib.sha256(b"arena bot 1\n")
    for name, content in ((b"a-b", b"22"), (b"a/b", b"1"), (b"bot.yaml", b"run: [x]\n"), ("é".encode(), b"")):
        expected.update(len(name).to_bytes(8, "big") + name + len(content).to_bytes(8, "big") + content)
    assert manifest.sha256(folder) == expected.hexdigest()


contents = st.dictionaries(st.sampled_from(["a", "b", "ab", "c/a", "c/b"]), st.binary(max_size=4), max_size=4)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(contents, contents)
def test_two_bots_have_the_same_hash_only_if_they_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, one: dict[str, bytes], other: dict[str, bytes]
) -> None:
    def digest(files: dict[str, bytes]) -> str:
        folder = tmp_path_factory.mktemp("bot")
        for name, content in {"bot.yaml": b"run: [x]", **files}.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        return manifest.sha256(folder)

    assert (digest(one) == digest(other)) == (one == other)


def test_a_staged_bot_holds_its_files_alone_readable_for_everybody(make: Make, tmp_path: Path) -> None:
    folder = make({"bot": "#!/bin/sh\n", "data/deep/book": "x", "__pycache__/a": "y"})
    (folder / "bot").chmod(0o700)
    (folder / "data/deep/book").chmod(0o600)
    old_mask = os.umask(0o077)
    try:
        staged = manifest.stage(manifest.read(folder), tmp_path / "private")
    finally:
        os.umask(old_mask)
    found = {p.relative_to(staged.folder).as_posix(): stat.S_IMODE(p.stat().st_mode) for p in staged.folder.rglob("*")}
    assert found == {"bot": 0o755, "bot.yaml": 0o644, "data": 0o755, "data/deep": 0o755, "data/deep/book": 0o644}
    assert stat.S_IMODE(staged.folder.stat().st_mode) == 0o755
    (staged.folder / "bot").write_text("changed by a build")
    assert (folder / "bot").read_text() == "#!/bin/sh\n"


def test_a_single_file_is_staged_without_its_neighbours(tmp_path: Path) -> None:
    for name in ("ann.py", "bob.py"):
        (tmp_path / name).write_text(name)
    staged = manifest.stage(manifest.read(tmp_path / "ann.py"), tmp_path / "private")
    assert [path.name for path in staged.folder.iterdir()] == ["ann.py"]
    assert manifest.sha256(staged) == manifest.sha256(tmp_path / "ann.py")


def test_nothing_is_staged_over_something_else(make: Make) -> None:
    folder = make()
    with pytest.raises(ValueError, match="is not empty"):
        manifest.stage(manifest.read(folder), folder)


@pytest.mark.parametrize("language", starters.languages())
def test_the_starter_kits_are_bots(language: str) -> None:
    assert manifest.read(starters.folder(language)).run
