"""What is the same in several places of a function, or in every round of a loop, worked out once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from cpl.optimise.simplify import is_steady
from cpl.optimise.trees import Fresh, bound_in, changing, each_function, size
from cpl.records import replace
from cpl.semantics import core, walk
from cpl.types.facts import Facts

_LEAST: Final = 3
_LEAST_IN_LOOP: Final = 2
"""Smaller expressions, in nodes, are not kept in a variable."""


def common(program: core.Program, facts: Facts) -> core.Program:
    """The program with names for what it works out several times."""
    return each_function(program, lambda one: _Common(one).definition())


class _Common:
    def __init__(self, function: core.Function) -> None:
        self.function = function
        self.fresh = Fresh(function)
        self.changing = changing(function.body)

    def definition(self) -> core.Function:
        """The definition with names for what occurs several times."""
        return replace(self.function, body=self.named(self.function.body))

    def named(self, node: walk.AnyNode) -> walk.AnyNode:
        """A node with its commands changed, the outer ones first."""
        return walk.with_parts(walk.with_commands(node, self.commands), self.named)

    def commands(self, commands: Sequence[core.Command]) -> list[core.Command]:
        """Commands in which the largest expressions that are worked out again get names before."""
        out: list[core.Command] = []
        rest = [*commands]
        counts = self.counted(rest)
        while rest:
            again = [each for each in _at_once(rest[0]) if counts[each] > 1]
            again += self.same_in_each_round(rest[0])
            if not again:
                done = rest.pop(0)
                counts.subtract(self.counted([done]))
                out.append(done)
                continue
            meant = max(again, key=size)
            name = self.fresh.local("n" if _is_product(meant) else "x", meant.span)
            rest = [core.Let(name, meant, span=meant.span), *(_replaced(each, meant, name) for each in rest)]
            counts = self.counted(rest)
        return out

    def counted(self, commands: Sequence[core.Command]) -> Counter[core.Node]:
        """How often each expression occurs that is worth a name."""
        return Counter(part for each in commands for part in walk.nodes(each) if self.is_worth(part, _LEAST))

    def same_in_each_round(self, command: core.Command) -> list[core.Unary | core.Binary]:
        """The expressions in a loop that have the same value in each round."""
        if not isinstance(command, core.Loop):
            return []
        bound = {*bound_in(command)}
        always = {id(part) for each in command.commands for part in _at_once(each)}
        return [
            part
            for part in walk.nodes(command)
            if isinstance(part, core.Unary | core.Binary)
            and self.is_worth(part, _LEAST_IN_LOOP)
            and (names := walk.locals_in(part))
            and bound.isdisjoint(names)
            and (id(part) in always or not _may_fail(part))
        ]

    def is_worth(self, node: core.Node, least: int) -> bool:
        """Whether an expression is worth a name, and always gives the same."""
        return (
            isinstance(node, core.Unary | core.Binary)
            and is_steady(node)
            and size(node) >= least
            and self.changing.isdisjoint(walk.locals_in(node))
        )


def _may_fail(node: core.Node) -> bool:
    """Whether an operation is only done if the direction of a shift is right."""
    return any(
        isinstance(part, core.Binary)
        and part.operator in ("SHIFT_LEFT", "SHIFT_RIGHT")
        and not isinstance(part.right, core.Literal)
        for part in walk.nodes(node)
    )


def _is_product(node: core.Expression) -> bool:
    return isinstance(node, core.Binary) and node.operator == "TIMES"


def _at_once(command: core.Command) -> Iterator[core.Unary | core.Binary]:
    """The operations that are done in any case when a command is obeyed, the outer ones first."""
    waiting: list[core.Node] = []
    match command:
        case core.If(test=test):
            waiting = [test]
        case core.ForList(members=members):
            waiting = [members]
        case core.Let(value=value) | core.Result(value=value) | core.Evaluate(value=value) | core.Append(value=value):
            waiting = [value]
        case core.Assign(values=values):
            waiting = [*values]
    while waiting:
        match waiting.pop():
            case core.Conditional(arms=((test, _), *_)):
                waiting.append(test)
            case core.Block(commands=(first, *_)):
                yield from _at_once(first)
            case core.Binary(operator="AND" | "OR", left=left):
                waiting.append(left)
            case core.Lambda() | core.Block():
                pass
            case node:
                if isinstance(node, core.Unary | core.Binary):
                    yield node
                waiting += walk.parts(node)


def _replaced(command: core.Command, meant: core.Expression, name: core.Local) -> core.Command:
    return walk.rebuilt(command, lambda part: replace(name, span=part.span) if part == meant else part)
