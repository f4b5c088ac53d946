"""Small functions written out where they are applied.

A function is written out if what is left of it there, once its arguments are known, is small; or if nothing else
applies it. Functions that apply themselves are not, nor is what may be left early.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cpl.fast.simplify import literals, simplified
from cpl.fast.trees import (
    Fresh,
    commands_of,
    is_in_order,
    is_made,
    is_plain,
    renamed,
    size,
    uses,
    without_unreachable,
)
from cpl.semantics import core, numbers, walk
from cpl.semantics.control_flow import may_give_result
from cpl.semantics.scc import components
from cpl.types.facts import Facts

MOST_COPIED: Final = 70
"""Nodes of a function that is written out though others apply it too."""

_APPLICATION: Final = 30
"""What an application costs, in nodes."""

MOST_IN_ALL: Final = 3000
"""Nodes of a definition in which more functions are written out."""


def inline(program: core.Program, facts: Facts) -> core.Program:
    """The program with small functions written out."""
    return _Inliner(program, facts).program()


class _Inliner:
    def __init__(self, program: core.Program, facts: Facts) -> None:
        self.given = program
        self.facts = facts
        self.constants = literals(program)
        self.uses = Counter(
            node for one in program.definitions for node in walk.nodes(one) if isinstance(node, core.Global)
        )
        self.ready: dict[core.Global, core.Function] = {}
        self.costs: dict[core.Global, int] = {}

    def program(self) -> core.Program:
        """Functions are done before those that apply them."""
        definitions = [*self.given.definitions]
        used = uses(definitions)
        for group in components(used):
            for at in group:
                one = definitions[at]
                if isinstance(one, core.Function) and is_in_order(one):  # constants are made once
                    definitions[at] = one = self.function(one)
                    if at not in used[at] and len(group) == 1 and is_plain(one):
                        self.ready[one.name], self.costs[one.name] = one, cost(one)
        return without_unreachable(replace(self.given, definitions=tuple(definitions)))

    def function(self, function: core.Function) -> core.Function:
        """A function with others written out in it."""
        function = simplified(function, self.constants)
        while True:
            self.fresh = Fresh(function)
            self.room = MOST_IN_ALL - size(function)
            self.has_captures = bool(function.captured) or any(map(_captures_values, walk.nodes(function)))
            made = walk.rebuilt(function, self.written_out)
            if made == function:
                return function
            function = simplified(made, self.constants)

    def written_out(self, node: core.Node) -> core.Node:
        """An application as what it stands for."""
        match node:
            case core.Apply(function=core.Global() as name, arguments=arguments) if (
                (function := self.ready.get(name))
                and len(arguments) == len(function.parameters)
                and not (self.has_captures and _reads_changing(function))
            ):
                left, is_only = self.costs[name], self.uses[name] == 1 and is_made(name)
                made = applied(function, arguments, self.fresh)
                if left > MOST_COPIED and any(isinstance(each, core.Literal | core.Tuple) for each in arguments):
                    left = cost(simplified(replace(function, parameters=(), body=made), self.constants))
                if (left <= MOST_COPIED or is_only) and left <= self.room and not may_leave(function.body):
                    self.room -= left
                    return made
                return node
            case core.Apply(function=core.Host(name="Is"), arguments=(core.Literal(value="complex"), x)) if (
                self.facts.number(x) in ("integer", "real")
            ):
                return core.Literal(False, span=node.span)
            case _:
                return walk.with_commands(node, _in_place)


def _captures_values(node: core.Node) -> bool:
    return isinstance(node, core.LetFunction | core.Lambda) and not node.by_place


def _reads_changing(function: core.Function) -> bool:
    """Whether a function, written out where values are captured, would have one of a variable that still changes."""
    return any(isinstance(part, core.Global) and part.is_changing for part in walk.nodes(function.body))


def _in_place(commands: Sequence[core.Command]) -> list[core.Command]:
    """Commands, with those of routines in place of their applications."""
    out: list[core.Command] = []
    for command in commands:
        match command:
            case core.Evaluate(value=core.Block(commands=inner, routine=True)):
                out += inner
            case _:
                out.append(command)
    return out


def cost(node: core.Node) -> int:
    """What a definition costs where it is written out: its nodes, and more for what it applies, which stays."""
    applications = (part for part in walk.nodes(node) if isinstance(part, core.Apply))
    return size(node) + _APPLICATION * sum(isinstance(each.function, core.Global) for each in applications)


def applied(function: core.Function, arguments: Sequence[core.Expression], fresh: Fresh) -> core.Block:
    """The body of a function, its parameters defined as the arguments."""
    names = {each: fresh.like(each) for each in (*function.parameters, *walk.defined_in(function.body))}
    body = renamed(function.body, names)
    lets = [
        core.Let(names[parameter], argument, span=argument.span)
        for parameter, argument in zip(function.parameters, arguments, strict=True)
    ]
    routine, span = isinstance(body, core.Block) and body.routine, function.body.span
    commands = commands_of(body)
    if function.result in numbers.TYPES:
        result = replace(fresh.local("result", span), declared=function.result)
        commands = (core.Let(result, core.Block(commands, span=span), span=span), core.Result(result, span=span))
    return core.Block((*lets, *commands), routine, span=span)


def may_leave(body: core.Expression) -> bool:
    """Whether a function may have its result before its end."""
    if isinstance(body, core.Block) and body.routine:
        return may_give_result(body.commands)
    *before, last = commands_of(body)
    return may_give_result(before) or not isinstance(last, core.Result)
