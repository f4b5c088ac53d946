"""The labels of a function or a value block: which its sections have, and which of them a label variable may hold.

Jumps leave routines, but no function and no value block, so their text tells all labels that their variables may hold.
Labels that are jumped to from routines, and labels in arrays, may be far away: they are values of their own.
"""

from collections import ChainMap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeGuard

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core
from cpl.source import Span
from cpl.syntax import nodes, surface


class Labels:
    """The labels and label variables of a function or a value block while its statements are resolved."""

    def __init__(self, statements: Sequence[nodes.Statement] = (), outer: "Labels | None" = None) -> None:
        self.outer = outer
        """The labels that jumps lead to that leave this routine."""
        self.activations: dict[core.Local, core.Local] = {}
        """For each label the variable of the `Landing` that its commands are, if they become one."""
        self.valued: set[core.Local] = set()
        """The labels that are values, or are jumped to from routines."""
        self._meant: ChainMap[str, core.Local] = ChainMap()
        self.reached: tuple[core.Local, ...] = ()
        """The labels of the sections round this place, also those whose names others have further in."""
        parts = [*_parts(statements)]
        self._labels = [part.name for part in parts if isinstance(part, nodes.Label)]
        targets = (target for part in parts if isinstance(part, nodes.Assignment) for target in part.targets)
        self.assigned = {
            part.name for target in targets for part in surface.walk(target) if isinstance(part, nodes.Name)
        }
        """The names of variables that get labels by assignment, among others."""
        values = (part for part in parts if isinstance(part, nodes.Definition | nodes.Assignment))
        self._held = {part.name for value in values for part in surface.walk(value) if isinstance(part, nodes.Name)}

    @contextmanager
    def section(self, statements: Sequence[nodes.Statement]) -> Iterator[list[Diagnostic]]:
        """The inside of a section, and the diagnostics of labels that it has twice."""
        own: dict[str, core.Local] = {}
        labels = [statement.name for statement in statements if isinstance(statement, nodes.Label)]
        for name in (*labels, *within(statements)):  # those of sections further in may be jumped to (G9)
            own.setdefault(name.name, core.Local(name.name, -name.span.end, span=name.span))
        diagnostics = [
            report(messages.DEFINED_TWICE, name.span, related=[(first.span, "a label here")], name=name.name)
            for name in (name for statement in statements for name in named(statement))
            if (first := own.get(name.name)) and first.span != name.span
        ]
        outer = self._meant, self.reached
        self._meant, self.reached = self._meant.new_child(own), tuple(dict.fromkeys([*self.reached, *own.values()]))
        yield diagnostics
        self._meant, self.reached = outer

    def meaning(self, name: str) -> core.Local | None:
        """The label or the label variable that a name means in this place."""
        return self._meant.get(name)

    def owner(self, name: str) -> "Labels | None":
        """The labels round this place in which a name means a label, beyond routines, too."""
        owner: Labels | None = self
        while owner and not owner.meaning(name):
            owner = owner.outer
        return owner

    def as_value(self, label: core.Local, span: Span) -> core.LabelValue:
        """The label as a value."""
        self.valued.add(label)
        return core.LabelValue(self.activations[label], label, self.value(label), span=span)

    @property
    def names(self) -> dict[str, Span]:
        """The names of the labels in scope, and where they stand."""
        return {name: label.span for name, label in self._meant.items()}

    def share(self, name: str, meaning: core.Local) -> None:
        """Bind the name to this label or variable from here to the end of the section."""
        self._meant[name] = meaning

    def value(self, label: core.Local) -> str:
        """Return the string that represents a label in variables: its name, numbered if other labels have the same."""
        same = [namesake.span for namesake in self._labels if namesake.name == label.name]
        return f"{label.name}_{number}" if (number := same.index(label.span)) else label.name

    def with_value(self, value: core.Expression) -> core.Local | None:
        """The label that this stands for."""
        return next(
            (label for label in self.reached if value == core.Literal(self.value(label), span=value.span)), None
        )

    def held(self) -> tuple[list[core.Local], bool]:
        """The labels in reach that a label variable may hold, and whether it may hold others."""
        within = [label for label in self.reached if label.name in self._held]
        every = {label.span for label in self._labels if label.name in self._held}
        return within, bool(every - {label.span for label in within})


def named(node: nodes.Node) -> list[nodes.Name]:
    """The label, or the label variables, that a statement defines."""
    if isinstance(node, nodes.Label):
        return [node.name]
    return surface.defined(node) if surface.declared(node) == "label" else []


def within(statements: Sequence[nodes.Statement]) -> Iterator[nodes.Name]:
    """The labels among statements, and in the sections among them, which are nothing but scopes."""
    for statement in statements:
        match statement:
            case nodes.Label(name=name):
                yield name
            case nodes.Section(statements=inner):
                yield from within(inner)


def defined(heading: nodes.Heading, value: nodes.Expression) -> list[tuple[nodes.Name, nodes.Expression]]:
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
            for choice in (*[arm.value for arm in arms], otherwise):
                yield from leaves(choice)
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


def _parts(statements: Sequence[nodes.Statement]) -> Iterator[nodes.Node]:
    """The nodes within the statements that are in no value block and no routine further in."""
    waiting = list[nodes.Node](reversed(statements))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, nodes.ValueBlock | nodes.Routine):
            waiting += reversed(surface.children(node))


def out_of_reach(name: nodes.Name, labels: Sequence[nodes.Name]) -> Diagnostic:
    """The diagnostic of a label that is not in reach of a jump, with the nearest of these `labels` of the text."""
    beside = [label for label in labels if label.span.source is name.span.source]
    if not beside:
        return report(messages.NO_LABEL, name.span, name=name.name)
    nearest = min(beside, key=lambda label: abs(label.span.start - name.span.start))
    help = (
        "a jump leaves no function and no value block, enters no section (evidence D32), "
        "and passes no definition of the top level"
    )
    return report(messages.NO_LABEL, name.span, help=help, related=[(nearest.span, "it is here")], name=name.name)
