"""`cpl readings`: what a text can mean, found by experiment."""

import argparse
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Final

from cpl import readings
from cpl.cli import common
from cpl.cli.common import option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpl.cli.readings_report import Finding
    from cpl.compiler import Meaning
    from cpl.draughts.position import Position
    from cpl.kit.corrections import Correction
    from cpl.kit.reading_experiment import Reference
    from cpl.readings import Reading
    from cpl.source import Source

WHAT: Final = "run a program under each of the eight readings against another one"
MORE: Final = """\
examples:
  cpl readings strachey-original.cpl --against strachey.cpl
  cpl readings strachey-original.cpl --against strachey.cpl --positions 500 --seed 7 --format json
  cpl readings strachey-original.cpl --against strachey.cpl --positions 500 --corrections

The text of 1966 leaves three things open: whether ∧ binds weaker (loose) or stronger (tight) than + and −; whether +
and − on bit strings are those of sets or of whole numbers (arithmetic); whether NIL is an empty list only or the bit
string of zeros too (zero). FILE, mended if it has a misprint, is compiled in all eight ways, the other program in the
usual one. Both are asked for the moves at thousands of positions, half from random play, half with pieces thrown on the
board. Lists are compared without regard to their order, which the text leaves open.

For each reading: how often they agree, differ, or one of them fails; how many of the examples hold that were recorded
with the program, if programs.toml names a file of them. With --verbose also the smallest position where they part, and
the first function whose result differs there. With --corrections: which of the changes that the other program makes in
FILE each reading needs, so that the two agree on every position; every choice of them is tried.
"""


add_options: Final = common.options(
    option("file", metavar="FILE", help="a file, a packaged program, or -"),
    option("--against", metavar="FILE", required=True, help="the program to compare it with"),
    option("--positions", type=common.whole, default=5000, metavar="N", help="how many (default: 5000)"),
    option("--seed", type=int, default=0, metavar="S", help="other positions for another seed (default: 0)"),
    option(
        "--moves",
        default="LegalPositionsFrom",
        metavar="NAME",
        help="the function that is compared: it gives all next positions (default: LegalPositionsFrom)",
    ),
    option(
        "--corrections", action="store_true", help="find out which corrections of the other program each reading needs"
    ),
    common.verbose("show where each reading parts from the other program, and why"),
    common.add_library_option,
    option("--format", choices=["text", "json"], default="text", help="how to print it (default: text)"),
    common.add_error_option,
    lambda parser: parser.set_defaults(repair=True),
)


def run(options: argparse.Namespace) -> int:
    """Compare; the result is the exit status."""
    from cpl import compiler
    from cpl.cli import readings_report
    from cpl.cli.input import read_input
    from cpl.cli.progress import track
    from cpl.draughts.position import is_position
    from cpl.kit.corrections import corrections, mended
    from cpl.kit.positions import drawn
    from cpl.kit.reading_experiment import Reference

    against = compiler.understand(read_input(options.against), repair=True)
    meaning = compiler.understand(read_input(options.file), options.library, repair=True)
    common.show_repair(meaning.diagnostics, options)
    source = mended(meaning)
    every: list[Correction] = []
    if options.corrections:
        try:
            every = corrections(compiler.understand(source, options.library), against)
        except ValueError as error:
            raise common.Failed(str(error)) from None
    other = _loaded(against, options.moves, "StartPosition")
    if not is_position(other.StartPosition):
        raise common.Failed(f"{against.main.source.shown} has positions of another kind than the program of 1966")
    moves = partial(_moves, other, options.moves, against.main.source.shown)
    positions = drawn(moves, other.StartPosition, options.positions, options.seed)
    reference = Reference(other, options.moves, [*track(positions, "positions", options.positions)])
    found = _compared(source, reference, options)
    if options.corrections:
        for each in track(found, "readings", len(found)):
            each.needs = _needs(each.reading, source, every, reference, options)
    readings_report.show(found, every, options, len(reference.positions))
    return common.DONE


def _compared(source: "Source", reference: "Reference", options: argparse.Namespace) -> "list[Finding]":
    """Test each reading: first how often the two programs agree, then the witnesses where they do not."""
    from cpl import compiler, loader
    from cpl.cli.progress import track
    from cpl.cli.readings_report import Finding
    from cpl.cli.session import understood
    from cpl.kit.limits import PATIENCE
    from cpl.kit.session import replay

    recorded, count = understood(loader.session(source.path) or ""), len(reference.positions)
    found = [Finding(each) for each in readings.ALL]
    for each in found:
        try:
            each.module = _loaded(compiler.understand(source, options.library, reading=each.reading), options.moves)
        except common.Failed as error:
            each.tally.counts["failed"], each.broken = count, str(error)
    loaded = [(each, each.module) for each in found if each.module]
    if not loaded:
        raise common.Failed(found[0].broken)
    judged = ((each, one) for each, module in loaded for one in reference.compared(module))
    for each, one in track(judged, "comparisons", len(loaded) * count):
        each.tally.judge(one)
    for each in track(found, "witnesses", len(found)):
        each.examples = [*replay(vars(each.module) if each.module else {}, recorded, seconds=PATIENCE)]
        if (judged_positions := each.tally.counts.total()) < count:
            each.broken = f"given up after {judged_positions} positions: the program does not end"
        elif each.module:
            small = [reference.smallest(each.module, one) for one in each.tally.smallest.values()]
            each.witnesses = [(one, reference.divergence(each.module, one.position)) for one in small]
    return found


def _needs(
    reading: "Reading", source: "Source", every: "list[Correction]", reference: "Reference", options: argparse.Namespace
) -> "list[tuple[Correction, ...]]":
    from cpl import compiler
    from cpl.kit.corrections import corrected, needed

    def made(chosen: "Sequence[Correction]") -> ModuleType | None:
        try:
            meaning = compiler.understand(corrected(source, chosen), options.library, reading=reading)
            return _loaded(meaning, options.moves)
        except common.Failed:
            return None

    return [*needed(every, made, reference)]


def _loaded(meaning: "Meaning", *needed: str) -> ModuleType:
    """The program as a module, which must define these names. Nobody wants to see what it writes by itself."""
    from cpl import compiler
    from cpl.kit.limits import outcome

    path, found = meaning.main.source.shown, outcome(compiler.execute, [meaning])
    if found.fault is not None:
        raise common.Failed(f"{path} fails before anything can be compared: {found.fault}")
    for name in needed:
        if not hasattr(found.result, name):
            raise common.Failed(f"{path} defines no {name}: it must have positions like those of the program of 1966")
    module: ModuleType = found.result
    return module


def _moves(module: ModuleType, name: str, path: str, position: "Position") -> "list[Position]":
    """The moves by which positions are found: this program must be right about them, or nothing can be compared."""
    from cpl.draughts.position import is_position
    from cpl.kit.limits import outcome

    found = outcome(getattr(module, name), [position])
    if found.fault is not None:
        raise common.Failed(f"{path}: {name} fails at a position of play: {found.fault}")
    if not isinstance(found.result, list) or not all(map(is_position, found.result)):
        raise common.Failed(f"{path}: what {name} gives is no list of positions (X,Y,K,σ)")
    return found.result
