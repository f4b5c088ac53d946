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

How: a variable that a block defines as a new list is looked at together with the commands after it. Up to the last one
that joins something to the list nothing else may see it, except `Null`; after that it is a list like any other.

Limits: no function within the definition may mention the list, and what is joined must be a list for certain. Of
several assignments at once the one to the list is done first: either it is the first already, or its value is pure.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cpl.compiler.optimise.simplify import is_steady
from cpl.compiler.optimise.trees import is_in_order
from cpl.compiler.semantics import core, walk
from cpl.compiler.types.facts import Sure

Commands = Sequence[core.Command]


def append(program: core.Program, sure: Sure) -> core.Program:
    """The program with lists that grow in place of lists that are copied."""
    definitions = [
        _Appending(definition, sure).run()
        if isinstance(definition, core.Function) and is_in_order(definition)
        else definition
        for definition in program.definitions
    ]
    return replace(program, definitions=tuple(definitions))


class _Appending:
    def __init__(self, function: core.Function, sure: Sure) -> None:
        self.function = function
        self.sure = sure
        inner = [node for node in walk.nodes(function) if isinstance(node, core.Lambda | core.LetFunction)]
        self.has_inner = bool(inner)
        self.captured = {local for node in inner for local in walk.locals_in(node)}

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
                        result[at:] = [new_list, *_flat(self.appending(after, name) for after in rest)]
            at += 1
        return result

    def can_grow(self, name: core.Local, rest: Commands) -> bool:
        """Tell whether something is joined to a list, and nobody sees the list before the last time."""
        growing = [at for at, command in enumerate(rest) if name in walk.assigned(command)]
        if not growing:
            return False
        before, after = rest[: growing[-1] + 1], rest[growing[-1] + 1 :]
        # The 1 is where the list is defined.
        expected = 1 + sum(self.uses(name, command) for command in before) + _mentions(name, *after)
        return _mentions(name, self.function) == expected

    def uses(self, name: core.Local, command: core.Command) -> int:
        """Count how often a command mentions the list in ways that are safe while it grows."""
        safe = 0
        for node in walk.nodes(command):
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
                is_first = at == 0 or (_is_steady_list(members) and not self.has_inner)
                is_list = isinstance(members, core.List) or self.sure.heads(members) == {"list"}
                return members if is_first and is_list and not self.is_asked(name, command, members) else None
            case _:
                return None

    def is_asked(self, name: core.Local, command: core.Assign, members: core.Expression) -> bool:
        """Tell whether the assignment mentions the list where the first new member is in it already."""
        others = [value for place, value in zip(command.places, command.values, strict=True) if place != name]
        later = members.items[1:] if isinstance(members, core.List) else ()
        return _mentions(name, *others, *later) > 0

    def appending(self, command: core.Command, name: core.Local) -> Commands:
        """Return a command with the list growing in it."""

        def within(commands: Commands) -> Commands:
            return _flat(self.grown(each, name) for each in commands)

        return self.grown(walk.rebuilt(command, lambda node: walk.with_commands(node, within)), name)

    def grown(self, command: core.Command, name: core.Local) -> Commands:
        """Return commands that append, if the command joins something to the list."""
        if not isinstance(command, core.Assign) or not (members := self.joined(command, name)):
            return [command]
        span = command.span
        appended: list[core.Command]
        if isinstance(members, core.List):
            appended = [core.Append(replace(name, span=span), item, span=item.span) for item in members.items]
        else:
            appended = [core.Append(replace(name, span=span), members, each=True, span=members.span)]
        pairs = [pair for pair in zip(command.places, command.values, strict=True) if pair[0] != name]
        if pairs:
            places, values = zip(*pairs, strict=True)
            appended.append(replace(command, places=places, values=values))
        return appended


def _is_steady_list(members: core.Expression) -> bool:
    """Tell whether an expression is a list of values that are pure."""
    return isinstance(members, core.List) and all(map(is_steady, members.items))


def _mentions(name: core.Local, *nodes: core.Node) -> int:
    return sum(part == name for node in nodes for part in walk.nodes(node) if isinstance(part, core.Local))


def _flat(lists: Iterator[Commands]) -> list[core.Command]:
    return [command for commands in lists for command in commands]
