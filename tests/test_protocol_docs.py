"""Every example on the protocol's page is decoded by the code that will decode it in earnest."""

import re
from pathlib import Path

import msgspec
import pytest

from arena.bot import messages
from arena.model import Limits, Policies

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text()
REFEREE, BOT = PAGE.split("## What the referee sends")[1].split("## What a bot sends")
BOT = BOT.split("## Withheld")[0]


def examples(part: str) -> list[str]:
    return re.findall(r"```json\n(.*?)\n```", part, flags=re.DOTALL)


@pytest.mark.parametrize("line", examples(REFEREE))
def test_an_example_from_the_referee_is_what_it_would_send(line: str) -> None:
    message = msgspec.json.decode(line, type=_union(messages.REFEREE_MESSAGES))
    assert messages.encode(message).decode() == line + "\n"


@pytest.mark.parametrize("line", examples(BOT))
def test_an_example_from_a_bot_is_accepted(line: str) -> None:
    decode = {
        "hello": messages.decode_hello,
        "ready": messages.decode_ready,
        "action": lambda raw: messages.decode_action(raw, expected_id=7),
    }
    kind = msgspec.json.decode(line)["type"]
    assert decode[kind](line.encode()) == msgspec.json.decode(line, type=_union(messages.BOT_MESSAGES))


def test_every_message_has_a_section_and_an_example() -> None:
    for part, known in ((REFEREE, messages.REFEREE_MESSAGES), (BOT, messages.BOT_MESSAGES)):
        sections = re.findall(r"^### `(\w+)`", part, flags=re.MULTILINE)
        tags = [message.__struct_config__.tag for message in known]
        assert sections == tags
        assert {msgspec.json.decode(line)["type"] for line in examples(part)} == set(tags)


def test_every_field_of_every_message_is_explained() -> None:
    for part, known in ((REFEREE, messages.REFEREE_MESSAGES), (BOT, messages.BOT_MESSAGES)):
        for message in known:
            for field in message.__struct_fields__:
                assert re.search(rf"[`\"]{field}\b", part), f"{message.__name__}.{field} is not on the page"


def test_every_limit_and_every_policy_is_on_the_page() -> None:
    for name in (*Limits.__struct_fields__, "on_illegal", "on_timeout", "on_crash", "disqualify_after_faults"):
        assert f"`{name}`" in PAGE, name
    assert set(Policies.__struct_fields__) == {
        "on_illegal",
        "retries",
        "on_timeout",
        "strikes",
        "on_crash",
        "disqualify_after_faults",
    }


def _union(types: tuple[type, ...]) -> object:
    union: object = types[0]
    for type_ in types[1:]:
        union = union | type_  # type: ignore[operator]
    return union
