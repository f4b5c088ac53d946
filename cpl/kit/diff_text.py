"""The difference of two programs as text for a terminal: plain lines, unless the caller passes a painter."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import TextWrapper, wrap
from typing import Final

from cpl.diagnostics import Paint, plain
from cpl.kit.behaviour import Behaviour
from cpl.kit.difference import CUT, Difference, marked, outcome_of, shortened, transcript
from cpl.kit.first_difference import Pair
from cpl.outside import printable

_LONGEST: Final = 150
"""Characters of a call that leads to the one that matters."""

_KEY: Final = "* its text is changed.  A: {}.  B: {}."
_ROW: Final = "  {:{}}  {:>6}  {:>4}  {:>9}  {:>7}  {:>7}  {}"


def as_text(
    difference: Difference, width: int = 100, paint: Paint = plain, traces: bool = True, whole_texts: bool = True
) -> str:
    """The whole report.

    Without `whole_texts`, only the pieces of the texts that differ are shown, and without `traces`, only the calls in
    which a difference of behaviour begins.
    """
    report = _Report(difference, width, paint)
    lines = [paint(" → ".join(difference.names), "head"), ""]
    lines += [line for repair in difference.repairs for line in (*wrap(f"{repair}.", width), "")]
    lines += [*report.texts(whole_texts), *report.values(), paint(difference.behaviour_summary, "head")]
    lines += report.behaviours() if traces else report.beginnings()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def as_summary(difference: Difference) -> str:
    """The report in brief, with the calls in which each difference begins."""
    return as_text(difference, traces=False, whole_texts=False).rstrip("\n")


@dataclass(frozen=True)
class _Report:
    difference: Difference
    width: int
    paint: Paint

    def texts(self, whole: bool) -> Iterator[str]:
        yield from (self.paint(self.difference.text_summary, "head"), "")
        for change in self.difference.changes:
            places = "  ".join(filter(None, [change.place_before, change.place_after]))
            yield f"{self.paint(change.name, 'head')} {change.kind}  {places}"
            yield from (f"  {self.arrow(piece.before, piece.after)}" for piece in change.pieces)
            if whole or not change.pieces:
                yield from self.marked(change.before, change.after)
            yield ""

    def arrow(self, *texts: str) -> str:
        before, after = (" ".join(printable(text).split()) or "nothing" for text in texts)
        return f"{self.paint(before, 'before')}  →  {self.paint(after, 'after')}"

    def marked(self, before: str, after: str) -> Iterator[str]:
        for line in marked(before, after):
            yield "    " + self.paint(line, {"-": "before", "+": "after"}.get(line[0], ""))

    def values(self) -> Iterator[str]:
        """Constants of other values, and what the programs write and do by themselves."""
        if found := self.difference.constants:
            lines = (f"  {each.name}: {self.arrow(each.before, each.after)}" for each in found)
            yield from (self.paint("Constants of other values", "head"), *lines, "")
        if self.difference.commands_differ:
            texts = self.marked(*map(transcript, self.difference.commands))
            yield from (self.paint("What the programs write and do by themselves", "head"), *texts, "")

    def beginnings(self) -> Iterator[str]:
        """The calls in which the two sides begin to differ, and which functions differ because of them."""
        starts: dict[tuple[str, bool], Pair] = {}  # one in which both have a result, one in which a side fails
        for each in sorted(self.difference.differing, key=lambda each: max(len(each.witness), len(each.failure))):
            for pair in (pairs[-1] for _, pairs in each.examples):
                starts.setdefault((pair[0].function, any(call.is_failed for call in pair)), pair)
        if not self.difference.differing:
            return
        yield from ("", *self.columns([*starts.values()]))
        yield from (f"{each.name} {each.note}." for each in self.difference.differing if each.unlike)
        names = [*dict.fromkeys(name for name, _ in starts)]
        if others := [each.name for each in self.difference.differing if each.examples and each.name not in names]:
            verb = "differs" if len(others) == 1 else "differ"
            yield from wrap(f"{', '.join(others)} {verb} through {' and '.join(names)}.", self.width)

    def behaviours(self) -> Iterator[str]:
        if not self.difference.behaviours:
            return
        yield from ("", *self.table(), "", _KEY.format(*self.difference.names))
        if not self.difference.ordered:
            yield "Lists are compared without regard to their order."
        yield from (
            "Inputs that show a difference are preferred: the counts do not tell how often the two differ.",
            "",
        )
        for each in self.difference.differing:
            yield from self.function(each)

    def table(self) -> Iterator[str]:
        width = 2 + max(len(each.name) for each in self.difference.behaviours)
        yield self.paint(_ROW.format("", width, "inputs", "same", "different", "A fails", "B fails", ""), "dim")
        for each in self.difference.behaviours:
            name = each.name + (" *" if each.name in self.difference.changed else "")
            counts = (each.inputs, each.counts["same"], each.counts["different"], *each.failed)
            kind = {"same": "dim", "different": "before"}.get(each.verdict, "")
            yield self.paint(_ROW.format(name, width, *counts, each.note).rstrip(), kind)

    def function(self, behaviour: Behaviour) -> Iterator[str]:
        """How a function differs, with the calls from it down to the one in which the difference begins."""
        if behaviour.note:
            yield from (f"{behaviour.name}: {behaviour.note}", "")
        for what, pairs in behaviour.examples:
            route = " → ".join(pair[0].function for pair in pairs[1:])
            through = f" differs through {route}" if route else ""
            lines = wrap(f"{behaviour.name}{through}: {what}; the smallest:", self.width)
            yield from (*(self.paint(line, "head") for line in lines), *self.columns(pairs, nested=True))

    def columns(self, pairs: Sequence[Pair], nested: bool = False) -> Iterator[str]:
        """Calls that both sides make, one below the other; if they are `nested`, each is made by the one before it."""
        before, after = self.difference.names
        column = (self.width - 7) // 2
        yield f"    {before[:column].ljust(column)} │ {after[:column]}"
        for depth, pair in enumerate(pairs):
            is_last = not nested or pair is pairs[-1]
            yield from self.pair(pair, depth if nested else 0, column, sys.maxsize if is_last else _LONGEST)
        if any(call.cut for call in pairs[-1]):
            yield f"    {CUT}"
        yield ""

    def pair(self, pair: Pair, depth: int, column: int, longest: int) -> Iterator[str]:
        """A call that both sides make, over its two results."""
        one, other = pair
        indent, room = "    " + "  " * depth, max(20, column - 2 * depth - 2)
        call = one.applied if not depth else shortened(one.applied, longest)
        yield from (indent + line for line in _wrapped(call, 2 * column + 3 - 2 * depth))
        results = (outcome_of(one, other), outcome_of(other, one))
        columns = [_wrapped(shortened(text, longest), room) for text in results]
        for row, (mine, yours) in enumerate(zip_longest(*columns, fillvalue="")):
            prefix = "  " if row else "= "
            yield f"{indent}{prefix}{self.paint(mine.ljust(room), 'before')} │ {self.paint(yours, 'after')}"


class _Wrapper(TextWrapper):
    """Ends lines, where it can, at blanks or after a comma between values that are long."""

    wordsep_simple_re = re.compile(r"(?<=[)\]’],)|( )")


def _wrapped(text: str, width: int) -> list[str]:
    return _Wrapper(width, break_on_hyphens=False).wrap(printable(text)) or [""]
