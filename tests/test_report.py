"""The report: what it tells and what not, how large it is, and how it looks to a browser."""

import base64
import contextlib
import json
import re
import sqlite3
import zlib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from browser import Watched, chromium, needs_chromium
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from made_event import make

from arena import formats, games, replay, report
from arena.cli import cli
from arena.errors import ArenaError
from arena.report import facts
from arena.report.delta import difference, patched, series
from arena.report.replays import Disclosure, replay_of
from arena.store import FILE, Store
from arena.web.live import Live
from arena.web.server import Server

ASSETS = Path(report.__file__).parent / "assets"
HOSTILE_NAME = "</script><img src=x onerror=pwned=1>&'\"`<!--"  # configs take no marks for the direction of writing
HOSTILE = f"{HOSTILE_NAME}\u202e\u2028"
json_data = st.recursive(
    st.none() | st.booleans() | st.integers(2, 99) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=4),
    max_leaves=12,
)


@given(json_data, json_data)
def test_a_difference_makes_the_one_of_the_other(before: Any, after: Any) -> None:
    assert patched(before, difference(before, after)) == after


@given(json_data)
def test_nothing_changed_is_nothing(value: Any) -> None:
    assert difference(value, value) == {}


@pytest.fixture
def kuhn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of a plug-in, as if it were installed."""
    monkeypatch.setitem(games.GAMES, "kuhn-poker", "kuhn_poker")


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(
        tmp_path_factory.mktemp("ended"), forfeits=(3,), note="NOTE-OF-A-BOT", stderr="STDERR-OF-A-BOT", hello="v1"
    )


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event that stopped in its last round, between the legs of a deal."""
    return make(tmp_path_factory.mktemp("running"), played=9, forfeits=(3,), note="NOTE-OF-A-BOT", stderr="STDERR-OF")


def written(event: Path, path: Path, **options: Any) -> str:
    with Store(event) as store:
        report.write(store, path, **options)
    return path.read_text(encoding="utf-8")


def unpacked(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text)))


def replays_in(html: str) -> dict[str, Any]:
    found = re.findall(r'<script type="text/plain" data-shard="[^"]*">([^<]*)</script>', html)
    return {number: one for text in found for number, one in unpacked(text).items()}


def index_in(html: str) -> Any:
    match = re.search(r'data-index="([^"]*)"', html)
    assert match
    return unpacked(match[1])


def test_a_report_tells_standings_rounds_faults_and_proof(ended: Path, tmp_path: Path) -> None:
    html = written(ended, tmp_path / "r.html")
    with Store(ended) as store:
        known = [store.seal, store.meta("commitment"), store.meta("root"), store.meta("salt")]
    for text in (*known, "ann", "bob", "cid", "Round 3", "illegal-action", "SECRET-SENTENCE", "held a reply up"):
        assert text is not None
        assert text in html, text
    assert len(replays_in(html)) == 12
    assert index_in(html)["games"]["number"] == list(range(1, 13))


def test_notes_and_stderr_are_told_on_request_alone(ended: Path, tmp_path: Path) -> None:
    public = written(ended, tmp_path / "r.html")
    assert "OF-A-BOT" not in public + json.dumps(replays_in(public))
    open_ = written(ended, tmp_path / "n.html", notes=True)
    assert "STDERR-OF-A-BOT" in open_
    told = replays_in(open_)["1"]
    assert told["plies"][0][3] == "NOTE-OF-A-BOT"
    assert told["stderr"] == {"0": "STDERR-OF-A-BOT", "1": "STDERR-OF-A-BOT"}


def test_an_event_that_goes_on_tells_what_a_spectator_sees(running: Path, tmp_path: Path) -> None:
    html = written(running, tmp_path / "r.html", notes=True)
    packed = json.dumps(replays_in(html))
    key = json.loads((running / "event.key").read_bytes())
    for secret in ("SECRET", "OF-A-BOT", key["root"], key["salt"]):
        assert secret not in html + packed
    for one in replays_in(html).values():
        assert set(one["viewers"]) == set(one["events"]) == {"spectator"}
        assert "actions" not in one


