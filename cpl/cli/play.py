"""`cpl play`: a game at the terminal, between people and players. Its options; the rest is `cpl.cli.terminal`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cpl.cli import common
from cpl.games.playable import NAMES, game_of

if TYPE_CHECKING:
    from cpl.games.game import Game
    from cpl.games.players import Player

WHAT: Final = "play a game, against a player or another person"
MORE: Final = """\
examples:
  cpl play                                               checkers: you are red, against alphabeta:3
  cpl play --red alphabeta:4                             you are black, who plays second
  cpl play --red human --black human --save game.pdn     two people; the game is kept
  cpl play --red alphabeta:3 --black random:7            look on
  cpl play --game strachey --white strachey:3            against the program of 1966, by its own rules
  cpl play --load games.pdn --number 7                   go on where the seventh game of a file ends
  printf '11-15\\nhint\\nquit\\n' | cpl play                piped: what is typed is printed too

Players are human, random:SEED, minimax:PLIES, alphabeta:PLIES and, of the game strachey, strachey:DEPTHLIMIT. A
person's opponent is alphabeta:3, and a player's opponent a person, unless you name both. If you name none, you begin.

You are asked for a move: type it, such as 11-15 or 15x22x31, or its number in the list that `moves` shows. Or say
  moves        your moves, with their numbers      hint        what alphabeta:3 would play
  undo, redo   take your last turn back; again     flip        look from the other side
  resign       give the game up                    board       show the board again
  save FILE    keep the game                       load FILE   go on with a game that was kept
  help         all this, in short                  quit        end
An unambiguous beginning will do: u for undo. Whole captures are one move, and are taken back whole.

Checkers is saved and loaded as PDN; the other games in a form of their own that looks like it. A file that exists is
written over only if you have saved it since cpl play began.

The board is drawn in ASCII where LC_ALL, LC_CTYPE or LANG name no UTF-8, or with --ascii; in colour at a terminal only,
and not if NO_COLOR is set.

exit status: 0 done, also if the game is not finished; 1 a file cannot be read or written; 2 the command line is at
fault; 130 interrupted with Ctrl-C.
"""

_SIDES: Final = ("red", "black", "white")
"""Those of all games: the options are known before the game is."""
_PERSON: Final = "human"
_OPPONENT: Final = "alphabeta:3"


def add_options(made: argparse.ArgumentParser) -> None:
    """The options of `cpl play`."""
    games = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}"
    made.add_argument("--game", default="checkers", metavar="NAME", help=f"what is played: {games} (default: checkers)")
    for side in _SIDES:
        made.add_argument(f"--{side}", metavar="PLAYER", help=f"who plays {side}, if the game has that side")
    made.add_argument("--load", type=Path, metavar="FILE", help="go on with the game in this file")
    made.add_argument("--number", type=common.whole, metavar="N", help="with its N-th game (default: the first)")
    made.add_argument("--save", type=Path, metavar="FILE", help="write the game to this new file at the end")
    made.add_argument(
        "--ascii", action=argparse.BooleanOptionalAction, help="draw the board without Unicode (default: as LANG says)"
    )
    made.add_argument("--flip", action="store_true", help="show the board from the other side")
    common.add_plies_option(made)
    made.add_argument("--seed", type=int, default=0, metavar="S", help="other players at random (default: 0)")


def run(options: argparse.Namespace) -> int:
    """Play; the result is the exit status."""
    from cpl.cli.terminal import Table

    if options.game not in NAMES:
        raise common.Usage(f"there is no game {options.game}: there are {', '.join(NAMES)}")
    if options.number and not options.load:
        raise common.Usage("--number says which game of a file: name the file with --load")
    game = game_of(options.game)
    names = _names(game, options)
    table = Table(game, names, _seats(game, names, options.seed), options)
    if options.load:
        table.load(options.load, options.number or 1)
    if options.save:
        table.save(options.save)  # what cannot be written is told before the game
    try:
        table.sit()
    except KeyboardInterrupt:
        print()
        raise
    finally:
        if options.save:
            table.save(options.save)
            print(f"Saved in {options.save}.")
    return common.DONE


def _names(game: "Game", options: argparse.Namespace) -> dict[str, str]:
    """Who plays which side, as it is written on the command line."""
    for side in _SIDES:
        if getattr(options, side) is not None and side not in game.sides:
            raise common.Usage(f"{game.name} has no side {side}: it has {' and '.join(game.sides)}")
    first, second = (getattr(options, side) for side in game.sides)
    if first is None:
        first = _OPPONENT if second == _PERSON else _PERSON
    if second is None:
        second = _OPPONENT if first == _PERSON else _PERSON
    return dict(zip(game.sides, (first, second), strict=True))


def _seats(game: "Game", names: dict[str, str], seed: int) -> "dict[str, Player | None]":
    from cpl.games.players import BadPlayer, player

    try:
        return {side: None if name == _PERSON else player(name, game, (seed, side)) for side, name in names.items()}
    except BadPlayer as error:
        raise common.Usage(f"{error}; a person is {_PERSON}") from None
