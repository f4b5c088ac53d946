"""A way through a tree, however deep it is: of each node it is said what comes next. The lints go it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from cpl.semantics import core

Step = core.Node | Callable[[], None]
"""A node to go through, or something to do when its turn has come."""


class Tour(ABC):
    """Goes through nodes in the order of what is obeyed."""

    @abstractmethod
    def enter(self, node: core.Node) -> Iterable[Step]:
        """Look at a node; the result is what to go through before the next."""

    def go(self, node: core.Node) -> None:
        """Through the node and everything within it."""
        waiting: list[Step] = [node]
        while waiting:
            step = waiting.pop()
            if isinstance(step, core.Node):
                waiting += reversed(list(self.enter(step)))
            else:
                step()
