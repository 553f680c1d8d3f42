"""Exports, each read again by a reader of its own."""

import csv
import io
import json
import re
from random import Random

import msgspec
import pytest
from rating_games import HALF_POINTS, event, game, vector

from arena.errors import UsageError
from arena.export import EXPORTS, Event, find
from arena.export.pgn import names
from arena.export.tables import csv_text, markdown_text, original, ratings_csv, ratings_markdown
from arena.export.trf import trf_text
from arena.model import Entrant, Fault, GameResult, Pairing, PairingResult
from arena.ratings.bradley_terry import fit

NASTY = [
    "=HYPERLINK(1)",
    "+1",
    "-2",
    "@cmd",
    'quote"back\\slash',
    "pipe|star*",
    "comma, and\nline",
    "\tTab",
    "'=x",
    "é漢",
]


def entrants(ids: list[str]) -> tuple[Entrant, ...]:
    return tuple(Entrant(id=name, name=name, sha256="0" * 64) for name in ids)


def played(ids: list[str], games: list[GameResult], **more) -> Event:
    return Event(name="Spring Open", game="leaders", entrants=entrants(ids), games=tuple(games), **more)


@pytest.fixture
def small() -> Event:
    ids, games = event(Random(1), [0, 50, -50], deals=3, luck=0.5)
    fault = Fault(seat=1, code="timeout", ply=7, text="the hand was 3, 4, 5", stderr_tail="secret")
    games[4] = msgspec.structs.replace(games[4], half_points=(2, 0), reason="forfeit", forfeit_by=1, faults=(fault,))
    return played(ids, games)


@pytest.fixture
def nasty() -> Event:
    games = [
        game(k + 1, a, b, "1-0", deal=k) for k, (a, b) in enumerate(zip(NASTY, NASTY[1:] + NASTY[:1], strict=True))
    ]
    return played(NASTY, games)


def test_csv_is_read_by_the_csv_module_with_deal_and_fault(small):
    rows = list(csv.DictReader(io.StringIO(EXPORTS["csv"](small))))
    assert len(rows) == len(small.games)
    for row, result in zip(rows, small.games, strict=True):
        assert (row["seat_0"], row["seat_1"]) == result.entrants
        assert (
            (int(row["half_points_0"]), int(row["half_points_1"])) == result.half_points == HALF_POINTS[row["result"]]
        )
        assert (int(row["deal"]), int(row["leg"]), row["game_id"]) == (result.deal, result.leg, result.game_id)
    assert rows[4]["forfeit_by"] == small.games[4].entrants[1]
    assert rows[4]["faults"] == "1:timeout"


