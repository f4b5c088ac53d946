"""The game of a command and its files of games."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cpl.cli import terminal
from cpl.cli.terminal import Failed, waiting
from cpl.compiler.wording import counted, listed
from cpl.games import pdn
from cpl.games.game import Game, Speed, use
from cpl.games.pdn import BadPdn, OtherDraughts, Record
from cpl.games.playable import game_of
from cpl.limits import MOST_BYTES_OF_GAMES

_MOST_MESSAGES: Final = 20
"""The number of messages about the games of a file that are printed one by one."""


def chosen_game(options: argparse.Namespace, *, searches: bool) -> Game:
    """Load the game that `--game` names, at the speed that is asked for, and say what runs in C: of the searches only
    if the command `searches`. Raises CannotBuild.
    """
    use(options.speed)
    game = game_of(options.game)
    with waiting("compiling"):
        _ = game.program  # compiled when it is first asked for
    say_speed(options, options.speed, game if searches else None)
    return game


def say_speed(options: argparse.Namespace, speed: Speed, searching: Game | None = None) -> None:
    """Say what runs in C, with --verbose; also of the searches of a game, which are compiled for that. Raises
    CannotBuild.
    """
    if not options.verbose:
        return
    texts = {
        "plain": "all in plain Python",
        "optimised": "all in optimised Python",
        "native": "all in C where possible",
        "fastest": "all in optimised Python",
    }
    text = texts[speed]
    if searching and speed in ("native", "fastest"):
        with waiting("compiling"):
            are_in_c = searching.searches_in_c()
        in_c = [name for name, is_in_c in are_in_c.items() if is_in_c]
        in_python = [name for name in are_in_c if name not in in_c]
        if speed == "native" and in_python:
            text = f"{text}, but {listed(in_python)} in Python"
        elif speed == "fastest" and in_c:
            text = f"{listed(in_c) if in_python else 'searches'} in C, all else in optimised Python"
    terminal.say(text)


def read_games(name: str | Path) -> Iterator[str]:
    """Read the text of a file of games, `-` for standard input; it comes in pieces. Raises Failed."""
    with game_errors(name), terminal.file_errors(Path(name)):
        if str(name) != terminal.STDIN:
            return pdn.pieces_of(Path(name))
        return pdn.pieces(terminal.read_standard_input(MOST_BYTES_OF_GAMES))


def load_game(game: Game, path: str | Path, number: int) -> Record:
    """Load the game of a number in a file. Raises Failed."""
    with game_errors(path):
        return pdn.nth(game, read_games(path), number)


@contextmanager
def game_errors(name: str | Path) -> Iterator[None]:
    """Within, what is wrong with a file of games is reported in one line that names the file. Raises Failed."""
    try:
        yield
    except BadPdn as error:
        raise Failed(f"{terminal.shown_input(str(name))}: {error}") from None


def say_messages(prog: str, name: str, messages: Sequence[str], others: OtherDraughts, game: Game) -> None:
    """Say on standard error what is wrong with the games of a file, a line each, and if they look like draughts of
    another kind.
    """
    shown = [*messages[:_MOST_MESSAGES]]
    rest = len(messages) - len(shown)
    if rest:
        shown.append(f"{counted(rest, 'more message')}; cpl pdn --check lists all")
    if game.game_type and others.sentence:
        shown.append(others.sentence)
    for message in shown:
        terminal.say(f"{prog}: {terminal.shown_input(name)}: {message}")