def test_a_spectators_replay_holds_no_card_that_is_hidden_from_the_spectator(running: Path) -> None:
    """No known card anywhere but face up: every value that is written was public at that very ply."""
    with Store(running) as store:
        result, record = store.game(1)
    one = replay_of(result.number, record, Disclosure(seats=False))
    game = games.load(record.game)
    state = replay.setup(record)[1]
    views = [game.to_json(game.view(at, None)) for at in (state, *(step.after for step in replay.steps(record)))]
    shown = one.viewers["spectator"]
    whole = shown[0]
    for change, view in zip(shown[1:], views[1:], strict=True):
        whole = patched(whole, change)
        view.pop("seat")
        assert whole == view
    hidden = {"blocked", "collected", "drew"}
    cards = [event["card"] for happened in one.events["spectator"] for event in happened if event["type"] in hidden]
    assert cards
    assert {card[1] for card in cards} == {"?"}


def test_games_whose_deals_are_still_to_be_played_have_no_replay(running: Path, tmp_path: Path) -> None:
    with Store(running) as store:
        results = list(store.results())
        withheld = report.withheld_deals(store, results)
    assert withheld
    html = written(running, tmp_path / "r.html")
    told = {int(number) for number in replays_in(html)}
    assert told == {result.number for result in results if result.deal not in withheld}
    assert index_in(html)["games"]["replay"] == [int(number in told) for number in range(1, 10)]


def test_a_viewer_who_sees_what_a_spectator_sees_is_written_once(tmp_path: Path) -> None:
    html = written(make(tmp_path, game="leaders", entrants=("ann", "bob"), deals=1), tmp_path / "r.html")
    assert {tuple(one["viewers"]) for one in replays_in(html).values()} == {("spectator",)}


def test_a_replay_of_leaders_says_how_far_an_ability_reached(tmp_path: Path) -> None:
    event = make(tmp_path, game="leaders", entrants=("ann", "bob"), deals=1)
    with Store(event) as store:
        _, record = store.game(1)
    ranges = replay_of(1, record, Disclosure(seats=True)).ranges
    abilities = {str(action.ply): action.action for action in record.actions if action.action["type"] == "ability"}
    assert ranges.keys() == abilities.keys()
    for ply, action in abilities.items():
        assert {action[key] for key in ("target", "to", "target_to") if key in action} <= set(ranges[ply].split())


def test_a_game_that_the_page_cannot_draw_is_shown_as_text(kuhn: None, tmp_path: Path) -> None:
    html = written(make(tmp_path, game="kuhn-poker", entrants=("ann", "bob"), deals=1), tmp_path / "r.html")
    one = replays_in(html)["1"]
    game = games.load("kuhn-poker")
    with Store(tmp_path / "event") as store:
        _, record = store.game(1)
    state = replay.setup(record)[1]
    assert one["viewers"]["spectator"][0]["text"] == game.render(game.view(state, None))
    assert set(one["viewers"]) == {"spectator", "0", "1"}


def test_replays_beyond_the_limit_lie_beside_the_page(ended: Path, tmp_path: Path) -> None:
    with Store(ended) as store:
        told = report.write(store, tmp_path / "r.html", inline_bytes=0)
    assert told.beside == tmp_path / "r.games"
    assert told.replays == 12
    assert not replays_in((tmp_path / "r.html").read_text())
    text = (tmp_path / "r.games" / "0.js").read_text()
    match = re.fullmatch(r'arenaShard\(0,"([A-Za-z0-9+/=]*)"\);\n', text)
    assert match
    assert set(unpacked(match[1])) == {str(number) for number in range(1, 13)}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "bots", "deals"), [("hidden-leaders-duel", 10, 12), ("leaders", 10, 12)])
def test_a_thousand_games_stay_under_five_megabytes(game: str, bots: int, deals: int, tmp_path: Path) -> None:
    event = make(tmp_path, game=game, entrants=[f"bot-{i}" for i in range(bots)], deals=deals)
    with Store(event) as store:
        told = report.write(store, tmp_path / "r.html")
    assert told.games == told.replays == 1080
    assert told.size < 5_000_000
    assert told.beside is None


def test_a_report_that_cannot_be_written_says_so(ended: Path, tmp_path: Path) -> None:
    with Store(ended) as store, pytest.raises(ArenaError, match="cannot be written"):
        report.write(store, tmp_path / "nowhere" / "r.html")


