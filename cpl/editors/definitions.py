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
    words = []
    if parameter.mode != "value":
        words.append(parameter.mode)
    if parameter.kind:
        words.append(parameter.kind)
    if parameter.kind[:1].isupper():  # the name of a type, after which a colon stands (T16)
        words.append(":")
    return " ".join([*words, parameter.name])


def definitions(program: nodes.Program) -> Iterator[Definition]:
    """All names that a text defines, in order, those within its definitions too."""
    # By identity: nodes that are written alike are equal, wherever they stand.
    at_top: set[int] = set()
    for statement in program.statements:
        at_top.update(map(id, surface.members(statement)))

    components: set[int] = set()
    for node in surface.walk(program):
        if isinstance(node, nodes.NodeType):
            components.update(map(id, node.components))

    for name, node in surface.bindings(program):
        applicable = as_function(node) if isinstance(node, nodes.Definition) else node
        parameters = parameters_of(applicable)

        kind = _KINDS.get(type(node), "variable")
        if surface.declared(node) == "label":
            kind = "label"
        elif isinstance(node, nodes.Definition) and parameters is not None:
            kind = "function"
        elif isinstance(node, nodes.Definition) and id(node) in at_top:
            kind = "constant"
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
