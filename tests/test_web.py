"""The local server, a person's game in the browser, a running event in the browser."""

import http.client
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from browser import Watched, chromium, needs_chromium
from made_event import make

from arena import person, sandbox
from arena.errors import ArenaError
from arena.match import Contender
from arena.transcript import Transcript
from arena.web import game as web_game
from arena.web.game import Table
from arena.web.server import MOST_BYTES, Server

BOTS = Path(__file__).parent.parent / "bots"


def echo(question: dict[str, Any]) -> Any:
    if "wrong" in question:
        raise ArenaError("that is wrong")
    return {"echo": question}


@pytest.fixture
def server() -> Iterator[Server]:
    with Server("<!doctype html><p>nothing</p>", {"echo": echo}) as running:
        yield running


def ask(server: Server, method: str = "POST", path: str = "/echo", body: str = "{}", **headers: str) -> Any:
    """The status, headers and body of an answer. Headers by name with underscores; an empty one is left out."""
    wanted = {"Host": f"127.0.0.1:{server.port}", "Authorization": f"Bearer {server.token}", **headers}
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    try:
        connection.putrequest(method, path, skip_host=True)
        for name, value in {"Content_Length": str(len(body)), **wanted}.items():
            if value:
                connection.putheader(name.replace("_", "-"), value)
        connection.endheaders(
            body.encode() if int(wanted.get("Content_Length", len(body)) or 0) <= MOST_BYTES else None
        )
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def test_a_question_with_the_token_is_answered(server: Server) -> None:
    status, headers, body = ask(server, body='{"a":1}')
    assert (status, json.loads(body)) == (200, {"echo": {"a": 1}})
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_the_page_comes_without_a_token_and_the_token_is_not_in_it(server: Server) -> None:
    status, headers, body = ask(server, "GET", "/", "", Authorization="")
    assert status == 200
    assert server.token not in body + str(headers)
    assert server.url.endswith(f"#token={server.token}")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 403),
        ({"Authorization": "Bearer guess"}, 403),
        ({"Authorization": "Bearer "}, 403),
        ({"Host": ""}, 421),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Origin": "http://evil.example"}, 421),
        ({"Origin": "null"}, 421),
        ({"Content_Length": str(MOST_BYTES + 1)}, 413),
        ({"Content_Length": "-1"}, 413),
    ],
)
def test_a_question_without_token_under_another_name_or_too_long_is_refused(
    server: Server, headers: dict[str, str], status: int
) -> None:
    found, _, body = ask(server, **headers)
    assert found == status
    assert "echo" not in body


def test_the_page_itself_is_not_given_out_under_another_name(server: Server) -> None:
    assert ask(server, "GET", "/", "", Host="evil.example")[0] == 421


def test_other_paths_are_not_found(server: Server) -> None:
    assert ask(server, path="/nothing")[0] == 404
    assert ask(server, "GET", "/echo", "")[0] == 404
    assert ask(server, "GET", "/../../etc/passwd", "")[0] == 404


def test_a_wrong_question_is_told_in_a_sentence(server: Server) -> None:
    status, _, body = ask(server, body='{"wrong":1}')
    assert (status, json.loads(body)) == (400, {"error": "that is wrong"})
    assert ask(server, body="[1]")[0] == 400
    assert ask(server, body="{")[0] == 400


def test_the_server_listens_on_loopback_alone(server: Server) -> None:
    assert server._server.server_address[0] == "127.0.0.1"


class Seated:
    """A table with its game going on in a thread of its own, against the random bot."""

    def __init__(self, game: str, seat: int, tmp_path: Path) -> None:
        self.table = Table(game, seat, "<b>bot</b>")
        self.record: Transcript | None = None
        folder = tmp_path / "bot"
        folder.mkdir()
        (folder / "bot.py").write_text((BOTS / "random_bot.py").read_text())
        bot = Contender(entrant="bot", folder=str(folder), argv=("python3", "bot.py"))

        def run() -> None:
            self.record = web_game.play(
                self.table,
                lambda seated: person.play(game, seated, bot, person_seat=seat, seed="web", mode=sandbox.Mode.OFF),
            )

        self.thread = threading.Thread(target=run)
        self.thread.start()

    def ask(self, what: str, **question: Any) -> Any:
        return self.table.answers[what](question)


@pytest.fixture
def duel(tmp_path: Path) -> Iterator[Seated]:
    seated = Seated("hidden-leaders-duel", 0, tmp_path)
    yield seated
    seated.ask("leave")
    seated.thread.join(20)
    assert not seated.thread.is_alive()


def test_the_page_is_told_what_the_seat_may_know_and_no_hidden_card(duel: Seated) -> None:
    assert set(duel.table.answers) == {"setup", "news", "act", "hint", "leave"}
    (message,) = duel.ask("news", after=0)
    assert message["kind"] == "ask"
    assert set(message) == {"id", "kind", "view", "events", "legal"}
    assert {card[1] for card in message["view"]["opponent"]["hand"]} == {"?"}
    assert {shown["card"][1] for shown in message["view"]["display"].values()} == {"?"}
    assert "roles" not in json.dumps(message)


