"""Compare two programs: their texts in, all that differs out, as a value, as data, and as text for a terminal.

`cpl diff` and notebooks call `diff`; `cpl.views.changes` makes a page of its result.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher, ndiff
from itertools import zip_longest
from operator import ne
from pathlib import Path
from textwrap import TextWrapper, dedent, wrap
from typing import Any, Final, Literal

from cplrt import show

from cpl import compiler, loader
from cpl.compare.behaviour import Behaviour, FunctionComparison
from cpl.compare.experiment import Pair, Track, shared, untracked
from cpl.compiler import Libraries, Meaning, Options, ReadingOption
from cpl.diagnostics import Diagnostic, Invalid, Paint, plain, with_help
from cpl.display import drawn
from cpl.messages import REPAIRED
from cpl.outside import printable
from cpl.run.limits import Outcome
from cpl.run.record import Call
from cpl.run.values import same, shortened
from cpl.semantics import core
from cpl.source import Source, Span
from cpl.syntax import nodes, surface


def diff(
    before: str | Path | Source,
    after: str | Path | Source,
    *,
    inputs: int = 100,
    seed: int = 0,
    ordered: bool = True,
    functions: Sequence[str] = (),
    reading: ReadingOption = None,
    reading_b: ReadingOption = None,
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
    names = _names((left, right), [*map(loader.called, (before, after))], with_readings=readings != (None, None))
    comparison = FunctionComparison(left, right, inputs, seed, ordered)
    if missing := [name for name in functions if name not in comparison.names]:
        raise Invalid(f"no function {missing[0]} is defined on both sides")
    comparison.explore(track)
    wanted_names = [name for name in comparison.left.functions if name in (functions or comparison.names)]
    with shared(comparison, jobs, cluster) as ask:
        behaviours = dict(track(ask(wanted_names), "comparing", len(wanted_names)))
    return Difference.of(comparison, [behaviours[name] for name in wanted_names], names)


def _names(meanings: Sequence[Meaning], typed: Sequence[str], *, with_readings: bool) -> tuple[str, str]:
    """Name the two sides: by their files and how these are read, or whatever else tells them apart."""
    files = [meaning.main.source.name for meaning in meanings]
    read = [f"{meaning.main.source.name} ({meaning.main.reading.name})" for meaning in meanings]
    numbered = [f"{file} ({place})" for file, place in zip(files, ("first", "second"), strict=True)]
    left, right = next(
        names for names in (read if with_readings else files, files, typed, numbered) if names[0] != names[1]
    )
    return left, right


CUT: Final = "It may be a call further inside that differs: there were too many to keep them all."
"""What a report says below calls of which some are not recorded."""


@dataclass(frozen=True, repr=False)
class Difference:
    """The difference between two programs. `names` are theirs, `repairs` say how a text was repaired, `misleading` is
    what else misleads in the texts, `commands` are the outcomes of the programs' own commands, `parameters` what those
    of the first side's functions are called.
    """

    names: tuple[str, str]
    repairs: tuple[str, ...]
    changes: tuple["Change", ...]
    constants: tuple["Change", ...]
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
            f"{diagnostic.span.source.name}: {with_help(diagnostic)}"
            for meaning in meanings
            for diagnostic in meaning.diagnostics
            if diagnostic.cause is REPAIRED
        ]
        misleading = [
            diagnostic for meaning in meanings for diagnostic in meaning.misleading if diagnostic.cause is not REPAIRED
        ]
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
        """The number of definitions that are not the same, in a sentence."""
        counts = Counter(change.kind for change in self.changes)
        listed = ", ".join(f"{counts[kind]} {kind}" for kind in ("changed", "added", "removed") if counts[kind])
        return f"Text of the definitions: {listed}" if listed else "Text: the same definitions."

    @property
    def behaviour_summary(self) -> str:
        """The number of functions that behave differently, in a sentence."""
        number, differing = len(self.behaviours), len(self.differing)
        if not number:
            return "Behaviour: there is no function of the same name on both sides."
        verb = "behaves" if differing == 1 else "behave"
        found = f"{differing} of {number} function{'s' if number > 1 else ''} {verb} differently"
        return f"Behaviour: {found if differing else 'no difference was found'}"

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
            "functions": [
                {
                    "name": behaviour.name,
                    "text_changed": behaviour.name in self.changed,
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
                for behaviour in self.behaviours
            ],
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
        "inner_calls": [nested.function for nested in call.inner[:100]],
    }


# Texts, compared as trees: blanks, comments and line ends do not count, and what is shown is verbatim

COMMANDS: Final = "commands"
"""The name given to the commands of the top level, which have none. No CPL name looks like it."""

ChangeKind = Literal["added", "removed", "changed"]
Row = Sequence[nodes.Node]
NodePair = tuple[nodes.Node | None, nodes.Node | None]


@dataclass(frozen=True)
class ChangedPiece:
    """The smallest expressions or commands of a definition that are not the same; one of them is empty where something
    is missing.

    `edits` turn the one into the other, wherever in the definition it stands: what to write in place of what. There are
    none for what one side lacks.
    """

    definition: str
    before: str
    after: str
    edits: tuple[tuple[Span, str], ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Change:
    """A definition that is not the same on both sides: its CPL verbatim, and what is different within it.

    `before` or `after` is empty if the definition is on one side only; `pieces` are empty if the
    two have nothing in common. Places are as editors take them, `strachey.cpl:44:1`.
    """

    name: str
    kind: ChangeKind
    before: str = ""
    after: str = ""
    place_before: str = ""
    place_after: str = ""
    pieces: tuple[ChangedPiece, ...] = ()


def changes(left: Meaning, right: Meaning) -> list[Change]:
    """Return all definitions that are not the same, companions' and libraries' too, in the order of the texts."""
    before, after = _definitions(left), _definitions(right)
    rows = ((name, before.get(name, ()), after.get(name, ())) for name in before | after)
    return [_change(name, old, new) for name, old, new in rows if old != new]


def _definitions(meaning: Meaning) -> dict[str, Row]:
    """Return every definition by the names that it gives; of two of one name the one that the program uses."""
    definitions: dict[str, Row] = {}
    for text in (meaning.main, *meaning.library.libraries, *meaning.library.companions):
        commands = []
        for part in (part for statement in text.program.statements for part in surface.members(statement)):
            if names := [name.name for name in surface.defined(part)]:
                definitions.setdefault(",".join(names), (part,))
            elif not isinstance(part, nodes.Get):
                commands.append(part)
        if commands:
            definitions.setdefault(COMMANDS, commands)
    return definitions


def _change(name: str, old: Row, new: Row) -> Change:
    kind: ChangeKind = "added" if not old else "removed" if not new else "changed"
    texts, places = (_text(old), _text(new)), (_place(old), _place(new))
    pieces: dict[tuple[str, str], list[tuple[Span, str]]] = {}  # each once, with the edits of all that are like it
    if kind == "changed":
        for before, after in _aligned(old, new) if name == COMMANDS else _pairs(old[0], new[0]):
            edits = pieces.setdefault((_bare(before), _bare(after)), [])
            if before and after:
                edits.append((before.span, after.span.text))
    changed = [ChangedPiece(name, *piece, tuple(edits)) for piece, edits in pieces.items() if piece != texts]
    return Change(name, kind, *texts, *places, tuple(changed))


def _pairs(old: Any, new: Any) -> list[NodePair]:
    """Return the smallest parts of two nodes that differ; None stands for one that is missing."""
    if old == new:
        return []
    if type(old) is not type(new) or isinstance(old, nodes.Operator | nodes.Parameter):
        return [(old, new)]
    fields = zip(surface.values(old), surface.values(new), strict=True)
    parts = [_within(old, before, after) for before, after in fields if before != after]
    return [(old, new)] if None in parts else [pair for pairs in parts for pair in pairs or ()]


def _within(node: nodes.Node, old: Any, new: Any) -> list[NodePair] | None:
    """Return what differs in one field of a node; None if the node itself is the smallest thing to show."""
    match node, old, new:
        case _, nodes.Node(), nodes.Node():
            return _pairs(old, new)
        case ((nodes.Section() | nodes.Conditional() | nodes.Declarations() | nodes.Where()), tuple(), tuple()):
            return _aligned(old, new)
        case nodes.Chain(), tuple(), tuple() if 2 * sum(map(ne, old, new)) > len(old) // 2 + 1:
            return None
        case _, tuple(), tuple() if len(old) == len(new) and all(
            before == after or isinstance(before, nodes.Node) and not isinstance(before, nodes.Operator)
            for before, after in zip(old, new, strict=True)
        ):
            return [pair for members in zip(old, new, strict=True) for pair in _pairs(*members)]
        case _:
            return None


def _aligned(old: Row, new: Row) -> list[NodePair]:
    """Return what differs between two rows of statements or arms, some of which only one side has. A changed
    statement is recognised by its kind and its heading.
    """
    rows = (
        row
        for part in _paired(old, new, key=lambda node: node)
        for row in _paired(*part, key=lambda node: (type(node), getattr(node, "heading", None)))
    )
    return [pair for row in rows for members in zip_longest(*row) for pair in _pairs(*members)]


def _paired(old: Row, new: Row, key: Callable[[nodes.Node], Any]) -> Iterator[tuple[Row, Row]]:
    """Yield parts of two rows that belong together, as what is between them has the same keys, but no equal ones."""
    matcher = SequenceMatcher(None, [*map(key, old)], [*map(key, new)], autojunk=False)
    for operation, first, last, start, end in matcher.get_opcodes():
        if operation != "equal" or old[first:last] != new[start:end]:
            yield old[first:last], new[start:end]


def _bare(node: nodes.Node | None) -> str:
    """Return a node's CPL, without the brackets round all of it."""
    while isinstance(node, nodes.Bracket) and len(node.items) == 1 and not node.square:
        [node] = node.items
    return node.span.text if node is not None else ""


