"""Compare the rules of a checkers program with those of English draughts.

examples:
  cpl rules strachey.cpl                      at 4000 positions, half from random play, half scattered
  cpl rules strachey.cpl --positions 20000    at more positions; with --seed 1 at others
  cpl rules strachey.cpl --verbose            the same, with the simplest example of each difference
  cpl rules strachey.cpl --depth 7            along all lines of play from the start, until they differ
  cpl rules strachey.cpl --fen W:W12:B7,K8    at one position: White, to move, on 12, Black on 7, a king on 8

The results of LegalPositionsFrom are compared with those of pydraughts, an independent program that knows the
official rules (pip install 'cplc[rules]'). Squares have the official numbers: 1 to 4 is Black's first row, 29 to 32
White's. A capture is written with every square that it touches, as 11x18x25.

exit status: 0 if each difference is of a known kind; 1 if some difference is unknown, or the program has an error.
"""

import argparse
from typing import Any

from cplrt.checkers import is_position

from cpl.cli import terminal
from cpl.cli.program import compiled_game, guard
from cpl.cli.terminal import CPL_AT_FAULT, DONE, Failed, track
from cpl.cli.texts import read_input
from cpl.compiler import loader, pipeline
from cpl.compiler.semantics.whole_program import CALL
from cpl.compiler.source import Source
from cpl.games.position import Moves, Position, from_fen
from cpl.study.compare.report import lines
from cpl.study.compare.rules import LineComparison, PositionComparison, PositionComparisons, compare, compare_positions


def run(options: argparse.Namespace) -> int:
    """Compare the rules of FILE with those of English draughts, report, and return the exit status."""
    source = read_input(options.file)
    found = _compared(source, options)
    if options.format == "json":
        reading = loader.reading_for(source, options.reading)
        print(terminal.as_json({"file": options.file, "reading": reading.mixture, **found.to_dict()}))
    else:
        for line in lines(found.report(verbose=options.verbose)):
            print(line, flush=True)  # counting the next lines of play may take long
    return DONE if found.is_explained else CPL_AT_FAULT


def _compared(source: Source, options: argparse.Namespace) -> PositionComparison | PositionComparisons | LineComparison:
    """Compare along all lines of play, at the position of --fen, or at many positions."""
    moves, start = _game(source, options)
    if options.depth:
        return LineComparison(moves, start, options.depth, track)
    if options.fen is not None:
        return compare(moves, from_fen(options.fen))
    return compare_positions(moves, start, options.positions, options.seed, track)


def _game(source: Source, options: argparse.Namespace) -> tuple[Moves, Position]:
    """The function that gives the program's next positions, checked, and where it starts. Raises Failed."""
    advice = "define both: cpl rules compares them with the rules of English draughts"

    def game() -> list[Any]:
        module = compiled_game(source, options, "StartPosition", "LegalPositionsFrom", advice).module()
        return [pipeline.inner(module, f"{CALL}{number}")() for number in (1, 2)]

    start, function = guard(game)
    if not is_position(start) or not callable(function):
        raise Failed(f"{source.shown}: expected a position (X,Y,K,σ) StartPosition, and a function LegalPositionsFrom")

    def moves(position: Position) -> list[Position]:
        after = guard(lambda: function(position), TypeError)  # raised by a function of something else than a position
        if not isinstance(after, list) or not all(map(is_position, after)):
            raise Failed(f"{source.shown}: what LegalPositionsFrom gives is not a list of positions (X,Y,K,σ)")
        return after

    return moves, start