def test_an_answer_must_be_to_the_open_request_and_legal(duel: Seated) -> None:
    (message,) = duel.ask("news", after=0)
    for wrong in ({"id": 99, "index": 0}, {"id": 1, "index": 10_000}, {"id": 1, "index": -1}, {"id": 1}, {"index": 0}):
        with pytest.raises(ArenaError):
            duel.ask("act", **wrong)
    with pytest.raises(ArenaError):
        duel.ask("act", id=True, index=0)
    assert duel.ask("act", id=1, index=3) == {"index": 3}
    with pytest.raises(ArenaError):
        duel.ask("act", id=1, index=3)
    second = duel.ask("news", after=1)[0]
    assert second["view"]["freed"] == message["legal"][3]["spaces"]


def test_a_page_that_is_loaded_again_hears_everything_again_but_old_questions(duel: Seated) -> None:
    duel.ask("news", after=0)
    duel.ask("act", id=1, index=0)
    duel.ask("news", after=1)
    first, second = duel.ask("news", after=0)
    assert "legal" not in first
    assert second["legal"]


def test_a_hint_ranks_legal_actions(duel: Seated) -> None:
    (message,) = duel.ask("news", after=0)
    ranked = duel.ask("hint", id=message["id"])
    assert len(ranked) == 3
    assert all(0 <= one["index"] < len(message["legal"]) and 0 <= one["share"] <= 1 for one in ranked)


def test_who_leaves_ends_the_game_without_a_record(tmp_path: Path) -> None:
    seated = Seated("leaders", 0, tmp_path)
    seated.ask("news", after=0)
    seated.ask("leave")
    seated.thread.join(20)
    assert seated.record is None


def play_by_clicks(page: Any, rng: Random) -> int:
    """Play a game by clicking on what may be clicked; how many clicks that took."""
    clicks = 0
    while True:
        page.wait_for_selector("#play .ready, #play .can-pick, #play .choices button, #replay:not([hidden])")
        if page.locator("#replay:not([hidden])").count():
            return clicks
        before = page.evaluate("document.querySelectorAll('.story li').length")
        ready = page.locator("#play .ready")
        if ready.count():
            ready.first.click()
            page.wait_for_function(
                "n => document.querySelectorAll('.story li').length !== n || !document.querySelector('#replay').hidden",
                arg=before,
            )
        elif (options := page.locator("#play .can-pick")).count() and rng.random() < 0.95:
            options.nth(rng.randrange(options.count())).click(force=True)
        else:
            actions = page.locator("#play .choices button")
            actions.nth(rng.randrange(actions.count())).click()
            page.wait_for_function(
                "n => document.querySelectorAll('.story li').length !== n || !document.querySelector('#replay').hidden",
                arg=before,
            )
        clicks += 1


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize(("game", "seat"), [("hidden-leaders-duel", 0), ("hidden-leaders-duel", 1), ("leaders", 1)])
def test_a_whole_game_is_played_by_clicks(game: str, seat: int, tmp_path: Path) -> None:
    seated = Seated(game, seat, tmp_path)
    with Server(seated.table.page, seated.table.answers) as server, chromium() as browser:
        watched = Watched(browser)
        page = watched.open(server.url)
        clicks = play_by_clicks(page, Random(7))
        seated.thread.join(20)
        assert seated.record is not None
        assert not seated.record.faults
        assert clicks > len(seated.record.actions) / 2
        assert page.locator("#replay h2").inner_text().count("<b>bot</b>") == 1, "the name of a bot is text"
        assert page.locator(".end").is_visible()
        assert page.evaluate("location.hash").startswith("#game=1"), "the token has left the address"
        assert not watched.errors
        assert not watched.elsewhere(f"http://127.0.0.1:{server.port}/")


def started(*arguments: str | Path) -> tuple[subprocess.Popen[str], str, str]:
    """A command that serves a page: the process, the address without its token, the token."""
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *arguments], cwd=BOTS.parent, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    address = next(line for line in process.stdout if line.startswith("http://")).strip()
    url, _, token = address.partition("/#token=")
    return process, url.removeprefix("http://"), token


def question(address: str, token: str, path: str, asked: dict[str, Any]) -> Any:
    connection = http.client.HTTPConnection(address, timeout=10)
    connection.request("POST", f"/{path}", json.dumps(asked), {"Authorization": f"Bearer {token}"})
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return answer


@pytest.mark.slow
def test_arena_play_web_seats_a_person_and_ends_when_the_person_leaves() -> None:
    process, address, token = started("play", "leaders", "bots/random_bot.py", "--web", "--sandbox", "off")
    assert question(address, token, "setup", {})["game"] == "leaders"
    assert question(address, token, "news", {"after": 0})[0]["kind"] == "ask"
    question(address, token, "leave", {})
    out, _ = process.communicate(timeout=20)
    assert (process.returncode, out) == (0, "You gave the game up.\n")


@pytest.mark.slow
def test_arena_watch_serves_an_event_until_it_is_interrupted(tmp_path: Path) -> None:
    event = make(tmp_path, played=3)
    process, address, token = started("watch", event)
    assert "after 3 games" in question(address, token, "event", {})["html"]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 0
