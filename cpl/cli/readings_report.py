"""What `cpl readings` found, as text for people and as data for programs."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cplrt import show
from cplrt.checkers import PrintPosition

from cpl.cli import common
from cpl.kit.corrections import Correction
from cpl.kit.reading_experiment import Judgement, Tally
from cpl.kit.session import Replayed
from cpl.kit.traces import Call
from cpl.readings import Reading


@dataclass(frozen=True)
class Witness:
    """A position without agreement, and from the whole run on it down to the first inner call whose result differs."""

    judged: Judgement
    parted: list[tuple[Call, Call]]


@dataclass(frozen=True)
class Finding:
    """All that is known of one reading."""

    reading: Reading
    tally: Tally
    witnesses: list[Witness] = field(default_factory=list)
    examples: list[Replayed] = field(default_factory=list)
    needs: list[tuple[Correction, ...]] | None = None  # the fewest corrections that are enough, if that was asked
    broken: str = ""  # why it cannot be asked, or not further


def show_findings(found: Sequence[Finding], options: argparse.Namespace, count: int) -> None:
    """The table and what follows from it; with --verbose, of each reading why it does not agree."""
    positions = common.count(count, "position")
    print(f"{options.file} under each reading against {options.against}: {options.moves} at {positions}\n")
    width = max(len(each.reading.mixture) for each in found)
    head = f"{'reading':{width}}   same  different  failed"
    print(head + "  recorded examples" * bool(found[0].examples))
    for each in found:
        tally = each.tally
        row = f"{each.reading.mixture:{width}} {tally.same:6} {tally.different:10} {tally.failed:7}"
        if each.examples:
            row += f"  {sum(one.holds for one in each.examples):6} of {len(each.examples)}"
        print(row)
    for each in found if options.verbose else ():
        print(f"\n{each.reading.mixture}")
        _explain(each, options)
    agreeing = [each.reading for each in found if each.tally.agrees]
    if options.verbose:
        print()
    match agreeing:
        case []:
            print("No reading agrees on every position.")
        case [only]:
            print(f"Exactly one reading agrees on every position: {only.mixture}.")
        case _:
            names = "; ".join(each.mixture for each in agreeing)
            print(f"{len(agreeing)} readings agree on every position: {names}.")


def _explain(found: Finding, options: argparse.Namespace) -> None:
    """The smallest positions without agreement, and the functions that are the reason; else which examples fail."""
    if found.broken:
        print(f"  {found.broken}")
    elif not found.witnesses:
        print("  agrees on every position")
        for example in found.examples:
            if not example.holds:
                print(f"  of the recorded examples fails {example.typed}")
                print(f"    it gave  {example.recorded}")
                print(f"    it gives {example.found}")
    for witness in found.witnesses:
        if witness.parted:
            here, there = witness.parted[-1]
            print(f"  the first function whose result differs is {here.function}, called as")
            print(f"    {here.applied}")
            print(f"    here it gives  {_ended(here)}")
            print(f"    there it gives {_ended(there)}")
        print(f"  when {options.moves} is asked about")
        PrintPosition(witness.judged.position)


def show_needs(found: Sequence[Finding], every: Sequence[Correction], options: argparse.Namespace) -> None:
    """Which of all corrections each reading needs."""
    print(f"\nThe corrections of {options.against}")
    for number, correction in enumerate(every, start=1):
        print(f"  {number}  {correction.name}: {correction.before} becomes {correction.after}")
    width = max(len(each.reading.mixture) for each in found)
    print(f"\n{'reading':{width}}  needs of these, to agree on every position")
    for each in found:
        choices = [[str(every.index(correction) + 1) for correction in chosen] for chosen in each.needs or ()]
        shown = "; or ".join(" and ".join(choice) or "none" for choice in choices) or "no choice of them is enough"
        print(f"{each.reading.mixture:{width}}  {shown}")


def _ended(call: Call) -> str:
    return f"a fault: {call.fault}" if call.fault is not None else show(call.result)


def print_json(found: Sequence[Finding], options: argparse.Namespace, count: int) -> None:
    """Data as it is read by programs."""
    data = {
        "program": options.file,
        "against": options.against,
        "function": options.moves,
        "positions": count,
        "seed": options.seed,
        "readings": [_data(each) for each in found],
        "agreeing": [each.reading.mixture for each in found if each.tally.agrees],
    }
    print(common.as_json(data))


def _data(found: Finding) -> dict[str, Any]:
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
    if found.broken:
        made["broken"] = found.broken
    if found.needs is not None:
        shown = [[f"{each.name}: {each.before} → {each.after}" for each in chosen] for chosen in found.needs]
        made["corrections_needed"] = shown
    made["witnesses"] = [_witness(each) for each in found.witnesses]
    return made


def _witness(witness: Witness) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": witness.judged.agreement, "position": show(witness.judged.position)}
    if witness.parted:
        here, there = witness.parted[-1]
        made |= {"call": here.applied, "here": _ended(here), "there": _ended(there)}
    return made
