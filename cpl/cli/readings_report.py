"""What `cpl readings` found, as text for people and as data for programs."""

import argparse
from collections.abc import Sequence
from typing import Any

from cplrt import show as as_cpl
from cplrt.checkers import PrintPosition

from cpl.cli import output
from cpl.kit.first_difference import Pair
from cpl.kit.reading_experiment import Agreement, Finding
from cpl.kit.text_changes import ChangedPiece
from cpl.kit.traces import Call


def show(found: Sequence[Finding], every: Sequence[ChangedPiece], options: argparse.Namespace, count: int) -> None:
    """Print what was found at so many positions; `every` correction is known by its number."""
    agreeing = [each.reading.mixture for each in found if each.agrees]
    if options.format == "json":
        data = {
            "program": options.file,
            "against": options.against,
            "function": options.moves,
            "positions": count,
            "seed": options.seed,
            "readings": [_data(each) for each in found],
            "agreeing": agreeing,
        }
        print(output.as_json(data))
        return
    positions = output.count(count, "position")
    print(f"{options.file} under each reading against {options.against}: {options.moves} at {positions}\n")
    width = max(len(each.reading.mixture) for each in found)
    print(f"{'reading':{width}}   same  different  failed" + "  recorded examples" * bool(found[0].examples))
    for each in found:
        print(_row(each, width))
    for each in found if options.verbose else ():
        print(f"\n{each.reading.mixture}")
        _explain(each, options)
    many = {0: "No reading agrees", 1: "Exactly one reading agrees"}
    which = many.get(len(agreeing), f"{len(agreeing)} readings agree")
    if options.verbose:
        print()
    print(f"{which} on every position{': ' if agreeing else ''}{'; '.join(agreeing)}.")
    if options.corrections:
        _show_needs(found, every, options, width)


def _row(found: Finding, width: int) -> str:
    counts, examples = found.tally.counts, found.examples
    row = f"{found.reading.mixture:{width}} {counts['same']:6} {counts['different']:10} {counts['failed']:7}"
    held = sum(one.holds for one in examples)
    return row + (f"  {held:6} of {len(examples)}" if examples else "")


def _explain(found: Finding, options: argparse.Namespace) -> None:
    """The smallest positions without agreement, and the functions that are the reason; else which examples fail."""
    if found.broken:
        print(f"  {found.broken}")
    elif not found.witnesses:
        print("  agrees on every position")
        for example in found.examples:
            if not example.holds:
                print(f"  this recorded example fails: {example.typed}")
                print(f"    expected {example.recorded}\n    found    {example.found}")
    for position, pairs in found.witnesses.values():
        for here, there in pairs[-1:]:
            print(f"  the first function whose result differs is {here.function}, called as\n    {here.applied}")
            print(f"    here it gives  {_outcome(here)}\n    there it gives {_outcome(there)}")
        print(f"  for this argument of {options.moves}:")
        PrintPosition(position)


def _show_needs(
    found: Sequence[Finding], every: Sequence[ChangedPiece], options: argparse.Namespace, width: int
) -> None:
    """Which of all corrections each reading needs."""
    print(f"\nThe corrections of {options.against}")
    for number, correction in enumerate(every, start=1):
        print(f"  {number}  {correction.definition}: {correction.before} becomes {correction.after}")
    print(f"\n{'reading':{width}}  corrections needed to agree on every position")
    for each in found:
        choices = [[str(every.index(correction) + 1) for correction in chosen] for chosen in each.needs or ()]
        shown = "; or ".join(" and ".join(choice) or "none" for choice in choices) or "no combination is enough"
        print(f"{each.reading.mixture:{width}}  {shown}")


def _outcome(call: Call) -> str:
    return f"a fault: {call.fault}" if call.fault is not None else as_cpl(call.result)


def _data(found: Finding) -> dict[str, Any]:
    """One reading as data, without what was not asked, or is not there."""
    needs = [[f"{each.definition}: {each.before} → {each.after}" for each in some] for some in found.needs or ()]
    fails = [each.line for each in found.examples if not each.holds]
    made: dict[str, Any] = {
        **found.reading.values,
        **{kind: found.tally.counts[kind] for kind in ("same", "different", "failed")},
        "examples": len(found.examples) or None,
        "examples_that_fail": fails if found.examples else None,
        "broken": found.broken or None,
        "corrections_needed": None if found.needs is None else needs,
        "witnesses": [_witness(kind, *found.witnesses[kind]) for kind in found.witnesses],
    }
    return {key: value for key, value in made.items() if value is not None}


def _witness(kind: Agreement, position: Any, pairs: Sequence[Pair]) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": kind, "position": as_cpl(position)}
    for here, there in pairs[-1:]:
        made |= {"call": here.applied, "here": _outcome(here), "there": _outcome(there)}
    return made
