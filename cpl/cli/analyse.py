"""Find the best moves of a position.

examples:
  cpl analyse                                            the first position of checkers
  cpl analyse B:W18,26:B11,K2 --lines 3                  one that is written as FEN, with two alternatives
  cpl analyse games.pdn --number 12 --ply 40             game 12 of a file, after 40 plies
  cpl analyse games.pdn --seconds 60 --format json
  cpl pdn games.pdn --number 12 --format pdn | cpl analyse -

The search looks 1 ply ahead, then 2, 3 and so on until the time is over; at a terminal every depth is shown as it is
finished, with a row for each of the --lines. A value is that for the side to move: +1.50 means that it is better by a
man and a half. Three kings or fewer against one are looked up in a table, whose values are exact.

exit status: 0 if all went well; 1 if a file cannot be read; 2 if the command line is wrong.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cpl.cli import output
from cpl.cli.arguments import SPEED, at_least, option, positive
from cpl.cli.exits import DONE, Usage
from cpl.cli.game_option import chosen_game
from cpl.games.playable import NAMES

if TYPE_CHECKING:
    from cpl.games.analysis import Analysis, Line
    from cpl.games.game import Game, Turn

_SECONDS: Final = 5.0


def _seconds(text: str) -> float:
    """The type of options that are seconds."""
    try:
        value = float(text.removesuffix("s"))
    except ValueError:
        value = 0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"expected a number of seconds, found {text!r}")
    return value


OPTIONS: Final = (
    option(
        "position",
        nargs="?",
        metavar="FEN|FILE",
        help="a position, or a file of games in PDN, - for standard input (default: the first position)",
    ),
    option("--game", choices=NAMES, default="checkers", help="the game (default: checkers)"),
    option("--number", type=positive, metavar="N", help="which game of the file (default: the first)"),
    option("--ply", type=at_least(0), metavar="N", help="after so many plies of the game (default: at its end)"),
    option(
        "--seconds",
        type=_seconds,
        metavar="S",
        help=f"time to search (default: {_SECONDS:g}, or no limit with --depth)",
    ),
    option("--depth", type=positive, metavar="N", help="look no more than N plies ahead"),
    option("--lines", type=positive, default=1, metavar="N", help="show the N best moves (default: 1)"),
    *SPEED,
    option("--format", choices=["text", "json"], default="text", help="how to report (default: text)"),
)


def run(options: argparse.Namespace) -> int:
    """Analyse; the result is the exit status. Raises BadFen."""
    from cpl.games.analysis import analyse

    game = chosen_game(options)
    turn = _turn(game, options)
    if end := game.end(turn):
        raise Usage(f"the game is over here: {end.why}")
    seconds = options.seconds or (None if options.depth else _SECONDS)
    is_live = sys.stdout.isatty() and options.format == "text"
    found = None
    if is_live:
        print(f"depth{'value':>13}{'time':>10}{'positions':>11}  {turn.side.capitalize()} to move", flush=True)
    try:
        for found in analyse(turn, seconds=seconds, depth=options.depth, lines=options.lines):
            if is_live:
                print(*_rows(found), sep="\n", flush=True)
    finally:  # what was found until an interruption is a result, too
        if found and options.format == "json":
            print(output.as_json(_data(found)))
        elif found and not is_live:
            print("\n".join(report(found)))
    return DONE


def _turn(game: "Game", options: argparse.Namespace) -> "Turn":
    """The state that the command line names. Raises Usage, Failed or BadFen."""
    text: str | None = options.position
    is_file = text is not None and (text == "-" or (os.path.exists(text) and not os.path.isdir(text)))
    if text is None or not is_file:
        if text and text.lower().endswith(".pdn"):
            raise Usage(f"there is no file {text}")
        if options.number or options.ply is not None:
            raise Usage(f"{'--number' if options.number else '--ply'} is for a game of a file: name the file")
        return game.start() if text is None else game.from_fen(text)
    from cpl.cli import game_files
    from cpl.games.live import LiveGame

    number = options.number or 1
    record = game_files.load(game, Path(text), number)
    plies = len(record.moves) if options.ply is None else options.ply
    if plies > len(record.moves):
        raise Usage(f"--ply {plies}: game {number} of {text} has {_plies(len(record.moves))}")
    return LiveGame(game, {}, first=record.first, moves=record.moves[:plies]).state


def _rows(found: "Analysis") -> Iterator[str]:
    """One depth, a row for each line of play; long ones go on below."""
    depth, effort = f"{found.depth:3}", f"{found.seconds:7.1f} s {found.nodes:10,}"
    for line in found.lines:
        yield output.wrapped(f"{depth:3} {_value(line):>14} {effort:20}  {_moves(found, line)}", " " * 41)
        depth = effort = ""


def report(found: "Analysis") -> list[str]:
    """The lines of an analysis, the best first, under a heading."""
    game, turn = found.turn.game, found.turn
    positions = f"{found.nodes:,} positions in {found.seconds:.1f} s"
    heading = f"{turn.side.capitalize()} to move, {_plies(found.depth)} ahead, {positions}:"
    width = max(len(game.text(each.moves[0])) for each in found.lines)
    return [heading, *(f"  {_value(each):>14}  {_moves(found, each, width)}" for each in found.lines)]


def _moves(found: "Analysis", line: "Line", width: int = 0) -> str:
    first, *others = map(found.turn.game.text, line.moves)
    return f"{first:{width}} {' '.join(others)}".rstrip()


def _plies(number: int) -> str:
    return output.count(number, "ply", "plies")


def _value(line: "Line") -> str:
    if line.plies is not None:
        return f"{'wins' if line.value > 0 else 'loses'} in {_plies(line.plies)}"
    return f"{line.value / 100:+.2f}"


def _data(found: "Analysis") -> dict[str, Any]:
    game = found.turn.game
    lines = [
        {
            "value": None if each.plies is not None else round(each.value / 100, 4),
            "wins": None if each.plies is None else each.value > 0,
            "plies": each.plies,
            "moves": [*map(game.text, each.moves)],
        }
        for each in found.lines
    ]
    position = game.to_fen(found.turn) or None
    return {
        "game": game.name,
        "position": position,
        "side": found.turn.side,
        "depth": found.depth,
        "positions": found.nodes,
        "seconds": round(found.seconds, 3),
        "lines": lines,
    }
