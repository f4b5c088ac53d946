"""The difference of two programs as text for a terminal: plain lines, unless the caller passes a painter."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import ndiff
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from cpl.diagnostics import printable
from cpl.kit.behaviour import Behaviour
from cpl.kit.difference import Difference, outcome_of
from cpl.kit.divergence import Pair
from cpl.kit.limits import Outcome
from cpl.kit.traces import Call

Painter = Callable[[str, str], str]
"""From a text and what it is (`before`, `after`, `head`, `dim`) to the same text in colour."""

_CUT: Final = 150  # characters of an intermediate call


def plain(text: str, _: str) -> str:
    """No colour."""
    return text


def as_text(
    difference: Difference, width: int = 100, paint: Painter = plain, full: bool = False, brief: bool = False
) -> str:
    """The whole report. If not `full`, traces are shown where the two sides begin to differ, once for each such place,
    and for the first function that differs.

    With `brief`, changed texts are shown without their context, and of the behaviour, unless `full`, only the calls in
    which the difference begins.
    """
    report = _Report(difference, width, paint)
    before, after = difference.names
    lines = [paint(f"{before} → {after}", "head"), ""]
    lines += [line for repair in difference.repairs for line in (*wrap(f"{repair}.", width), "")]
    lines += [*report.texts(brief), *report.values(), report.summary()]
    lines += report.beginnings() if brief and not full else report.behaviours(full)
    return "\n".join(line.rstrip() for line in lines) + "\n"


@dataclass(frozen=True)
class _Report:
    difference: Difference
    width: int
    paint: Painter

    def section(self, title: str, lines: Iterable[str] = ()) -> Iterator[str]:
        """Lines below a heading, and a blank one."""
        yield from (self.paint(title, "head"), *lines, "")

    def texts(self, brief: bool) -> Iterator[str]:
        counts = self.difference.change_counts
        yield from self.section(f"Text: definitions {counts}" if counts else "Text: the same definitions.")
        for change in self.difference.changes:
            places = "  ".join(filter(None, [change.place_before, change.place_after]))
            yield f"{self.paint(change.name, 'head')} {change.kind}  {places}"
            for piece in change.pieces:
                texts = (" ".join(printable(text).split()) or "nothing" for text in (piece.before, piece.after))
                yield f"  {self.arrow(*texts)}"
            if not (brief and change.pieces):
                yield from self.marked(printable(change.before), printable(change.after), "    ")
            yield ""

    def arrow(self, before: str, after: str) -> str:
        return f"{self.paint(before, 'before')}  →  {self.paint(after, 'after')}"

    def marked(self, old: str, new: str, indent: str) -> Iterator[str]:
        """The lines of both texts, those that differ with a sign and in colour."""
        for line in ndiff(old.splitlines(), new.splitlines()):
            if not line.startswith("?"):
                yield indent + self.paint(line, {"-": "before", "+": "after"}.get(line[0], ""))

    def values(self) -> Iterator[str]:
        found, (one, other) = self.difference.constants, self.difference.commands
        if found:
            lines = (f"  {each.name}: {self.arrow(printable(each.before), printable(each.after))}" for each in found)
            yield from self.section("Constants of other values", lines)
        if self.difference.commands_differ:
            marked = self.marked(_written(one), _written(other), "  ")
            yield from self.section("What the programs write and do by themselves", marked)
        elif one.written:
            yield from ("Both programs write the same by themselves.", "")

    def summary(self) -> str:
        number, differing = len(self.difference.behaviours), len(self.difference.differing)
        some = f"{number} functions do" if number != 1 else "1 function does"
        found = f"{differing} of {some} something else" if differing else "no difference was found"
        text = found if number else "there is no function of the same name on both sides."
        return self.paint(f"Behaviour: {text}", "head")

    def beginnings(self) -> Iterator[str]:
        """The calls in which the two sides begin to differ, once for each function, and who differs because of them."""
        differing = self.difference.differing
        if not differing:
            return
        starts: dict[str, list[Pair]] = {}
        for each in sorted(differing, key=lambda each: max(len(each.witness), len(each.failure))):
            for pair in each.divergences:
                function, applied = pair[0].function, pair[0].applied
                known = starts.setdefault(function, [])
                if not known or (each.name == function and applied != known[0][0].applied):
                    known.append(pair)
        yield from ("", *self.columns([pair for calls in starts.values() for pair in calls]))
        if others := [each.name for each in differing if each.name not in starts]:
            verb = "differs" if len(others) == 1 else "differ"
            yield from (*wrap(f"{', '.join(others)} {verb} through {' and '.join(starts)}.", self.width), "")
        yield self.paint("--verbose shows the texts and the calls in full, and how often each function differs.", "dim")

    def behaviours(self, full: bool) -> Iterator[str]:
        differing = self.difference.differing
        if not self.difference.behaviours:
            return
        if not self.difference.ordered:
            yield "Lists are compared without regard to their order."
        yield from ("", *self.table(), "", self.key())
        if differing:
            yield "Inputs that show a difference are preferred: the counts are no frequencies."
        yield ""
        for each in differing:
            if full or each is differing[0] or each.name in each.culprits:
                yield from self.function(each)
            else:
                route = " → ".join(pair[0].function for pair in (each.witness or each.failure)[1:])
                line = f"{each.name} differs{' through ' if route else ''}{route}"
                yield from (*wrap(line, self.width, subsequent_indent="    "), "")

    def table(self) -> Iterator[str]:
        heading = ("", "inputs", "same", "different", "A fails", "B fails", "")
        rows = [heading, *map(self.row, self.difference.behaviours)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        kinds = {"same": "dim", "different": "before"}
        for row, verdict in zip(rows, ["same", *(each.verdict for each in self.difference.behaviours)], strict=True):
            numbers = [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1], strict=True)]
            line = "  ".join(["", row[0].ljust(widths[0]), *numbers, row[-1]])
            yield self.paint(line.rstrip(), kinds.get(verdict, ""))

    def key(self) -> str:
        """What the table's signs mean."""
        before, after = self.difference.names
        is_starred = any(each.name in self.difference.changed for each in self.difference.behaviours)
        return f"{'* its text is changed.  ' if is_starred else ''}A: {before}.  B: {after}."

    def row(self, each: Behaviour) -> tuple[str, ...]:
        name = each.name + (" *" if each.name in self.difference.changed else "")
        if each.note:
            return (name, *[""] * 5, each.note)
        counts = (each.inputs, each.counts["same"], each.counts["different"], *each.failed)
        unclear = each.counts["unclear"]
        return (name, *map(str, counts), f"{unclear} results are functions" if unclear else "")

    def function(self, behaviour: Behaviour) -> Iterator[str]:
        name = self.paint(behaviour.name, "head")
        if behaviour.note:
            yield from (f"{name}  {behaviour.note}", "")
            return
        results = f"smallest of {behaviour.counts['different']} on which results differ"
        for what, pairs in ((results, behaviour.witness), ("smallest on which one side fails", behaviour.failure)):
            if pairs:
                yield from (f"{name}  {what}", *self.columns(pairs, nested=True))

    def columns(self, pairs: Sequence[Pair], nested: bool = False) -> Iterator[str]:
        """Calls that both sides make, one below the other; if they are `nested`, each is made by the one before it."""
        before, after = self.difference.names
        column = (self.width - 7) // 2
        yield f"    {before[:column].ljust(column)} │ {after[:column]}"
        for depth, pair in enumerate(pairs):
            is_last = not nested or depth + 1 == len(pairs)
            yield from self.pair(*pair, depth if nested else 0, is_last, column)
        if any(call.cut for call in pairs[-1]):
            yield "    It may be a call further inside that differs: there were too many to keep them all."
        yield ""

    def pair(self, one: Call, other: Call, depth: int, is_last: bool, column: int) -> Iterator[str]:
        """A call that both sides make, over its two results."""
        indent, room = "    " + "  " * depth, max(20, column - 2 * depth - 2)
        call = one.applied if is_last or not depth else _cut(one.applied)
        yield from (indent + line for line in _wrapped(call, 2 * column + 3 - 2 * depth))
        results = (outcome_of(one, other), outcome_of(other, one))
        columns = [_wrapped(text if is_last else _cut(text), room) for text in results]
        for row, (mine, yours) in enumerate(zip_longest(*columns, fillvalue="")):
            prefix = "  " if row else "= "
            yield f"{indent}{prefix}{self.paint(mine.ljust(room), 'before')} │ {self.paint(yours, 'after')}"


def _written(found: Outcome) -> str:
    """What a program writes, and the fault that ends it, if one does."""
    written = printable(found.written)
    return "\n".join([*written.splitlines(), *([f"fails: {printable(found.fault)}"] if found.fault else [])])


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
