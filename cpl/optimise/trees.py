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

    def like(self, variable: core.Local) -> core.Local:
        """Another variable of the same name."""
        self._last += 1
        return replace(variable, number=self._last)

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


def size(node: core.Node) -> int:
    """The number of nodes of a tree."""
    return sum(1 for _ in walk.nodes(node))


def copied(node: walk.AnyNode, names: dict[core.Local, core.Local], fresh: Fresh) -> walk.AnyNode:
    """A tree with new variables in place of its own, which are added to `names`."""

    def change(part: core.Node) -> core.Node:
        if not isinstance(part, core.Local):
            return part
        if part not in names:
            names[part] = fresh.like(part)
        return replace(names[part], span=part.span)

    return walk.rebuilt(node, change)


def is_plain(definition: core.Definition) -> bool:
    """Whether a definition only has values: no jumps, no places as values, no numbers that are converted."""
    if isinstance(definition, core.Function) and (definition.captured or definition.result):
        return False
    return not any(
        isinstance(part, core.Label | core.GoTo | core.Return | core.Reference | core.ReadOnly | core.Contents)
        or (isinstance(part, core.Local | core.Global) and part.declared != "")
        or (isinstance(part, core.Local) and part.mode != "")
        for part in walk.nodes(definition)
    )


def without_unreachable(program: core.Program) -> core.Program:
    """A program without the definitions that only passes have made and that nothing uses any more."""
    kept = {name: one for one in program.definitions for name in walk.names(one)}
    waiting = [one for one in program.definitions if not (names := walk.names(one)) or not all(map(is_made, names))]
    seen = {id(one) for one in waiting}
    while waiting:
        for node in walk.nodes(waiting.pop()):
            if isinstance(node, core.Global) and node in kept and id(kept[node]) not in seen:
                seen.add(id(kept[node]))
                waiting.append(kept[node])
    return replace(program, definitions=tuple([one for one in program.definitions if id(one) in seen]))


def is_made(name: core.Local | core.Global) -> bool:
    """Whether a pass has made the name, so that nobody outside of the module knows it."""
    return name.name.startswith("_")