def test_csv_runs_no_formula_and_loses_no_name(nasty):
    rows = list(csv.reader(io.StringIO(EXPORTS["csv"](nasty))))
    names_ = [row[6] for row in rows[1:]]
    assert not [name for name in names_ if name.lstrip().startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert [original(name) for name in names_] == NASTY


def test_csv_leaves_negative_numbers_alone():
    assert csv_text(["x", "y"], [[-1.5, "-1.5"], [None, "a"]]) == "x,y\n-1.5,'-1.5\n,a\n"


def test_exports_do_not_depend_on_the_order_of_the_games(small):
    shuffled = msgspec.structs.replace(small, games=small.games[::-1])
    for export in EXPORTS.values():
        if export is not trf_text:
            assert export(small) == export(shuffled)


def test_json_holds_the_whole_event_but_not_what_faults_tell(small):
    text = EXPORTS["json"](small)
    document = json.loads(text)
    assert document["arena_export"] == 1
    assert [e["id"] for e in document["entrants"]] == [e.id for e in small.entrants]
    assert [g["half_points"] for g in document["games"]] == [list(g.half_points) for g in small.games]
    assert document["games"][4]["faults"] == [{"seat": 1, "code": "timeout", "ply": 7}]
    assert "hand" not in text
    assert "secret" not in text


def test_jsonl_is_one_game_a_line(small, nasty):
    for exported in (small, nasty):
        lines = EXPORTS["jsonl"](exported).split("\n")
        assert lines.pop() == ""
        assert [json.loads(line)["number"] for line in lines] == [g.number for g in exported.games]
        assert [tuple(json.loads(line)["entrants"]) for line in lines] == [g.entrants for g in exported.games]


def pgn_games(text: str) -> list[tuple[dict[str, str], str]]:
    """Tags and the result line of each game, by the grammar that Ordo and BayesElo scan for."""
    found = []
    for entry in re.split(r"\n\n(?=\[Event )", text.strip()):
        head, result = entry.split("\n\n")
        tags = {}
        for line in head.split("\n"):
            match = re.fullmatch(r'\[(\w+) "([^"\\]*)"\]', line)
            assert match, line
            tags[match[1]] = match[2]
        found.append((tags, result.strip()))
    return found


def test_pgn_has_players_and_result_in_tags_and_in_the_text(small):
    games = pgn_games(EXPORTS["pgn"](small))
    assert len(games) == len(small.games)
    for (tags, result), exported in zip(games, small.games, strict=True):
        assert (tags["White"], tags["Black"]) == exported.entrants
        assert result == tags["Result"]
        assert HALF_POINTS[result] == exported.half_points
        assert tags["Deal"] == str(exported.deal)


def test_ratings_from_the_pgn_are_those_of_the_event(small):
    rows = [game(k, t["White"], t["Black"], result) for k, (t, result) in enumerate(pgn_games(EXPORTS["pgn"](small)))]
    ids = [entrant.id for entrant in small.entrants]
    again = fit(rows, entrants=ids)
    for row in fit(small.games, entrants=ids).rows:
        assert again.row(row.entrant).rating == pytest.approx(row.rating, abs=1e-6)


def test_pgn_names_have_no_quotes_or_backslashes_and_stay_apart(nasty):
    games = pgn_games(EXPORTS["pgn"](nasty))  # its pattern refuses both
    assert len({tags["White"] for tags, _ in games}) == len(NASTY)
    twins = played(['a"b', "a'b", ""], [])
    assert names(twins) == {'a"b': "a'b", "a'b": "a'b #2", "": "?"}


def markdown_rows(text: str) -> list[list[str]]:
    """Cells of a pipe table, escapes undone."""
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.split("\n") if line.startswith("|")]
    return [[re.sub(r"\\(.)", r"\1", cell.strip()) for cell in row] for row in rows]


def test_markdown_tables_keep_their_columns_whatever_the_names(nasty):
    head, rule, *rows = markdown_rows(EXPORTS["markdown"](nasty))
    assert head == ["Game", "Deal", "Seat 0", "Seat 1", "Result", "Reason"]
    assert all(re.fullmatch(r":?-+:?", cell) for cell in rule)
    assert [row[2] for row in rows] == [" ".join(name.split()) for name in NASTY]
    assert markdown_text(["a|b"], []).startswith("| a\\|b")


def test_a_bot_called_1e5_keeps_its_name():
    assert markdown_rows(markdown_text(["bot"], [["1e5"]]))[2] == ["1e5"]


def test_rating_tables_are_exported_with_all_that_is_needed_to_quote_them():
    ids, games = event(Random(2), [0, 50], deals=12, luck=0.5)
    table = fit(games, entrants=[*ids, "idle"])
    rows = list(csv.DictReader(io.StringIO(ratings_csv(table))))
    assert [row["entrant"] for row in rows] == [row.entrant for row in table.rows]
    assert float(rows[0]["rating"]) == table.rows[0].rating
    assert (rows[2]["rating"], rows[2]["note"]) == ("", "no games")
    text = ratings_markdown(table)
    assert f"{table.rows[0].rating:.0f} ± {table.rows[0].ci95:.0f}" in text
    assert table.header in text


def rounds_of(line: str) -> list[tuple[int, str, str]]:
    """Opponent, colour and result of each round: ten columns a round from the 92nd on."""
    cells = [line[at : at + 10] for at in range(91, len(line), 10)]
    return [(int(cell[0:4]), cell[5:6], cell[7:8]) for cell in cells]


def sample_event() -> tuple[Event, list[str]]:
    """The event behind the sample file, which five programs read without complaint."""
    lines = [line for line in vector("trf_sample")["trf"].split("\n") if line.startswith("001")]
    ids = [line[14:47].strip() for line in lines]
    games, byes = [], []
    for number, line in enumerate(lines, start=1):
        for round_, (opponent, colour, code) in enumerate(rounds_of(line), start=1):
            if opponent == 0 and code in "UHZ":
                pairing = Pairing(round=round_, number=90 + number, entrants=(ids[number - 1], None))
                byes.append(PairingResult(pairing=pairing, half_points=({"U": 2, "H": 1, "Z": 0}[code], 0), games=0))
            elif colour == "w":
                result = {"1": "1-0", "+": "1-0", "=": "1/2-1/2", "0": "0-1", "-": "0-1"}[code]
                game_ = game(len(games) + 1, ids[number - 1], ids[opponent - 1], result, round_=round_, pairing=number)
                if code in "+-":
                    game_ = msgspec.structs.replace(game_, plies=0, forfeit_by=1 if code == "+" else 0)
                games.append(game_)
    places = {name: int(line[85:89]) for name, line in zip(ids, lines, strict=True)}
    exported = Event(
        name="sample",
        game="g",
        entrants=entrants(ids),
        games=tuple(games),
        pairings=tuple(byes),
        places=places,
        rounds=5,
    )
    return exported, lines


