"""Compare two programs: their texts in, all that differs out, as a value, as data, and as a report.

`cpl diff` and notebooks call `diff`. The texts are compared as surface trees, definition by definition, down to the
smallest parts that differ; what the functions do is compared by `behaviour`. Of a program in which
`F(x) = x > 5 → 0, x` became `F(x) = x > 6 → 0, x`, for example, the report begins

    Text of the definitions: 1 changed

    F changed  a.cpl:1:1  b.cpl:1:1
      5  →  6
        - F(x) = x > 5 → 0, x
        + F(x) = x > 6 → 0, x
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from textwrap import dedent
from typing import Any, Final, Literal

from cplrt import show

from cpl.compiler import loader, pipeline
from cpl.compiler.diagnostics import Diagnostic, Invalid, with_help
from cpl.compiler.messages import REPAIRED
from cpl.compiler.pipeline import Libraries, Meaning, Options
from cpl.compiler.readings import ReadingOption
from cpl.compiler.semantics import core
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.wording import counted
from cpl.display import drawn
from cpl.outside import printable
from cpl.study.compare.behaviour import Behaviour, FunctionComparison
from cpl.study.compare.experiment import Pair, Track, shared, untracked
from cpl.study.compare.report import (
    BOARDS,
    GAP,
    Calls,
    Fold,
    Folds,
    Marked,
    NameCell,
    Note,
    Part,
    PartHeading,
    Replacement,
    Replacements,
    ReportTable,
    Said,
    Sides,
    Summary,
    TableColumn,
    TableRow,
    as_text,
)
from cpl.study.run.limited import Outcome
from cpl.study.run.program import LoadedProgram
from cpl.study.run.record import Call
from cpl.study.run.values import same


class NoSuchFunction(Invalid):
    """A function to be compared is missing on one side."""


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

    A program is a path, the name of a packaged program, or a `Source`; if one wrong token keeps it from being parsed,
    it is repaired. Functions of the same name are run on the same inputs, about `inputs` each. Another `seed` gives
    other inputs, and if not `ordered`, the order of lists is ignored. The result is about these `functions` (CPL
    names), or about all of them. `reading` says how to read both programs, and `reading_b` how to read the second one
    instead.

    Printing the result gives the report of `cpl diff`, and a notebook shows its page.

    Raises CplError if a text has errors, Unreadable if a file cannot be read, and ValueError if a reading is unknown,
    no such function is on both sides, or `inputs` is not positive.
    """
    if inputs < 1:
        raise ValueError(f"functions are compared on 1 input or more, not {inputs}")

    left = pipeline.understand(loader.program(before), Options(reading, libraries, repair=True))
    right = pipeline.understand(loader.program(after), Options(reading_b or reading, libraries, repair=True))
    typed = (loader.called(before), loader.called(after))
    names = _names(left, right, typed, with_readings=bool(reading or reading_b))

    comparison = FunctionComparison(left, right, inputs, seed, ordered)
    for name in functions:
        if name not in comparison.names:
            raise NoSuchFunction(f"no function {name} is defined on both sides")

    comparison.explore(track)
    wanted_names = [name for name in comparison.left.functions if name in (functions or comparison.names)]
    with shared(comparison, jobs, cluster) as ask:
        behaviours = dict(track(ask(wanted_names), "comparing", len(wanted_names)))
    return Difference.of(comparison, [behaviours[name] for name in wanted_names], names)


def _names(left: Meaning, right: Meaning, typed: tuple[str, str], *, with_readings: bool) -> tuple[str, str]:
    """Name the two sides: by their files, with their readings where these were asked for. If these names are the same,
    as for files of one name in two folders, use what was `typed`; if that is the same too, number the sides.
    """
    before, after = left.main.source.name, right.main.source.name
    if with_readings:
        with_reading = (f"{before} ({left.main.reading.name})", f"{after} ({right.main.reading.name})")
        if with_reading[0] != with_reading[1]:
            return with_reading
    if before != after:
        return before, after
    if typed[0] != typed[1]:
        return typed
    return f"{before} (first)", f"{after} (second)"


