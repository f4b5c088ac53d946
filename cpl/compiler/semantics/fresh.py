"""Variables that a definition does not have yet, for the passes that need more."""

from dataclasses import replace

from cpl.compiler.semantics import core, walk
from cpl.compiler.source import Span


class Fresh:
    """New variables of a definition, or of the trees that are given."""

    def __init__(self, *nodes: core.Node) -> None:
        numbers = [variable.number for node in nodes for variable in walk.locals_in(node)]
        self._last = max(numbers, default=0)

    def local(self, name: str, span: Span) -> core.Local:
        """A variable that the definition does not have yet."""
        self._last += 1
        return core.Local(name, self._last, span=span)

    def like(self, variable: core.Local, name: str = "") -> core.Local:
        """Another variable that is declared as this one is, with its name or another."""
        self._last += 1
        return replace(variable, name=name or variable.name, number=self._last)
