"""Small functions written out where they are applied.

A function is written out if what is left of it there, once its arguments are known, is small; or if nothing else
applies it. Functions that apply themselves are not, nor is what may be left early.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from cpl.optimise.simplify import literals, simplified
from cpl.optimise.trees import Fresh, copied, is_made, is_plain, size, without_unreachable
from cpl.python.control_flow import may_give_result
from cpl.semantics import core, walk
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
    return _Inliner(program).program()


class _Inliner:
    def __init__(self, program: core.Program) -> None:
        self.given = program
        self.constants = literals(program)
        self.uses = Counter(
            node for one in program.definitions for node in walk.nodes(one) if isinstance(node, core.Global)
        )
        self.ready: dict[core.Global, core.Function] = {}
        self.fresh = Fresh()
        self.room = 0

    def program(self) -> core.Program:
        """Functions are done before those that apply them."""
        definitions = [*self.given.definitions]
        places = {name: at for at, one in enumerate(definitions) for name in walk.names(one)}
        uses = [
            dict.fromkeys(places[each] for each in walk.nodes(one) if isinstance(each, core.Global) and each in places)
            for one in definitions
        ]
        for group in components(uses):
            for at in group:
                definitions[at] = self.definition(definitions[at])
            [one, *others] = [definitions[at] for at in group]
            if not others and isinstance(one, core.Function) and group[0] not in uses[group[0]] and is_plain(one):
                self.ready[one.name] = one
        return without_unreachable(replace(self.given, definitions=tuple(definitions)))

    def definition(self, definition: core.Definition) -> core.Definition:
        """A definition with others written out in it."""
        if not isinstance(definition, core.Function) or not is_plain(definition):
            return definition  # constants are made once
        while True:
            self.fresh = Fresh(definition)
            self.room = MOST_IN_ALL - size(definition)
            made = walk.rebuilt(definition, self.written_out)
            if made == definition:
                return definition
            definition = simplified(made, self.constants)  # type: ignore[arg-type]

    def written_out(self, node: core.Node) -> core.Node:
        """An application, or what it stands for."""
        match node:
            case core.Block(commands=commands):
                return replace(node, commands=tuple(self.in_place(commands)))
            case core.If(commands=commands, otherwise=otherwise) | core.While(commands=commands, otherwise=otherwise):
                inner, others = tuple(self.in_place(commands)), tuple(self.in_place(otherwise))
                return replace(node, commands=inner, otherwise=others)
            case core.Apply(function=core.Global() as name, arguments=arguments) if (
                (function := self.ready.get(name)) and len(arguments) == len(function.parameters)
            ):
                made = applied(function, arguments, self.fresh)
                left = cost(simplified(core.Constants(name, made, span=node.span), self.constants))
                is_only = self.uses[name] == 1 and is_made(name)
                if (left <= MOST_COPIED or is_only) and left <= self.room and not may_leave(made):
                    self.room -= left
                    return made
        return node


    def in_place(self, commands: Sequence[core.Command]) -> Iterator[core.Command]:
        """Commands, with those of routines in place of their applications."""
        for command in commands:
            match command:
                case core.Evaluate(value=core.Block(commands=inner, routine=True)):
                    yield from inner
                case _:
                    yield command


def cost(node: core.Node) -> int:
    """What a definition costs where it is written out: its nodes, and more for what it applies, which stays."""
    applications = (part for part in walk.nodes(node) if isinstance(part, core.Apply))
    return size(node) + _APPLICATION * sum(isinstance(each.function, core.Global) for each in applications)


def applied(function: core.Function, arguments: Sequence[core.Expression], fresh: Fresh) -> core.Expression:
    """The body of a function, its parameters defined as the arguments."""
    names: dict[core.Local, core.Local] = {}
    body = copied(function.body, names, fresh)
    lets: list[core.Command] = []
    for parameter, argument in zip(function.parameters, arguments, strict=True):
        variable = names.get(parameter) or fresh.local(parameter.name, parameter.span)
        lets.append(core.Let(variable, argument, span=argument.span))
    commands = body.commands if isinstance(body, core.Block) else (core.Result(body, span=body.span),)
    routine = isinstance(body, core.Block) and body.routine
    return core.Block((*lets, *commands), routine=routine, span=function.body.span)


def may_leave(block: core.Expression) -> bool:
    """Whether a block has a result before its end."""
    if isinstance(block, core.Block) and block.routine:
        return may_give_result(block.commands)
    return isinstance(block, core.Block) and (
        not isinstance(block.commands[-1], core.Result) or may_give_result(block.commands[:-1])
    )