@dataclass(frozen=True, repr=False)
class Difference:
    """The difference between two programs.

    `names` are theirs; `repairs` say how a text was repaired, and `misleading` is what else misleads in the texts.
    `changes` are the definitions whose text differs, and `constants` those whose value does; `commands` are the
    outcomes of the programs' own commands. `parameters` are the names of those of the first side's functions. If
    `checkers`, both are programs of checkers, whose positions are drawn.
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
        diagnostics = [*left.meaning.diagnostics, *right.meaning.diagnostics]
        repairs = [found for found in diagnostics if found.cause is REPAIRED]
        misleading = [*left.meaning.misleading, *right.meaning.misleading]
        return cls(
            names=names,
            repairs=tuple(f"{repair.span.source.name}: {with_help(repair)}" for repair in repairs),
            changes=tuple(changes(*meanings)),
            constants=tuple(_changed_constants(left, right, comparison.ordered)),
            commands=(left.commands, right.commands),
            behaviours=tuple(behaviours),
            parameters=parameters(left.meaning),
            ordered=comparison.ordered,
            seed=comparison.seed,
            checkers=all(meaning.library.host_part == "checkers" for meaning in meanings),
            misleading=tuple(found for found in misleading if found.cause is not REPAIRED),
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
        if not self.changes:
            return "Text: the same definitions."
        counts = Counter(change.kind for change in self.changes)
        listed = ", ".join(f"{counts[kind]} {kind}" for kind in ("changed", "added", "removed") if counts[kind])
        return f"Text of the definitions: {listed}"

    @property
    def behaviour_summary(self) -> str:
        """The number of functions that behave differently, in a sentence."""
        if not self.behaviours:
            return "Behaviour: there is no function of the same name on both sides."
        differing = len(self.differing)
        if not differing:
            return "Behaviour: no difference was found"
        verb = "behaves" if differing == 1 else "behave"
        return f"Behaviour: {differing} of {counted(len(self.behaviours), 'function')} {verb} differently"

    def to_dict(self) -> dict[str, Any]:
        """Return the same facts as plain data: what `cpl diff --format json` prints."""
        before, after = self.commands
        changed = self.changed
        return {
            "names": list(self.names),
            "repairs": list(self.repairs),
            "texts_differ": bool(self.changes),
            "behaviours_differ": self.behaviours_differ,
            "seed": self.seed,
            "ordered": self.ordered,
            "changes": [_change_data(change) for change in self.changes],
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
            "functions": [_behaviour_data(behaviour, behaviour.name in changed) for behaviour in self.behaviours],
        }

    def report(self, *, traces: bool = True, whole_texts: bool = True) -> Iterator[Part]:
        """Yield the report. Without `whole_texts`, only the pieces of the texts that differ are in it, and without
        `traces`, only the calls in which a difference of behaviour begins.
        """
        yield Sides(*self.names)
        yield GAP
        for repair in self.repairs:
            yield Note(f"{repair}.", is_wrapped=True)
            yield GAP
        yield Summary(self.text_summary)
        yield GAP
        for change in self.changes:
            yield from _change_parts(change, whole_texts)
        if self.constants:
            yield PartHeading("Constants of other values")
            yield Replacements([Replacement(change.name, change.before, change.after) for change in self.constants])
            yield GAP
        if self.commands_differ:
            before, after = self.commands
            yield PartHeading("What the programs write and do by themselves")
            yield Marked(_transcript(before), _transcript(after), is_cpl=False)
            yield GAP
        yield Summary(self.behaviour_summary)
        yield from _behaviours(self) if traces else _beginnings(self)

    def __repr__(self) -> str:
        return as_text(self.report(traces=False, whole_texts=False)).rstrip("\n")

    _repr_html_ = drawn


def _changed_constants(left: LoadedProgram, right: LoadedProgram, ordered: bool) -> Iterator["Change"]:
    """Yield the constants of both programs whose values differ."""
    for name, value in left.constants.items():
        if name in right.constants and not same(value, right.constants[name], ordered):
            yield Change(name, "changed", show(value), show(right.constants[name]))


def parameters(meaning: Meaning) -> dict[str, list[str]]:
    """Return the names of the parameters of a program's functions, by the functions' names."""
    names = {}
    for definition in meaning.core.definitions:
        if isinstance(definition, core.Function):
            names[definition.name.name] = [parameter.name for parameter in definition.parameters]
    return names


def _change_data(change: "Change") -> dict[str, Any]:
    pieces = [{"before": piece.before, "after": piece.after} for piece in change.pieces]
    return vars(change) | {"pieces": pieces}


def _behaviour_data(behaviour: Behaviour, is_changed: bool) -> dict[str, Any]:
    return {
        "name": behaviour.name,
        "text_changed": is_changed,
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
        "inner_calls": [nested.function for nested in call.inner[:100]],
    }


# Texts, compared as trees: blanks, comments and line ends do not count, and what is shown is verbatim

COMMANDS: Final = "commands"
"""The name given to the commands of the top level, which have none. No CPL name looks like it."""

ChangeKind = Literal["added", "removed", "changed"]
Statements = Sequence[nodes.Node]
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
    found = []
    for name in before | after:
        old, new = before.get(name, ()), after.get(name, ())
        if old != new:
            found.append(_change(name, old, new))
    return found


def _definitions(meaning: Meaning) -> dict[str, Statements]:
    """Return every definition by the names that it gives; of two of one name the one that the program uses."""
    definitions: dict[str, Statements] = {}
    for text in (meaning.main, *meaning.library.libraries, *meaning.library.companions):
        commands = []
        for statement in text.program.statements:
            for member in surface.members(statement):
                names = [name.name for name in surface.defined(member)]
                if names:
                    definitions.setdefault(",".join(names), (member,))
                elif not isinstance(member, nodes.Get):
                    commands.append(member)
        if commands:
            definitions.setdefault(COMMANDS, commands)
    return definitions


def _change(name: str, old: Statements, new: Statements) -> Change:
    before, after = _text(old), _text(new)
    places = _place(old), _place(new)
    if not old:
        return Change(name, "added", before, after, *places)
    if not new:
        return Change(name, "removed", before, after, *places)

    pairs = _aligned(old, new) if name == COMMANDS else _pairs(old[0], new[0])
    edits: dict[tuple[str, str], list[tuple[Span, str]]] = {}  # of all pairs with the same two texts, which show once
    for old_part, new_part in pairs:
        edits_of_pair = edits.setdefault((_bare(old_part), _bare(new_part)), [])
        if old_part and new_part:
            edits_of_pair.append((old_part.span, new_part.span.text))

    pieces = [
        ChangedPiece(name, *texts, tuple(edits_of_pair))
        for texts, edits_of_pair in edits.items()
        if texts != (before, after)
    ]
    return Change(name, "changed", before, after, *places, tuple(pieces))


def _pairs(old: Any, new: Any) -> list[NodePair]:
    """Return the smallest parts of two nodes that differ; None stands for one that is missing."""
    if old == new:
        return []
    if type(old) is not type(new) or isinstance(old, nodes.Operator | nodes.Parameter):
        return [(old, new)]

    pairs: list[NodePair] = []
    for before, after in zip(surface.values(old), surface.values(new), strict=True):
        if before != after:
            pairs_in_field = _pairs_in_field(old, before, after)
            if pairs_in_field is None:
                return [(old, new)]
            pairs += pairs_in_field
    return pairs


def _pairs_in_field(node: nodes.Node, old: Any, new: Any) -> list[NodePair] | None:
    """Return what differs in one field of a node; None if the node itself is the smallest thing to show."""
    match node, old, new:
        case _, nodes.Node(), nodes.Node():
            return _pairs(old, new)
        case ((nodes.Section() | nodes.Conditional() | nodes.Declarations() | nodes.Where()), tuple(), tuple()):
            return _aligned(old, new)
        case nodes.Chain(), tuple(), tuple() if _are_mostly_different(old, new):
            return None
        case _, tuple(), tuple() if _can_be_compared(old, new):
            pairs: list[NodePair] = []
            for before, after in zip(old, new, strict=True):
                pairs += _pairs(before, after)
            return pairs
        case _:
            return None


def _are_mostly_different(old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
    """Whether so much of a chain of operators differs that all of it is shown: in `a + b*c` and `x + y*c`, for example,
    two items of three operands. Operators that differ count as well.
    """
    operands = len(old) // 2 + 1  # between any two stands an operator
    differing = sum(1 for before, after in zip(old, new, strict=False) if before != after)
    return 2 * differing > operands


def _can_be_compared(old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
    """Whether two rows are equal but for nodes that can be shown by themselves, as an operator cannot."""
    if len(old) != len(new):
        return False
    return all(
        before == after or isinstance(before, nodes.Node) and not isinstance(before, nodes.Operator)
        for before, after in zip(old, new, strict=True)
    )


def _aligned(old: Statements, new: Statements) -> list[NodePair]:
    """Return what differs between two rows of statements or arms, some of which only one side has.

    Equal statements are aligned first. Of those between, the ones of the same kind and heading are the same statement,
    changed: in `let x = 1; let y = 2` and `let y = 3`, the first is missing, and the second has another value.
    """
    pairs: list[NodePair] = []
    for old_run, new_run in _unequal_runs(old, new, key=lambda node: node):
        for old_part, new_part in _unequal_runs(old_run, new_run, key=_kind_and_heading):
            for before, after in zip_longest(old_part, new_part):
                pairs += _pairs(before, after)
    return pairs


def _kind_and_heading(node: nodes.Node) -> tuple[type[nodes.Node], Any]:
    return type(node), getattr(node, "heading", None)


def _unequal_runs(
    old: Statements, new: Statements, key: Callable[[nodes.Node], Any]
) -> Iterator[tuple[Statements, Statements]]:
    """Align two rows by their keys; yield the runs of both that stand at the same place and are not equal."""
    matcher = SequenceMatcher(None, [*map(key, old)], [*map(key, new)], autojunk=False)
    for operation, first, last, start, end in matcher.get_opcodes():
        if operation != "equal" or old[first:last] != new[start:end]:
            yield old[first:last], new[start:end]


def _bare(node: nodes.Node | None) -> str:
    """Return a node's CPL, without the brackets round all of it."""
    while isinstance(node, nodes.Bracket) and len(node.items) == 1 and not node.square:
        [node] = node.items
    return node.span.text if node is not None else ""


