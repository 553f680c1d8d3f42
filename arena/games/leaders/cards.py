"""Cards and figures by number. Alphabetical, so that numbers sort as names do; the two Leaders come first."""

from typing import get_args

from arena.games.leaders.notation import Card, Character

CARDS: tuple[Card, ...] = get_args(Card)
HERMIT_AND_CUB_CARD = CARDS.index("hermit_and_cub")
ALL_CARDS = (1 << len(CARDS)) - 1  # as a set: bit c is card c

FIGURES: tuple[Character, ...] = ("leader", *get_args(Character))  # figure 0 is the Leader of seat 0, 1 that of seat 1
FIGURE: dict[str, int] = {"leader": 0} | {name: figure for figure, name in enumerate(FIGURES) if name != "leader"}
LEADER = 0

ACROBAT = FIGURE["acrobat"]
ARCHER = FIGURE["archer"]
ASSASSIN = FIGURE["assassin"]
BREWMASTER = FIGURE["brewmaster"]
BRUISER = FIGURE["bruiser"]
CLAW_LAUNCHER = FIGURE["claw_launcher"]
CUB = FIGURE["cub"]
HERMIT = FIGURE["hermit"]
ILLUSIONIST = FIGURE["illusionist"]
JAILER = FIGURE["jailer"]
MANIPULATOR = FIGURE["manipulator"]
NEMESIS = FIGURE["nemesis"]
PROTECTOR = FIGURE["protector"]
RIDER = FIGURE["rider"]
ROYAL_GUARD = FIGURE["royal_guard"]
VIZIER = FIGURE["vizier"]
WANDERER = FIGURE["wanderer"]

FIGURES_OF = tuple((HERMIT, CUB) if card == "hermit_and_cub" else (FIGURE[card],) for card in CARDS)
CARD_OF = {figure: card for card, figures in enumerate(FIGURES_OF) for figure in figures}
