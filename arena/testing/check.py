"""`check_game`: everything that can be proved about a game by playing it."""

from typing import Any

from arena.game import Game
from arena.testing.conformance import check_conformance, check_names, check_types
from arena.testing.leaks import check_non_interference
from arena.testing.report import Report, Tally
from arena.testing.stream import Stream, stream

GAMES = 20


def check_game(game: Game, *, games: int = GAMES, seed: int = 0, options: Any = None, send: Stream = stream) -> Report:
    """Put a game through the whole contract: random games, then twin histories for every viewer.

    `options` are the game's own; None: the defaults. The same arguments give the same report. Never raises for what
    the game does wrong; a game that lacks a name of the contract is not played at all.
    """
    tally = Tally()
    plies = 0
    if not check_names(game, tally) or not check_types(game, tally):
        return Report(game=str(getattr(game, "NAME", game)), games=0, plies=0, seed=seed, checks=tally.checks())
    options = game.Options() if options is None else options
    plies = check_conformance(game, tally, games=games, seed=seed, options=options)
    coverage = check_non_interference(game, tally, games=games, seed=seed, options=options, send=send)
    return Report(
        game=game.NAME,
        games=games,
        plies=plies,
        seed=seed,
        checks=tally.checks(),
        open_fields=coverage.open_fields(),
    )


def check_leaks(game: Game, *, games: int = GAMES, seed: int = 0, options: Any = None, send: Stream = stream) -> Report:
    """Only the second half of `check_game`: non-interference, canary and coverage."""
    tally = Tally()
    options = game.Options() if options is None else options
    coverage = check_non_interference(game, tally, games=games, seed=seed, options=options, send=send)
    return Report(
        game=game.NAME, games=games, plies=0, seed=seed, checks=tally.checks(), open_fields=coverage.open_fields()
    )
