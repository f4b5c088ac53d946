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
    open_nodes: list[nodes.Node] = []  # the definitions around the present one, from the outermost
    open_symbols: list[Symbol] = []  # and their symbols
    for definition in definitions(program):
        node, name, heading = definition.node, definition.name, definition.heading
        if definition.kind == "parameter" or isinstance(node, nodes.ForStep | nodes.ForList):
            continue

        # Names that one node defines, as in `let a, b = 1, 2`, stand side by side.
        while open_nodes and (open_nodes[-1] is node or open_nodes[-1].span.end <= definition.span.start):
            open_nodes.pop()
            open_symbols.pop()

        detail = "" if heading == name else heading
        symbol = Symbol(name, definition.kind, node.span, definition.span, detail, [])
        siblings = open_symbols[-1].children if open_symbols else top
        siblings.append(symbol)
        open_nodes.append(node)
        open_symbols.append(symbol)
    return top
