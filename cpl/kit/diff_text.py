"""The difference of two programs as text for a terminal: plain lines, painted only by who passes a painter."""

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from difflib import ndiff
from itertools import zip_longest
from typing import Final

from cpl.diagnostics import printable
from cpl.kit.behaviour import Behaviour, Pair
from cpl.kit.changes import Change
from cpl.kit.difference import Commands, Difference, outcome_of

Painter = Callable[[str, str], str]
"""A text and what it is (`before`, `after`, `head`, `dim`) to the same text in colour."""

_CUT: Final = 150  # signs of an intermediate call


def plain(text: str, _: str) -> str:
    """No colour."""
    return text


def as_text(
    difference: Difference, width: int = 100, paint: Painter = plain, full: bool = False, brief: bool = False
) -> str:
    """The whole report. If not `full`, traces are shown where the two sides begin to differ, once for each such place,
    and for the first function that differs.

    With `brief`, what changed in the texts is shown without what stands around it; and unless `full`, of what the
    programs do only the calls in which the difference begins.
    """
    before, after = difference.names
    lines = [paint(f"{before} → {after}", "head"), ""]
    lines += [line for repair in difference.repairs for line in (*textwrap.wrap(f"{repair}.", width), "")]
    lines += [*_texts(difference, paint, brief), *_values(difference, paint)]
    if brief and not full:
        lines += _beginnings(difference, width, paint)
    else:
        lines += _behaviours(difference, width, paint, full)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _texts(difference: Difference, paint: Painter, brief: bool) -> Iterator[str]:
    kinds = [change.kind for change in difference.changes]
    if not kinds:
        yield paint("Text: the same definitions.", "head")
        yield ""
        return
    counts = [f"{kinds.count(kind)} {kind}" for kind in ("changed", "added", "removed") if kind in kinds]
    yield paint(f"Text: definitions {', '.join(counts)}", "head")
    yield ""
    for change in difference.changes:
        yield f"{paint(change.name, 'head')} {change.kind}  {_places(change)}"
        yield from _pieces(change, paint)
        old, new = printable(change.before).splitlines(), printable(change.after).splitlines()
        for line in ndiff(old, new) if not (brief and change.pieces) else ():
            if not line.startswith("?"):
                yield "    " + paint(line, {"-": "before", "+": "after"}.get(line[0], ""))
        yield ""


def _places(change: Change) -> str:
    return "  ".join(filter(None, [change.place_before, change.place_after]))


def _pieces(change: Change, paint: Painter) -> Iterator[str]:
    for piece in change.pieces:
        before, after = (" ".join(printable(text).split()) or "nothing" for text in (piece.before, piece.after))
        yield f"  {paint(before, 'before')}  →  {paint(after, 'after')}"


def _values(difference: Difference, paint: Painter) -> Iterator[str]:
    if difference.constants:
        yield paint("Constants of other values", "head")
        for constant in difference.constants:
            old, new = printable(constant.before), printable(constant.after)
            yield f"  {constant.name}: {paint(old, 'before')}  →  {paint(new, 'after')}"
        yield ""
    commands = difference.commands
    if commands.differ:
        yield paint("What the programs write and do by themselves", "head")
        for line in ndiff(_lines(commands, 0), _lines(commands, 1)):
            if not line.startswith("?"):
                yield "  " + paint(line, {"-": "before", "+": "after"}.get(line[0], ""))
        yield ""
    elif commands.before:
        yield "Both programs write the same by themselves."
        yield ""


def _lines(commands: Commands, side: int) -> list[str]:
    written, fault = ((commands.before, commands.fault_before), (commands.after, commands.fault_after))[side]
    return [*printable(written).splitlines(), *([f"fails: {printable(fault)}"] if fault else [])]


def _summary(difference: Difference, paint: Painter) -> str:
    if not difference.behaviours:
        return paint("Behaviour: there is no function of the same name on both sides.", "head")
    differing = sum(each.verdict == "different" for each in difference.behaviours)
    number = len(difference.behaviours)
    some = f"{number} functions do" if number != 1 else "1 function does"
    found = f"{differing} of {some} something else" if differing else "no difference was found"
    return paint(f"Behaviour: {found}", "head")


def _beginnings(difference: Difference, width: int, paint: Painter) -> Iterator[str]:
    """The calls in which the two sides begin to differ, once for each function, and who differs because of them."""
    yield _summary(difference, paint)
    differing = [each for each in difference.behaviours if each.verdict == "different"]
    if not differing:
        return
    yield ""
    begun: dict[str, list[Pair]] = {}
    for each in sorted(differing, key=lambda each: max(len(each.witness), len(each.failure))):
        for pairs in filter(None, (each.witness, each.failure)):
            known = begun.setdefault(pairs[-1][0].function, [])
            if not known or (each.name == pairs[-1][0].function and pairs[-1][0].applied != known[0][0].applied):
                known.append(pairs[-1])
    yield from _columns([pair for calls in begun.values() for pair in calls], difference, width, paint)
    others = [each.name for each in differing if each.name not in begun]
    if others:
        because = f"{', '.join(others)} {'differs' if len(others) == 1 else 'differ'} through {' and '.join(begun)}."
        yield from textwrap.wrap(because, width)
        yield ""
    yield paint("--verbose shows the texts and the calls in full, and how often each function differs.", "dim")


