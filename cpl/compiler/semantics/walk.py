"""Walks through the core tree: the parts of nodes in the order of the text, and simple facts about them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import is_
from typing import Any, Final, TypeVar, cast

from cpl.compiler.semantics import core

AnyNode = TypeVar("AnyNode", bound=core.Node)

Path = tuple[tuple[core.Node, str], ...]
"""The nodes round a node, the outermost first, each with the field that leads to it."""


def variables(target: core.Target) -> Iterator[core.Variable]:
    """The single names of a target, in order."""
    return (part for part in nodes(target) if isinstance(part, core.Variable))


_FIELDS: Final[dict[type[core.Node], tuple[str, ...]]] = {
    core.Function: ("door", "parameters", "body"),
    core.ElementType: ("alternatives",),
    core.Commands: ("commands",),
    core.Constants: ("target", "value"),
    core.NewBox: ("variable",),
    core.Several: ("items",),
    core.Tuple: ("items",),
    core.List: ("items",),
    core.Apply: ("function", "arguments"),
    core.Juxtapose: ("left", "right"),
    core.Select: ("operand", "indices"),
    core.Component: ("operand",),
    core.Reference: ("place",),
    core.ReadOnly: ("constant",),
    core.Contents: ("reference",),
    core.InBox: ("variable",),
    core.LabelValue: ("labels",),
    core.Attempt: ("labels", "at"),
    core.Convert: ("value",),
    core.ConvertParts: ("value",),
    core.Unary: ("operand",),
    core.Binary: ("left", "right"),
    core.Compare: ("operands",),
    core.Conditional: ("arms", "otherwise"),
    core.Block: ("commands",),
    core.Lambda: ("parameters", "body"),
    core.Let: ("target", "value"),
    core.LetFunction: ("name", "parameters", "body"),
    core.Declare: ("variable",),
    core.Assign: ("values", "places"),
    core.Choice: ("test", "place", "otherwise"),
    core.If: ("test", "commands", "otherwise"),
    core.While: ("test", "commands", "otherwise"),
    core.Repeat: ("commands", "test"),
    core.ForStep: ("first", "step", "last", "variable", "commands", "otherwise"),
    core.ForList: ("members", "variable", "commands", "otherwise"),
    core.Append: ("list", "value"),
    core.Landing: ("labels", "commands"),
    core.Jump: ("label",),
    core.Result: ("value",),
    core.Evaluate: ("value",),
}
"""The fields that hold the parts of a node, in the order of the text, names being defined included."""


def _parts_in(node: core.Node, field: str) -> Sequence[core.Node]:
    part = getattr(node, field)
    if type(part) is not tuple:
        return (part,)
    return part if field != "arms" else [*chain.from_iterable(part)]


def parts(node: core.Node) -> list[core.Node]:
    """The nodes directly within a node, in the order of the text, names being defined included."""
    # One comprehension: every pass comes here for every node, and a loop would be slower.
    return [part for field in _FIELDS.get(type(node), ()) for part in _parts_in(node, field)]


def all_nodes(roots: Iterable[core.Node]) -> Iterator[core.Node]:
    """Several nodes and everything within them, as `nodes` gives it, one root after the other."""
    return chain.from_iterable(map(nodes, roots))


def nodes(node: core.Node) -> Iterator[core.Node]:
    """The node and everything within it, outermost first, whatever the depth."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        if type(current) in _FIELDS:
            waiting += parts(current)[::-1]


def with_parts(node: AnyNode, change: Callable[[core.Node], core.Node]) -> AnyNode:
    """A node with its parts changed: the same node if none did change."""
    fields = {}
    for name in _FIELDS.get(type(node), ()):
        value = getattr(node, name)
        changed_value: Any
        if type(value) is not tuple:
            changed_value = change(value)
        elif name != "arms":
            changed_value = _same_or_new([change(item) for item in value], value)
        else:
            changed_arms = []
            for arm in value:
                changed_arms.append(_same_or_new([change(part) for part in arm], arm))
            changed_value = _same_or_new(changed_arms, value)
        if changed_value is not value:
            fields[name] = changed_value
    return replace(node, **fields) if fields else node


