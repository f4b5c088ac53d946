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
    """The strongly connected components of a graph, in topological order: a component comes after those that it uses.

    Each node, a number from 0, uses the nodes `uses[node]`. The nodes of a component are in ascending order.
    """
    # Tarjan's algorithm with a stack of its own, as programs may have longer chains of definitions than Python has
    # frames. Nodes are numbered as they are found. `lowest` is the least number of a node that can be reached from one
    # and whose component is not complete; a node that reaches none below itself is the first one of its component.
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    incomplete: list[int] = []
    is_incomplete: set[int] = set()
    for start in range(len(uses)):
        if start in number:
            continue
        path = [(start, iter(uses[start]))]
        while path:
            current, rest = path[-1]
            if current not in number:
                number[current] = lowest[current] = len(number)
                incomplete.append(current)
                is_incomplete.add(current)
            used = next(rest, None)
            if used is None:
                path.pop()
                if path:
                    user, _ = path[-1]
                    lowest[user] = min(lowest[user], lowest[current])
                if lowest[current] == number[current]:
                    component = [incomplete.pop()]
                    while component[-1] != current:
                        component.append(incomplete.pop())
                    is_incomplete.difference_update(component)
                    yield sorted(component)
            elif used not in number:
                path.append((used, iter(uses[used])))
            elif used in is_incomplete:
                lowest[current] = min(lowest[current], number[used])
