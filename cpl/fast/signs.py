"""Shifts whose direction depends on the sign of a variable: one test of the sign for all of them.

§ … x SHIFT 5σ … y SHIFT −4σ §|    σ > 0 → § … x >> 5σ … y << 4σ §|, § … x << −5σ … y >> −4σ §|
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from cpl.fast.trees import Fresh, commands_of, each_function, renamed, size
from cpl.records import dataclass, replace
from cpl.semantics import core, walk
from cpl.source import Span
from cpl.types.facts import Facts

MOST_DOUBLED: Final = 2000
"""Nodes that may be written twice, once for each sign."""

Commands = Sequence[core.Command]


def signs(program: core.Program, facts: Facts) -> core.Program:
    """The program in which all shifts know their direction."""
    return each_function(program, lambda one: _Signs(one).definition())


class _Signs:
    def __init__(self, function: core.Function) -> None:
        self.function = function
        self.fresh = Fresh(function)
        self.changed = {*walk.changed(function.body)}

    def definition(self) -> core.Function:
        """The definition with its shifts changed."""
        body = self.function.body
        routine = isinstance(body, core.Block) and body.routine
        commands = tuple(self.split(self.function.parameters, commands_of(body)))
        block = self.within(core.Block(commands, routine, span=body.span))
        return replace(self.function, body=walk.rebuilt(block, self.both_ways))

    def within(self, node: walk.AnyNode) -> walk.AnyNode:
        """A node, its commands split where they define what decides the direction of several shifts."""
        return walk.with_parts(walk.with_commands(node, self.after_lets), self.within)

    def after_lets(self, commands: Commands) -> Commands:
        """Commands, split after the first definition that decides the direction of several shifts."""
        for at, command in enumerate(commands):
            if isinstance(command, core.Let):
                rest = commands[at + 1 :]
                if (made := self.split([*walk.variables(command.target)], rest)) is not rest:
                    return (*commands[: at + 1], *made)
        return commands

    def split(self, variables: Sequence[core.Local | core.Global], commands: Commands) -> Commands:
        """Commands; twice, if the sign of one of these variables decides the direction of several shifts in them."""
        counts = Counter(multiple.of for each in commands for multiple in _multiples(each))
        deciding = [
            each for each in variables if isinstance(each, core.Local) and counts[each] > 1 and each not in self.changed
        ]
        if not deciding or size(*commands) > MOST_DOUBLED:
            return commands
        variable, span = deciding[0], commands[0].span
        test = core.Compare((variable, core.Literal(0, span=span)), ("GREATER",), span=span)
        up, down = (
            tuple([walk.rebuilt(each, lambda part, sign=sign: _directed(part, variable, sign)) for each in commands])  # type: ignore[misc]
            for sign in (1, -1)
        )
        names = {each: self.fresh.like(each) for each in walk.defined_in(*down)}
        return (core.If(test, up, tuple([renamed(each, names) for each in down]), span=span),)

    def both_ways(self, node: core.Node) -> core.Node:
        """A shift of which nothing is known, both ways."""
        match node:
            case core.Binary(operator="SHIFT", left=x, right=core.Literal(value=int() as n) as count):
                operator = "SHIFT_RIGHT" if n > 0 else "SHIFT_LEFT"
                return core.Binary(operator, x, core.Literal(abs(n), span=count.span), span=node.span)
            case core.Binary(operator="SHIFT", left=x, right=n):
                span = node.span
                return self.fresh.once(x, lambda x: self.fresh.once(n, lambda n: _both_ways(x, n, span), "n"))
            case _:
                return node


def _both_ways(x: core.Expression, n: core.Expression, span: Span) -> core.Expression:
    test = core.Compare((n, core.Literal(0, span=span)), ("GREATER",), span=span)
    right = core.Binary("SHIFT_RIGHT", x, n, span=span)
    left = core.Binary("SHIFT_LEFT", x, core.Unary("MINUS", n, span=span), span=span)
    return core.Conditional(((test, right),), left, span=span)


@dataclass(frozen=True)
class _Multiple:
    """A variable times a number that is not 0."""

    times: int
    of: core.Local


def _multiple(node: core.Expression) -> _Multiple | None:
    """An expression as a multiple of a variable, if it is one."""
    match node:
        case core.Local():
            return _Multiple(1, node)
        case core.Unary(operator="MINUS", operand=operand) if found := _multiple(operand):
            return _Multiple(-found.times, found.of)
        case (
            core.Binary(operator="TIMES", left=core.Literal(value=int() as times), right=other)
            | core.Binary(operator="TIMES", left=other, right=core.Literal(value=int() as times))
        ) if times and (found := _multiple(other)):
            return _Multiple(times * found.times, found.of)
        case _:
            return None


def _multiples(node: core.Node) -> Iterator[_Multiple]:
    """The multiples of variables by which something is shifted."""
    for part in walk.nodes(node):
        if isinstance(part, core.Binary) and part.operator == "SHIFT" and (found := _multiple(part.right)):
            yield found


def _directed(node: core.Node, variable: core.Local, sign: int) -> core.Node:
    """A shift by a multiple of a variable of this sign: the direction is known."""
    if not isinstance(node, core.Binary) or node.operator != "SHIFT":
        return node
    multiple, span = _multiple(node.right), node.right.span
    if multiple is None or multiple.of != variable:
        return node
    factor = abs(multiple.times) * sign  # the number of places is not negative
    by: core.Expression = variable
    if factor == -1:
        by = core.Unary("MINUS", variable, span=span)
    elif factor != 1:
        by = core.Binary("TIMES", variable, core.Literal(factor, span=span), span=span)
    operator = "SHIFT_RIGHT" if multiple.times * sign > 0 else "SHIFT_LEFT"
    return core.Binary(operator, node.left, by, span=node.span)
