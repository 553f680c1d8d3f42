"""PGN without moves: what Ordo, BayesElo and other rating programs read."""

from arena.export.event import Event, in_order, one_line, score, unique
from arena.model import GameResult


def pgn_text(event: Event) -> str:
    """One entry a game: White is seat 0. Names lose quotes and backslashes, which those programs do not understand."""
    shown = names(event)
    return "\n".join(_entry(event, game, shown) for game in in_order(event))


def names(event: Event) -> dict[str, str]:
    """How each entrant is called in a PGN file: by its id, made harmless and unique."""
    ids = [entrant.id for entrant in event.entrants]
    return dict(zip(ids, unique(_tag(name) for name in ids), strict=True))


def _tag(text: str) -> str:
    return one_line(text.replace('"', "'").replace("\\", "/")) or "?"


def _entry(event: Event, game: GameResult, shown: dict[str, str]) -> str:
    result = score(game)
    if result == "0-0":  # no result that a rating program knows, and none that says anything of strength
        result = "*"
    tags = {
        "Event": _tag(event.name),
        "Site": "?",
        "Date": "????.??.??",
        "Round": f"{game.round}.{game.pairing}",
        "White": shown[game.entrants[0]],
        "Black": shown[game.entrants[1]],
        "Result": result,
        "Variant": _tag(event.game),
        "Deal": str(game.deal),
        "GameId": game.game_id,
        "PlyCount": str(game.plies),
        "Termination": _tag(game.reason),
    }
    return "".join(f'[{tag} "{text}"]\n' for tag, text in tags.items()) + f"\n{result}\n"
