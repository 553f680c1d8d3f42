"""The strict parser, message by message. Example lines of docs/protocol.md: test_protocol_docs.py."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bot import messages
from arena.errors import BotFault


def fault(line: bytes, decode: object = None) -> BotFault:
    with pytest.raises(BotFault) as caught:
        messages.decode_action(line, expected_id=7) if decode is None else decode(line)
    return caught.value


def test_an_answer_by_index() -> None:
    assert messages.decode_action(b'{"type":"action","id":7,"index":3}', expected_id=7) == messages.BotAction(
        id=7, index=3
    )


@pytest.mark.parametrize(
    "line",
    [
        b'{"type": "action", "id": 7, "index": 3}',
        b'{"type":"action","id":7,"index":3}\r',
        b' {"index":3, "id":7, "type":"action" } ',
        b'{"type":"action","id":7,"index":3,"later":{"a":[1.5,null,true]}}',
        '{"type":"action","id":7,"index":3,"é":"\\ud83d\\ude00"}'.encode(),
    ],
)
def test_white_space_order_and_unknown_fields_do_not_matter(line: bytes) -> None:
    assert messages.decode_action(line, expected_id=7).index == 3


def test_an_answer_by_action_with_a_note() -> None:
    line = b'{"type":"action","id":7,"action":{"type":"collect","card":"I0"},"note":"hm"}'
    found = messages.decode_action(line, expected_id=7)
    assert (found.action, found.index, found.note) == ({"type": "collect", "card": "I0"}, None, "hm")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"", "not one JSON object a line (Expecting value at character 1): an empty line"),
        (b"hello", "not one JSON object a line (Expecting value at character 1): hello"),
        (b"[7]", "expected a JSON object: [7]"),
        (b'{"type":"action","id":7,"index":3}{"a":1}', "not one JSON object a line (Extra data at character 35)"),
        (b'{"type":"action","id":7,"index":NaN}', "NaN is not JSON"),
        (b'{"type":"action","id":7,"index":-Infinity}', "-Infinity is not JSON"),
        (b'{"type":"action","id":7,"x":1e999,"index":0}', "a number is beyond the range of a double"),
        (b'{"type":"action","id":7,"id":7,"index":3}', "the key 'id' occurs twice in an object"),
        (b'{"type":"action","id":7,"index":0,"x":{"a":1,"a":1}}', "the key 'a' occurs twice in an object"),
        (b'{"type":"action","id":7,"index":9007199254740993}', "an integer is beyond ±2^53"),
        (b'{"type":"action","id":7,"index":' + b"9" * 5000 + b"}", "an integer is beyond"),
        (b'\xef\xbb\xbf{"type":"action","id":7,"index":3}', "the line begins with a byte-order mark"),
        (b'{"type":"action","id":7,"index":3,"n":"\xe9"}', "not UTF-8 at byte 39"),
        (b'{"type":"action","id":7,"index":3,"n":"\\ud800"}', "half of a surrogate pair stands alone"),
        (b'{"type":"act","id":7,"index":3}', 'expected a message of type "action", found "act"'),
        (b'{"id":7,"index":3}', 'expected a message of type "action", found none'),
        (b'{"type":"action","id":6,"index":3}', "answered request 6 when 7 was asked"),
        (b'{"type":"action","id":"7","index":3}', 'expected a whole number as "id", found "7"'),
        (b'{"type":"action","id":true,"index":3}', 'expected a whole number as "id", found true'),
        (b'{"type":"action","id":7.0,"index":3}', 'expected a whole number as "id", found 7.0'),
        (b'{"type":"action","index":3}', 'expected a whole number as "id", found none'),
        (b'{"type":"action","id":7}', 'expected exactly one of "action" and "index"'),
        (b'{"type":"action","id":7,"index":3,"action":{}}', 'expected exactly one of "action" and "index"'),
        (b'{"type":"action","id":7,"index":true}', 'expected a whole number from 0 as "index", found true'),
        (b'{"type":"action","id":7,"index":-1}', 'expected a whole number from 0 as "index", found -1'),
        (b'{"type":"action","id":7,"index":1.0}', 'expected a whole number from 0 as "index", found 1.0'),
        (b'{"type":"action","id":7,"index":0,"note":3}', 'expected text as "note", found 3'),
        (
            b'{"type":"action","id":7,"index":0,"note":"' + b"x" * 1001 + b'"}',
            '"note" has 1001 characters; the limit is 1000',
        ),
    ],
)
def test_what_is_refused_and_why(line: bytes, problem: str) -> None:
    found = fault(line)
    assert found.code == "protocol"
    assert found.problem.startswith(problem)
    assert found.offending == line


def test_the_plain_form_is_no_looser_than_the_parser() -> None:
    """JSON has no numbers with leading zeros."""
    for line in (b'{"type":"action","id":07,"index":3}', b'{"type":"action","id":7,"index":03}'):
        assert fault(line).code == "protocol"


def test_nesting_is_limited_and_brackets_in_strings_are_not_nesting() -> None:
    deep = b'{"type":"action","id":7,"index":0,"x":' + b"[" * 31 + b"]" * 31 + b"}"
    assert messages.decode_action(deep, expected_id=7).index == 0
    deeper = b'{"type":"action","id":7,"index":0,"x":' + b"[" * 32 + b"]" * 32 + b"}"
    assert fault(deeper).problem.startswith("nested deeper than 32")
    assert fault(b"[" * 60_000).problem.startswith("nested deeper than 32")
    text = b'{"type":"action","id":7,"index":0,"x":"' + b'[{\\"' * 100 + b'"}'
    assert messages.decode_action(text, expected_id=7).index == 0


def test_the_handshake_has_a_code_of_its_own() -> None:
    assert fault(b"READY", messages.decode_hello).code == "handshake"
    assert fault(b'{"type":"hello","protocol":2}', messages.decode_hello).problem == (
        'expected "protocol": 1 in hello, found 2'
    )
    assert fault(b'{"type":"hello","protocol":true}', messages.decode_hello).code == "handshake"
    assert fault(b'{"type":"hello","protocol":1}', messages.decode_ready).problem == (
        'expected a message of type "ready", found "hello"'
    )
    named = messages.decode_hello(b'{"type":"hello","protocol":1,"name":"\xf0\x9f\x90\x99","version":"2"}')
    assert (named.name, named.version) == ("🐙", "2")
    assert fault(b'{"type":"hello","protocol":1,"name":"' + b"n" * 300 + b'"}', messages.decode_hello).problem == (
        '"name" has 300 characters; the limit is 100'
    )


def test_what_is_shown_of_a_line_is_short_and_printable() -> None:
    assert messages.shown(b"\x1b[31mred\x00\xff") == "\\x1b[31mred\\x00\\xff"
    assert messages.shown(b"x" * 1000) == "x" * 200 + "… (1000 bytes)"


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_but_a_fault(line: bytes) -> None:
    with contextlib.suppress(BotFault):
        messages.decode_action(line, expected_id=1)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.fixed_dictionaries({"type": st.just("action"), "id": st.just(1) | json_values, "index": json_values}))
def test_only_whole_numbers_are_whole_numbers(message: dict[str, object]) -> None:
    line = json.dumps(message).encode()
    try:
        found = messages.decode_action(line, expected_id=1)
    except BotFault:
        return
    assert type(message["id"]) is int
    assert type(message["index"]) is int
    assert found.index == message["index"]


@given(st.text(max_size=40), json_values)
def test_parse_reads_what_json_means(key: str, value: object) -> None:
    line = json.dumps({key: value}).encode()
    try:
        found = messages.parse(line)
    except BotFault:
        return
    assert found == json.loads(line)


def test_messages_are_one_line_with_the_fields_of_the_protocol() -> None:
    clock = messages.Clock(move_ms=1000, bank_ms=0, used_ms=3)
    act = messages.Act(id=7, view={"a": "\n"}, events=[], legal=[1], clock=clock)
    assert messages.encode(act) == (
        b'{"type":"act","id":7,"view":{"a":"\\n"},"events":[],"legal":[1],'
        b'"clock":{"move_ms":1000,"bank_ms":0,"used_ms":3}}\n'
    )
    assert messages.encode(messages.Quit()) == b'{"type":"quit"}\n'
