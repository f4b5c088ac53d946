"""Specialisation: copies of functions for constant arguments.

    CaptureBy(AlphaBetaMove, H, c, n)

becomes `_CaptureBy_AlphaBetaMove(H, c, n)`, a copy that applies `AlphaBetaMove` itself; with a sort of move or a
direction as the argument, tests of it go and shifts know which way.

Why: such tests are made again and again in the innermost functions of a search, always with the same outcome.

How: an application with arguments that are constants or functions asks for a copy; it is simplified, specialised in
turn, and kept if it has less to do (`_work`) or applies a function that it now knows.

Limits: not for parameters that count (`counting`) or are declared to be numbers, as each application would get a copy
of its own; not for functions that assign to members, work with places or stand `alone`; and only until the program has
grown by `MOST_GROWTH`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from cplrt import show

from cpl.compiler.optimise.simplify import literals, simplified
from cpl.compiler.optimise.trees import (
    commands_of,
    defined_names,
    is_plain,
    name_for_copy,
    size,
    without_unreachable,
)
from cpl.compiler.semantics import core, walk
from cpl.compiler.types.facts import Sure

MOST_GROWTH: Final = 4
"""How many times as large as the program its copies may be."""

_Constant = core.Literal | core.Global
_Arguments = tuple[tuple[int, _Constant], ...]
"""The constant arguments, with their positions."""


def specialise(program: core.Program, sure: Sure) -> core.Program:
    """Copy functions for constant arguments where that makes them faster."""
    return _Specialiser(program).run()


@dataclass
class _Specialiser:
    program: core.Program
    copies: dict[tuple[core.Global, _Arguments], core.Function | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        definitions = self.program.definitions
        functions = (definition for definition in definitions if isinstance(definition, core.Function))
        self.functions = {function.name: function for function in functions if _may_be_copied(function)}
        self.constants = literals(self.program)
        self.counting = {*counting(self.functions)}
        self.room = MOST_GROWTH * size(*definitions)
        self.taken = defined_names(self.program)

    def run(self) -> core.Program:
        """Return the program; each copy comes after its original."""
        rewritten: list[core.Definition] = []
        for definition in self.program.definitions:
            if isinstance(definition, core.Function):
                rewritten.append(walk.rebuilt(definition, self.change))
            else:  # a constant is evaluated once
                rewritten.append(definition)

        copies_of: defaultdict[core.Variable, list[core.Function]] = defaultdict(list)
        for (name, _), copy in self.copies.items():
            if copy:
                copies_of[name].append(copy)

        definitions: list[core.Definition] = []
        for definition in rewritten:
            definitions.append(definition)
            if isinstance(definition, core.Function):
                definitions += copies_of[definition.name]
        return without_unreachable(replace(self.program, definitions=tuple(definitions)))

    def change(self, node: core.Node) -> core.Node:
        """Let an application apply a copy, if there is one."""
        match node:
            case core.Apply(function=core.Global() as name) if name in self.functions:
                return self.specialised(node, self.functions[name])
            case _:
                return node

    def specialised(self, node: core.Apply, function: core.Function) -> core.Apply:
        """Let an application of this function apply a copy, if there is one."""
        if len(node.arguments) != len(function.parameters):
            return node

        constants: dict[int, _Constant] = {}
        rest: list[core.Expression] = []
        for at, argument in enumerate(node.arguments):
            constant = self.constant(argument)
            if constant and not self.is_quantity(function, at):
                constants[at] = constant
            else:
                rest.append(argument)
        if not constants:
            return node

        copy = self.copy(function, tuple(constants.items()))
        if not copy:
            return node
        return replace(node, function=replace(copy.name, span=node.function.span), arguments=tuple(rest))

    def is_quantity(self, function: core.Function, at: int) -> bool:
        """Tell whether a parameter counts or measures: it counts, or is declared to be a number."""
        return (function.name, at) in self.counting or bool(function.parameters[at].converts_to)

    def constant(self, node: core.Expression) -> _Constant | None:
        """Return the constant or the function that an argument is; None if it is neither."""
        if isinstance(node, core.Literal):
            return node
        if not isinstance(node, core.Global):
            return None
        if node in self.constants:
            return self.constants[node]
        return node if node in self.functions else None

    def copy(self, function: core.Function, constants: _Arguments) -> core.Function | None:
        """Return the copy of a function for some arguments; None if there is no room, or it has as much to do."""
        key = function.name, constants
        if key in self.copies or self.room <= 0:
            return self.copies.get(key)

        copies_before = {**self.copies}
        room_before = self.room
        copy = self.with_constants(function, constants)
        self.copies[key] = copy  # before its parts are specialised, as it may apply itself
        copy = walk.rebuilt(copy, self.change)
        self.copies[key] = copy
        self.room -= size(copy)
        if not _is_better(copy, function, constants):  # the copies that only this one asked for go, too
            self.copies = {**copies_before, key: None}
            self.room = room_before
        return self.copies[key]

    def with_constants(self, function: core.Function, constants: _Arguments) -> core.Function:
        """Return a function with some parameters defined as constants, under another name and simplified."""
        lets = [core.Let(function.parameters[at], constant, span=constant.span) for at, constant in constants]
        block = core.Block((*lets, *commands_of(function.body)), span=function.body.span)
        positions = {at for at, _ in constants}
        parameters = [parameter for at, parameter in enumerate(function.parameters) if at not in positions]
        words = [_word(constant) for _, constant in constants]
        copy = replace(
            function,
            name=name_for_copy(function.name, words, self.taken),
            parameters=tuple(parameters),
            body=block,
            note=_note(function, constants),
        )
        return simplified(copy, self.constants)


def _note(function: core.Function, constants: _Arguments) -> str:
    """Describe a copy, for its docstring."""
    parameters = [parameter.name for parameter in function.parameters]
    values = [f"{parameters[at]} = {_written(constant)}" for at, constant in constants]
    return f"{function.name.name.lstrip('_')}({','.join(parameters)}) for {' and '.join(values)}."


def _written(constant: _Constant) -> str:
    return constant.name.lstrip("_") if isinstance(constant, core.Global) else show(constant.value)


def _word(constant: _Constant) -> str:
    """Spell a constant in a name."""
    return re.sub(r"\W+", "_", _written(constant).replace("−", "minus_"), flags=re.ASCII).strip("_")


def _may_be_copied(function: core.Function) -> bool:
    """Tell whether a function assigns to no member: the type of a list that changes is inferred from all its uses."""
    if function.alone or not is_plain(function):
        return False
    assignments = (node for node in walk.nodes(function) if isinstance(node, core.Assign))
    places = chain.from_iterable(assignment.places for assignment in assignments)
    return not any(isinstance(place, core.Select) for place in places)


def _is_better(copy: core.Function, function: core.Function, constants: _Arguments) -> bool:
    """Tell whether a copy has less to do, or applies a function that it knows."""
    applied = [node.function for node in walk.nodes(copy.body) if isinstance(node, core.Apply)]
    shorter = _work(function.body) - _work(copy.body) - len(constants) * applied.count(copy.name)
    return shorter > 0 or any(constant in applied for _, constant in constants)


def _work(body: core.Node) -> int:
    """Count nodes, and the variables on which the direction of a shift depends."""
    shifts = (node for node in walk.nodes(body) if isinstance(node, core.Binary) and node.operator == "SHIFT")
    directions = walk.all_nodes(shift.right for shift in shifts)
    return size(body) + sum(isinstance(part, core.Local) for part in directions)


def counting(functions: Mapping[core.Global, core.Function]) -> Iterator[tuple[core.Global, int]]:
    """Yield functions with the positions of parameters that count, each application with another number."""
    for node in walk.all_nodes(function.body for function in functions.values()):
        match node:
            case core.Apply(function=core.Global() as name, arguments=arguments) if name in functions:
                for at, argument in enumerate(arguments):
                    if isinstance(argument, core.Unary | core.Binary) and walk.locals_in(argument):
                        yield name, at
