"""`cpl readings`: what a text can mean, found by experiment."""

import argparse
import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from cpl import readings
from cpl.cli import common
from cpl.readings import Reading

if TYPE_CHECKING:
    from cpl.compiler import Meaning
    from cpl.kit.corrections import Correction
    from cpl.kit.perft import Moves
    from cpl.kit.positions import Position
    from cpl.kit.rereading import Tally
    from cpl.kit.session import Replayed
    from cpl.kit.traces import Call
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
with the program, if programs.toml names a file of them; the smallest position where they part, and the first function
whose result differs there. With --corrections: which of the changes that the other program makes in FILE each reading
needs, so that the two agree on every position; every choice of them is tried.
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
    common.add_library_option(made)
    made.add_argument("--format", choices=["text", "json"], default="text", help="how to print it (default: text)")
    common.add_error_option(made)


@dataclass(frozen=True)
class _Found:
    """All that is known of one reading."""

    reading: Reading
    tally: "Tally"
    parted: "list[tuple[Call, Call]]"
    examples: "list[Replayed]"
    needs: "list[tuple[Correction, ...]] | None" = None  # the fewest corrections that are enough, if that was asked
    broken: str | None = None  # why it cannot even be asked: its constants fail


def run(options: argparse.Namespace) -> int:
    """Compare; the result is the exit status."""
    from cpl import compiler
    from cpl.cli.input import read_input
    from cpl.cli.progress import track
    from cpl.kit.corrections import mended
    from cpl.kit.positions import drawn, is_position
    from cpl.kit.rereading import Reference

    against = compiler.understand(read_input(options.against), repair=True)
    meaning = compiler.understand(read_input(options.file), options.library, repair=True)
    if meaning.diagnostics:
        common.show(meaning.diagnostics, options)
    source = mended(meaning)
    every = _corrections(compiler.understand(source, options.library), against) if options.corrections else []
    other = _loaded(against, options.moves, "StartPosition")
    if not is_position(other.StartPosition):
        raise common.Failed(f"{against.main.source.path} has positions of another kind than the program of 1966")
    moves = _played(other, options.moves, against.main.source.path)
    positions = drawn(moves, other.StartPosition, options.positions, options.seed)
    reference = Reference(other, options.moves, [*track(positions, "positions", options.positions)])
    found = _compared(source, reference, options)
    if options.corrections:
        tracked = track(found, "readings", len(found))
        found = [replace(each, needs=_needs(each.reading, source, every, reference, options)) for each in tracked]
    if options.format == "json":
        print(json.dumps(_as_json(found, options, len(reference.positions)), ensure_ascii=False, indent=2))
    else:
        _print(found, options, len(reference.positions))
        if options.corrections:
            _print_needs(found, every, options)
    return common.DONE


def _corrections(meaning: "Meaning", against: "Meaning") -> "list[Correction]":
    from cpl.kit.corrections import corrections

    try:
        return corrections(meaning, against)
    except ValueError as error:
        raise common.Failed(str(error)) from None


