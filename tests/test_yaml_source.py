"""YAML as data with places: what is read, what is refused, and where."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import yaml_source
from arena.errors import ConfigError
from arena.yaml_source import Place

SYNTAX = "YAML cannot read this"


def problems(text: str) -> list[str]:
    """All problems of YAML text, those that end the reading included."""
    try:
        yaml_source.parse(text, "f.yaml").check()
    except ConfigError as error:
        return list(error.problems)
    return []


def data(text: str) -> object:
    source = yaml_source.parse(text, "f.yaml")
    source.check()
    return source.data


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-7", -7),
        ("+7", 7),
        ("0", 0),
        ("0x1F", 31),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1.5e+3", 1500.0),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("'010'", "010"),
        ('"1:30"', "1:30"),
        ("1.2.3", "1.2.3"),
        ("-", [None]),
        ("a b", "a b"),
    ],
)
def test_values_that_every_yaml_reads_the_same_are_read(text: str, value: object) -> None:
    assert data(text) == value


@pytest.mark.parametrize("word", ["yes", "no", "on", "off", "y", "NO", "2024-05-01", "2024-05-01 10:00:00", "<<"])
def test_words_of_yaml_1_1_and_dates_are_text(word: str) -> None:
    assert data(f"[{word}]") == [word]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("010", "10"),
        ("-010", "-10"),
        ("008", "8"),
        ("00", "0"),
        ("1:30", "90"),
        ("1:30:00", "5400"),
        ("1e3", "1000.0"),
        ("1.5e3", "1500.0"),
        ("1e-9", "a number without an exponent"),
        ("1_000", "1000"),
        ("0o17", "15"),
        ("0b11", "3"),
        ("0x1_0", "16"),
    ],
)
def test_numbers_that_two_yamls_read_differently_are_refused(text: str, meant: str) -> None:
    difference = "which YAML 1.1 and YAML 1.2 read differently"
    assert problems(f"seed: {text}") == [
        f'f.yaml:1:7: seed: found {text}, {difference}, expected {meant} for a number or "{text}" for text'
    ]


@pytest.mark.parametrize("text", [".inf", "-.Inf", ".nan", "1.0e+999"])
def test_numbers_are_finite(text: str) -> None:
    assert problems(f"a: {text}") == [f"f.yaml:1:4: a: found {text}, expected a finite number"]


def test_a_number_of_many_digits_is_refused() -> None:
    expected = "expected a number below 2^63 or text in quotes"
    assert problems(f"a: {2**63}") == [f"f.yaml:1:4: a: found 9223372036854775808, {expected}"]
    assert problems("a: " + "9" * 10_000) == [f"f.yaml:1:4: a: found {'9' * 59}…, {expected}"]


def test_a_key_twice_is_found_with_the_line_of_the_first() -> None:
    assert problems("a: 1\nb: {c: 1,\n  c: 2}\na: 3\n") == [
        "f.yaml:3:3: b.c: found the key twice, expected it once; the first is in line 2",
        "f.yaml:4:1: a: found the key twice, expected it once; the first is in line 1",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "1:1: found an empty file, expected a mapping"),
        ("# only a comment\n", "1:1: found an empty file, expected a mapping"),
        (
            "a: [1, 2\n",
            f"2:1: {SYNTAX}: while parsing a flow sequence opened at 1:4, expected ',' or ']', but got '<stream end>'",
        ),
        (
            "a: 1\nb:\n  - {c: 1\n  - {c: 2}\n",
            f"4:5: {SYNTAX}: while parsing a flow mapping opened at 3:5, expected ',' or '}}', but got '{{'",
        ),
        ("a: 1\n\tb: 2", "2:1: YAML cannot read this: found a tab, expected spaces"),
        ("a: b: c", "1:5: YAML cannot read this: mapping values are not allowed here"),
        (
            "a: 1\nb 2\nc: 3",
            "2:1: YAML cannot read this: while scanning a simple key, could not find expected ':'",
        ),
        ("a: *nowhere", "1:4: YAML cannot read this: found undefined alias 'nowhere'"),
        ("a: 1\n---\nb: 2", f"2:1: {SYNTAX}: expected a single document in the stream, but found another document"),
        ("a: x\0y", "1:5: found the character U+0000, expected printable text"),
        ("a: 1\nb: x\x07", "2:5: found the character U+0007, expected printable text"),
        ("[" * 5000, f"1:1: found values nested too deeply, expected at most {yaml_source.MAX_DEPTH} levels"),
        ('"\\UFFFFFFFF"', "1:1: found an escape or a directive that has no meaning, expected plain YAML"),
        ("a: !!python/x y", '1:4: a: found the tag "tag:yaml.org,2002:python/x", expected a value without a tag'),
        ("a: !!int '5'", '1:4: a: found the tag "tag:yaml.org,2002:int", expected a value without a tag'),
        ("[1, 2]: 3", "1:1: expected a name as the key"),
        ('a: "\\ud800"', '1:4: a: found half of a surrogate pair in "\\ud800", expected Unicode text'),
    ],
)
def test_what_cannot_be_read_is_one_line_with_its_place(text: str, problem: str) -> None:
    assert problems(text) == [f"f.yaml:{problem}"]


def test_an_alias_stands_for_its_value() -> None:
    assert data("a: &x {b: 1}\nc: *x") == {"a": {"b": 1}, "c": {"b": 1}}


def test_an_alias_bomb_goes_off_nowhere() -> None:
    lines = ["l0: &l0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 10)]
    assert problems("\n".join(lines)) == [
        "f.yaml:1:1: found more than 100,000 values once aliases are written out, expected fewer"
    ]


def test_a_value_that_holds_itself_is_named_once() -> None:
    assert problems("a: &a [1, {b: *a}]") == [
        "f.yaml:1:11: a[1].b: found an alias to what holds it, expected a value that ends"
    ]


def test_every_value_and_key_knows_its_place() -> None:
    source = yaml_source.parse("a: 1\nbots:\n  - {id: x, path: y}\n", "f.yaml")
    assert source.places["bots", 0, "path"] == Place(3, 19)
    assert source.key_places["bots", 0, "path"] == Place(3, 13)
    assert source.place(("bots", 0, "missing", "below")) == Place(3, 5)
    assert yaml_source.key_text(("bots", 0, "path")) == "bots[0].path"
    assert yaml_source.key_text(("a b", "ü-1", "c.d")) == '"a b".ü-1."c.d"'
    assert yaml_source.key_text(("a b", "ü-1", "c.d")) == '"a b".ü-1."c.d"'
    assert yaml_source.key_text(("a b", "ü-1", "c.d")) == '"a b".ü-1."c.d"'


def test_what_is_shown_never_acts_on_a_terminal() -> None:
    assert yaml_source.shown("a\x1b[2J\u202eb\n") == '"a\\u001b[2J\\u202eb\\n"'
    assert yaml_source.shown("x" * 300) == f'"{"x" * 59}…"'
    assert yaml_source.shown("Zoë 🤖") == '"Zoë 🤖"'


def refusal(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        yaml_source.read(path, label="f.yaml")
    return str(caught.value)


def test_a_file_that_is_not_there_is_named_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "league.yaml").write_text("a: 1")
    nothing = "f.yaml: found no such file, expected a YAML file"
    assert refusal(tmp_path / "leage.yaml") == f"{nothing}, nearest league.yaml"
    assert refusal(tmp_path / "league.yml") == f"{nothing}, nearest league.yaml"
    assert refusal(tmp_path / "nope.yaml") == nothing
    assert refusal(tmp_path / "no/where.yaml") == nothing


def test_a_folder_a_pipe_and_a_huge_file_are_no_yaml_files(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "f.yaml: found a folder, expected a YAML file"
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe") == "f.yaml: found something that is no file, expected a YAML file"
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(yaml_source.MAX_BYTES + 1)
    assert refusal(tmp_path / "huge") == "f.yaml: found more than 1 MiB, expected a YAML file"


def test_a_file_that_may_not_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "f.yaml"
    file.write_text("a: 1")

    def refuse(*_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # root may read everything, so the mode alone proves nothing
    assert refusal(file) == "f.yaml: found what cannot be read (Permission denied), expected a YAML file"


def test_bytes_that_are_not_utf_8_are_found_at_their_place(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.write_bytes("a: 1\nb: é".encode("latin-1"))
    assert refusal(file) == "f.yaml:2:4: found a byte that is not UTF-8 (0xe9), expected a YAML file"
    file.write_bytes(b"\xef\xbb\xbfa: 1")
    assert yaml_source.read(file).data == {"a": 1}


@given(st.text(alphabet=st.sampled_from("ab01.:-_eExo+~[]{}&*!|>'\"\\#%@ \n\tué\x00\ud800"), max_size=40))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    for problem in problems(text):
        assert problem.startswith("f.yaml:")
        assert "\n" not in problem
