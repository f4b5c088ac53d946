"""Compare two programs: their texts in, all that differs out, as a value, as data, and as text for a terminal.

`cpl diff` and notebooks call `diff`; `cpl.views.changes` makes a page of its result.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import ndiff
from itertools import zip_longest
from pathlib import Path
from textwrap import TextWrapper, wrap
from typing import Any, Final

from cplrt import show

from cpl import compiler, loader
from cpl.compare.behaviour import Behaviour, FunctionComparison
from cpl.compare.experiment import Pair, Track, shared, untracked
from cpl.compare.texts import Change, changes
from cpl.compiler import Libraries, Meaning, Options, Wanted
from cpl.diagnostics import Diagnostic, Invalid, Paint, plain
from cpl.display import drawn
from cpl.messages import REPAIRED
from cpl.outside import printable
from cpl.run.limits import Outcome
from cpl.run.record import Call
from cpl.run.values import same, shortened
from cpl.semantics import core
from cpl.source import Source


def diff(
    before: str | Path | Source,
    after: str | Path | Source,
    *,
    inputs: int = 100,
    seed: int = 0,
    ordered: bool = True,
    functions: Sequence[str] = (),
    reading: Wanted = None,
    reading_b: Wanted = None,
    libraries: Libraries = (),
    track: Track = untracked,
    jobs: int = 1,
    cluster: str | None = None,
) -> "Difference":
    """Compare two programs: their definitions, and what their functions do.

    A program is a path, the name of a packaged program, or a `Source`; if one wrong token stops it from compiling, it
    is repaired. Functions of the same name are run on the same inputs, about so many each. Another `seed` gives other
    inputs, and if not `ordered`, the order of lists is ignored. The result is about these `functions` (CPL names), or
    about all of them. `reading` says how to read both programs, and `reading_b` how to read the second one instead.

    The result is printed as `cpl diff` reports it, and notebooks show it as its page does.

    Raises CplError if a text is at fault, Unreadable if a file cannot be read, ValueError if a reading is unknown, no
    such function is on both sides, or there are to be no inputs.
    """
    if inputs < 1:
        raise ValueError(f"functions are compared on 1 input or more, not {inputs}")
    readings = (reading, reading_b or reading)
    left, right = (
        compiler.understand(loader.program(program), Options(wanted, libraries, repair=True))
        for program, wanted in zip((before, after), readings, strict=True)
    )
    typed = [*map(loader.called, (before, after))]
    names = _names((left, right), typed, with_readings=readings != (None, None))
    comparison = FunctionComparison(left, right, inputs, seed, ordered)
    for name in functions:
        if name not in comparison.names:
            raise Invalid(f"no function {name} is defined on both sides")
    comparison.explore(track)
    wanted_names = [name for name in comparison.left.functions if name in (functions or comparison.names)]
    with shared(comparison, jobs, cluster) as ask:
        behaviours = dict(track(ask(wanted_names), "comparing", len(wanted_names)))
    return Difference.of(comparison, [behaviours[name] for name in wanted_names], names)


def _names(meanings: Sequence[Meaning], typed: Sequence[str], *, with_readings: bool) -> tuple[str, str]:
    """Name the two sides: by their files and how these are read, or whatever else tells them apart."""
    texts = [meaning.main for meaning in meanings]
    files = [text.source.name for text in texts]
    candidates = [
        [f"{text.source.name} ({text.reading.name})" for text in texts] if with_readings else (),
        files,
        () if with_readings else typed,
        [printable(text.source.shown) for text in texts],
        [f"{file} ({place})" for file, place in zip(files, ("first", "second"), strict=True)],
    ]
    left, right = next(names for names in candidates if len({*names}) > 1)
    return left, right


CUT: Final = "It may be a call further inside that differs: there were too many to keep them all."
"""What a report says below calls of which some are not recorded."""


@dataclass(frozen=True, repr=False)
class Difference:
    """What differs between two programs. `names` are theirs, `repairs` say how a text was repaired, `misleading` is
    what else misleads in the texts, `commands` are the outcomes of the programs' own commands, `parameters` what those
    of the first side's functions are called.
    """

    names: tuple[str, str]
    repairs: tuple[str, ...]
    changes: tuple[Change, ...]
    constants: tuple[Change, ...]
    commands: tuple[Outcome, Outcome]
    behaviours: tuple[Behaviour, ...]
    parameters: dict[str, list[str]]
    ordered: bool
    seed: int
    checkers: bool
    misleading: tuple[Diagnostic, ...]

    @classmethod
    def of(
        cls, comparison: FunctionComparison, behaviours: Sequence[Behaviour], names: tuple[str, str]
    ) -> "Difference":
        """Put together all that is known of two programs."""
        left, right = comparison.left, comparison.right
        meanings = (left.meaning, right.meaning)
        constants = [
            Change(name, "changed", show(value), show(right.constants[name]))
            for name, value in left.constants.items()
            if name in right.constants and not same(value, right.constants[name], comparison.ordered)
        ]
        repairs = [
            f"{diagnostic.span.source.name}: {diagnostic.message}: {diagnostic.help}"
            for meaning in meanings
            for diagnostic in meaning.diagnostics
            if diagnostic.cause is REPAIRED
        ]
        misleading = [found for meaning in meanings for found in meaning.misleading if found.cause is not REPAIRED]
        return cls(
            names,
            tuple(repairs),
            tuple(changes(*meanings)),
            tuple(constants),
            (left.commands, right.commands),
            tuple(behaviours),
            parameters(left.meaning),
            comparison.ordered,
            comparison.seed,
            all(meaning.library.host_part == "checkers" for meaning in meanings),
            tuple(misleading),
        )

    @property
    def changed(self) -> set[str]:
        """The names of the definitions whose text is changed."""
        return {change.name for change in self.changes if change.kind == "changed"}

    @property
    def differing(self) -> list[Behaviour]:
        """The functions that behave differently."""
        return [behaviour for behaviour in self.behaviours if behaviour.verdict == "different"]

    @property
    def commands_differ(self) -> bool:
        """Whether the programs do different things by themselves."""
        return self.commands[0] != self.commands[1]

    @property
    def behaviours_differ(self) -> bool:
        """Whether any run came out differently."""
        return bool(self.constants or self.commands_differ or self.differing)

    @property
    def text_summary(self) -> str:
        """How many definitions are not the same."""
        counts = Counter(change.kind for change in self.changes)
        listed = ", ".join(f"{counts[kind]} {kind}" for kind in ("changed", "added", "removed") if counts[kind])
        return f"Text of the definitions: {listed}" if listed else "Text: the same definitions."

    @property
    def behaviour_summary(self) -> str:
        """How many functions behave differently."""
        number, differing = len(self.behaviours), len(self.differing)
        if not number:
            return "Behaviour: there is no function of the same name on both sides."
        if not differing:
            return "Behaviour: no difference was found"
        verb = "behaves" if differing == 1 else "behave"
        return f"Behaviour: {differing} of {number} function{'s' if number > 1 else ''} {verb} differently"

    def to_dict(self) -> dict[str, Any]:
        """Return the same facts as plain data: what `cpl diff --format json` prints."""
        before, after = self.commands
        return {
            "names": list(self.names),
            "repairs": list(self.repairs),
            "texts_differ": bool(self.changes),
            "behaviours_differ": self.behaviours_differ,
            "seed": self.seed,
            "ordered": self.ordered,
            "changes": [
                vars(change) | {"pieces": [{"before": piece.before, "after": piece.after} for piece in change.pieces]}
                for change in self.changes
            ],
            "constants": [
                {"name": constant.name, "before": constant.before, "after": constant.after}
                for constant in self.constants
            ],
            "commands": {
                "before": before.written,
                "after": after.written,
                "fault_before": before.fault,
                "fault_after": after.fault,
                "differ": self.commands_differ,
            },
            "functions": [_behaviour_data(behaviour, behaviour.name in self.changed) for behaviour in self.behaviours],
        }

    def __repr__(self) -> str:
        return as_text(self, traces=False, whole_texts=False).rstrip("\n")

    _repr_html_ = drawn


def parameters(meaning: Meaning) -> dict[str, list[str]]:
    """Return what the parameters of a program's functions are called."""
    return {
        definition.name.name: [parameter.name for parameter in definition.parameters]
        for definition in meaning.core.definitions
        if isinstance(definition, core.Function)
    }


