"""The names that a text defines: what each is, and the node that defines it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from cpl.outside import printable
from cpl.semantics.scope import as_function, parameters_of
from cpl.source import Span
from cpl.syntax import nodes, surface

NAMES = ("SMALL", "LARGE")
"""The kinds of token that are names."""

Kind = Literal["function", "routine", "constant", "variable", "parameter", "label", "type", "component"]


@dataclass(frozen=True)
class Definition:
    """A name at the place where it is defined. `node` defines it; `parameters` are those of what can be applied."""

    name: str
    kind: Kind
    span: Span
    node: nodes.Node
    parameters: tuple[nodes.Parameter, ...] | None = None

    @property
    def heading(self) -> str:
        """The name as it is defined: `F(x,y)`, `ref Knot : x`, `real Eps`."""
        match self.node:
            case nodes.Definition(heading=nodes.FunctionHeading() as heading) | nodes.Routine(heading=heading):
                return printable(" ".join(heading.span.text.split()))
            case nodes.Parameter():
                return heading_of(self.node)
            case _:
                return self.name


def heading_of(parameter: nodes.Parameter) -> str:
    """A parameter as it is defined: `ref Knot : x`."""
    mode = "" if parameter.mode == "value" else parameter.mode
    colon = ":" if parameter.kind[:1].isupper() else ""  # after the name of a type (T16)
    return " ".join(filter(None, [mode, parameter.kind, colon, parameter.name]))


def definitions(program: nodes.Program) -> Iterator[Definition]:
    """All names that a text defines, in order, those within its definitions too."""
    top = {id(member) for statement in program.statements for member in surface.members(statement)}
    for node in surface.walk(program):
        match node:
            case nodes.Definition() | nodes.Routine():
                yield from _defined(node, "constant" if id(node) in top else "variable")
            case nodes.Declaration(kind=kind, names=names):
                for name in names:
                    yield Definition(name.name, "label" if kind == "label" else "variable", name.span, node)
            case nodes.NodeType(name=name, components=components):
                yield Definition(name.name, "type", name.span, node, components)
                for component in components:
                    yield Definition(component.name, "component", component.span, component)
            case nodes.Element(name=name):
                yield Definition(name.name, "type", name.span, node, parameters_of(node))
            case nodes.Lambda(parameters=parameters):
                for parameter in parameters:
                    yield Definition(parameter.name, "parameter", parameter.span, node)
            case nodes.ForStep(name=name) | nodes.ForList(name=name):
                yield Definition(name.name, "variable", name.span, node)
            case nodes.Label(name=name):
                yield Definition(name.name, "label", name.span, node)


def _defined(node: nodes.Definition | nodes.Routine, value: Kind) -> Iterator[Definition]:
    """The names of a definition, of which one that is no function is of the kind `value`, and its parameters."""
    parameters = parameters_of(as_function(node))
    kind: Kind = "routine" if isinstance(node, nodes.Routine) else "function" if parameters is not None else value
    kind = "label" if surface.declared(node) == "label" else kind
    for name in surface.defined(node):
        yield Definition(name.name, kind, name.span, node, parameters)
    if isinstance(node.heading, nodes.FunctionHeading):
        for parameter in node.heading.parameters:
            yield Definition(parameter.name, "parameter", parameter.span, parameter)
