"""The game of a command and its files of games."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cpl import outside
from cpl.cli import terminal
from cpl.cli.terminal import Failed, waiting
from cpl.compiler.c import toolchain
from cpl.compiler.wording import counted
from cpl.games import pdn
from cpl.games.game import Game, Speed, use
from cpl.games.pdn import BadPdn, OtherDraughts, Record
from cpl.games.playable import game_of
from cpl.limits import MOST_BYTES_OF_GAMES

_MOST_MESSAGES: Final = 20
"""The number of messages about the games of a file that are printed one by one."""


def chosen_game(options: argparse.Namespace) -> Game:
    """Load the game that `--game` names, at the speed that is asked for. Raises CannotBuild."""
    use(options.speed)
    say_speed(options, options.speed)
    game = game_of(options.game)
    with waiting("compiling"):
        _ = game.program  # compiled when it is first asked for
    return game


def say_speed(options: argparse.Namespace, speed: Speed) -> None:
    """Say what runs in C, with --verbose."""
    if not options.verbose:
        return
    texts = {
        "plain": "all in plain Python",
        "optimised": "all in optimised Python",
        "native": "all in C where possible",
        "fastest": f"{'searches in C, all else' if _has_compiler() else 'all'} in optimised Python",
    }
    terminal.say(texts[speed])


def _has_compiler() -> bool:
    """Tell whether a C compiler is found."""
    try:
        return bool(toolchain.compiler())
    except toolchain.CannotBuild:  # whoever asks for C says why
        return False


def read_games(name: str | Path) -> Iterator[str]:
    """Read the text of a file of games, `-` for standard input; it comes in pieces. Raises Failed."""
    with game_errors(name), terminal.file_errors(Path(name)):
        if str(name) != "-":
            return pdn.pieces_of(Path(name))
        outside.note(0)
        return pdn.pieces(sys.stdin.buffer.read(MOST_BYTES_OF_GAMES + 1))


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
        raise Failed(f"{name}: {error}") from None


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
        terminal.say(f"{prog}: {name}: {message}")
