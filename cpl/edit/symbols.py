"""The outline of a text: what it defines, and what is defined within that."""

from cpl.edit.definitions import Definition, Kind, definitions
from cpl.records import dataclass, field
from cpl.source import Span
from cpl.syntax import nodes


@dataclass(frozen=True)
class Symbol:
    """A name that is defined. `span` is that of the whole definition; `detail` is its heading if that says more."""

    name: str
    kind: Kind
    span: Span
    name_span: Span
    detail: str = ""
    children: list["Symbol"] = field(default_factory=list)


def symbols(program: nodes.Program) -> list[Symbol]:
    """What a text defines at its top level; what is defined within a definition is among its children. Parameters and
    the variables of loops are left out.
    """
    top: list[Symbol] = []
    around: list[tuple[nodes.Node, Symbol]] = []
    for each in definitions(program):
        if each.kind == "parameter" or isinstance(each.node, nodes.ForStep | nodes.ForList):
            continue
        while around and (around[-1][0] is each.node or around[-1][0].span.end <= each.span.start):
            around.pop()
        made = _symbol(each)
        (around[-1][1].children if around else top).append(made)
        around.append((each.node, made))
    return top


def _symbol(each: Definition) -> Symbol:
    heading = each.heading
    return Symbol(each.name, each.kind, each.node.span, each.span, heading if heading != each.name else "")
