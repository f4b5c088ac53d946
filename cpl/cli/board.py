r"""Draw a position of draughts.

examples:
  cpl board                                              the first position, as text
  cpl board B:W18,30:B15,K2                              a position as FEN; - reads it from standard input
  cpl board B:W18,30:B15,K2 -o position.svg              as a picture
  cpl board W:W21-32:B1-10,12,15 --last 11-15 --numbers  with the last move, and the numbers of all squares
  cpl board --flip                                       with Black's side at the bottom
  cpl board --numbers 1952                               with the numbers of Strachey's program of 1952

A FEN says whose move it is, then each side's pieces by the numbers of their squares, a K before those of kings: in
B:W18,30:B15,K2 Black is to move, White has men on 18 and 30, Black a man on 15 and a king on 2. A FEN may also have
ranges, such as 1-12, and small letters.

As text, Black's men are ● and White's ○, or b and w in ASCII. Empty squares show their numbers; with --numbers all
squares do. A picture (SVG) always has all numbers.

--numbers 1952 shows the squares of Strachey's draughts program of 1952, 0 to 31, and --numbers 1966 those of his
program in CPL, 5 to 39. FEN and MOVE have the official numbers, 1 to 32, whatever the board shows.

The board is drawn in ASCII with --ascii, or if LC_ALL, LC_CTYPE or LANG name no UTF-8; in colour only at a terminal,
or if FORCE_COLOR is set, and never if NO_COLOR is.

exit status: 0 if all went well; 1 if the picture cannot be written.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from cpl.cli import terminal
from cpl.cli.terminal import Usage
from cpl.games.board import picture
from cpl.games.moves import OFFICIAL, BadMove, is_draughts_path, spaced
from cpl.games.moves import Path as Squares
from cpl.games.numberings import OFFICIAL_NUMBERS
from cpl.games.position import NAMES_OF_SQUARES, Position, from_fen, pieces
from cpl.limits import MOST_BYTES_OF_GAMES


def run(options: argparse.Namespace) -> None:
    """Draw the position as text, or write it to a file as a picture. Raises BadFen."""
    position = from_fen(_fen(options.fen))
    last = _last(position, options.last) if options.last else ()
    board = replace(
        picture(position),
        labels=NAMES_OF_SQUARES[options.numbers or OFFICIAL_NUMBERS],
        marked=last[:1] + last[-1:],
        arrows=[last],
        flipped=options.flip,
    )
    if Path(options.output or "").suffix.lower() not in ("", ".svg"):
        raise Usage(f"-o {options.output}: a picture is written as SVG and as nothing else: name the file OUT.svg")
    if options.output:
        terminal.write_result(options.output, f"{board.svg()}\n")
    else:
        is_unicode = terminal.in_unicode(options.ascii)
        is_coloured = terminal.in_colour(sys.stdout)
        print(board.text(unicode=is_unicode, colour=is_coloured, numbers=bool(options.numbers)))


def _fen(text: str) -> str:
    """The FEN of the command line, or of standard input."""
    if text != terminal.STDIN:
        return text
    return terminal.read_standard_input(MOST_BYTES_OF_GAMES).decode(errors="replace").strip()


def _last(position: Position, text: str) -> Squares:
    """The squares of the last move. Raises Usage if it cannot have led to the position."""
    try:
        path = OFFICIAL.path(spaced(text))
    except BadMove as error:
        raise Usage(f"--last {text}: {error}") from None
    start, *_, end = path
    placed = pieces(position)
    side = "white" if position[3] == 1 else "black"  # who moved last, and so is not to play
    if not is_draughts_path(path):
        raise Usage(f"--last {text}: no piece goes so; write a whole capture with every square, such as 15x22x31")
    is_there = placed.get(end, "").lower() == side[0]
    has_left = start not in placed or start == end  # a capture may go round to where it began
    if not (is_there and has_left):
        names = f"{OFFICIAL.squares[start]} to {OFFICIAL.squares[end]}"
        raise Usage(f"--last {text}: {side} moved last, and here has moved no piece from {names}")
    return path
