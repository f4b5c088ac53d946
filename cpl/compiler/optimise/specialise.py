"""Specialisation: copies of functions for constant arguments.

    CaptureBy(AlphaBetaMove, H, c, n)

becomes `_CaptureBy_AlphaBetaMove(H, c, n)`, a copy that applies `AlphaBetaMove` itself; with a sort of move or a
direction as the argument, tests of it go and shifts know which way.

Why: such tests are made again and again in the innermost functions of a search, always with the same outcome.

How: an application with arguments that are constants or functions asks for a copy; it is simplified, specialised in
turn, and kept if it has less to do (`_work`) or applies a function that it now knows. A tuple with functions in it is
taken apart: the copy knows the functions, and its other members are parameters of the copy. So

    Deeper(P, (Moves,Play,n))

becomes `_Deeper_Moves_Play(P, n)`, also where a variable that never changes stands for the tuple.

Limits: not for parameters that count (`counting`) or are declared to be numbers, as each application would get a copy
of its own; not for functions that assign to members, work with places or stand `alone`; and only until the program has
grown by `MOST_GROWTH`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from cplrt import show

from cpl.compiler.optimise.simplify import literals, simplified, unset_in
from cpl.compiler.optimise.trees import (
    commands_of,
    defined_names,
    is_atom,
    is_plain,
    name_for_copy,
    size,
    without_unreachable,
)
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.fresh import Fresh
from cpl.compiler.types.facts import Sure

MOST_GROWTH: Final = 4
"""How many times as large as the program its copies may be."""


@dataclass(frozen=True)
class _Parts:
    """What is known of a tuple: the functions among its members; None for a member that is something else."""

    members: tuple[core.Global | None, ...]


_Constant = core.Literal | core.Global | _Parts
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
        self.tuples: dict[core.Local, core.Tuple] = {}  # of the definition that is being changed

    def run(self) -> core.Program:
        """Return the program; each copy comes after its original."""
        rewritten: list[core.Definition] = []
        for definition in self.program.definitions:
            if isinstance(definition, core.Function):
                rewritten.append(self.changed(definition))
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

    def changed(self, function: core.Function) -> core.Function:
        """Return a function in which applications apply copies, where there are any."""
        tuples_before = self.tuples
        self.tuples = _fixed_tuples(function)
        result = walk.rebuilt(function, self.change)
        self.tuples = tuples_before
        return result

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
            if not constant or self.is_quantity(function, at):
                rest.append(argument)
                continue
            constants[at] = constant
            if isinstance(constant, _Parts):
                members = zip(constant.members, self.members(argument), strict=True)
                rest += [member for known, member in members if known is None]
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
        """Return the constant or the function that an argument is, or what is known of a tuple; None if nothing is."""
        if isinstance(node, core.Literal):
            return node
        functions = [self.function_named(member) for member in self.members(node)]
        if any(functions):
            return _Parts(tuple(functions))
        if not isinstance(node, core.Global):
            return None
        if node in self.constants:
            return self.constants[node]
        return self.function_named(node)

    def function_named(self, node: core.Expression) -> core.Global | None:
        """Return an expression that is the name of a function that may be copied; None for any other."""
        return node if isinstance(node, core.Global) and node in self.functions else None

    def members(self, node: core.Expression) -> tuple[core.Expression, ...]:
        """Return the members of a tuple, or of the one that a variable always stands for; none if it is neither."""
        if isinstance(node, core.Local) and node in self.tuples:
            return self.tuples[node].items
        return node.items if isinstance(node, core.Tuple) else ()

    def copy(self, function: core.Function, constants: _Arguments) -> core.Function | None:
        """Return the copy of a function for some arguments; None if there is no room, or it has as much to do."""
        key = function.name, constants
        if key in self.copies or self.room <= 0:
            return self.copies.get(key)

        copies_before = {**self.copies}
        room_before = self.room
        copy = self.with_constants(function, constants)
        self.copies[key] = copy  # before its parts are specialised, as it may apply itself
        copy = self.changed(copy)
        self.copies[key] = copy
        self.room -= size(copy)
        if not _is_better(copy, function, constants):  # the copies that only this one asked for go, too
            self.copies = {**copies_before, key: None}
            self.room = room_before
        return self.copies[key]

    def with_constants(self, function: core.Function, constants: _Arguments) -> core.Function:
        """Return a function with some parameters defined as constants, under another name and simplified."""
        known = dict(constants)
        fresh = Fresh(function)
        lets: list[core.Command] = []
        parameters: list[core.Local] = []
        for at, parameter in enumerate(function.parameters):
            constant = known.get(at)
            if constant is None:
                parameters.append(parameter)
                continue
            value: core.Expression
            if isinstance(constant, _Parts):
                items = [member or fresh.local(parameter.name, parameter.span) for member in constant.members]
                parameters += [item for item in items if isinstance(item, core.Local)]
                value = core.Tuple(tuple(items), span=parameter.span)
            else:
                value = constant
            lets.append(core.Let(parameter, value, span=value.span))

        block = core.Block((*lets, *commands_of(function.body)), span=function.body.span)
        words = [_word(each) for _, constant in constants for each in _known_parts(constant)]
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
    match constant:
        case _Parts(members=members):
            return f"({','.join(_written(member) if member else '…' for member in members)})"
        case core.Global(name=name):
            return name.lstrip("_")
        case core.Literal(value=value):
            return show(value)


def _known_parts(constant: _Constant) -> Sequence[core.Literal | core.Global]:
    """The functions in a tuple of which these are known; any other constant is its only part."""
    if isinstance(constant, _Parts):
        return [member for member in constant.members if member]
    return [constant]


def _fixed_tuples(function: core.Function) -> dict[core.Local, core.Tuple]:
    """Return the variables of a function that always stand for one tuple of constants and of names that keep their
    values. In the scope of such a variable its members may be read in place of the tuple.
    """
    changed = {*walk.changed(function), *unset_in(function)}

    def is_fixed(node: core.Node) -> bool:
        is_value = not isinstance(node, core.Local) or node.mode == ""
        return is_value and is_atom(node) and node not in changed

    tuples: dict[core.Local, core.Tuple] = {}
    for node in walk.nodes(function):
        match node:
            case core.Let(target=core.Local() as target, value=core.Tuple(items=items) as value) if (
                is_fixed(target) and not target.declared and all(map(is_fixed, items))
            ):
                tuples[target] = value
    return tuples


def _word(constant: core.Literal | core.Global) -> str:
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
    return shorter > 0 or any(part in applied for _, constant in constants for part in _known_parts(constant))


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