def _behaviour_data(behaviour: Behaviour, text_changed: bool) -> dict[str, Any]:
    return {
        "name": behaviour.name,
        "text_changed": text_changed,
        "verdict": behaviour.verdict,
        "inputs": behaviour.inputs,
        "natural": behaviour.natural,
        "same": behaviour.counts["same"],
        "different": behaviour.counts["different"],
        "failed_before": behaviour.counts["before fails"],
        "failed_after": behaviour.counts["after fails"],
        "unclear": behaviour.counts["unclear"],
        "refused": behaviour.counts["refused"],
        "note": behaviour.note,
        "unlike": behaviour.unlike,
        "witness": [_pair_data(*pair) for pair in behaviour.witness],
        "failure": [_pair_data(*pair) for pair in behaviour.failure],
    }


def _pair_data(left: Call, right: Call) -> dict[str, Any]:
    return {
        "function": left.function,
        "arguments": [show(argument) for argument in left.arguments],
        "before": _outcome_data(left),
        "after": _outcome_data(right),
        "cut": left.is_cut or right.is_cut,
    }


def _outcome_data(call: Call) -> dict[str, Any]:
    return {
        "result": None if call.fault is not None else show(call.result),
        "fault": call.fault,
        "written": call.written,
        "left": [show(argument) for argument in call.after],
        "variables": {name: show(value) for name, value in call.variables},
        "inner_calls": [inner.function for inner in call.inner[:100]],
    }