def _text(statements: Statements) -> str:
    """Join the texts of statements, each with its own indentation, so that columns stay aligned."""
    texts = []
    for statement in statements:
        indentation = " " * (statement.span.column - 1)
        text = (indentation + statement.span.text).replace("\r\n", "\n")
        texts.append(dedent(text))
    return "\n".join(texts)


def _place(statements: Statements) -> str:
    """Return where statements begin, as `strachey.cpl:44:1`; nothing for a side that has none."""
    if not statements:
        return ""
    span = statements[0].span
    return f"{printable(span.source.shown)}:{span.line}:{span.column}"


# The report

_EXPERIMENT: Final = (
    "Each function was run on both sides on the same inputs: those that it gets while the programs run and, where "
    "there are few, small values that at least one side accepts."
)
_OTHERS: Final = (
    "* Its text is changed. Those of the others are the same: where they do something else, it is because of what "
    "they use."
)


def _change_parts(change: Change, whole_text: bool) -> Iterator[Part]:
    """Yield a definition that is not the same: the smallest pieces that differ, and both texts."""
    places = [place for place in (change.place_before, change.place_after) if place]
    yield PartHeading(change.name, (change.kind, *places))
    if change.pieces:
        yield Replacements([Replacement("", piece.before, piece.after) for piece in change.pieces])
    if whole_text or not change.pieces:
        yield Marked(change.before, change.after)
    yield GAP


