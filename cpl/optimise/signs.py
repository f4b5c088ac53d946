"""Shifts whose direction depends on the sign of a variable: one test of the sign for all of them.

    § … x SHIFT 5σ … y SHIFT −4σ §|    σ > 0 → § … x >> 5σ … y << 4σ §|, § … x << −5σ … y >> −4σ §|
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from cpl.optimise.trees import Fresh, is_atom, is_plain, size
from cpl.semantics import core, walk
from cpl.source import Span
from cpl.types.facts import Facts

MOST_DOUBLED: Final = 2000
"""Nodes that may be written twice, once for each sign."""


def signs(program: core.Program, facts: Facts) -> core.Program:
    """The program in which all shifts know their direction."""

    def change(one: core.Definition) -> core.Definition:
        if not isinstance(one, core.Function) or not is_plain(one):
            return one
        return _Signs(one).definition()

    return replace(program, definitions=tuple(map(change, program.definitions)))


class _Signs:
    def __init__(self, function: core.Function) -> None:
        self.function = function
        self.fresh = Fresh(function)
        self.changed = {*walk.changed(function.body)}

    def definition(self) -> core.Function:
        """The definition with its shifts changed."""
        body = self.function.body
        commands = body.commands if isinstance(body, core.Block) else (core.Result(body, span=body.span),)
        routine = isinstance(body, core.Block) and body.routine
        made = self.split(self.function.parameters, commands)
        block = core.Block(tuple(map(self.commands, made)), routine=routine, span=body.span)  # type: ignore[arg-type]
        return replace(self.function, body=walk.rebuilt(block, self.either))  # type: ignore[arg-type]

    def commands(self, node: core.Node) -> core.Node:
        """A node, the commands within it split where they define what decides the direction of several shifts."""
        if isinstance(node, core.Block | core.If | core.While | core.ForList | core.ForStep | core.Repeat):
            names = ("commands", "otherwise") if isinstance(node, core.If) else ("commands",)
            node = replace(node, **{name: self.after_lets(getattr(node, name)) for name in names})  # type: ignore[type-var]
        return walk.with_parts(node, self.commands)

    def after_lets(self, commands: Sequence[core.Command]) -> tuple[core.Command, ...]:
        """Commands, split after the first definition that decides the direction of several shifts."""
        for at, command in enumerate(commands):
            if isinstance(command, core.Let):
                found = sorted(walk.locals_in(command.target), key=lambda each: each.number)
                rest = self.split(found, commands[at + 1 :])
                if rest != commands[at + 1 :]:
                    return (*commands[: at + 1], *rest)
        return tuple(commands)

    def split(self, variables: Sequence[core.Local], commands: Sequence[core.Command]) -> tuple[core.Command, ...]:
        """Commands; twice, if the sign of one of these variables decides the direction of several shifts in them."""
        made = tuple(commands)
        if not any(isinstance(each, core.Let) for each in made):
            pass
        found = Counter(
            multiple[1]
            for command in made
            for part in walk.nodes(command)
            if isinstance(part, core.Binary) and part.operator == "SHIFT" and (multiple := multiple_of(part.right))
        )
        deciding = [each for each in variables if found[each] > 1 and each not in self.changed]
        if not deciding or sum(map(size, made)) > MOST_DOUBLED:
            return self.after_lets(made) if variables is self.function.parameters else made
        variable, span = deciding[0], made[0].span
        test = core.Compare((variable, core.Literal(0, span=span)), ("GREATER",), span=span)
        up = tuple([walk.rebuilt(each, lambda part: _directed(part, variable, 1)) for each in made])
        down = tuple([walk.rebuilt(each, lambda part: _directed(part, variable, -1)) for each in made])
        return (core.If(test, up, down, span=span),)  # type: ignore[arg-type]

    def either(self, node: core.Node) -> core.Node:
        """A shift of which nothing is known: both ways."""
        match node:
            case core.Binary(operator="SHIFT", left=x, right=core.Literal(value=int() as n)):
                operator = "SHIFT_RIGHT" if n > 0 else "SHIFT_LEFT"
                return core.Binary(operator, x, core.Literal(abs(n), span=node.right.span), span=node.span)
            case core.Binary(operator="SHIFT", left=x, right=n):
                return self.fresh.once(
                    x, lambda x: self.fresh.once(n, lambda n: _both_ways(x, n, node.span), "n")
                )
            case _:
                return node


def _both_ways(x: core.Expression, n: core.Expression, span: Span) -> core.Expression:
    test = core.Compare((n, core.Literal(0, span=span)), ("GREATER",), span=span)
    right = core.Binary("SHIFT_RIGHT", x, n, span=span)
    left = core.Binary("SHIFT_LEFT", x, core.Unary("MINUS", n, span=span), span=span)
    return core.Conditional(((test, right),), left, span=span)


def multiple_of(node: core.Expression) -> tuple[int, core.Local] | None:
    """A number and a variable whose product an expression is; no number is 0."""
    match node:
        case core.Local():
            return 1, node
        case core.Unary(operator="MINUS", operand=operand) if found := multiple_of(operand):
            return -found[0], found[1]
        case core.Binary(operator="TIMES", left=core.Literal(value=int() as times), right=other) | core.Binary(
            operator="TIMES", left=other, right=core.Literal(value=int() as times)
        ) if times and (found := multiple_of(other)):
            return times * found[0], found[1]
        case _:
            return None


def _directed(node: core.Node, variable: core.Local, sign: int) -> core.Node:
    """A shift by a multiple of a variable of this sign; the direction is known."""
    match node:
        case core.Binary(operator="SHIFT", left=x, right=count) if (multiple := multiple_of(count)) and multiple[1] == variable:
            span = count.span
            times = multiple[0]
            operator = "SHIFT_RIGHT" if times * sign > 0 else "SHIFT_LEFT"
            factor = abs(times) * sign
            if factor == 1:
                by: core.Expression = variable
            elif factor == -1:
                by = core.Unary("MINUS", variable, span=span)
            else:
                by = core.Binary("TIMES", variable, core.Literal(factor, span=span), span=span)
            return core.Binary(operator, x, by, span=node.span)
        case _:
            return node
