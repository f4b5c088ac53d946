"""What the readings of a program do, as text for a terminal."""

from collections.abc import Iterator
from typing import Any

from cplrt.checkers import PrintPosition

from cpl.kit.limits import outcome
from cpl.kit.reading_experiment import Finding
from cpl.kit.readings_comparison import ReadingComparison, result_of


def as_summary(comparison: ReadingComparison) -> str:
    """The table and the conclusion."""
    return as_text(comparison, witnesses=False).rstrip("\n")


def as_text(comparison: ReadingComparison, *, witnesses: bool) -> str:
    """The report; with `witnesses`, the smallest positions without agreement, and why."""
    return "\n".join(_lines(comparison, witnesses)) + "\n"


def _lines(comparison: ReadingComparison, witnesses: bool) -> Iterator[str]:
    found, count = comparison.findings, comparison.positions
    positions = f"{count} position{'s' if count != 1 else ''}"
    yield f"{comparison.program} under each reading against {comparison.against}: {comparison.function} at {positions}"
    yield ""
    width = max(len(each.reading.mixture) for each in found)
    yield f"{'reading':{width}}   same  different  failed" + "  recorded examples" * bool(found[0].examples)
    yield from (_row(each, width) for each in found)
    for each in found if witnesses else ():
        yield from ("", each.reading.mixture, *_explained(each, comparison.function))
    yield from [""] * witnesses
    yield comparison.conclusion
    if comparison.corrections is not None:
        yield from _needs(comparison, width)


def _row(found: Finding, width: int) -> str:
    counts, examples = found.tally.counts, found.examples
    row = f"{found.reading.mixture:{width}} {counts['same']:6} {counts['different']:10} {counts['failed']:7}"
    held = sum(one.holds for one in examples)
    return row + (f"  {held:6} of {len(examples)}" if examples else "")


def _explained(found: Finding, function: str) -> Iterator[str]:
    """The smallest positions without agreement, and the functions that are the reason; else which examples fail."""
    if found.broken:
        yield f"  {found.broken}"
    elif not found.witnesses:
        yield "  agrees on every position"
        for example in found.examples:
            if not example.holds:
                yield f"  this recorded example fails: {example.typed}"
                yield f"    expected {example.recorded}"
                yield f"    found    {example.found}"
    for position, pairs in found.witnesses.values():
        for here, there in pairs[-1:]:
            yield f"  the first function whose result differs is {here.function}, called as"
            yield f"    {here.applied}"
            yield f"    here it gives  {result_of(here)}"
            yield f"    there it gives {result_of(there)}"
        yield f"  for this argument of {function}:"
        yield _board(position)


def _board(position: Any) -> str:
    return outcome(PrintPosition, [position]).written.rstrip("\n")


def _needs(comparison: ReadingComparison, width: int) -> Iterator[str]:
    """Which of all corrections each reading needs."""
    yield from ("", f"The corrections of {comparison.against}")
    for number, correction in enumerate(comparison.corrections or (), start=1):
        yield f"  {number}  {correction.definition}: {correction.before} becomes {correction.after}"
    yield from ("", f"{'reading':{width}}  corrections needed to agree on every position")
    yield from (f"{each.reading.mixture:{width}}  {comparison.choices(each)}" for each in comparison.findings)
