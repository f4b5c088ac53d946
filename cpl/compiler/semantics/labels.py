"""The names of labels: which of them a jump sees. What labels and jumps become is decided in `jumps`.

A label belongs to its section, and the sections among its commands are nothing but scopes: a jump from outside may lead
into them. Jumps leave routines, but no function and no value block. A label variable has its name among the labels.
"""

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, groupby
from typing import TypeGuard

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core
from cpl.compiler.source import Span
from cpl.compiler.syntax import nodes, surface

LabelOrVariable = core.LabelName | core.Local
"""What a name means among the labels."""


class LabelScope:
    """The labels and label variables in scope while the statements of a function or a value block are resolved."""

    def __init__(self, outer: "LabelScope | None" = None) -> None:
        self._outer = outer
        """The labels that jumps lead to that leave this routine."""
        self._meant: ChainMap[str, LabelOrVariable] = ChainMap()

    @contextmanager
    def section(self, statements: Sequence[nodes.Statement]) -> Iterator[list[Diagnostic]]:
        """The inside of a section, and the diagnostics of labels that it has twice."""
        own: dict[str, LabelOrVariable] = {}
        labels = [statement.name for statement in statements if isinstance(statement, nodes.Label)]
        for name in (*labels, *labels_in(statements)):  # those of sections further in may be jumped to (G9)
            own.setdefault(name.name, label_name(name))

        diagnostics: list[Diagnostic] = []
        for name in chain.from_iterable(map(named, statements)):
            first = own.get(name.name)
            if first and first.span != name.span:
                related = [(first.span, "a label here")]
                diagnostics.append(report(messages.DEFINED_TWICE, name.span, related=related, name=name.name))

        outer = self._meant
        self._meant = self._meant.new_child(own)
        yield diagnostics
        self._meant = outer

    def meaning(self, name: str) -> LabelOrVariable | None:
        """What a name means in this function or value block."""
        return self._meant.get(name)

    def lookup(self, name: str) -> LabelOrVariable | None:
        """What a name means for a jump, which may leave routines."""
        scope: LabelScope | None = self
        while scope is not None:
            meaning = scope.meaning(name)
            if meaning:
                return meaning
            scope = scope._outer
        return None

    def declare(self, name: str, variable: core.Local) -> None:
        """Bind the name to this label variable from here to the end of the section."""
        self._meant[name] = variable

    @property
    def names(self) -> dict[str, Span]:
        """The names in scope, and where they stand."""
        return {name: label.span for name, label in self._meant.items()}


def label_name(name: nodes.Name) -> core.LabelName:
    """The label of this name that stands here."""
    return core.LabelName(name.name, name.span.end, span=name.span)


def named(node: nodes.Node) -> list[nodes.Name]:
    """The label, or the label variables, that a statement defines."""
    if isinstance(node, nodes.Label):
        return [node.name]
    return surface.defined(node) if surface.declared(node) == "label" else []


def labels_in(statements: Sequence[nodes.Statement]) -> Iterator[nodes.Name]:
    """The labels among statements, and in the sections among them, which are nothing but scopes."""
    for statement in statements:
        match statement:
            case nodes.Label(name=name):
                yield name
            case nodes.Section(statements=inner):
                yield from labels_in(inner)


def defined_labels(heading: nodes.Heading, value: nodes.Expression) -> list[tuple[nodes.Name, nodes.Expression]]:
    """The names of a heading with the labels that it gives them; none if the numbers differ."""
    names = [*surface.names_in(heading)]
    values = value.items if len(names) > 1 and is_list(value) else (value,)
    return [*zip(names, values, strict=True)] if len(names) == len(values) else []


def leaves(value: nodes.Expression) -> Iterator[nodes.Expression]:
    """The values that a conditional chooses from, or the one value that is no conditional."""
    match value:
        case nodes.Bracket(items=(only,), square=False):
            yield from leaves(only)
        case nodes.Conditional(arms=arms, otherwise=otherwise):
            for arm in arms:
                yield from leaves(arm.value)
            yield from leaves(otherwise)
        case _:
            yield value


def is_list(node: nodes.Expression) -> TypeGuard[nodes.Bracket]:
    """Whether it is a list in round brackets, and no grouping."""
    return isinstance(node, nodes.Bracket) and not node.square and len(node.items) > 1


def matched(
    targets: Sequence[nodes.Expression], values: Sequence[nodes.Expression]
) -> Iterator[tuple[nodes.Expression, nodes.Expression]]:
    """Each target with its value, also those within lists of equal length. One without the other is left out."""
    for target, value in zip(targets, values, strict=False):
        if is_list(target) and is_list(value) and len(target.items) == len(value.items):
            yield from matched(target.items, value.items)
        else:
            yield target, value


def out_of_reach(name: nodes.Name | LabelOrVariable, labels: Mapping[str, Sequence[nodes.Name]]) -> Diagnostic:
    """The diagnostic of a label that is not in reach of a jump, with the nearest of the `labels` of this name."""
    in_text = [label for label in labels.get(name.name, ()) if label.span.source is name.span.source]
    if not in_text:
        return report(messages.NO_LABEL, name.span, name=name.name)
    nearest = min(in_text, key=lambda label: abs(label.span.start - name.span.start))
    help = (
        "a jump leaves no function and no value block, enters no section (evidence D32), "
        "and passes no definition of the top level"
    )
    return report(messages.NO_LABEL, name.span, help=help, related=[(nearest.span, "it is here")], name=name.name)


def in_sections(statements: Iterable[nodes.Statement]) -> Iterator[nodes.Statement]:
    """Put commands of the top level that follow each other into a section, from the first label or jump to the last
    one; to the last command if there are label variables.

        let n = 3                             let n = 3
        Write("a")                            Write("a")
        L: n := n - 1                         § L: n := n - 1
        if n > 0 then go to L                   if n > 0 then go to L §
        Write("b")                            Write("b")
    """
    for are_definitions, run in groupby(statements, _defines):
        several = list(run)
        has_variables = not are_definitions and any(map(surface.defined, several))
        has_labels = not are_definitions and any(isinstance(statement, nodes.Label) for statement in several)
        if has_labels or has_variables:
            jumping = [at for at, statement in enumerate(several) if _jumps(statement)]
            start = jumping[0]
            end = len(several) if has_variables else jumping[-1] + 1
            inside = several[start:end]
            several[start:end] = [nodes.Section(tuple(inside), span=inside[0].span.to(inside[-1].span))]
        yield from several


def _defines(statement: nodes.Statement) -> bool:
    """Whether a statement defines names of the top level. Label variables belong to the commands."""
    is_definition = bool(surface.defined(statement)) and surface.declared(statement) != "label"
    return is_definition or isinstance(statement, nodes.Get)


def _jumps(statement: nodes.Statement) -> bool:
    """Whether a statement is a label, defines label variables, or contains jumps."""
    return bool(named(statement)) or any(isinstance(part, nodes.GoTo) for part in surface.walk(statement))
