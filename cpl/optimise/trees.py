"""What the passes have in common: new variables, and trees that share no node."""

from collections.abc import Callable
from dataclasses import replace

from cpl.semantics import core, walk
from cpl.source import Span


class Fresh:
    """New variables of a definition."""

    def __init__(self, *nodes: core.Node) -> None:
        numbers = [part.number for node in nodes for part in walk.nodes(node) if isinstance(part, core.Local)]
        self._last = max(numbers, default=0)

    def local(self, name: str, span: Span) -> core.Local:
        """A variable that the definition does not have yet."""
        self._last += 1
        return core.Local(name, self._last, span=span)

    def once(
        self, value: core.Expression, use: Callable[[core.Expression], core.Expression], name: str = "x"
    ) -> core.Expression:
        """An expression that uses a value several times and evaluates it once."""
        if is_atom(value):
            return use(value)
        variable = self.local(name, value.span)
        commands = (core.Let(variable, value, span=value.span), core.Result(use(variable), span=value.span))
        return core.Block(commands, span=value.span)


def is_atom(node: core.Node) -> bool:
    """Whether an expression is a name or a constant."""
    return isinstance(node, core.Local | core.Global | core.Host | core.Literal | core.Infinity)


def unshared(program: core.Program) -> core.Program:
    """The same program in which no node stands in two places: what is inferred of nodes is kept by their identity."""
    return replace(program, definitions=tuple([walk.rebuilt(one, replace) for one in program.definitions]))
