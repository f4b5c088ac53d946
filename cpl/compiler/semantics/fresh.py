"""Fresh variables: those that a definition does not have yet, for the passes that make new ones."""

from dataclasses import replace

from cpl.compiler.semantics import core, walk
from cpl.compiler.source import Span


class Fresh:
    """Makes new variables of a definition, or of several trees: their numbers are greater than all that occur there."""

    def __init__(self, *roots: core.Node) -> None:
        variables = (node for node in walk.all_nodes(roots) if isinstance(node, core.Local))
        self._last = max((variable.number for variable in variables), default=0)

    def local(self, name: str, span: Span) -> core.Local:
        """A variable that the definition does not have yet."""
        self._last += 1
        return core.Local(name, self._last, span=span)

    def like(self, variable: core.Local, name: str = "") -> core.Local:
        """Another variable that is declared as this one is, with its name or another."""
        self._last += 1
        return replace(variable, name=name or variable.name, number=self._last)