def test_trf_is_the_sample_that_five_programs_read():
    exported, lines = sample_event()
    text = trf_text(exported)
    written = [line for line in text.split("\n") if line.startswith("001")]
    assert written == [line[:48] + "    " + line[52:] for line in lines]  # all but the sample's ratings
    assert "\nXXR 5\nXXC white1\n" in text
    assert "\n152 W\n" in text


def test_trf_is_read_by_gacrux():
    trf2json = pytest.importorskip("gacrux.trf2json")
    exported, _ = sample_event()
    reader = trf2json.trf2json()
    reader.parse_file(trf_text(exported), False)
    assert reader.get_status() == 0
    (tournament,) = reader.chessjson["event"]["tournaments"]
    assert tournament["numRounds"] == 5
    assert tournament["topColor"] == "w"
    read = [g for g in tournament["gameList"] if g["played"] and g["black"]]
    assert len(read) == sum(1 for g in exported.games if g.plies)
    scores = {c["cid"]: float(c["gamePoints"]) for c in tournament["competitors"]}
    assert scores[5] == 4.0
    assert sum(scores.values()) == sum(float(line[80:84]) for line in sample_event()[1])


def test_a_match_of_several_games_is_one_result_in_trf():
    games = [
        game(1, "a", "b", "1-0", deal=0),
        game(2, "b", "a", "1/2-1/2", deal=0, leg=1),
        game(3, "c", "d", "1-0", deal=0, pairing=2),
        game(4, "d", "c", "1-0", deal=0, leg=1, pairing=2),
    ]
    bye = PairingResult(pairing=Pairing(round=1, number=3, entrants=("e", None)), half_points=(4, 0), games=0)
    text = trf_text(played(["a", "b", "c", "d", "e"], games, pairings=(bye,)))
    lines = [line for line in text.split("\n") if line.startswith("001")]
    assert [rounds_of(line) for line in lines] == [
        [(2, "w", "1")],
        [(1, "b", "0")],
        [(4, "w", "=")],
        [(3, "b", "=")],
        [(0, "-", "U")],
    ]
    assert [float(line[80:84]) for line in lines] == [1, 0, 0.5, 0.5, 1]
    assert [int(line[85:89]) for line in lines] == [1, 5, 3, 3, 1]


def test_trf_names_keep_their_columns_and_stay_apart():
    long = ["x" * 60 + "1", "x" * 60 + "2", "line\nbreak"]
    lines = [line for line in trf_text(played(long, [])).split("\n") if line.startswith("001")]
    assert len(lines) == 3
    assert [line[80:84] for line in lines] == [" 0.0"] * 3
    assert len({line[14:47] for line in lines}) == 3


def test_trf_refuses_what_it_has_no_room_for():
    games = [game(1, "a", "b", pairing=1), game(2, "a", "c", pairing=2)]
    with pytest.raises(UsageError, match="one opponent a round"):
        trf_text(played(["a", "b", "c"], games))


def test_an_unknown_export_is_answered_with_the_known_ones():
    with pytest.raises(UsageError, match="csv, json, jsonl, markdown, pgn, trf"):
        find("xml")


def test_an_event_without_games_can_be_exported():
    empty = played(["a", "b"], [])
    for export in EXPORTS.values():
        assert isinstance(export(empty), str)


def test_a_game_that_neither_bot_could_start_has_no_winner() -> None:
    game = GameResult(
        number=1, round=1, pairing=1, deal=0, leg=0, entrants=("a", "b"), half_points=(0, 0), reason="double-forfeit"
    )
    event = Event(name="e", game="g", entrants=tuple(Entrant(id=i, name=i, sha256="") for i in "ab"), games=(game,))
    assert '[Result "*"]' in find("pgn")(event)
    assert ",0-0," in find("csv")(event)