def _behaviours(difference: Difference, width: int, paint: Painter, full: bool) -> Iterator[str]:
    before, after = difference.names
    yield _summary(difference, paint)
    if not difference.behaviours:
        return
    differing = [each for each in difference.behaviours if each.verdict == "different"]
    if not difference.ordered:
        yield "Lists are compared without regard to their order."
    yield ""
    yield from _table(difference, paint)
    star = "* its text is changed.  " if any(each.name in difference.changed for each in difference.behaviours) else ""
    yield f"{star}A: {before}.  B: {after}."
    if differing:
        yield "Inputs that show a difference are preferred: the counts are no frequencies."
    yield ""
    shown: set[str] = set()
    for each in differing:
        culprits = {pairs[-1][0].function for pairs in (each.witness, each.failure) if pairs}
        if full or each is differing[0] or each.name in culprits - shown:
            yield from _function(each, difference, width, paint)
            shown |= culprits & {each.name}
        else:
            yield from textwrap.wrap(each.name + _route(each), width, subsequent_indent="    ")
            yield ""


def _table(difference: Difference, paint: Painter) -> Iterator[str]:
    heading = ("", "inputs", "same", "different", "A fails", "B fails", "")
    rows = [heading, *(_row(each, difference) for each in difference.behaviours)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heading))]
    kinds = ["dim", *({"same": "dim", "different": "before"}.get(each.verdict, "") for each in difference.behaviours)]
    for row, kind in zip(rows, kinds, strict=True):
        numbers = [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1], strict=True)]
        yield paint("  ".join(["", row[0].ljust(widths[0]), *numbers, row[-1]]).rstrip(), kind)
    yield ""


def _row(each: Behaviour, difference: Difference) -> tuple[str, ...]:
    name = each.name + (" *" if each.name in difference.changed else "")
    if each.note:
        return (name, *[""] * 5, each.note)
    counts = (each.inputs, each.same, each.different, *each.failed)
    return (name, *map(str, counts), f"{each.unclear} results are functions" if each.unclear else "")


def _route(behaviour: Behaviour) -> str:
    """By which calls a function comes to differ, in a line."""
    pairs = behaviour.witness or behaviour.failure
    return " differs through " + " → ".join(pair[0].function for pair in pairs[1:]) if len(pairs) > 1 else " differs"


def _function(behaviour: Behaviour, difference: Difference, width: int, paint: Painter) -> Iterator[str]:
    if behaviour.note:
        yield f"{paint(behaviour.name, 'head')}  {behaviour.note}"
        yield ""
        return
    said = f"smallest of {behaviour.different} on which results differ"
    for what, pairs in ((said, behaviour.witness), ("smallest on which one side fails", behaviour.failure)):
        if not pairs:
            continue
        yield f"{paint(behaviour.name, 'head')}  {what}"
        yield from _columns(pairs, difference, width, paint, nested=True)


def _columns(
    pairs: Sequence[Pair], difference: Difference, width: int, paint: Painter, nested: bool = False
) -> Iterator[str]:
    """Calls that both sides make, one below the other; if they are `nested`, each is made by the one before it."""
    before, after = difference.names
    column = (width - 7) // 2
    yield f"    {before[:column].ljust(column)} │ {after[:column]}"
    for depth, pair in enumerate(pairs):
        yield from _pair(pair, depth if nested else 0, not nested or depth + 1 == len(pairs), column, paint)
    if any(call.cut for call in pairs[-1]):
        yield "    It may be a call further inside that differs: there were too many to keep them all."
    yield ""


def _pair(pair: Pair, depth: int, last: bool, column: int, paint: Painter) -> Iterator[str]:
    """A call that both sides make, over its two results."""
    one, other = pair
    indent = "    " + "  " * depth
    call = one.applied
    for line in _wrapped(call if last or not depth else _cut(call), 2 * column + 3 - 2 * depth):
        yield indent + line
    results = [outcome_of(one, other), outcome_of(other, one)]
    room = column - 2 * depth - 2
    columns = [_wrapped(text if last else _cut(text), max(20, room)) for text in results]
    sign = "= "
    for mine, yours in zip_longest(*columns, fillvalue=""):
        yield f"{indent}{sign}{paint(mine.ljust(max(20, room)), 'before')} │ {paint(yours, 'after')}"
        sign = "  "


def _wrapped(text: str, width: int) -> list[str]:
    """Lines that end, where they can, after a comma between values that are long."""
    lines = [""]
    for piece in re.split(r"(?<=[)\]’],)|(?<= )", printable(text)):
        if len(lines[-1]) + len(piece.rstrip()) > width and lines[-1]:
            lines.append("")
        lines[-1] += piece
        while len(lines[-1].rstrip()) > width:
            lines[-1:] = [lines[-1][:width], lines[-1][width:]]
    return [line.rstrip() for line in lines]


def _cut(text: str) -> str:
    return text if len(text) <= _CUT else text[: _CUT - 1] + "…"
