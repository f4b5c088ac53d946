"""The names that a text defines: what each is, and the node that defines it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from cpl.compiler.semantics.scope import as_function, parameters_of
from cpl.compiler.source import Span
from cpl.compiler.syntax import nodes, surface
from cpl.outside import printable

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
    types = (node for node in surface.walk(program) if isinstance(node, nodes.NodeType))
    components = {id(component) for node in types for component in node.components}
    for name, node in surface.bindings(program):
        parameters = parameters_of(as_function(node) if isinstance(node, nodes.Definition) else node)
        kind = _KINDS.get(type(node), "variable")
        if surface.declared(node) == "label":
            kind = "label"
        elif isinstance(node, nodes.Definition) and (parameters is not None or id(node) in top):
            kind = "constant" if parameters is None else "function"
        elif id(node) in components:
            kind = "component"
        yield Definition(name.name, kind, name.span, node, parameters)


_KINDS: Final[dict[type[nodes.Node], Kind]] = {
    nodes.Routine: "routine",
    nodes.NodeType: "type",
    nodes.Element: "type",
    nodes.Parameter: "parameter",
    nodes.Lambda: "parameter",
    nodes.Label: "label",
}
"""The kinds of names by the nodes that define them; all others are variables."""
