"""Compare the rules of a checkers program with those of English draughts.

examples:
  cpl rules strachey.cpl                      at 4000 positions, half from play at random, half scattered
  cpl rules strachey.cpl --positions 20000    at more; with --seed 1 at others
  cpl rules strachey.cpl --verbose            the same, with the simplest example of each difference
  cpl rules strachey.cpl --depth 7            along all lines of play from the start, to where they part
  cpl rules strachey.cpl --fen W:W12:B7,K8    at one position: White, to move, on 12, Black on 7, a king on 8

The positions that LegalPositionsFrom gives are compared with those of pydraughts, an independent program that knows the
official rules (pip install 'cplc[rules]'). Squares have the official numbers: 1 to 4 is Black's first row, 29 to 32
White's. A capture is written with every square that it touches, as 11x18x25.

exit status: 0 if each difference is of a known kind; 1 if one is not, or the program is at fault.
"""

import argparse
from typing import TYPE_CHECKING, Any, Final

from cpl import readings
from cpl.cli import output
from cpl.cli.arguments import REPAIR, TEXT, exclusive, option, positive, verbose
from cpl.cli.exits import CPL_AT_FAULT, DONE, Failed

if TYPE_CHECKING:
    from cpl.games.position import Moves, Position

OPTIONS: Final = (
    *TEXT,
    REPAIR,
    option("file", metavar="FILE", help="a program that defines LegalPositionsFrom and StartPosition"),
    option("--positions", type=positive, default=4000, metavar="N", help="how many positions (default: 4000)"),
    option("--seed", type=int, default=0, metavar="S", help="another seed gives other positions (default: 0)"),
    exclusive(
        option("--depth", type=positive, metavar="D", help="count the lines of play to this length instead"),
        option("--fen", metavar="FEN", help="compare at this position instead"),
    ),
    verbose("show the positions with the differences, and draw the boards"),
    option("--format", choices=["text", "json"], default="text", help="how to report (default: text)"),
)


def run(options: argparse.Namespace) -> int:
    """Compare; the result is the exit status."""
    compare = _compare_plies if options.depth else _compare_positions if options.fen is None else _compare_one
    is_explained, data = compare(options)
    if options.format == "json":
        reading = (options.reading or readings.DEFAULT).mixture
        print(output.as_json({"file": options.file, "reading": reading, **data}))
    return DONE if is_explained else CPL_AT_FAULT


def _compare_one(options: argparse.Namespace) -> tuple[bool, dict[str, Any]]:
    """Compare at the position of --fen, and show it as text if that is wanted. The result, as of those that follow, is
    whether that explains all differences, and the same as data.
    """
    from cpl.cli import rules_report
    from cpl.compare.rules import compare
    from cpl.games.position import from_fen

    position = from_fen(options.fen)
    found = compare(_game(options)[0], position)
    if options.format == "text":
        rules_report.show(found, board=options.verbose)
    return found.kind != "unexplained", rules_report.data(found)


def _compare_positions(options: argparse.Namespace) -> tuple[bool, dict[str, Any]]:
    """Compare at many positions."""
    from cpl.cli import rules_report
    from cpl.cli.progress import track
    from cpl.compare.inputs import positions as drawn_positions
    from cpl.compare.rules import Survey, compare

    moves, start = _game(options)
    positions = drawn_positions(moves, start, options.positions, options.seed)
    found = Survey(track((compare(moves, each) for each in positions), "comparing", options.positions))
    if options.format == "text":
        rules_report.show_survey(found, seed=options.seed, verbose=options.verbose)
    return not found.kinds.counts["unexplained"], {"seed": options.seed, **rules_report.survey_data(found)}


def _compare_plies(options: argparse.Namespace) -> tuple[bool, dict[str, Any]]:
    """Compare along all lines of play from the start."""
    from cpl.cli import rules_report
    from cpl.cli.progress import track
    from cpl.compare.rules import compare, compare_plies, exchanges

    moves, start = _game(options)
    found = compare_plies(moves, start, options.depth, lambda level: track(level, "counting", len(level)))
    plies = rules_report.show_counts(found) if options.format == "text" else [*found]
    comparisons = (compare(moves, position) for ply in plies for position in ply.differing)
    unexplained = next((each for each in comparisons if each.kind == "unexplained"), None)
    parting = next((ply for ply in plies if ply.differing), None)
    exchanged = list(exchanges(moves, parting)) if parting else []
    if options.format == "text":
        rules_report.show_parting(parting, exchanged, unexplained)
    return not unexplained, rules_report.plies_data(plies, parting, exchanged, unexplained)


def _game(options: argparse.Namespace) -> "tuple[Moves, Position]":
    """The function that gives the program's next positions, and where it starts."""
    from cpl.cli.evaluation import game_in, position_moves
    from cpl.cli.input import read_input
    from cpl.games.position import is_position

    advice = "define both: cpl rules compares them with the rules of English draughts"
    _, start, given = game_in(read_input(options.file), options, "StartPosition", "LegalPositionsFrom", advice)
    if not is_position(start) or not callable(given):
        raise Failed(f"{options.file}: expected a position (X,Y,K,σ) StartPosition, and a function LegalPositionsFrom")
    return position_moves(given, f"{options.file}: what LegalPositionsFrom"), start
