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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from cplrt import show

from cpl.compiler.optimise.simplify import literals, simplified
from cpl.compiler.optimise.trees import commands_of, is_plain, name_for_copy, size, without_unreachable
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
        self.room = MOST_GROWTH * sum(map(size, definitions))
        self.taken = {name.name for definition in definitions for name in walk.names(definition)}

    def run(self) -> core.Program:
        """Return the program; each copy comes after its original."""
        changed = [  # constants are evaluated once, and stay
            walk.rebuilt(definition, self.change) if isinstance(definition, core.Function) else definition
            for definition in self.program.definitions
        ]
        definitions: list[core.Definition] = []
        for definition in changed:
            names = walk.names(definition)
            definitions += [definition, *(copy for (name, _), copy in self.copies.items() if copy and name in names)]
        return without_unreachable(replace(self.program, definitions=tuple(definitions)))

    def change(self, node: core.Node) -> core.Node:
        """Let an application apply a copy, if there is one."""
        match node:
            case core.Apply(function=core.Global() as name, arguments=arguments) if (
                function := self.functions.get(name)
            ) and len(arguments) == len(function.parameters):
                constants = {
                    at: value
                    for at, argument in enumerate(arguments)
                    if (value := self.constant(argument)) and not self.is_quantity(function, at)
                }
                if constants and (copy := self.copy(function, tuple(constants.items()))):
                    rest = [argument for at, argument in enumerate(arguments) if at not in constants]
                    return replace(node, function=replace(copy.name, span=name.span), arguments=tuple(rest))
        return node

    def is_quantity(self, function: core.Function, at: int) -> bool:
        """Tell whether a parameter counts or measures: it counts, or is declared to be a number."""
        return (function.name, at) in self.counting or bool(function.parameters[at].converts_to)

    def constant(self, node: core.Expression) -> _Constant | None:
        """Return the constant or the function that an argument is; None if it is neither."""
        if isinstance(node, core.Global):
            return self.constants.get(node) or (node if node in self.functions else None)
        return node if isinstance(node, core.Literal) else None

    def copy(self, function: core.Function, constants: _Arguments) -> core.Function | None:
        """Return the copy of a function for some arguments; None if there is no room, or it has as much to do."""
        key = function.name, constants
        if key not in self.copies and self.room > 0:
            before, room = {**self.copies}, self.room
            lets = [core.Let(function.parameters[at], constant, span=constant.span) for at, constant in constants]
            block = core.Block((*lets, *commands_of(function.body)), span=function.body.span)
            parameters = [parameter for at, parameter in enumerate(function.parameters) if at not in dict(constants)]
            name = name_for_copy(function.name, [_word(constant) for _, constant in constants], self.taken)
            note = self.note(function, constants)
            result = replace(function, name=name, parameters=tuple(parameters), body=block, note=note)
            result = simplified(result, self.constants)
            self.copies[key] = result  # before its parts are specialised: it may apply itself
            self.copies[key] = result = walk.rebuilt(result, self.change)
            self.room -= size(result)
            if not _is_better(result, function, constants):
                self.copies, self.room = {**before, key: None}, room
        return self.copies.get(key)

    def note(self, function: core.Function, constants: _Arguments) -> str:
        """Describe a copy, for its docstring."""
        parameters = [parameter.name for parameter in function.parameters]
        values = " and ".join(f"{parameters[at]} = {_written(constant)}" for at, constant in constants)
        return f"{function.name.name.lstrip('_')}({','.join(parameters)}) for {values}."


def _written(constant: _Constant) -> str:
    return constant.name.lstrip("_") if isinstance(constant, core.Global) else show(constant.value)


def _word(constant: _Constant) -> str:
    """Spell a constant in a name."""
    return re.sub(r"\W+", "_", _written(constant).replace("−", "minus_"), flags=re.ASCII).strip("_")


def _may_be_copied(function: core.Function) -> bool:
    """Tell whether a function assigns to no member: the type of a list that changes is inferred from all its uses."""
    places = (place for node in walk.nodes(function) if isinstance(node, core.Assign) for place in node.places)
    return is_plain(function) and not function.alone and not any(isinstance(place, core.Select) for place in places)


def _is_better(copy: core.Function, function: core.Function, constants: _Arguments) -> bool:
    """Tell whether a copy has less to do, or applies a function that it knows."""
    applied = [node.function for node in walk.nodes(copy.body) if isinstance(node, core.Apply)]
    shorter = _work(function.body) - _work(copy.body) - len(constants) * applied.count(copy.name)
    return shorter > 0 or any(constant in applied for _, constant in constants)


def _work(body: core.Node) -> int:
    """Count nodes, and the variables on which the direction of a shift depends."""
    shifts = (node for node in walk.nodes(body) if isinstance(node, core.Binary) and node.operator == "SHIFT")
    return size(body) + sum(isinstance(part, core.Local) for node in shifts for part in walk.nodes(node.right))


def counting(functions: Mapping[core.Global, core.Function]) -> Iterator[tuple[core.Global, int]]:
    """Yield functions with the positions of parameters that count, each application with another number."""
    for function in functions.values():
        for node in walk.nodes(function.body):
            if isinstance(node, core.Apply) and (applied := functions.get(node.function)):  # type: ignore[arg-type]
                for at, argument in enumerate(node.arguments):
                    if isinstance(argument, core.Unary | core.Binary) and walk.locals_in(argument):
                        yield applied.name, at
