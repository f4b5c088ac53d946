"""Compare a program under each of the eight readings with another program.

examples:
  cpl readings strachey-original.cpl --against strachey.cpl
  cpl readings strachey-original.cpl --against strachey.cpl --positions 500 --seed 7 --format json
  cpl readings strachey-original.cpl --against strachey.cpl --positions 500 --corrections

The text of 1966 leaves three things open: whether ∧ binds weaker (loose) or stronger (tight) than + and −; whether +
and − on bit strings are operations on sets or on whole numbers (arithmetic); whether NIL is only an empty list or also
the bit string of zeros (zero). FILE, repaired if it has a misprint, is compiled in all eight ways, the other program in
the usual one. Both are asked for the moves at thousands of positions, half from random play, half with pieces thrown on
the board. The order of lists is ignored, as the text leaves it open.

For each reading, the report counts how often the two agree, differ, or one fails, and how many of the recorded examples
hold, if programs.toml names any. --verbose adds the smallest position where they part, and the first function
whose result differs there. The other program corrects FILE in several places: --corrections tries every combination of
these corrections, and reports the smallest ones with which each reading agrees on every position.
"""

import argparse
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Final

from cpl import readings
from cpl.cli import output
from cpl.cli.arguments import FILE, FORMAT_ERRORS, LIBRARY, option, positive, verbose
from cpl.cli.exits import DONE, Failed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from doctest import Example

    from cpl.compiler import Meaning
    from cpl.draughts.position import Position
    from cpl.kit.reading_experiment import Finding, Reference
    from cpl.kit.text_changes import ChangedPiece
    from cpl.readings import Reading
    from cpl.source import Source

OPTIONS: Final = (
    option("file", metavar="FILE", help=FILE),
    option("--against", metavar="FILE", required=True, help="the program to compare it with"),
    option("--positions", type=positive, default=5000, metavar="N", help="how many positions (default: 5000)"),
    option("--seed", type=int, default=0, metavar="S", help="another seed gives other positions (default: 0)"),
    option(
        "--moves",
        default="LegalPositionsFrom",
        metavar="NAME",
        help="the function to compare, which gives all next positions (default: LegalPositionsFrom)",
    ),
    option(
        "--corrections", action="store_true", help="find which of the other program's corrections each reading needs"
    ),
    verbose("show where each reading parts from the other program, and why"),
    LIBRARY,
    option("--format", choices=["text", "json"], default="text", help="how to report (default: text)"),
    FORMAT_ERRORS,
)


def run(options: argparse.Namespace) -> int:
    """Compare; the result is the exit status."""
    from cpl import compiler, loader
    from cpl.cli import readings_report
    from cpl.cli.input import read_input
    from cpl.cli.progress import track
    from cpl.kit.corrections import corrections, mended
    from cpl.kit.session import examples

    against = compiler.understand(read_input(options.against), repair=True)
    meaning = compiler.understand(read_input(options.file), options.library, repair=True)
    output.show_repair(meaning.diagnostics, options)
    source = mended(meaning)
    every = corrections(compiler.understand(source, options.library), against) if options.corrections else []
    reference = _reference(against, options)
    recorded = examples(loader.session(source.path) or "")
    test = partial(_tested, source, reference, every, recorded, options)
    found = [test(each) for each in track(readings.ALL, "readings", len(readings.ALL))]
    if not any(each.is_loaded for each in found):
        raise Failed(found[0].broken)
    readings_report.show(found, every, options, len(reference.positions))
    return DONE


def _reference(meaning: "Meaning", options: argparse.Namespace) -> "Reference":
    """The other program, with positions that are found by its moves: it must be right about them, or nothing can be
    compared.
    """
    from cpl.cli.evaluation import position_moves
    from cpl.cli.progress import track
    from cpl.draughts.position import is_position
    from cpl.kit.limits import outcome
    from cpl.kit.positions import drawn
    from cpl.kit.reading_experiment import Reference

    path, name = meaning.main.source.shown, options.moves
    module = _loaded(meaning, name, "StartPosition")
    if not is_position(module.StartPosition):
        raise Failed(f"{path} has positions of another kind than the program of 1966")

    def answer(position: "Position") -> object:
        found = outcome(getattr(module, name), [position])
        if found.fault is not None:
            raise Failed(f"{path}: {name} fails at a position of play: {found.fault}")
        return found.result

    moves = position_moves(answer, f"{path}: what {name}")
    positions = drawn(moves, module.StartPosition, options.positions, options.seed)
    return Reference(module, name, [*track(positions, "positions", options.positions)])


def _tested(
    source: "Source",
    reference: "Reference",
    every: "list[ChangedPiece]",
    recorded: "list[Example]",
    options: argparse.Namespace,
    reading: "Reading",
) -> "Finding":
    """All that is asked of one reading: how often the programs agree, witnesses where they do not, which recorded
    examples hold, and which corrections it needs.
    """
    from cpl import compiler
    from cpl.kit.corrections import corrected, needed
    from cpl.kit.limits import PATIENCE
    from cpl.kit.reading_experiment import Finding
    from cpl.kit.session import replay

    def program(chosen: "Sequence[ChangedPiece]" = ()) -> ModuleType:
        meaning = compiler.understand(corrected(source, chosen), options.library, reading=reading)
        return _loaded(meaning, options.moves)

    found, names = Finding(reading), {}
    try:
        module = program()
        names = vars(module)
        found.test(module, reference)
    except Failed as error:
        found.tally.counts["failed"], found.broken = len(reference.positions), str(error)
    found.examples = [*replay(names, recorded, seconds=PATIENCE)]
    if options.corrections:
        found.needs = [*needed(every, program, reference)]
    return found


def _loaded(meaning: "Meaning", *names: str) -> ModuleType:
    """The program as a module, which must define these names. What it writes by itself is not shown."""
    from cpl import compiler
    from cpl.kit.limits import outcome

    path, found = meaning.main.source.shown, outcome(compiler.execute, [meaning])
    if found.fault is not None:
        raise Failed(f"{path} fails before anything can be compared: {found.fault}")
    for name in names:
        if not hasattr(found.result, name):
            raise Failed(f"{path} defines no {name}: it must have positions like those of the program of 1966")
    module: ModuleType = found.result
    return module