def _transcript(commands: Outcome) -> str:
    """Return what a program writes by itself, and the fault that ends it, if one does."""
    transcript = commands.written.splitlines()
    if commands.fault:
        transcript.append(f"fails: {commands.fault}")
    return "\n".join(transcript)


def _beginnings(difference: Difference) -> Iterator[Part]:
    """Yield the calls in which the two sides begin to differ, and which functions differ because of them."""
    differing = difference.differing
    if not differing:
        return

    # For each function one call in which both sides have a result, and one in which a side fails; short paths first.
    starts: dict[tuple[str, bool], Pair] = {}
    for behaviour in sorted(differing, key=lambda behaviour: max(len(behaviour.witness), len(behaviour.failure))):
        for _, pairs in behaviour.examples:
            before, after = pairs[-1]
            is_failure = before.is_failed or after.is_failed
            starts.setdefault((before.function, is_failure), pairs[-1])

    yield GAP
    if starts:
        yield Calls([*starts.values()], difference.names)
    for behaviour in differing:
        if behaviour.unlike:
            yield Note(f"{behaviour.name} {behaviour.note}.")

    names = [*dict.fromkeys(name for name, _ in starts)]
    callers = [behaviour.name for behaviour in differing if behaviour.examples and behaviour.name not in names]
    if callers:
        verb = "differs" if len(callers) == 1 else "differ"
        yield Note(f"{', '.join(callers)} {verb} through {' and '.join(names)}.", is_wrapped=True)


