"""What the passes share: renaming, the graph of uses, and which definitions a pass may rewrite."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain

from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.types.facts import Sure


def is_atom(node: core.Node) -> bool:
    """Tell whether an expression is a name or a constant. A name of the top level that is assigned is none: any
    application may change it.
    """
    is_fixed = isinstance(node, core.Global) and not node.is_changing
    return is_fixed or isinstance(node, core.Local | core.Host | core.Literal | core.Infinity)


def rebuilt_program(program: core.Program, change: Callable[[core.Node], core.Node]) -> core.Program:
    """A program with each node of its definitions changed, the inner ones first."""
    return replace(program, definitions=tuple(walk.rebuilt(definition, change) for definition in program.definitions))


def with_changing(program: core.Program) -> core.Program:
    """Mark the names of the top level that something assigns to."""
    changed = walk.changed_globals(program.definitions)

    def mark(node: core.Node) -> core.Node:
        if isinstance(node, core.Global) and node in changed:
            return replace(node, is_changing=True)
        return node

    return rebuilt_program(program, mark)


def size(*nodes: core.Node) -> int:
    """The number of nodes of trees."""
    return sum(1 for _ in walk.all_nodes(nodes))


def mentions_in(node: core.Node) -> Counter[core.Local]:
    """Count how often each variable is mentioned in a tree."""
    return Counter(part for part in walk.nodes(node) if isinstance(part, core.Local))


def commands_of(body: core.Expression) -> tuple[core.Command, ...]:
    """The body of a function as the commands of a block."""
    return body.commands if isinstance(body, core.Block) else (core.Result(body, span=body.span),)


def converted_argument(parameter: core.Local, argument: core.Expression, sure: Sure) -> core.Expression:
    """An argument as a parameter gets it: converted if the parameter is declared to be a number."""
    if not parameter.converts_to:
        return argument
    return sure.converted(core.Convert(parameter.converts_to, argument, span=argument.span))


def renamed(node: walk.AnyNode, names: dict[core.Local, core.Local]) -> walk.AnyNode:
    """Rename variables in a tree."""

    def change(part: core.Node) -> core.Node:
        if isinstance(part, core.Local) and part in names:
            return replace(names[part], span=part.span)
        return part

    return walk.rebuilt(node, change)


def unshared(program: core.Program) -> core.Program:
    """Copy nodes that occur twice in a program: inferred types are recorded by the identity of nodes."""
    seen: set[int] = set()

    def copied_if_seen(node: core.Node) -> core.Node:
        if id(node) in seen:
            return replace(node)
        seen.add(id(node))
        return node

    return rebuilt_program(program, copied_if_seen)


def is_in_order(definition: core.Definition) -> bool:
    """Tell whether the commands of a definition are obeyed in the order of the text, without jumps."""
    return not any(isinstance(part, core.Label | core.GoTo) for part in walk.nodes(definition))


def is_plain(definition: core.Definition) -> bool:
    """Tell whether a definition works with values only: no jumps, no places as values, no captured values."""
    if isinstance(definition, core.Function) and definition.captured:
        return False
    return is_in_order(definition) and not any(map(_is_about_places, walk.nodes(definition)))


def _is_about_places(part: core.Node) -> bool:
    """Tell whether a node works with a place as a value, or leaves a function without a value."""
    if isinstance(part, core.Local):
        return part.mode != ""
    return isinstance(part, core.Return | core.Reference | core.ReadOnly | core.Contents)


def without_unreachable(program: core.Program) -> core.Program:
    """Remove definitions that passes have made and that nothing uses any more."""
    definitions = program.definitions
    roots = [number for number, definition in enumerate(definitions) if not _is_made(definition)]
    reached = {*reachable(roots, walk.uses(definitions).__getitem__)}
    return replace(program, definitions=tuple(definitions[number] for number in sorted(reached)))


def defined_names(program: core.Program) -> set[str]:
    """The names of the top level that a program defines, as they are spelled."""
    names = chain.from_iterable(map(walk.names, program.definitions))
    return {name.name for name in names}


def name_for_copy(name: core.Global, words: Iterable[str], taken: set[str]) -> core.Global:
    """Choose a name for a function that a pass makes from another one, and add it to `taken`."""
    spelled = "_".join([f"_{name.name.lstrip('_')}", *words])
    while spelled in taken:
        spelled += "_"
    taken.add(spelled)
    return replace(name, name=spelled)


def _is_made(definition: core.Definition) -> bool:
    """Tell whether a pass has made a definition. One without names, such as commands, is of the program."""
    names = walk.names(definition)
    return bool(names) and all(isinstance(name, core.Global) and name.is_made for name in names)
