"""The game that `--game` names, at the speed that is asked for."""

import argparse
from typing import TYPE_CHECKING

from cpl.cli import output
from cpl.cli.progress import waiting
from cpl.games.playable import game_of

if TYPE_CHECKING:
    from cpl.games.game import Game, Speed


def chosen_game(options: argparse.Namespace) -> "Game":
    """The game, with its program ready. Raises CannotBuild."""
    from cpl.games.game import use

    use(options.speed)
    say_speed(options, options.speed)
    game = game_of(options.game)
    with waiting("compiling"):
        assert game.program
    return game


def say_speed(options: argparse.Namespace, speed: "Speed") -> None:
    """With --verbose say what runs in C."""
    from cpl.fast.c.build import compiler

    how = {
        "plain": "all in plain Python",
        "optimised": "all in optimised Python",
        "native": "all in C, where that can be",
        "fastest": f"{'searches to a fixed depth in C, all else' if compiler() else 'all'} in optimised Python",
    }
    if options.verbose:
        output.say(how[speed])
