"""What is the same in every round of a loop, before the loop; and what is the same in several places, once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from cpl.optimise.simplify import is_steady, literals, simplified
from cpl.optimise.trees import Fresh, is_plain, size
from cpl.semantics import core, walk
from cpl.types.facts import Facts
from cpl.types.types import TupleOf

_LEAST: Final = 3
"""Smaller expressions are not kept in a variable."""


def hoist(program: core.Program, facts: Facts) -> core.Program:
    """The program with loops that do only what changes."""
    constants = literals(program)

    def change(one: core.Definition) -> core.Definition:
        if not isinstance(one, core.Function) or not is_plain(one):
            return one
        return simplified(replace(one, body=_Hoister(facts).changed(one.body)), constants)  # type: ignore[arg-type]

    return replace(program, definitions=tuple(map(change, program.definitions)))


def common(program: core.Program, facts: Facts) -> core.Program:
    """The program with expressions that stand in several places worked out once."""

    def change(one: core.Definition) -> core.Definition:
        if not isinstance(one, core.Function) or not is_plain(one):
            return one
        return _Common(one).definition()

    return replace(program, definitions=tuple(map(change, program.definitions)))


@dataclass
class _Hoister:
    facts: Facts

    def changed(self, node: core.Node) -> core.Node:
        """A node, what its loops need not do again before them."""
        match node:
            case core.Block(commands=commands):
                return replace(node, commands=self.commands(commands))
            case core.If(test=test, commands=commands, otherwise=otherwise):
                test = self.changed(test)  # type: ignore[assignment]
                return replace(node, test=test, commands=self.commands(commands), otherwise=self.commands(otherwise))
            case core.While() | core.Repeat() | core.ForList() | core.ForStep():
                return replace(node, commands=self.commands(node.commands))
            case _:
                return walk.with_parts(node, self.changed)

    def commands(self, commands: Sequence[core.Command]) -> tuple[core.Command, ...]:
        """Commands; what comes out of each loop stands before it."""
        out: list[core.Command] = []
        for command in commands:
            made = self.changed(command)
            if isinstance(made, core.While | core.ForList | core.ForStep):
                bound = {*bound_in(made)}
                inner = list(made.commands)
                while moved := next((each for each in inner if self.is_fixed(each, bound)), None):
                    inner.remove(moved)
                    out.append(moved)
                    bound -= walk.locals_in(moved.target)  # type: ignore[attr-defined]
                made = replace(made, commands=tuple(inner))
            out.append(made)  # type: ignore[arg-type]
        return tuple(out)

    def is_fixed(self, command: core.Command, bound: set[core.Local]) -> bool:
        """Whether a command defines the same in each round."""
        match command:
            case core.Let(target=core.Several(items=items), value=core.Local() as value):
                type = self.facts.of(value)
                return value not in bound and isinstance(type, TupleOf) and len(type.parts) == len(items)
            case core.Let(target=core.Local(), value=value):
                return is_steady(value) and bound.isdisjoint(walk.locals_in(value))
            case _:
                return False


def bound_in(node: core.Node) -> list[core.Local]:
    """The variables that get values within a node."""
    found: list[core.Local] = []
    for part in walk.nodes(node):
        match part:
            case core.Let(target=target):
                found += walk.locals_in(target)
            case core.Assign(places=places):
                found += [place for place in places if isinstance(place, core.Local)]
            case core.ForList(variable=variable) | core.ForStep(variable=variable):
                found.append(variable)
            case core.LetFunction(name=name) | core.Append(list=name):
                found.append(name)
            case core.Declare(variable=core.Local() as variable):
                found.append(variable)
    return found


class _Common:
    """Gives names to the expressions of one definition that occur several times."""

    def __init__(self, function: core.Function) -> None:
        self.function = function
        self.fresh = Fresh(function)
        counts = Counter(bound_in(function.body))
        self.changing = {*walk.assigned(function.body)} | {each for each, count in counts.items() if count > 1}

    def definition(self) -> core.Function:
        """The definition with names for what occurs several times."""
        return replace(self.function, body=self.changed(self.function.body))  # type: ignore[arg-type]

    def changed(self, node: core.Node) -> core.Node:
        """A node with its blocks changed, the outer ones first."""
        match node:
            case core.Block(commands=commands):
                return replace(node, commands=self.commands(commands))
            case core.If(commands=commands, otherwise=otherwise):
                return replace(node, commands=self.commands(commands), otherwise=self.commands(otherwise))
            case core.While() | core.Repeat() | core.ForList() | core.ForStep():
                return replace(node, commands=self.commands(node.commands))
            case _:
                return walk.with_parts(node, self.changed)

    def commands(self, commands: Sequence[core.Command]) -> tuple[core.Command, ...]:
        """Commands in which the largest expressions that occur again get names."""
        rest = list(commands)
        out: list[core.Command] = []
        while rest:
            found = Counter(
                part for command in rest for part in walk.nodes(command) if self.is_worth(part)
            )
            again = [each for each in _at_once(rest[0]) if found[each] > 1 and self.is_worth(each)]
            again += self.same_in_each_round(rest[0])
            if again:
                meant = max(again, key=size)
                variable = self.fresh.local("n" if _counts(meant) else "x", meant.span)
                out.append(core.Let(variable, meant, span=meant.span))
                rest = [_replaced(each, meant, variable) for each in rest]
                continue
            out.append(self.changed(rest.pop(0)))  # type: ignore[arg-type]
        return tuple(out)

    def same_in_each_round(self, command: core.Command) -> list[core.Expression]:
        """The expressions in a loop that have the same value in each round."""
        if not isinstance(command, core.While | core.Repeat | core.ForList | core.ForStep):
            return []
        bound = {*bound_in(command)}
        return [
            part  # type: ignore[misc]
            for part in walk.nodes(command)
            if self.is_worth(part, least=2) and bound.isdisjoint(walk.locals_in(part)) and walk.locals_in(part)
        ]

    def is_worth(self, node: core.Node, least: int = _LEAST) -> bool:
        """Whether an expression is worth a name, and always gives the same."""
        return (
            isinstance(node, core.Unary | core.Binary)
            and is_steady(node)
            and size(node) >= least
            and self.changing.isdisjoint(walk.locals_in(node))
        )


def _counts(node: core.Node) -> bool:
    return isinstance(node, core.Binary) and node.operator == "TIMES"


def _at_once(command: core.Command) -> list[core.Expression]:
    """The expressions of a command that are evaluated in any case, when it is obeyed."""
    match command:
        case core.If(test=test):
            waiting: list[core.Node] = [test]
        case core.While() | core.Repeat():
            waiting = []
        case core.ForList(members=members):
            waiting = [members]
        case core.Let() | core.Assign() | core.Result() | core.Evaluate() | core.Append():
            waiting = [each for each in walk.parts(command) if not isinstance(each, core.Several)]
        case _:
            waiting = []
    found: list[core.Expression] = []
    while waiting:
        match waiting.pop():
            case core.Conditional(arms=((test, _), *_)):
                waiting.append(test)
            case core.Block(commands=(first, *_)):
                found += _at_once(first)
            case core.Binary(operator="AND" | "OR", left=left):
                waiting.append(left)
            case core.Lambda() | core.Block():
                pass
            case node:
                found.append(node)  # type: ignore[arg-type]
                waiting += walk.parts(node)
    return found


def _replaced(command: core.Command, meant: core.Expression, variable: core.Local) -> core.Command:
    def change(part: core.Node) -> core.Node:
        return replace(variable, span=part.span) if part == meant else part

    return walk.rebuilt(command, change)  # type: ignore[return-value]
