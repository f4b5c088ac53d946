"""Appending to a list in place of joining it with one more member.

    let L = NIL
    until Null(x) do L, x := Join(L, [Head(x)]), Tail(x)
    result is L

becomes, in Python,

    L = []
    while not Null(x):
        L.append(Head(x))
        x = Tail(x)
    return L

Why: `Join` copies the list each time; and this is how lists are built in Python.

How: each variable that a block defines as a new list is followed through the commands after it. Up to the last one that
joins something to the list it must not escape: only `Null` may read it. After that it is a list like any other.

Limits: no function inside the definition may mention the list, and what is joined must be a list for certain. Of
several assignments at once the one to the list is done first: either it is the first already, or its value is pure.
"""

from collections.abc import Sequence
from dataclasses import replace

from cpl.compiler.optimise.simplify import is_pure
from cpl.compiler.optimise.trees import is_in_order
from cpl.compiler.semantics import core, walk
from cpl.compiler.types.facts import Sure

Commands = Sequence[core.Command]


def append(program: core.Program, sure: Sure) -> core.Program:
    """The program with lists that grow in place of lists that are copied."""
    definitions: list[core.Definition] = []
    for definition in program.definitions:
        if isinstance(definition, core.Function) and is_in_order(definition):
            definition = _Appending(definition, sure).run()
        definitions.append(definition)
    return replace(program, definitions=tuple(definitions))


class _Appending:
    def __init__(self, function: core.Function, sure: Sure) -> None:
        self.function = function
        self.sure = sure
        inner = [node for node in walk.nodes(function) if isinstance(node, core.Lambda | core.LetFunction)]
        self.has_inner = bool(inner)
        self.captured = {part for part in walk.all_nodes(inner) if isinstance(part, core.Local)}

    def run(self) -> core.Function:
        """Return the function with all its lists that can grow."""
        return walk.rebuilt(self.function, lambda node: walk.with_commands(node, self.block))

    def block(self, commands: Commands) -> Commands:
        """Let each list that these commands define grow, if it can."""
        result = [*commands]
        at = 0
        while at < len(result):  # appending may take more commands than assigning, so that the result gets longer
            match result[at]:
                case core.Let(target=core.Local(mode="", declared="") as name, value=core.List() as members) as command:
                    rest = result[at + 1 :]
                    if name not in self.captured and self.can_grow(name, rest):
                        new_list = replace(command, value=replace(members, growing=True))
                        result[at:] = [new_list, *self.appending_all(rest, name)]
            at += 1
        return result

    def can_grow(self, name: core.Local, rest: Commands) -> bool:
        """Tell whether something is joined to a list, and nobody sees the list before the last time."""
        growing = [at for at, command in enumerate(rest) if name in walk.assigned(command)]
        if not growing:
            return False
        end = growing[-1] + 1

        # All mentions are accounted for: the definition, the safe ones while the list grows, and any afterwards.
        safe = 1 + self.safe_mentions(name, rest[:end]) + _mentions(name, *rest[end:])
        return _mentions(name, self.function) == safe

    def safe_mentions(self, name: core.Local, commands: Commands) -> int:
        """Count how often commands mention the list in ways that are safe while it grows."""
        safe = 0
        for node in walk.all_nodes(commands):
            match node:
                case core.Assign() if self.joined(node, name):
                    safe += 2  # the place, and what is joined to
                case core.Apply(function=core.Host(name="Null"), arguments=(core.Local() as tested,)):
                    safe += tested == name
        return safe

    def joined(self, command: core.Assign, name: core.Local) -> core.Expression | None:
        """Return what an assignment joins to the list; None if it does something else with it."""
        if name not in command.places or len(command.places) != len(command.values):
            return None
        at = command.places.index(name)
        match command.values[at]:
            case core.Apply(function=core.Host(name="Join"), arguments=(first, members)) if first == name:
                is_list = isinstance(members, core.List) or self.sure.heads(members) == {"list"}
                can_be_first = at == 0 or (_is_pure_list(members) and not self.has_inner)
                if is_list and can_be_first and not _reads_growing(name, command, members):
                    return members
        return None

    def appending_all(self, commands: Commands, name: core.Local) -> list[core.Command]:
        """Return commands with the list growing in them."""

        def appending_directly(commands: Commands) -> list[core.Command]:
            result: list[core.Command] = []
            for command in commands:
                result += self.appending(command, name)
            return result

        inner = [
            walk.rebuilt(command, lambda node: walk.with_commands(node, appending_directly)) for command in commands
        ]
        return appending_directly(inner)

    def appending(self, command: core.Command, name: core.Local) -> Commands:
        """Return the commands that append, if the command joins something to the list; else the command alone."""
        if not isinstance(command, core.Assign):
            return [command]
        members = self.joined(command, name)
        if members is None:
            return [command]

        list_name = replace(name, span=command.span)
        appended: list[core.Command]
        if isinstance(members, core.List):
            appended = [core.Append(list_name, item, span=item.span) for item in members.items]
        else:
            appended = [core.Append(list_name, members, each=True, span=members.span)]

        others = [pair for pair in zip(command.places, command.values, strict=True) if pair[0] != name]
        if others:
            places, values = zip(*others, strict=True)
            appended.append(replace(command, places=places, values=values))
        return appended


def _reads_growing(name: core.Local, command: core.Assign, members: core.Expression) -> bool:
    """Tell whether an assignment reads the list where the first of the new `members` would be in it already."""
    others = [value for place, value in zip(command.places, command.values, strict=True) if place != name]
    later = members.items[1:] if isinstance(members, core.List) else ()
    return _mentions(name, *others, *later) > 0


def _is_pure_list(members: core.Expression) -> bool:
    """Tell whether an expression is a list of values that are pure."""
    return isinstance(members, core.List) and all(map(is_pure, members.items))


def _mentions(name: core.Local, *nodes: core.Node) -> int:
    """Count how often trees mention a variable."""
    return sum(part == name for part in walk.all_nodes(nodes) if isinstance(part, core.Local))