def _same_or_new(changed_items: Sequence[Any], before: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the tuple from before if the items are the same, to keep unchanged trees identical."""
    is_same = len(changed_items) == len(before) and all(map(is_, changed_items, before))
    return before if is_same else tuple(changed_items)


def rebuilt(node: AnyNode, change: Callable[[core.Node], core.Node]) -> AnyNode:
    """A tree with each node changed, the inner ones first. The root stays of its sort."""

    def each(part: core.Node) -> core.Node:
        return change(with_parts(part, each) if type(part) in _FIELDS else part)

    return cast(AnyNode, each(node))


def command_lists(node: core.Node) -> list[tuple[core.Command, ...]]:
    """The lists of commands directly within a node: those of a block, an arm or a loop."""
    if isinstance(node, core.If | core.Loop | core.Landing):
        return [node.commands, getattr(node, "otherwise", ())]
    return [node.commands] if isinstance(node, core.Block | core.Commands) else []


def with_commands(node: AnyNode, change: Callable[[tuple[core.Command, ...]], Sequence[core.Command]]) -> AnyNode:
    """A node with its lists of commands changed: those of a block, an arm or a loop."""
    if not isinstance(node, core.If | core.Loop | core.Block | core.Landing):
        return node
    changed_lists: dict[str, Any] = {}
    for name in ("commands", "otherwise"):
        commands = getattr(node, name, None)
        if commands is None:
            continue
        new_commands = _same_or_new(change(commands), commands)
        if new_commands is not commands:
            changed_lists[name] = new_commands
    return replace(node, **changed_lists) if changed_lists else node


def paths(node: core.Node) -> Iterator[tuple[core.Node, Path]]:
    """Yield what `nodes` does, each node with its path."""
    waiting: list[tuple[core.Node, Path]] = [(node, ())]
    while waiting:
        current, path = waiting.pop()
        yield current, path
        steps: list[tuple[core.Node, Path]] = []
        for field in _FIELDS.get(type(current), ()):
            path_to_parts = (*path, (current, field))
            steps += [(part, path_to_parts) for part in _parts_in(current, field)]
        waiting += reversed(steps)


def locals_in(node: core.Node) -> set[core.Local]:
    """The variables that are mentioned within a node."""
    return {part for part in nodes(node) if isinstance(part, core.Local)}


def boxes(node: core.Node) -> Iterator[core.Variable]:
    """The variables that get new boxes within a tree."""
    return (part.variable for part in nodes(node) if isinstance(part, core.NewBox))


def defined_in(*roots: core.Node) -> Iterator[core.Local]:
    """The variables that are defined within trees."""
    for part in all_nodes(roots):
        match part:
            case core.Let(target=target):
                yield from locals_in(target)
            case core.ForList(variable=variable) | core.ForStep(variable=variable):
                yield variable
            case core.LetFunction(name=name, parameters=parameters):
                yield from (name, *parameters)
            case core.Lambda(parameters=parameters):
                yield from parameters
            case core.Declare(variable=core.Local() as name) | core.Landing(labels=name):
                yield name


def names(definition: core.Definition) -> list[core.Variable]:
    """The names that a definition of the top level defines."""
    match definition:
        case core.Constants(target=target):
            return list(variables(target))
        case core.Commands(commands=commands):
            declared = (variables(command.variable) for command in commands if isinstance(command, core.Declare))
            return [*chain.from_iterable(declared)]
        case _:
            return [definition.name]


def uses(definitions: Sequence[core.Definition]) -> list[list[int]]:
    """The graph of the definitions of a program: for each, the numbers of those whose names it uses."""
    number_of: dict[core.Variable, int] = {}
    for number, definition in enumerate(definitions):
        number_of |= dict.fromkeys(names(definition), number)

    graph = []
    for definition in definitions:
        # Only names are looked up: the hash of another node is that of all within it.
        mentioned = (node for node in nodes(definition) if isinstance(node, core.Variable))
        used = [number_of[name] for name in mentioned if name in number_of]
        graph.append([*dict.fromkeys(used)])
    return graph


def ends(commands: Sequence[core.Command]) -> bool:
    """Whether what follows these commands is never reached: they give a result, jump or loop in any case."""
    match commands:
        case (
            *_,
            core.Result() | core.Break() | core.GoTo() | core.Jump() | core.Return() | core.Finish() | core.Fail(),
        ):
            return True
        case (*_, core.Landing(commands=landing)):
            return ends(landing)
        case (*_, core.If(commands=arm, otherwise=otherwise)):
            return ends(arm) and ends(otherwise)
        case (*_, core.While(test=core.Literal(value=True)) | core.Repeat(test=core.Literal(value=True)) as loop):
            return not breaks(loop.commands)
        case (*_, core.Repeat(commands=arm)) if ends(arm):
            return not breaks(arm)
        case _:
            return False


def breaks(commands: Sequence[core.Command]) -> int:
    """Count the places in which the commands leave the loop round them."""
    count = 0
    for command in commands:
        match command:
            case core.Break(again=False):
                count += 1
            case core.If(commands=first, otherwise=second):
                count += breaks(first) + breaks(second)
            case core.While() | core.ForStep() | core.ForList():
                count += breaks(command.otherwise)
    return count


def walk_commands(command: core.Command) -> Iterator[core.Command]:
    """A command and those within it that belong to the same block."""
    yield command
    for part in parts(command):
        if isinstance(part, core.Command) and not isinstance(command, core.LetFunction):
            yield from walk_commands(part)


def loops(node: core.Node) -> Iterator[core.Loop]:
    """The loops within a node."""
    return (part for part in nodes(node) if isinstance(part, core.Loop))


def changed(node: core.Node) -> Iterator[core.Variable]:
    """The variables that are assigned within the node, or may be: a reference to them is made there."""
    return (place for place in places(node, core.Reference) if isinstance(place, core.Variable))


def changed_globals(definitions: Iterable[core.Definition]) -> set[core.Global]:
    """The names of the top level that are assigned in definitions, or may be."""
    places = chain.from_iterable(map(changed, definitions))
    return {place for place in places if isinstance(place, core.Global)}


def assigned(node: core.Node) -> Iterator[core.Variable]:
    """The variables that something within the node assigns to."""
    return (place for place in places(node) if isinstance(place, core.Variable))


def places(node: core.Node, *sorts: type[core.Reference]) -> Iterator[core.Node]:
    """The places of assignments within the node, and of nodes of these other sorts."""
    for part in nodes(node):
        match part:
            case core.Assign(places=places):
                yield from places
            case core.Choice(place=place, otherwise=otherwise):
                yield from (place, otherwise)
            case core.Reference(place=place) if isinstance(part, sorts):
                yield place


def all_commands(commands: Iterable[core.Command]) -> Iterator[core.Command]:
    """Several commands of one block, each as `walk_commands` gives it."""
    return chain.from_iterable(map(walk_commands, commands))


def jumps(commands: Sequence[core.Command], label: core.Label) -> bool:
    """Whether there is a jump to the label among the commands."""
    return any(isinstance(part, core.GoTo) and part.label == label.name for part in all_commands(commands))


def may_give_result(commands: Sequence[core.Command]) -> bool:
    """Whether one of these commands may leave the block with a result."""
    return any(isinstance(part, core.Result) for part in all_commands(commands))


def gives_result(commands: Sequence[core.Command]) -> bool:
    """Whether these commands give a result on every path."""
    match commands:
        case (*_, core.Result() | core.Return() | core.Finish() | core.Fail() | core.Jump()):
            return True
        case (*_, core.If(commands=arm, otherwise=otherwise)):
            return gives_result(arm) and gives_result(otherwise)
        case _:
            return False


def nests(commands: Sequence[core.Command], most: int) -> bool:
    """Whether a block can be written as nested if and else, with no more than so many early results."""
    leaving = [command for command in commands if not isinstance(command, core.Result) and may_give_result([command])]
    choices = [command for command in leaving if isinstance(command, core.If) and not command.otherwise]
    if len(choices) < len(leaving) or len(leaving) > most:
        return False
    return all(gives_result(choice.commands) and nests(choice.commands, most) for choice in choices)