def _behaviours(difference: Difference) -> Iterator[Part]:
    """Yield how often each function was the same, and how those come about that were not."""
    if not difference.behaviours:
        return
    before, after = difference.names
    yield GAP
    yield PartHeading(Said("", "What they do"))
    yield Note(Said("", _EXPERIMENT))
    yield _counts(difference)
    yield GAP
    yield Note(Said(f"* its text is changed.  A: {before}.  B: {after}.", _OTHERS))
    if not difference.ordered:
        yield Note("Lists are compared without regard to their order.")
    yield Note("Inputs that show a difference are preferred: the counts do not tell how often the two differ.")
    yield GAP
    folds = [_fold(behaviour, difference) for behaviour in difference.differing]
    yield Folds(folds, note=BOARDS if difference.checkers else "")


def _counts(difference: Difference) -> ReportTable:
    """Return the table of all functions."""
    before, after = difference.names
    name_width = 2 + max(len(behaviour.name) for behaviour in difference.behaviours)  # with a star
    columns = (
        TableColumn(Said("", "function"), name_width, is_number=False),
        TableColumn("inputs", 6),
        TableColumn("same", 4),
        TableColumn("different", 9),
        TableColumn(Said("A fails", f"only {before} fails"), 7),
        TableColumn(Said("B fails", f"only {after} fails"), 7),
    )
    changed = difference.changed
    rows = [_count_row(behaviour, behaviour.name in changed) for behaviour in difference.behaviours]
    return ReportTable(columns, rows, {"same": "same", "different": "different", "fails": "one fails"}, indent="  ")


def _count_row(behaviour: Behaviour, is_changed: bool) -> TableRow:
    counts, verdict = behaviour.counts, behaviour.verdict
    shares = {
        "same": counts["same"],
        "different": counts["different"],
        "fails": sum(behaviour.failed),
        "unclear": counts["unclear"],
    }
    name = NameCell(behaviour.name, "*" if is_changed else "", has_fold=verdict == "different")
    cells = (name, behaviour.inputs, counts["same"], counts["different"], *behaviour.failed)
    return TableRow(cells, behaviour.note, verdict, shares)


def _fold(behaviour: Behaviour, difference: Difference) -> Fold:
    """Return how a function differs, with the calls from it down to the one in which the difference begins. It is open
    if that is the function itself.
    """
    parts: list[Part] = []
    if behaviour.note:
        parts += [Note(Said(f"{behaviour.name}: {behaviour.note}", behaviour.note)), GAP]
    for sentence, pairs in behaviour.examples:
        parts.append(
            Calls(
                pairs,
                difference.names,
                heading=_example_heading(behaviour.name, sentence, pairs),
                nested=True,
                parameters=difference.parameters,
                boards=difference.checkers,
            )
        )

    origins = [*dict.fromkeys(pairs[-1][0].function for _, pairs in behaviour.examples)]
    is_open = not origins or behaviour.name in origins
    because = "" if is_open else " and ".join(origins)
    return Fold(behaviour.name, parts, because, is_open)


def _example_heading(function: str, sentence: str, pairs: Sequence[Pair]) -> Said:
    route = " → ".join(pair[0].function for pair in pairs[1:])
    through = f" differs through {route}" if route else ""
    text = f"{function}{through}: {sentence}; the smallest:"
    return Said(text, f"{sentence.capitalize()}; the smallest:")
