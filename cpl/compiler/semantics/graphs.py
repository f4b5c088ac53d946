"""Graph algorithms: the nodes that can be reached, and strongly connected components (after R. Tarjan)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

_Node = TypeVar("_Node")


def reachable(starts: Iterable[_Node], successors: Callable[[_Node], Iterable[_Node]]) -> Iterator[_Node]:
    """The nodes that can be reached, the starts included, each once."""
    seen = dict.fromkeys(starts)
    waiting = [*seen]
    while waiting:
        node = waiting.pop()
        yield node
        new = dict.fromkeys(successor for successor in successors(node) if successor not in seen)
        seen |= new
        waiting += new


def components(uses: Sequence[Iterable[int]]) -> Iterator[list[int]]:
    """The components of a graph: each node, a number from 0, uses the nodes `uses[node]`. A component comes after those
    that it uses; its nodes are in order.
    """
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_ones: list[int] = []
    is_open: set[int] = set()
    for start in range(len(uses)):
        path = [(start, iter(uses[start]))] if start not in number else []
        while path:
            current, rest = path[-1]
            if current not in number:
                number[current] = lowest[current] = len(number)
                open_ones.append(current)
                is_open.add(current)
            used = next(rest, None)
            if used is None:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[current])
                if lowest[current] == number[current]:
                    group = [open_ones.pop()]
                    while group[-1] != current:
                        group.append(open_ones.pop())
                    is_open -= {*group}
                    yield sorted(group)
            elif used not in number:
                path.append((used, iter(uses[used])))
            elif used in is_open:
                lowest[current] = min(lowest[current], number[used])