def test_an_event_without_a_game_has_a_report(tmp_path: Path) -> None:
    html = written(make(tmp_path, played=0), tmp_path / "r.html")
    assert "Standings as they are now after 0 games" in html


@pytest.mark.parametrize("format_", formats.FORMATS)
def test_an_event_of_every_format_has_a_report(format_: str, tmp_path: Path) -> None:
    if format_ == "swiss-fide":
        pytest.importorskip("gacrux", reason="an extra")
    event = make(tmp_path, format_=format_, entrants=("ann", "bob", "cid", "dan", "eve"), deals=1)
    html = written(event, tmp_path / "r.html")
    with Store(event) as store:
        rounds = len(store.rounds())
    assert f"Round {rounds}: " in html
    assert format_ == "gauntlet" or "bye (" in html


def test_changes_that_were_accepted_are_shown(ended: Path, tmp_path: Path) -> None:
    copy = tmp_path / "event"
    copy.mkdir()
    (copy / FILE).write_bytes((ended / FILE).read_bytes())
    change = [{"after_game": 4, "at": "2026-01-02T03:04:05+00:00", "changes": "- move_s\n+ <b>", "before": {}}]
    with contextlib.closing(sqlite3.connect(copy / FILE)) as db, db:
        db.execute("INSERT INTO meta VALUES ('changes', ?)", (json.dumps(change),))
    html = written(copy, tmp_path / "r.html")
    assert "Accepted after game 4 (2026-01-02 03:04 UTC)" in html
    assert "- move_s\n+ &lt;b&gt;" in html


def test_a_tie_break_that_decides_nothing_is_not_shown(tmp_path: Path) -> None:
    event = make(tmp_path, entrants=("ann", "bob"), deals=1)
    with Store(event) as store:
        told = facts.gather(store, list(store.results()))
    points = {line.points for line in told.lines}
    assert bool(told.tiebreaks) == (len(points) == 1)