# The report

_LONGEST: Final = 150
"""Characters of a call that leads to the one that matters."""

_KEY: Final = "* its text is changed.  A: {}.  B: {}."
_ROW: Final = "  {:{}}  {:>6}  {:>4}  {:>9}  {:>7}  {:>7}  {}"


def as_text(
    difference: Difference, width: int = 100, paint: Paint = plain, traces: bool = True, whole_texts: bool = True
) -> str:
    """Write the whole report as plain lines, unless `paint` paints them.

    Without `whole_texts`, only the pieces of the texts that differ are shown, and without `traces`, only the calls in
    which a difference of behaviour begins.
    """
    report = _Report(difference, width, paint)
    lines = [paint(" → ".join(difference.names), "head"), ""]
    lines += [line for repair in difference.repairs for line in (*wrap(f"{repair}.", width), "")]
    lines += [*report.texts(whole_texts), *report.values(), paint(difference.behaviour_summary, "head")]
    lines += report.behaviours() if traces else report.beginnings()
    return "\n".join(line.rstrip() for line in lines) + "\n"


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
        """Yield the constants of other values, and what the programs write and do by themselves."""
        if self.difference.constants:
            yield self.paint("Constants of other values", "head")
            for constant in self.difference.constants:
                yield f"  {constant.name}: {self.arrow(constant.before, constant.after)}"
            yield ""
        if self.difference.commands_differ:
            texts = self.marked(*map(transcript, self.difference.commands))
            yield from (self.paint("What the programs write and do by themselves", "head"), *texts, "")

    def beginnings(self) -> Iterator[str]:
        """Yield the calls in which the two sides begin to differ, and which functions differ because of them."""
        differing = self.difference.differing
        if not differing:
            return
        starts: dict[tuple[str, bool], Pair] = {}  # one in which both have a result, one in which a side fails
        for behaviour in sorted(differing, key=lambda behaviour: max(len(behaviour.witness), len(behaviour.failure))):
            for pair in (pairs[-1] for _, pairs in behaviour.examples):
                starts.setdefault((pair[0].function, any(call.is_failed for call in pair)), pair)
        yield from ("", *self.columns([*starts.values()]))
        yield from (f"{behaviour.name} {behaviour.note}." for behaviour in differing if behaviour.unlike)
        names = [*dict.fromkeys(name for name, _ in starts)]
        others = [behaviour.name for behaviour in differing if behaviour.examples and behaviour.name not in names]
        if others:
            verb = "differs" if len(others) == 1 else "differ"
            yield from wrap(f"{', '.join(others)} {verb} through {' and '.join(names)}.", self.width)

    def behaviours(self) -> Iterator[str]:
        if not self.difference.behaviours:
            return
        yield from ("", *self.table(), "", _KEY.format(*self.difference.names))
        if not self.difference.ordered:
            yield "Lists are compared without regard to their order."
        yield "Inputs that show a difference are preferred: the counts do not tell how often the two differ."
        yield ""
        for behaviour in self.difference.differing:
            yield from self.function(behaviour)

    def table(self) -> Iterator[str]:
        width = 2 + max(len(behaviour.name) for behaviour in self.difference.behaviours)
        yield self.paint(_ROW.format("", width, "inputs", "same", "different", "A fails", "B fails", ""), "dim")
        for behaviour in self.difference.behaviours:
            name = behaviour.name + (" *" if behaviour.name in self.difference.changed else "")
            counts = (behaviour.inputs, behaviour.counts["same"], behaviour.counts["different"], *behaviour.failed)
            kind = {"same": "dim", "different": "before"}.get(behaviour.verdict, "")
            yield self.paint(_ROW.format(name, width, *counts, behaviour.note).rstrip(), kind)

    def function(self, behaviour: Behaviour) -> Iterator[str]:
        """Yield how a function differs, with the calls from it down to the one in which the difference begins."""
        if behaviour.note:
            yield from (f"{behaviour.name}: {behaviour.note}", "")
        for sentence, pairs in behaviour.examples:
            route = " → ".join(pair[0].function for pair in pairs[1:])
            through = f" differs through {route}" if route else ""
            lines = wrap(f"{behaviour.name}{through}: {sentence}; the smallest:", self.width)
            yield from (*(self.paint(line, "head") for line in lines), *self.columns(pairs, nested=True))

    def columns(self, pairs: Sequence[Pair], nested: bool = False) -> Iterator[str]:
        """Yield calls that both sides make, one below the other; `nested` ones are each made by the one before it."""
        before, after = self.difference.names
        column = (self.width - 7) // 2
        yield f"    {before[:column].ljust(column)} │ {after[:column]}"
        for depth, pair in enumerate(pairs):
            is_last = not nested or pair is pairs[-1]
            yield from self.pair(pair, depth if nested else 0, column, sys.maxsize if is_last else _LONGEST)
        if any(call.is_cut for call in pairs[-1]):
            yield f"    {CUT}"
        yield ""

    def pair(self, pair: Pair, depth: int, column: int, longest: int) -> Iterator[str]:
        """Yield a call that both sides make, over its two results."""
        left, right = pair
        indent, room = "    " + "  " * depth, max(20, column - 2 * depth - 2)
        call = left.applied if not depth else shortened(left.applied, longest)
        yield from (indent + line for line in _wrapped(call, 2 * column + 3 - 2 * depth))
        results = (outcome_of(left, right), outcome_of(right, left))
        columns = [_wrapped(shortened(text, longest), room) for text in results]
        for row, (mine, yours) in enumerate(zip_longest(*columns, fillvalue="")):
            prefix = "  " if row else "= "
            yield f"{indent}{prefix}{self.paint(mine.ljust(room), 'before')} │ {self.paint(yours, 'after')}"


