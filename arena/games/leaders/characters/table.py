"""Who has an active ability: the module of each character, by figure."""

from collections.abc import Callable, Sequence

from arena.games.leaders.cards import FIGURES
from arena.games.leaders.characters import (
    acrobat,
    brewmaster,
    bruiser,
    claw_launcher,
    illusionist,
    manipulator,
    rider,
    royal_guard,
    wanderer,
)
from arena.games.leaders.sight import Sight

_ACTIVE: dict[str, Callable[[Sight, int], Sequence[int]]] = {
    "acrobat": acrobat.ability,
    "rider": rider.ability,
    "bruiser": bruiser.ability,
    "royal_guard": royal_guard.ability,
    "illusionist": illusionist.ability,
    "claw_launcher": claw_launcher.ability,
    "manipulator": manipulator.ability,
    "wanderer": wanderer.ability,
    "brewmaster": brewmaster.ability,
}
ABILITY = tuple(_ACTIVE.get(name) for name in FIGURES)  # ABILITY[figure](sight, space), None for the others