def _needs(
    reading: Reading, source: "Source", every: "list[Correction]", reference: Any, options: argparse.Namespace
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
    from cpl.kit.guarded import Fault, outcome

    path = meaning.main.source.path
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
    from cpl.kit.guarded import Fault, outcome
    from cpl.kit.positions import is_position

    def moves(position: "Position") -> "list[Position]":
        found = outcome(getattr(module, name), [position])
        if isinstance(found, Fault):
            raise common.Failed(f"{path}: {name} fails at a position of play: {found.words}")
        if not isinstance(found.result, list) or not all(map(is_position, found.result)):
            raise common.Failed(f"{path}: what {name} gives is no list of positions (X,Y,K,σ)")
        return found.result

    return moves


def _compared(source: "Source", reference: Any, options: argparse.Namespace) -> list[_Found]:
    from cpl import compiler, loader
    from cpl.cli.progress import track
    from cpl.cli.session import understood
    from cpl.kit.guarded import PATIENCE
    from cpl.kit.positions import smaller
    from cpl.kit.rereading import Tally
    from cpl.kit.session import replay

    recorded = understood(loader.session(source.path) or "")
    meanings = {each: compiler.understand(source, options.library, reading=each) for each in readings.ALL}
    modules: dict[Reading, ModuleType] = {}
    broken: dict[Reading, common.Failed] = {}
    for each, meaning in meanings.items():
        try:
            modules[each] = _loaded(meaning, options.moves)
        except common.Failed as error:
            broken[each] = error
    if not modules:
        raise broken[readings.DEFAULT]
    tallies = {each: Tally() for each in modules}
    judged = ((each, one) for each, module in modules.items() for one in reference.compared(module))
    for each, one in track(judged, "comparisons", len(modules) * len(reference.positions)):
        tallies[each].add(one)
    found = {}
    for each, failure in broken.items():
        nothing = Tally(failed=len(reference.positions))
        found[each] = _Found(each, nothing, [], [*replay({}, recorded)], broken=str(failure))
    for each, module in track(modules.items(), "witnesses", len(modules)):
        tally = tallies[each]
        parted = []
        if tally.witness is not None:
            tally.witness = reference.smallest(module, tally.witness, smaller)
            parted = reference.parted(module, tally.witness.position)
        found[each] = _Found(each, tally, parted, [*replay(vars(module), recorded, seconds=PATIENCE)])
    return [found[each] for each in readings.ALL]


def _print(found: Sequence[_Found], options: argparse.Namespace, count: int) -> None:
    print(f"{options.file} under each reading against {options.against}: {options.moves} at {count} positions\n")
    width = max(len(each.reading.mixture) for each in found)
    head = f"{'reading':{width}}   same  different  failed"
    print(head + "  recorded examples" * bool(found[0].examples))
    for each in found:
        tally = each.tally
        row = f"{each.reading.mixture:{width}} {tally.same:6} {tally.different:10} {tally.failed:7}"
        if each.examples:
            row += f"  {sum(one.holds for one in each.examples):6} of {len(each.examples)}"
        print(row)
    for each in found:
        print(f"\n{each.reading.mixture}")
        _explain(each, options)
    agreeing = [each.reading for each in found if each.tally.agrees]
    match agreeing:
        case []:
            print("\nNo reading agrees on every position.")
        case [only]:
            print(f"\nExactly one reading agrees on every position: {only.mixture}.")
        case _:
            names = "; ".join(each.mixture for each in agreeing)
            print(f"\n{len(agreeing)} readings agree on every position: {names}.")


def _explain(found: _Found, options: argparse.Namespace) -> None:
    """The smallest position without agreement, and the function that is the reason; else which examples fail."""
    from cplrt.checkers import PrintPosition

    witness = found.tally.witness
    if found.broken is not None:
        print(f"  {found.broken}")
        return
    if witness is None:
        print("  agrees on every position")
        for example in found.examples:
            if not example.holds:
                print(f"  of the recorded examples fails {example.typed}")
                print(f"    it gave  {example.recorded}")
                print(f"    it gives {example.found}")
        return
    if found.parted:
        here, there = found.parted[-1]
        print(f"  the first function whose result differs is {here.function}, called as")
        print(f"    {show_call(here)}")
        print(f"    here it gives  {_ended(here)}")
        print(f"    there it gives {_ended(there)}")
    print(f"  when {options.moves} is asked about")
    PrintPosition(witness.position)


def _print_needs(found: Sequence[_Found], every: "Sequence[Correction]", options: argparse.Namespace) -> None:
    print(f"\nThe corrections of {options.against}")
    for number, correction in enumerate(every, start=1):
        print(f"  {number}  {correction.name}: {correction.before} becomes {correction.after}")
    width = max(len(each.reading.mixture) for each in found)
    print(f"\n{'reading':{width}}  needs of these, to agree on every position")
    for each in found:
        choices = [[str(every.index(correction) + 1) for correction in chosen] for chosen in each.needs or ()]
        shown = "; or ".join(" and ".join(choice) or "none" for choice in choices) or "no choice of them is enough"
        print(f"{each.reading.mixture:{width}}  {shown}")


def show_call(call: "Call") -> str:
    """A call as one would write it."""
    from cplrt import show

    return f"{call.function}({','.join(map(show, call.arguments))})"


def _ended(call: "Call") -> str:
    from cplrt import show

    return f"a fault: {call.fault}" if call.fault is not None else show(call.result)


def _as_json(found: Sequence[_Found], options: argparse.Namespace, count: int) -> dict[str, Any]:
    return {
        "program": options.file,
        "against": options.against,
        "function": options.moves,
        "positions": count,
        "seed": options.seed,
        "readings": [_reading_as_json(each) for each in found],
        "agreeing": [each.reading.mixture for each in found if each.tally.agrees],
    }


def _reading_as_json(found: _Found) -> dict[str, Any]:
    from cplrt import show

    tally = found.tally
    made: dict[str, Any] = {
        **found.reading.values,
        "same": tally.same,
        "different": tally.different,
        "failed": tally.failed,
    }
    if found.examples:
        made["examples"] = len(found.examples)
        made["examples_that_fail"] = [each.line for each in found.examples if not each.holds]
    if found.broken is not None:
        made["broken"] = found.broken
    if tally.witness is not None:
        made["witness"] = show(tally.witness.position)
    if found.needs is not None:
        shown = [[f"{each.name}: {each.before} → {each.after}" for each in chosen] for chosen in found.needs]
        made["corrections_needed"] = shown
    if found.parted:
        here, there = found.parted[-1]
        made["first_difference"] = {"call": show_call(here), "here": _ended(here), "there": _ended(there)}
    return made
