"""Copies of functions for constant arguments that decide something in them.

`F(P,‘Capture’,5)` becomes `_F_Capture_5(P)`, if there is less to do in F when its parameters are known: something is
left out, shifts know their direction, or it applies an argument, which is a function.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from cplrt import show

from cpl.fast.simplify import literals, simplified
from cpl.fast.trees import commands_of, is_plain, name_for_copy, size, without_unreachable
from cpl.semantics import core, walk
from cpl.types.facts import Facts

MOST_GROWTH: Final = 4
"""The copies may make the program so many times as large."""

_Constant = core.Literal | core.Global
_Known = tuple[tuple[int, _Constant], ...]
"""The arguments that are known, by their places."""


def specialise(program: core.Program, facts: Facts) -> core.Program:
    """The program with copies of functions where they are faster."""
    return _Specialiser(program).program()


@dataclass
class _Specialiser:
    given: core.Program
    copies: dict[tuple[core.Global, _Known], core.Function | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        definitions = self.given.definitions
        functions = (one for one in definitions if isinstance(one, core.Function))
        self.functions = {function.name: function for function in functions if _may_be_copied(function)}
        self.constants = literals(self.given)
        self.counting = {*counting(self.functions)}
        self.room = MOST_GROWTH * sum(map(size, definitions))
        self.taken = {name.name for one in definitions for name in walk.names(one)}

    def program(self) -> core.Program:
        """Each copy comes after what it is a copy of."""
        changed = [
            walk.rebuilt(one, self.change) if isinstance(one, core.Function) else one  # constants are made once
            for one in self.given.definitions
        ]
        definitions: list[core.Definition] = []
        for one in changed:
            names = walk.names(one)
            definitions += [one, *(copy for (name, _), copy in self.copies.items() if copy and name in names)]
        return without_unreachable(replace(self.given, definitions=tuple(definitions)))

    def change(self, node: core.Node) -> core.Node:
        """An application as that of a copy."""
        match node:
            case core.Apply(function=core.Global() as name, arguments=arguments) if (
                function := self.functions.get(name)
            ) and len(arguments) == len(function.parameters):
                constants = [(at, value) for at, each in enumerate(arguments) if (value := self.constant(each))]
                known = tuple([(at, value) for at, value in constants if (name, at) not in self.counting])
                if known and (copy := self.copy(function, known)):
                    left = [each for at, each in enumerate(arguments) if at not in dict(known)]
                    return replace(node, function=replace(copy.name, span=name.span), arguments=tuple(left))
        return node

    def constant(self, node: core.Expression) -> _Constant | None:
        """What an argument is, if that is known: a constant, or a function."""
        if isinstance(node, core.Global):
            return self.constants.get(node) or (node if node in self.functions else None)
        return node if isinstance(node, core.Literal) else None

    def copy(self, function: core.Function, known: _Known) -> core.Function | None:
        """The copy of a function for some arguments; None if there is no room for it, or they decide nothing."""
        key = function.name, known
        if key not in self.copies and self.room > 0:
            before, room = {**self.copies}, self.room
            lets = [core.Let(function.parameters[at], each, span=each.span) for at, each in known]
            block = core.Block((*lets, *commands_of(function.body)), span=function.body.span)
            left = tuple([each for at, each in enumerate(function.parameters) if at not in dict(known)])
            name = name_for_copy(function.name, [_word(constant) for _, constant in known], self.taken)
            made = replace(function, name=name, parameters=left, body=block, note=self.note(function, known))
            self.copies[key] = made = simplified(made, self.constants)  # before it is looked into: it may apply itself
            self.copies[key] = made = walk.rebuilt(made, self.change)
            self.room -= size(made)
            if not _is_better(made, function, known):
                self.copies, self.room = {**before, key: None}, room
        return self.copies.get(key)

    def note(self, function: core.Function, known: _Known) -> str:
        """What a copy does."""
        parameters = [parameter.name for parameter in function.parameters]
        values = " and ".join(f"{parameters[at]} = {_written(constant)}" for at, constant in known)
        return f"{function.name.name.lstrip('_')}({','.join(parameters)}) for {values}."


def _written(constant: _Constant) -> str:
    return constant.name.lstrip("_") if isinstance(constant, core.Global) else show(constant.value)


def _word(constant: _Constant) -> str:
    """How a name spells a constant."""
    return re.sub(r"\W+", "_", _written(constant).replace("−", "minus_"), flags=re.ASCII).strip("_")


def _may_be_copied(function: core.Function) -> bool:
    """Whether a function assigns to no member: what type a list has that changes is known best where its uses meet."""
    places = (place for node in walk.nodes(function) if isinstance(node, core.Assign) for place in node.places)
    return is_plain(function) and not any(isinstance(place, core.Select) for place in places)


def _is_better(copy: core.Function, function: core.Function, known: _Known) -> bool:
    """Whether a copy has less to do, or applies a function that it knows."""
    applied = [node.function for node in walk.nodes(copy.body) if isinstance(node, core.Apply)]
    shorter = _work(function.body) - _work(copy.body) - len(known) * applied.count(copy.name)
    return shorter > 0 or any(constant in applied for _, constant in known)


def _work(body: core.Node) -> int:
    """The number of nodes, and of variables on which the direction of a shift depends."""
    shifts = (node for node in walk.nodes(body) if isinstance(node, core.Binary) and node.operator == "SHIFT")
    return size(body) + sum(isinstance(part, core.Local) for node in shifts for part in walk.nodes(node.right))


def counting(functions: Mapping[core.Global, core.Function]) -> Iterator[tuple[core.Global, int]]:
    """The functions and the numbers of their parameters that count: each application would get a copy of its own."""
    for function in functions.values():
        for node in walk.nodes(function.body):
            if isinstance(node, core.Apply) and (applied := functions.get(node.function)):  # type: ignore[arg-type]
                for at, argument in enumerate(node.arguments):
                    if isinstance(argument, core.Unary | core.Binary) and walk.locals_in(argument):
                        yield applied.name, at
