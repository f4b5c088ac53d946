"""Loops that take a list member by member, as `for` loops.

until Null(L) do § let x, l = Next(L); …; L := l §|    for x = L do …
until Null(L) do § … Head(L) …; L := Tail(L) §|        the same
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from cpl.optimise.trees import Fresh, each_function
from cpl.records import replace
from cpl.semantics import core, walk
from cpl.types.facts import Facts
from cpl.types.types import ListOf


def iterate(program: core.Program, facts: Facts) -> core.Program:
    """The program with `for` loops over lists."""

    def change(one: core.Function) -> core.Function:
        iterator = _Iterator(one, facts)
        return replace(one, body=iterator.changed(one.body))

    return each_function(program, change)


class Unsuitable(Exception):
    """A loop that does more with its list."""


class _Iterator:
    def __init__(self, function: core.Function, facts: Facts) -> None:
        self.facts = facts
        self.fresh = Fresh(function)
        self.uses = Counter(part for part in walk.nodes(function.body) if isinstance(part, core.Local))

    def changed(self, node: walk.AnyNode) -> walk.AnyNode:
        """A node with the loops in it changed. What is inferred is known of the old ones, so the outer are first."""
        return walk.with_parts(walk.with_commands(node, self.commands), self.changed)

    def commands(self, commands: Sequence[core.Command]) -> list[core.Command]:
        """Commands, with those that are loops over lists as such."""
        out = [*commands]
        for at, command in enumerate(commands):
            if isinstance(command, core.While) and not command.otherwise:
                with suppress(Unsuitable):
                    out[at] = self.loop(command)
        return out

    def loop(self, loop: core.While) -> core.ForList:
        """A loop as one over a list. Raises Unsuitable."""
        members = self.tested(loop.test)
        match loop.commands:
            case (
                core.Let(
                    target=core.Several(items=(core.Local() as member, core.Local() as rest)),
                    value=core.Apply(function=core.Host(name="Next"), arguments=(taken,)),
                ),
                *others,
            ) if taken == members:
                commands, gone = self.without_step(others, members, rest), {members, rest}
            case others:
                member = self.fresh.local(_member_of(members.name), loop.span)
                head, tail = (
                    core.Apply(core.Host(name, span=loop.span), (members,), span=loop.span) for name in ("Head", "Tail")
                )
                commands = [_put(member, head, each) for each in self.without_step(others, members, tail)]
                gone = {members}
        is_read_elsewhere = self.uses[members] > sum(part == members for part in walk.nodes(loop))
        is_read_inside = any(not gone.isdisjoint(walk.locals_in(each)) for each in commands)
        if is_read_elsewhere or is_read_inside or member in walk.assigned(loop):
            raise Unsuitable
        return core.ForList(member, members, tuple(commands), span=loop.span)

    def tested(self, test: core.Expression) -> core.Local:
        """The list whose end a loop waits for."""
        match test:
            case core.Unary(
                operator="NOT",
                operand=core.Apply(function=core.Host(name="Null"), arguments=(core.Local() as members,)),
            ) if isinstance(self.facts.of(members), ListOf):
                return members
            case _:
                raise Unsuitable

    def without_step(
        self, commands: Sequence[core.Command], members: core.Local, rest: core.Expression
    ) -> list[core.Command]:
        """Commands without the assignment that ends each way through them, by which the list gets shorter."""
        match commands:
            case (*before, core.Assign(places=places, values=values) as last) if members in places and len(
                places
            ) == len(values):
                at = places.index(members)
                if values[at] != rest:
                    raise Unsuitable
                left = [(place, value) for place, value in zip(places, values, strict=True) if place != members]
                if not left:
                    return before
                places_, values_ = zip(*left, strict=True)
                return [*before, replace(last, places=places_, values=values_)]
            case (*before, core.If(commands=inner, otherwise=otherwise) as last):
                first, second = self.without_step(inner, members, rest), self.without_step(otherwise, members, rest)
                if not first and second:
                    return [
                        *before,
                        replace(
                            last,
                            test=core.Unary("NOT", last.test, span=last.test.span),
                            commands=tuple(second),
                            otherwise=(),
                        ),
                    ]
                made = replace(last, commands=tuple(first), otherwise=tuple(second))
                return [*before, made]
            case _:
                raise Unsuitable


def _put(member: core.Local, head: core.Expression, command: core.Command) -> core.Command:
    """A command with a variable in place of the head of a list."""
    return walk.rebuilt(command, lambda part: replace(member, span=part.span) if part == head else part)


def _member_of(name: str) -> str:
    """What to call a member of a list of this name."""
    return name.lower() if name.lower() != name else "x"