def _text(statements: Row) -> str:
    """Join the texts of statements, each with its own indentation, so that columns stay aligned."""
    texts = [(" " * (node.span.column - 1) + node.span.text).replace("\r\n", "\n") for node in statements]
    return "\n".join(map(dedent, texts))


def _place(statements: Row) -> str:
    """Return where statements begin, as `strachey.cpl:44:1`; nothing for a side that has none."""
    return "".join(
        f"{printable(node.span.source.shown)}:{node.span.line}:{node.span.column}" for node in statements[:1]
    )


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
            yield self.paint("What the programs write and do by themselves", "head")
            yield from (*self.marked(*map(transcript, self.difference.commands)), "")

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
        callers = [behaviour.name for behaviour in differing if behaviour.examples and behaviour.name not in names]
        if callers:
            verb = "differs" if len(callers) == 1 else "differ"
            yield from wrap(f"{', '.join(callers)} {verb} through {' and '.join(names)}.", self.width)

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
        for row, (before, after) in enumerate(zip_longest(*columns, fillvalue="")):
            prefix = "  " if row else "= "
            yield f"{indent}{prefix}{self.paint(before.ljust(room), 'before')} │ {self.paint(after, 'after')}"


def outcome_of(call: Call, other: Call) -> str:
    """Write the outcome of a call in one line of CPL, with whatever else differs from the other side."""
    text = f"fails: {call.fault}" if call.is_failed else call.fault or show(call.result)
    if call.written != other.written:
        text += f", writes ‘{call.written.rstrip()}’"
    if call.after and show(call.after) != show(other.after):
        text += f", leaves {show(call.after)}"
    here, there = ({name: show(value) for name, value in side.variables} for side in (call, other))
    return text + "".join(f", leaves {name} = {here[name]}" for name in here if here[name] != there.get(name))


def transcript(commands: Outcome) -> str:
    """Return what a program writes by itself, and the fault that ends it, if one does."""
    return "\n".join([*commands.written.splitlines(), *([f"fails: {commands.fault}"] if commands.fault else [])])


def marked(before: str, after: str) -> list[str]:
    """Return the lines of both texts, each behind a minus, a plus, or a blank if both have it."""
    lines = ndiff(printable(before).splitlines(), printable(after).splitlines())
    return [line for line in lines if not line.startswith("?")]


class _Wrapper(TextWrapper):
    """A wrapper that ends lines, where it can, at blanks or after a comma between values that are long."""

    wordsep_simple_re = re.compile(r"(?<=[)\]’],)|( )")


def _wrapped(text: str, width: int) -> list[str]:
    return _Wrapper(width, break_on_hyphens=False).wrap(printable(text)) or [""]
