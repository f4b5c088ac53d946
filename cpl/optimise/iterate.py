"""Loops that take a list member by member, as `for` loops.

    until Null(L) do § let x, l = Next(L); …; L := l §|    for x = L do …
    until Null(L) do § … Head(L) …; L := Tail(L) §|        the same
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cpl.optimise.trees import Fresh, is_plain
from cpl.semantics import core, walk
from cpl.types.facts import Facts
from cpl.types.types import ListOf


def iterate(program: core.Program, facts: Facts) -> core.Program:
    """The program with `for` loops over lists."""
    return replace(program, definitions=tuple([_Iterator(one, facts).definition() for one in program.definitions]))


class Unsuitable(Exception):
    """A loop that does more with its list."""


@dataclass
class _Iterator:
    given: core.Definition
    facts: Facts

    def definition(self) -> core.Definition:
        """The definition with its loops changed."""
        if not isinstance(self.given, core.Function) or not is_plain(self.given):
            return self.given
        self.fresh = Fresh(self.given)
        self.uses = [part for part in walk.nodes(self.given.body) if isinstance(part, core.Local)]
        return replace(self.given, body=self.change(self.given.body))

    def change(self, node: core.Node) -> core.Node:
        """A node with the loops in it changed."""
        if isinstance(node, core.While) and not node.otherwise:
            try:
                node = self.loop(node)
            except Unsuitable:
                pass
        return walk.with_parts(node, self.change)

    def loop(self, loop: core.While) -> core.ForList:
        """A loop as one over a list. Raises Unsuitable."""
        match loop.test:
            case core.Unary(operator="NOT", operand=core.Apply(function=core.Host(name="Null"), arguments=(core.Local() as members,))):
                pass
            case _:
                raise Unsuitable
        if not isinstance(self.facts.of(_applied_to(loop.test)), ListOf):
            raise Unsuitable
        inside = sum(part == members for part in walk.nodes(loop))
        match loop.commands:
            case (
                core.Let(
                    target=core.Several(items=(core.Local() as member, core.Local() as rest)),
                    value=core.Apply(function=core.Host(name="Next"), arguments=(taken,)),
                ),
                *others,
            ) if taken == members:
                commands = self.without_step(others, members, rest)
                counts = sum(part == rest for each in commands for part in walk.nodes(each))
            case commands_:
                member = self.fresh.local(_member_of(members.name), loop.span)
                tail = core.Apply(core.Host("Tail", span=loop.span), (members,), span=loop.span)
                head = core.Apply(core.Host("Head", span=loop.span), (members,), span=loop.span)
                stepped = self.without_step(commands_, members, tail)
                commands = [walk.rebuilt(each, lambda part: member if part == head else part) for each in stepped]  # type: ignore[misc]
                counts = 0
        if counts or any(part == members for each in commands for part in walk.nodes(each)):
            raise Unsuitable
        if self.is_read_elsewhere(members, inside) or member in walk.assigned(loop):
            raise Unsuitable
        return core.ForList(member, members, tuple(commands), span=loop.span)

    def is_read_elsewhere(self, members: core.Local, inside: int) -> bool:
        """Whether the list is read outside of its loop: it would be empty there."""
        return sum(part == members for part in self.uses) > inside

    def without_step(
        self, commands: Sequence[core.Command], members: core.Local, rest: core.Expression
    ) -> list[core.Command]:
        """Commands without the assignment that ends each way through them, by which the list gets shorter."""
        match commands:
            case (*before, core.Assign(places=places, values=values) as last) if members in places and len(places) == len(values):
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
                    return [*before, replace(last, test=core.Unary("NOT", last.test, span=last.test.span), commands=tuple(second), otherwise=())]
                made = replace(last, commands=tuple(first), otherwise=tuple(second))
                return [*before, made]
            case _:
                raise Unsuitable


def _applied_to(test: core.Expression) -> core.Expression:
    match test:
        case core.Unary(operand=core.Apply(arguments=(argument,))):
            return argument
        case _:
            raise Unsuitable


def _member_of(name: str) -> str:
    """What to call a member of a list of this name."""
    return name.lower() if name.lower() != name else "x"
