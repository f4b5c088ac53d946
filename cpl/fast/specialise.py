"""Copies of functions for constant arguments that decide something in them.

An argument decides if a test, the count of a shift or an application depends on it, in the function itself or in one
that it is passed on to. `F(P,‘Capture’,5)` becomes `_F_Capture_5(P)`.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from cplrt import show

from cpl.fast.simplify import literals, simplified
from cpl.fast.trees import commands_of, is_plain, size, without_unreachable
from cpl.records import dataclass, field, replace
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
    copies: dict[tuple[core.Global, _Known], core.Function] = field(default_factory=dict)

    def __post_init__(self) -> None:
        definitions = self.given.definitions
        self.functions = {one.name: one for one in definitions if isinstance(one, core.Function) and is_plain(one)}
        self.constants = literals(self.given)
        self.deciding = deciding(self.functions)
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
            definitions += [one, *(copy for (name, _), copy in self.copies.items() if name in names)]
        return without_unreachable(replace(self.given, definitions=tuple(definitions)))

    def change(self, node: core.Node) -> core.Node:
        """An application as that of a copy."""
        match node:
            case core.Apply(function=core.Global() as name, arguments=arguments) if (
                function := self.functions.get(name)
            ) and len(arguments) == len(function.parameters):
                known = tuple([(at, each) for at in self.deciding[name] if (each := self.constant(arguments[at]))])
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
        """The copy of a function for some arguments; None if there is no room for it."""
        key = function.name, known
        if key not in self.copies:
            if self.room < 0:
                return None
            lets = [core.Let(function.parameters[at], each, span=each.span) for at, each in known]
            block = core.Block((*lets, *commands_of(function.body)), span=function.body.span)
            left = tuple([each for at, each in enumerate(function.parameters) if at not in dict(known)])
            name = replace(function.name, name=self.name(function.name, known))
            made = replace(function, name=name, parameters=left, body=block, note=self.note(function, known))
            self.copies[key] = made = simplified(made, self.constants)  # before it is looked into: it may apply itself
            self.room -= size(made)
            self.copies[key] = walk.rebuilt(made, self.change)
        return self.copies[key]

    def note(self, function: core.Function, known: _Known) -> str:
        """What a copy does."""
        names = [each.name for each in function.parameters]
        values = " and ".join(f"{names[at]} = {_written(each)}" for at, each in known)
        return f"{function.name.name.lstrip('_')}({','.join(names)}) for {values}."

    def name(self, function: core.Global, known: _Known) -> str:
        """What to call a copy."""
        words = [_word(each) for _, each in known]
        name = "_".join(["_" + function.name.lstrip("_"), *words])
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name


def _written(constant: _Constant) -> str:
    if isinstance(constant, core.Global):
        return constant.name.lstrip("_")
    return show(constant.value)


def _word(constant: _Constant) -> str:
    written = constant.name.strip("_") if isinstance(constant, core.Global) else str(constant.value)
    spelled = written.replace("-", "minus_").replace(".", "_")
    return spelled if spelled.isidentifier() or f"_{spelled}".isidentifier() else "constant"


def deciding(functions: Mapping[core.Global, core.Function]) -> dict[core.Global, list[int]]:
    """The places of the parameters of each function on which something depends in it.

    Those that count are left out: each application would get a copy of its own.
    """
    passed = [
        (one, node.function, parameter, argument)
        for one in functions.values()
        for node in walk.nodes(one.body)
        if isinstance(node, core.Apply) and isinstance(node.function, core.Global) and node.function in functions
        for parameter, argument in zip(functions[node.function].parameters, node.arguments, strict=False)
    ]
    found = {(name, each) for name, one in functions.items() for each in decided_by(one.body) & {*one.parameters}}
    counting = {
        (name, parameter)
        for _, name, parameter, argument in passed
        if isinstance(argument, core.Unary | core.Binary) and walk.locals_in(argument)
    }
    while True:
        more = {
            (one.name, argument)
            for one, name, parameter, argument in passed
            if (name, parameter) in found and isinstance(argument, core.Local) and argument in one.parameters
        } - found
        if not more:
            break
        found |= more
    return {
        name: [at for at, each in enumerate(one.parameters) if (name, each) in found - counting]
        for name, one in functions.items()
    }


def decided_by(body: core.Node) -> set[core.Local]:
    """The variables on which a test, the count of a shift or an application depends."""
    found: set[core.Local] = set()
    for node in walk.nodes(body):
        match node:
            case core.Conditional(arms=arms):
                parts: list[core.Node] = [test for test, _ in arms]
            case core.If(test=test) | core.While(test=test) | core.Repeat(test=test):
                parts = [test]
            case core.Binary(operator="SHIFT", right=count):
                parts = [count]
            case core.Apply(function=core.Local() as applied):
                parts = [applied]
            case _:
                parts = []
        found |= {each for part in parts for each in _compared(part)}
    return found


def _compared(test: core.Node) -> Iterator[core.Local]:
    """The variables that a test or a count is about, without what is only applied or looked into."""
    match test:
        case core.Local():
            yield test
        case core.Compare() | core.Unary() | core.Binary():
            for part in walk.parts(test):
                yield from _compared(part)
