"""What `cpl readings` found, as text for people and as data for programs."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from cplrt import show as as_cpl
from cplrt.checkers import PrintPosition

from cpl.cli import common
from cpl.kit.corrections import Correction
from cpl.kit.divergence import Pair
from cpl.kit.reading_experiment import Judgement, Judgements
from cpl.kit.session import Replayed
from cpl.kit.traces import Call
from cpl.readings import Reading


@dataclass
class Finding:
    """All that is known of one reading. A witness is a position without agreement, and the calls from the whole run on
    it down to the first one whose result differs; `needs` are the fewest corrections that are enough, if that was
    asked; `broken` says why the program cannot be executed, or not further.
    """

    reading: Reading
    module: ModuleType | None = None
    tally: Judgements = field(default_factory=Judgements)
    witnesses: list[tuple[Judgement, tuple[Pair, ...]]] = field(default_factory=list)
    examples: list[Replayed] = field(default_factory=list)
    needs: list[tuple[Correction, ...]] | None = None
    broken: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the two programs agree on every position."""
        return not self.tally.counts["different"] and not self.tally.counts["failed"]


def show(found: Sequence[Finding], every: Sequence[Correction], options: argparse.Namespace, count: int) -> None:
    """Print what was found at so many positions; `every` correction is known by its number."""
    if options.format == "json":
        data = {
            "program": options.file,
            "against": options.against,
            "function": options.moves,
            "positions": count,
            "seed": options.seed,
            "readings": [_data(each) for each in found],
            "agreeing": [each.reading.mixture for each in found if each.agrees],
        }
        print(common.as_json(data))
        return
    positions = common.count(count, "position")
    print(f"{options.file} under each reading against {options.against}: {options.moves} at {positions}\n")
    for line in _table(found):
        print(line)
    for each in found if options.verbose else ():
        print(f"\n{each.reading.mixture}")
        _explain(each, options)
    agreeing = "; ".join(each.reading.mixture for each in found if each.agrees)
    conclusions = {
        0: "No reading agrees on every position.",
        1: f"Exactly one reading agrees on every position: {agreeing}.",
    }
    number = sum(each.agrees for each in found)
    several = f"{number} readings agree on every position: {agreeing}."
    print(("\n" if options.verbose else "") + conclusions.get(number, several))
    if options.corrections:
        _show_needs(found, every, options)


def _table(found: Sequence[Finding]) -> Iterator[str]:
    width = max(len(each.reading.mixture) for each in found)
    head = f"{'reading':{width}}   same  different  failed"
    yield head + "  recorded examples" * bool(found[0].examples)
    for each in found:
        counts, examples = each.tally.counts, each.examples
        row = f"{each.reading.mixture:{width}} {counts['same']:6} {counts['different']:10} {counts['failed']:7}"
        held = sum(one.holds for one in examples)
        yield row + (f"  {held:6} of {len(examples)}" if examples else "")


def _explain(found: Finding, options: argparse.Namespace) -> None:
    """The smallest positions without agreement, and the functions that are the reason; else which examples fail."""
    if found.broken:
        print(f"  {found.broken}")
    elif not found.witnesses:
        print("  agrees on every position")
        for example in found.examples:
            if not example.holds:
                print(f"  of the recorded examples fails {example.typed}")
                print(f"    it gave  {example.recorded}\n    it gives {example.found}")
    for judged, pairs in found.witnesses:
        for here, there in pairs[-1:]:
            print(f"  the first function whose result differs is {here.function}, called as\n    {here.applied}")
            print(f"    here it gives  {_outcome(here)}\n    there it gives {_outcome(there)}")
        print(f"  when {options.moves} is asked about")
        PrintPosition(judged.position)


def _show_needs(found: Sequence[Finding], every: Sequence[Correction], options: argparse.Namespace) -> None:
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


def _outcome(call: Call) -> str:
    return f"a fault: {call.fault}" if call.fault is not None else as_cpl(call.result)


def _data(found: Finding) -> dict[str, Any]:
    """One reading as data, without what was not asked, or is not there."""
    needs = [[f"{each.name}: {each.before} → {each.after}" for each in some] for some in found.needs or ()]
    fails = [each.line for each in found.examples if not each.holds]
    made: dict[str, Any] = {
        **found.reading.values,
        **{kind: found.tally.counts[kind] for kind in ("same", "different", "failed")},
        "examples": len(found.examples) or None,
        "examples_that_fail": fails if found.examples else None,
        "broken": found.broken or None,
        "corrections_needed": None if found.needs is None else needs,
        "witnesses": [_witness(judged, pairs) for judged, pairs in found.witnesses],
    }
    return {key: value for key, value in made.items() if value is not None}


def _witness(judged: Judgement, pairs: Sequence[Pair]) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": judged.agreement, "position": as_cpl(judged.position)}
    for here, there in pairs[-1:]:
        made |= {"call": here.applied, "here": _outcome(here), "there": _outcome(there)}
    return made
