"""What the passes share: renaming, the graph of uses, and which definitions a pass may rewrite."""

from collections.abc import Iterable
from dataclasses import replace

from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.types.facts import Sure


def is_atom(node: core.Node) -> bool:
    """Tell whether an expression is a name or a constant. A name of the top level that is assigned is none: any
    application may change it.
    """
    is_fixed = isinstance(node, core.Global) and not node.is_changing
    return is_fixed or isinstance(node, core.Local | core.Host | core.Literal | core.Infinity)


def with_changing(program: core.Program) -> core.Program:
    """Mark the names of the top level that something assigns to."""
    names = walk.changed_globals(program.definitions)

    def mark(node: core.Node) -> core.Node:
        return replace(node, is_changing=True) if isinstance(node, core.Global) and node in names else node

    return replace(program, definitions=tuple([walk.rebuilt(definition, mark) for definition in program.definitions]))


def size(*nodes: core.Node) -> int:
    """The number of nodes of trees."""
    return sum(1 for node in nodes for _ in walk.nodes(node))


def commands_of(body: core.Expression) -> tuple[core.Command, ...]:
    """The body of a function as the commands of a block."""
    return body.commands if isinstance(body, core.Block) else (core.Result(body, span=body.span),)


def given(parameter: core.Local, argument: core.Expression, sure: Sure) -> core.Expression:
    """An argument as a parameter gets it, converted if that is declared to be a number."""
    if not parameter.converts_to:
        return argument
    return sure.converted(core.Convert(parameter.converts_to, argument, span=argument.span))


def renamed(node: walk.AnyNode, names: dict[core.Local, core.Local]) -> walk.AnyNode:
    """Rename variables in a tree."""

    def change(part: core.Node) -> core.Node:
        return replace(names[part], span=part.span) if isinstance(part, core.Local) and part in names else part

    return walk.rebuilt(node, change)


def unshared(program: core.Program) -> core.Program:
    """Copy nodes that occur twice in a program: inferred types are recorded by the identity of nodes."""
    seen: set[int] = set()

    def alone(node: core.Node) -> core.Node:
        if id(node) in seen:
            return replace(node)
        seen.add(id(node))
        return node

    return replace(program, definitions=tuple([walk.rebuilt(definition, alone) for definition in program.definitions]))


def is_in_order(definition: core.Definition) -> bool:
    """Tell whether the commands of a definition are obeyed in the order of the text, without jumps."""
    return not any(isinstance(part, core.Label | core.GoTo) for part in walk.nodes(definition))


def is_plain(definition: core.Definition) -> bool:
    """Tell whether a definition works with values only: no jumps, no places as values, no captured values."""
    has_captures = isinstance(definition, core.Function) and definition.captured
    return (
        not has_captures
        and is_in_order(definition)
        and not any(
            isinstance(part, core.Return | core.Reference | core.ReadOnly | core.Contents)
            or (isinstance(part, core.Local) and part.mode != "")
            for part in walk.nodes(definition)
        )
    )


def without_unreachable(program: core.Program) -> core.Program:
    """Remove definitions that passes have made and that nothing uses any more."""
    definitions = program.definitions
    names = [walk.names(definition) for definition in definitions]
    starts = [number for number in range(len(names)) if not names[number] or not all(map(_is_made, names[number]))]
    reached = {*reachable(starts, walk.uses(definitions).__getitem__)}
    return replace(program, definitions=tuple([definitions[number] for number in sorted(reached)]))


def name_for_copy(name: core.Global, words: Iterable[str], taken: set[str]) -> core.Global:
    """Choose a name for a function that a pass makes from another one, and add it to `taken`."""
    spelled = "_".join(["_" + name.name.lstrip("_"), *words])
    while spelled in taken:
        spelled += "_"
    taken.add(spelled)
    return replace(name, name=spelled)


def _is_made(name: core.Variable) -> bool:
    return isinstance(name, core.Global) and name.is_made
