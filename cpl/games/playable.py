"""The games by name. A game is imported, and its program compiled, when it is first asked for."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

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


@cache
def game_of(name: str) -> "Game":
    """The game of that name. Raises KeyError if there is none."""
    return cast("Game", getattr(import_module(f"cpl.games.{name.replace('-', '_')}"), _CLASSES[name])())
