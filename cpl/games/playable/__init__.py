"""The compiled programs as games to be played, by name. A program is compiled when its game is first asked."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cpl.games.game import Game

_CLASSES: Final = {
    "checkers": "Checkers",
    "strachey": "Strachey",
    "simple-checkers": "SimpleCheckers",
    "capture": "Capture",
}

NAMES: Final = tuple(_CLASSES)
"""The names of the games."""


def game_of(name: str) -> "Game":
    """The game of that name. Raises KeyError."""
    made = _CLASSES[name]
    found: Game = getattr(import_module(f"{__name__}.{name.replace('-', '_')}"), made)()
    return found