class Outline(HTMLParser):
    """Tables, their captions and the scopes of their heads."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = self.captions = self.bare_heads = 0
        self.ids: list[str] = []
        self.handlers: list[str] = []
        self.remote: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tables += tag == "table"
        self.captions += tag == "caption"
        self.bare_heads += tag == "th" and given.get("scope") not in ("row", "col")
        self.ids += [str(given["id"])] if "id" in given else []
        self.handlers += [name for name in given if name.startswith("on") or name == "style"]
        self.remote += [str(value) for name, value in attrs if name in ("src", "href") and "//" in str(value)]


def test_tables_are_readable_without_eyes_and_nothing_is_remote(ended: Path, tmp_path: Path) -> None:
    outline = Outline()
    outline.feed(written(ended, tmp_path / "r.html"))
    assert outline.tables == outline.captions > 8
    assert not outline.bare_heads
    assert len(outline.ids) == len(set(outline.ids))
    assert not outline.handlers
    assert not outline.remote


@pytest.mark.parametrize("path", sorted(ASSETS.glob("*.*")), ids=lambda path: path.name)
def test_an_asset_stands_safely_inside_its_element_and_is_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"</(script|style)|<!--", text, re.IGNORECASE)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text)
    assert text.count("\n") < 400


def test_the_command_writes_the_file(ended: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.html"
    result = CliRunner().invoke(cli, ["report", str(ended), "-o", str(path)])
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"{path}: 12 games, ")
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_page_that_watches_asks_for_nothing_that_a_spectator_may_not_see(running: Path) -> None:
    live = Live(running)
    assert "commitment" not in live.page, "nothing of the event without the token"
    answers = live.answers
    found = answers["event"]({})
    assert "SECRET" not in found["html"]
    assert not found["over"]
    assert answers["news"]({"seen": "something else"}) == {"version": found["version"]}
    one = answers["replay"]({"number": 1})["1"]
    assert set(one.viewers) == {"spectator"}
    with pytest.raises(ArenaError, match="still to be played"):
        answers["replay"]({"number": 9})
    for wrong in ({"number": 99}, {"number": "1"}, {}):
        with pytest.raises(ArenaError):
            answers["replay"](wrong)


def test_a_page_that_is_slow_to_make_is_seldom_made(running: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.live.REST", 1e9)
    monkeypatch.setattr("arena.web.live.WAIT_S", 0.1)
    answers = Live(running).answers
    first = answers["news"]({"seen": None})["version"]
    assert first is not None
    answers["event"]({})
    assert answers["news"]({"seen": "older"}) == {"version": "older"}, "no news before its time"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture
def watched(browser: Any) -> Iterator[Watched]:
    watched = Watched(browser)
    watched.context.set_offline(True)
    yield watched
    watched.close()
    assert not watched.errors
    assert not watched.elsewhere("file://")


def at(page: Any) -> str:
    return str(page.locator(".counter").inner_text())


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("game", ["hidden-leaders-duel", "leaders", "leaders-expert", "kuhn-poker"])
def test_a_whole_replay_is_stepped_through(game: str, kuhn: None, tmp_path: Path, watched: Watched) -> None:
    event = make(tmp_path, game=game, entrants=("ann", "bob"), deals=1)
    written(event, tmp_path / "r.html")
    with Store(event) as store:
        _, record = store.game(1)
    last = len(record.actions)
    page = watched.open((tmp_path / "r.html").as_uri())
    page.locator("#games a[href='#game=1']").click()
    seen = set()
    for ply in range(last + 1):
        assert at(page) == f"{ply} / {last}"
        seen.add(page.locator(".stage").inner_html())
        page.keyboard.press("ArrowRight")
    assert page.locator(".plies").get_attribute("start") == "0", "plies count from 0, as everywhere"
    assert page.locator(".now").inner_text().startswith(f"ply {last - 1}: ")
    assert len(seen) > last * 0.6, "the picture changes"
    assert page.locator(".verdict").is_visible()
    page.keyboard.press("Home")
    assert at(page) == f"0 / {last}"
    page.keyboard.press("Escape")
    page.wait_for_selector("#event:not([hidden])")


@pytest.mark.slow
@needs_chromium
def test_a_replay_shows_to_each_viewer_what_it_may_see(ended: Path, tmp_path: Path, watched: Watched) -> None:
    written(ended, tmp_path / "r.html")
    page = watched.open(f"{(tmp_path / 'r.html').as_uri()}#game=1&ply=20")
    assert at(page) == "20 / 42"
    hands = page.locator(".hld > .seat .cards:first-of-type")

    def values(seat: int) -> set[str]:
        return set(page.locator(f"[aria-label='Hand of seat {seat}'] .value").all_inner_texts())

    assert values(0) | values(1) == {"?"}
    assert hands.count() == 2
    page.get_by_label("Through whose eyes").select_option("1")
    assert values(0) == {"?"}
    assert values(1)
    assert "?" not in values(1)
    assert page.evaluate("location.hash") == "#game=1&ply=20&as=1", "a link to this very sight"
    page.get_by_label("Through whose eyes").select_option("0")
    assert values(1) == {"?"}
    page.keyboard.press("Escape")


@pytest.mark.slow
@needs_chromium
def test_the_scoring_is_explained_as_the_rules_scored(ended: Path, tmp_path: Path, watched: Watched) -> None:
    written(ended, tmp_path / "r.html")
    with Store(ended) as store:
        _, record = store.game(1)
    page = watched.open(f"{(tmp_path / 'r.html').as_uri()}#game=1&ply=42")
    points = page.locator(".scoring tbody tr:last-child strong").all_inner_texts()
    assert [int(text) for text in points] == record.outcome.details["points"]
    rows = [page.locator(f".scoring tbody tr td:nth-child({column})").all_inner_texts()[:4] for column in (6, 9)]
    assert [sum(map(int, row)) for row in rows] == record.outcome.details["points"]


@pytest.mark.slow
@needs_chromium
def test_the_page_puts_positions_together_as_they_were(ended: Path, watched: Watched) -> None:
    with Store(ended) as store:
        _, record = store.game(1)
    game = games.load(record.game)
    state = replay.setup(record)[1]
    views = [game.to_json(game.view(state, 0)), *(game.to_json(game.view(s.after, 0)) for s in replay.steps(record))]
    page = watched.page
    page.add_script_tag(content=(ASSETS / "data.js").read_text())
    assert page.evaluate("series => wholes(series)", series(views)) == views


@pytest.mark.slow
@needs_chromium
def test_games_are_filtered_paged_and_played(tmp_path: Path, watched: Watched) -> None:
    event = make(tmp_path, deals=12, forfeits=(5, 40))
    written(event, tmp_path / "r.html", inline_bytes=60_000)
    page = watched.open((tmp_path / "r.html").as_uri())
    rows = page.locator("#games tbody tr")
    assert rows.count() == 50
    page.get_by_label("Later games").click()
    assert rows.count() == 22
    page.get_by_label("Show all games").click()
    page.locator("#crosstable td a").first.click()
    page.wait_for_function("() => document.querySelectorAll('#games tbody tr').length === 24")
    page.locator("#games select").last.select_option("any")
    page.locator("#games select").first.select_option("")
    page.locator("#games select").nth(1).select_option("")
    assert rows.count() == 2
    page.evaluate("location.hash = '#game=72&ply=3'")
    page.wait_for_selector("#replay h2")
    assert at(page) == "3 / 42", "a replay from the scripts beside the page"
    page.get_by_label("Speed").select_option("very fast")
    page.get_by_label("Play", exact=True).click()
    page.wait_for_function("() => document.querySelector('.counter').textContent === '42 / 42'")


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_nothing_a_bot_wrote_becomes_markup(scheme: str, width: int, tmp_path: Path, browser: Any) -> None:
    event = make(
        tmp_path,
        entrants=("ann", "bob"),
        names=(HOSTILE_NAME, "{{ 7 * 7 }}"),
        forfeits=(1,),
        note=HOSTILE,
        stderr=HOSTILE,
        hello=HOSTILE,
    )
    written(event, tmp_path / "r.html", notes=True)
    watched = Watched(browser, scheme=scheme, width=width)
    page = watched.open((tmp_path / "r.html").as_uri())
    assert page.locator("#settings td bdi", has_text="</script><img").count() == 1
    page.evaluate("location.hash = '#game=1&ply=5'")
    page.wait_for_selector(".note")
    assert HOSTILE_NAME in page.locator(".now .note").inner_text()
    page.keyboard.press("End")
    assert page.evaluate("globalThis.pwned === undefined")
    assert page.locator("img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it fits the screen"
    assert not watched.errors
    assert not watched.elsewhere("file://")
    watched.close()


@pytest.mark.slow
@needs_chromium
def test_a_script_that_got_into_the_page_would_not_run(ended: Path, tmp_path: Path, browser: Any) -> None:
    html = written(ended, tmp_path / "r.html")
    injected = "<main><script>globalThis.pwned = 1</script><img src='http://192.0.2.1/' onerror='pwned=2'>"
    (tmp_path / "r.html").write_text(html.replace("<main", injected + "<main", 1), encoding="utf-8")
    watched = Watched(browser)
    page = watched.open((tmp_path / "r.html").as_uri())
    assert page.locator("#games tbody tr").count() == 12, "the page's own script ran"
    assert page.evaluate("globalThis.pwned === undefined")
    watched.close()


@pytest.mark.slow
@needs_chromium
def test_a_running_event_is_followed(running: Path, tmp_path: Path, browser: Any) -> None:
    copy = tmp_path / "event"
    copy.mkdir()
    (copy / FILE).write_bytes((running / FILE).read_bytes())
    live = Live(copy)
    with Server(live.page, live.answers) as server:
        watched = Watched(browser)
        page = watched.open(server.url)
        page.wait_for_selector("#standings")
        assert "after 9 games" in page.locator("#standings caption").inner_text()
        page.evaluate("location.hash = '#game=1&ply=9'")
        page.wait_for_selector("#replay h2")
        assert at(page) == "9 / 42"
        page.evaluate("location.hash = '#games'")
        with contextlib.closing(sqlite3.connect(copy / FILE)) as db, db:
            db.execute("INSERT INTO meta VALUES ('ended', '2026-01-02T03:04:05+00:00')")
        page.wait_for_function("() => document.querySelector('#standings caption').textContent.startsWith('Final')")
        page.wait_for_function("() => document.querySelector('#state').textContent.includes('has ended')")
        assert not watched.errors
        assert not watched.elsewhere(f"http://127.0.0.1:{server.port}/")
        watched.close()
