"""Compare two programs: their texts in, all that differs out, as a value, as data, and as a report.

`cpl diff` and notebooks call `diff`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest
from operator import ne
from pathlib import Path
from textwrap import dedent
from typing import Any, Final, Literal

from cplrt import show

from cpl.compiler import loader, pipeline
from cpl.compiler.diagnostics import Diagnostic, Invalid, with_help
from cpl.compiler.messages import REPAIRED
from cpl.compiler.pipeline import Libraries, Meaning, Options, ReadingOption
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
from cpl.study.run.limits import Outcome
from cpl.study.run.record import Call
from cpl.study.run.values import same


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
    readings = (reading, reading_b or reading)
    left, right = (
        pipeline.understand(loader.program(program), Options(wanted, libraries, repair=True))
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
        found = f"{differing} of {counted(number, 'function')} {verb} differently"
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
            yield PartHeading("What the programs write and do by themselves")
            before, after = map(_transcript, self.commands)
            yield Marked(before, after, is_cpl=False)
            yield GAP
        yield Summary(self.behaviour_summary)
        yield from _behaviours(self) if traces else _beginnings(self)

    def __repr__(self) -> str:
        return as_text(self.report(traces=False, whole_texts=False)).rstrip("\n")

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
    rows = ((name, before.get(name, ()), after.get(name, ())) for name in before | after)
    return [_change(name, old, new) for name, old, new in rows if old != new]


def _definitions(meaning: Meaning) -> dict[str, Statements]:
    """Return every definition by the names that it gives; of two of one name the one that the program uses."""
    definitions: dict[str, Statements] = {}
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


def _change(name: str, old: Statements, new: Statements) -> Change:
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


def _aligned(old: Statements, new: Statements) -> list[NodePair]:
    """Return what differs between two rows of statements or arms, some of which only one side has. A changed
    statement is recognised by its kind and its heading.
    """
    rows = (
        row
        for part in _paired(old, new, key=lambda node: node)
        for row in _paired(*part, key=lambda node: (type(node), getattr(node, "heading", None)))
    )
    return [pair for row in rows for members in zip_longest(*row) for pair in _pairs(*members)]


def _paired(
    old: Statements, new: Statements, key: Callable[[nodes.Node], Any]
) -> Iterator[tuple[Statements, Statements]]:
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


def _text(statements: Statements) -> str:
    """Join the texts of statements, each with its own indentation, so that columns stay aligned."""
    texts = [(" " * (node.span.column - 1) + node.span.text).replace("\r\n", "\n") for node in statements]
    return "\n".join(map(dedent, texts))


def _place(statements: Statements) -> str:
    """Return where statements begin, as `strachey.cpl:44:1`; nothing for a side that has none."""
    return "".join(
        f"{printable(node.span.source.shown)}:{node.span.line}:{node.span.column}" for node in statements[:1]
    )


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
    return "\n".join([*commands.written.splitlines(), *([f"fails: {commands.fault}"] if commands.fault else [])])


def _beginnings(difference: Difference) -> Iterator[Part]:
    """Yield the calls in which the two sides begin to differ, and which functions differ because of them."""
    differing = difference.differing
    if not differing:
        return
    starts: dict[tuple[str, bool], Pair] = {}  # one in which both have a result, one in which a side fails
    for behaviour in sorted(differing, key=lambda behaviour: max(len(behaviour.witness), len(behaviour.failure))):
        for pair in (pairs[-1] for _, pairs in behaviour.examples):
            starts.setdefault((pair[0].function, any(call.is_failed for call in pair)), pair)
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
    names = 2 + max(len(behaviour.name) for behaviour in difference.behaviours)
    columns = (
        TableColumn(Said("", "function"), names, is_number=False),
        TableColumn("inputs", 6),
        TableColumn("same", 4),
        TableColumn("different", 9),
        TableColumn(Said("A fails", f"only {before} fails"), 7),
        TableColumn(Said("B fails", f"only {after} fails"), 7),
    )
    rows = [_count_row(behaviour, behaviour.name in difference.changed) for behaviour in difference.behaviours]
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
    origins = dict.fromkeys(pairs[-1][0].function for _, pairs in behaviour.examples)
    is_open = not origins or behaviour.name in origins
    because = "" if is_open else " and ".join(origins)
    parts: list[Part] = []
    if behaviour.note:
        parts += [Note(Said(f"{behaviour.name}: {behaviour.note}", behaviour.note)), GAP]
    for sentence, pairs in behaviour.examples:
        route = " → ".join(pair[0].function for pair in pairs[1:])
        through = f" differs through {route}" if route else ""
        heading = Said(
            f"{behaviour.name}{through}: {sentence}; the smallest:", f"{sentence.capitalize()}; the smallest:"
        )
        parts.append(
            Calls(
                pairs,
                difference.names,
                heading,
                nested=True,
                parameters=difference.parameters,
                boards=difference.checkers,
            )
        )
    return Fold(behaviour.name, parts, because, is_open)