def outcome_of(call: Call, other: Call) -> str:
    """Write the outcome of a call in one line of CPL, with whatever else differs from the other side."""
    text = f"fails: {call.fault}" if call.is_failed else call.fault or show(call.result)
    if call.written != other.written:
        text += f", writes ‘{call.written.rstrip()}’"
    if call.after and show(call.after) != show(other.after):
        text += f", leaves {show(call.after)}"
    others = {name: show(value) for name, value in other.variables}
    for name, value in call.variables:
        if show(value) != others.get(name):
            text += f", leaves {name} = {show(value)}"
    return text


def transcript(commands: Outcome) -> str:
    """Return what a program writes by itself, and the fault that ends it, if one does."""
    return "\n".join([*commands.written.splitlines(), *([f"fails: {commands.fault}"] if commands.fault else [])])


def marked(before: str, after: str) -> list[str]:
    """Return the lines of both texts, each behind a minus, a plus, or a blank if both have it."""
    lines = ndiff(printable(before).splitlines(), printable(after).splitlines())
    return [line for line in lines if not line.startswith("?")]


class _Wrapper(TextWrapper):
    """Ends lines, where it can, at blanks or after a comma between values that are long."""

    wordsep_simple_re = re.compile(r"(?<=[)\]’],)|( )")


def _wrapped(text: str, width: int) -> list[str]:
    return _Wrapper(width, break_on_hyphens=False).wrap(printable(text)) or [""]
