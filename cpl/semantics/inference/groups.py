"""Definitions in the order in which they use each other, those that do so in a circle together (after R. Tarjan)."""

from collections.abc import Iterator, Sequence

from cpl.semantics import core, within


def groups(definitions: Sequence[core.Definition]) -> Iterator[list[core.Definition]]:
    """The definitions: first what uses none of the others. A group of several are functions that use each other."""
    defining = {name: at for at, one in enumerate(definitions) for name in within.names(one)}
    uses = [
        [
            *dict.fromkeys(
                defining[node] for node in within.walk(one) if isinstance(node, core.Global) and node in defining
            )
        ]
        for one in definitions
    ]
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_ones: list[int] = []
    is_open: set[int] = set()
    for start in range(len(definitions)):
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
                    yield [definitions[each] for each in sorted(group)]
            elif used not in number:
                path.append((used, iter(uses[used])))
            elif used in is_open:
                lowest[current] = min(lowest[current], number[used])
