"""The outline of a text: its definitions, one within the other."""

from dataclasses import dataclass

from cpl.compiler.source import Span
from cpl.compiler.syntax import nodes
from cpl.editors.definitions import Kind, definitions


@dataclass(frozen=True)
class Symbol:
    """A definition at `span`, whose name is at `name_span`, and those within it. `detail` is its heading if that says
    more than the name.
    """

    name: str
    kind: Kind
    span: Span
    name_span: Span
    detail: str
    children: "list[Symbol]"


def outline(program: nodes.Program) -> list[Symbol]:
    """Return the definitions at the top level; those within a definition are among its children. Parameters and
    the variables of loops are left out.
    """
    top: list[Symbol] = []
    around: list[tuple[nodes.Node, list[Symbol]]] = []
    for definition in definitions(program):
        node, name, heading = definition.node, definition.name, definition.heading
        if definition.kind == "parameter" or isinstance(node, nodes.ForStep | nodes.ForList):
            continue
        while around and (around[-1][0] is node or around[-1][0].span.end <= definition.span.start):
            around.pop()
        detail = "" if heading == name else heading
        symbol = Symbol(name, definition.kind, node.span, definition.span, detail, [])
        (around[-1][1] if around else top).append(symbol)
        around.append((node, symbol.children))
    return top
