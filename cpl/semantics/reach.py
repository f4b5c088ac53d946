"""What can be reached in a graph, such as the variables that a value flows to."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

_Node = TypeVar("_Node")


def reachable(starts: Iterable[_Node], successors: Callable[[_Node], Iterable[_Node]]) -> Iterator[_Node]:
    """The nodes that can be reached, the starts included, each once."""
    seen = dict.fromkeys(starts)
    waiting = [*seen]
    while waiting:
        node = waiting.pop()
        yield node
        new = dict.fromkeys(each for each in successors(node) if each not in seen)
        seen |= new
        waiting += new
