"""`cpl readings`: what a text can mean, found by experiment."""

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Final

from cpl import readings
from cpl.cli import common
from cpl.readings import Reading

if TYPE_CHECKING:
    from cpl.cli.readings_report import Finding
    from cpl.compiler import Meaning
    from cpl.kit.corrections import Correction
    from cpl.kit.perft import Moves
    from cpl.kit.positions import Position
    from cpl.kit.reading_experiment import Judgement, Reference, Tally
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


def add_options(made: argparse.ArgumentParser) -> None:
    """The options of `cpl readings`."""
    made.add_argument("file", metavar="FILE", help="a file, a packaged program, or -")
    made.add_argument("--against", metavar="FILE", required=True, help="the program to compare it with")
    made.add_argument("--positions", type=common.whole, default=5000, metavar="N", help="how many (default: 5000)")
    made.add_argument("--seed", type=int, default=0, metavar="S", help="other positions for another seed (default: 0)")
    made.add_argument(
        "--moves",
        default="LegalPositionsFrom",
        metavar="NAME",
        help="the function that is compared: it gives all next positions (default: LegalPositionsFrom)",
    )
    made.add_argument(
        "--corrections", action="store_true", help="find out which corrections of the other program each reading needs"
    )
    common.add_verbose_option(made, "show where each reading parts from the other program, and why")
    common.add_library_option(made)
    made.add_argument("--format", choices=["text", "json"], default="text", help="how to print it (default: text)")
    common.add_error_option(made)
    made.set_defaults(repair=True)


def run(options: argparse.Namespace) -> int:
    """Compare; the result is the exit status."""
    from cpl import compiler
    from cpl.cli import readings_report
    from cpl.cli.input import read_input
    from cpl.cli.progress import track
    from cpl.kit.corrections import mended
    from cpl.kit.positions import drawn, is_position
    from cpl.kit.reading_experiment import Reference

    against = compiler.understand(read_input(options.against), repair=True)
    meaning = compiler.understand(read_input(options.file), options.library, repair=True)
    common.show_repair(meaning.diagnostics, options)
    source = mended(meaning)
    every = _corrections(compiler.understand(source, options.library), against) if options.corrections else []
    other = _loaded(against, options.moves, "StartPosition")
    if not is_position(other.StartPosition):
        raise common.Failed(f"{against.main.source.shown} has positions of another kind than the program of 1966")
    moves = _played(other, options.moves, against.main.source.shown)
    positions = drawn(moves, other.StartPosition, options.positions, options.seed)
    reference = Reference(other, options.moves, [*track(positions, "positions", options.positions)])
    found = _compared(source, reference, options)
    if options.corrections:
        tracked = track(found, "readings", len(found))
        found = [replace(each, needs=_needs(each.reading, source, every, reference, options)) for each in tracked]
    if options.format == "json":
        readings_report.print_json(found, options, len(reference.positions))
    else:
        readings_report.show_findings(found, options, len(reference.positions))
        if options.corrections:
            readings_report.show_needs(found, every, options)
    return common.DONE


def _corrections(meaning: "Meaning", against: "Meaning") -> "list[Correction]":
    from cpl.kit.corrections import corrections

    try:
        return corrections(meaning, against)
    except ValueError as error:
        raise common.Failed(str(error)) from None


def _needs(
    reading: Reading, source: "Source", every: "list[Correction]", reference: "Reference", options: argparse.Namespace
) -> "list[tuple[Correction, ...]]":
    from cpl import compiler
    from cpl.kit.corrections import corrected, needed

    def made(chosen: "Sequence[Correction]") -> ModuleType | None:
        meaning = compiler.understand(corrected(source, chosen), options.library, reading=reading)
        with contextlib.suppress(common.Failed):
            return _loaded(meaning, options.moves)
        return None

    return [*needed(every, made, reference)]


def _loaded(meaning: "Meaning", *needed: str) -> ModuleType:
    """The program as a module, which must define these names. What it writes by itself nobody wants to see."""
    from cpl import compiler
    from cpl.kit.limits import Fault, outcome

    path = meaning.main.source.shown
    found = outcome(compiler.execute, [meaning])
    if isinstance(found, Fault):
        raise common.Failed(f"{path} fails before anything can be compared: {found.words}")
    module: ModuleType = found.result
    for name in needed:
        if not hasattr(module, name):
            raise common.Failed(f"{path} defines no {name}: it must have positions like those of the program of 1966")
    return module


def _played(module: ModuleType, name: str, path: str) -> "Moves":
    """The moves by which the positions are found: this program has to know them, or nothing can be compared."""
    from cpl.kit.limits import Fault, outcome
    from cpl.kit.positions import is_position

    def moves(position: "Position") -> "list[Position]":
        found = outcome(getattr(module, name), [position])
        if isinstance(found, Fault):
            raise common.Failed(f"{path}: {name} fails at a position of play: {found.words}")
        if not isinstance(found.result, list) or not all(map(is_position, found.result)):
            raise common.Failed(f"{path}: what {name} gives is no list of positions (X,Y,K,σ)")
        return found.result

    return moves


def _compared(source: "Source", reference: "Reference", options: argparse.Namespace) -> "list[Finding]":
    from cpl import compiler, loader
    from cpl.cli.progress import track
    from cpl.cli.readings_report import Finding, Witness
    from cpl.cli.session import understood
    from cpl.kit.limits import PATIENCE
    from cpl.kit.reading_experiment import Tally
    from cpl.kit.session import replay

    recorded = understood(loader.session(source.path) or "")
    found: dict[Reading, Finding] = {}
    modules: dict[Reading, ModuleType] = {}
    for each in readings.ALL:
        try:
            modules[each] = _loaded(compiler.understand(source, options.library, reading=each), options.moves)
        except common.Failed as error:
            nothing = Tally(failed=len(reference.positions))
            found[each] = Finding(each, nothing, examples=[*replay({}, recorded)], broken=str(error))
    if not modules:
        raise common.Failed(found[readings.DEFAULT].broken)
    tallies = {each: Tally() for each in modules}
    judged = ((tallies[each], one) for each in modules for one in _judged(reference, modules[each], tallies[each]))
    for tally, one in track(judged, "comparisons", len(modules) * len(reference.positions)):
        tally.add(one)
    for each, module in track(modules.items(), "witnesses", len(modules)):
        tally = tallies[each]
        examples = [*replay(vars(module), recorded, seconds=PATIENCE)]
        if tally.hopeless:
            broken = f"given up after {tally.same + tally.different + tally.failed} positions: the program does not end"
            found[each] = Finding(each, tally, examples=examples, broken=broken)
            continue
        small = [reference.smallest(module, one) for one in tally.witnesses.values()]
        witnesses = [Witness(one, reference.parted(module, one.position)) for one in small]
        found[each] = Finding(each, tally, witnesses, examples)
    return [found[each] for each in readings.ALL]


def _judged(reference: "Reference", module: ModuleType, tally: "Tally") -> "Iterator[Judgement]":
    """Every position judged, unless the program turns out not to end."""
    for one in reference.compared(module):
        yield one
        if tally.hopeless:
            return
