"""The game that `--game` names, at the speed that is asked for."""

import argparse
from typing import TYPE_CHECKING

from cpl.cli.progress import waiting
from cpl.games.playable import game_of

if TYPE_CHECKING:
    from cpl.games.game import Game


def chosen_game(options: argparse.Namespace) -> "Game":
    """The game, with its program ready. Raises CannotBuild."""
    from cpl.games.game import use

    use(options.speed)
    game = game_of(options.game)
    with waiting("building a library" if options.speed == "native" else "compiling"):
        assert game.program
    return game
