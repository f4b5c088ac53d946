"""Counts the faults of a definition: of the edits that make a text parse, the likeliest leave the fewest.

A fault is what no compiler would accept: a call that disagrees with the number of parameters, an undefined name, a
function as an operand, a junction of a number or a list, an unused value, a block without a result, a constant with the
name of a function. So is what nobody writes: a test without a truth value, a truth value among arguments or limits of a
loop, an empty list or call.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Final

from cpl.syntax import nodes, walk

Arities = Mapping[str, tuple[int, int]]
"""The least and the most arguments of each known function."""

_JUNCTIONS: Final = frozenset("AND OR NOT".split())
_RELATIONS: Final = frozenset("EQUAL UNEQUAL LESS GREATER AT_MOST AT_LEAST EQUIVALENT INEQUIVALENT".split())


class Ranking:
    """Counts the faults of a definition that may use these programs and is used by them."""

    def __init__(self, programs: Sequence[nodes.Program], arities: Arities) -> None:
        self.arities = {**arities, **_arities(programs)}
        self.known = {*self.arities, *(name for each in programs for name in _defined(each))}
        self._wanted = {name for program in programs for name in _used(program)} - self.known
        self.names = self.known | self._wanted

    def faults(self, program: nodes.Program) -> int:
        """The number of faults in a definition, names included that the other programs expect it to define."""
        arities = {**self.arities, **_arities([program])}
        unknown = (self._wanted | set(_used(program)) - self.known) - set(_defined(program))
        return len(unknown) + sum(_faults(node, arities) for node in walk.walk(program))


def _faults(node: nodes.Node, arities: Arities) -> int:
    """The faults of one node."""
    match node:
        case nodes.Application(arguments=()) | nodes.FunctionHeading(parameters=()) | nodes.Bracket((), square=False):
            return 1
        case nodes.Application(function=function, arguments=arguments):
            least, most = arities.get(function.name, _ANY) if isinstance(function, nodes.Name) else _ANY
            return (not least <= len(arguments) <= most) + sum(map(_is_relation, arguments))
        case nodes.Bracket(items=items, square=square) if square or len(items) > 1:
            return sum(map(_is_relation, items))
        case nodes.Chain(items=items):
            applied = any(isinstance(item, nodes.Name) and arities.get(item.name, _ANY)[0] for item in items)
            return applied + _is_of(items[:1], {"PLUS"}) + (_is_of(items, _JUNCTIONS) and _is_of_numbers(items))
        case nodes.Arm(test=test) | nodes.If(test=test) | nodes.While(test=test) | nodes.Test(condition=test):
            return isinstance(test, nodes.Chain | nodes.Number) and not _is_logical(test)
        case nodes.ForStep(first=first, step=step, last=last):
            return sum(map(_is_relation, (first, step, last)))
        case nodes.Definition(heading=nodes.Name(name=name)):
            return name in arities
        case nodes.ValueBlock(section=section, result=False):
            return not any(isinstance(each, nodes.Result | nodes.ValueCommand) for each in walk.walk(section))
        case nodes.ValueCommand(value=value):
            return not isinstance(value, nodes.Application | nodes.Name)
        case _:
            return 0


_ANY: Final = (0, 1_000_000)


def _is_logical(node: nodes.Expression) -> bool:
    """Whether this may have a truth value: a junction may be one of bit strings."""
    return _is_relation(node) or (isinstance(node, nodes.Chain) and _is_of(node.items, _JUNCTIONS))


def _is_relation(node: nodes.Expression) -> bool:
    """Whether this is a conditional or surely a condition, which arguments and members seldom are without brackets."""
    match node:
        case nodes.Chain(items=items):
            return _is_of(items, _RELATIONS) or (_is_of(items, _JUNCTIONS) and any(map(_is_test, items)))
        case _:
            return isinstance(node, nodes.Conditional)


def _is_test(node: nodes.Node) -> bool:
    match node:
        case nodes.Application(function=nodes.Name(name="Null" | "Is")):
            return True
        case _:
            return False


def _is_of(items: Sequence[nodes.Node], kinds: Set[str]) -> bool:
    """Whether an operator of these kinds is among the items of a chain."""
    return any(isinstance(item, nodes.Operator) and item.kind in kinds for item in items)


def _is_of_numbers(items: Sequence[nodes.Node]) -> bool:
    """Whether a number or a list is among the items of a chain, and no relation that may have it."""
    return not _is_of(items, _RELATIONS) and any(
        isinstance(item, nodes.Number) or (isinstance(item, nodes.Bracket) and item.square) for item in items
    )


def _arities(programs: Sequence[nodes.Program]) -> dict[str, tuple[int, int]]:
    """The arities of the functions that programs define, and of the constructors and selectors of nodes."""
    found: dict[str, int] = {}
    for part in (part for program in programs for each in program.statements for part in walk.members(each)):
        match part:
            case nodes.Definition(heading=nodes.FunctionHeading() as heading) | nodes.Routine(heading=heading):
                found[heading.name.name] = len(heading.parameters)
            case nodes.NodeType(name=name, components=components):
                found |= {name.name: len(components), **dict.fromkeys([each.name for each in components], 1)}
    return {name: (count, count) for name, count in found.items()}


def _defined(program: nodes.Program) -> Iterator[str]:
    """The names that a program defines, parameters and components included."""
    for node in walk.walk(program):
        match node:
            case nodes.Parameter(name=name):
                yield name
            case nodes.Lambda(parameters=names):
                yield from (name.name for name in names)
            case nodes.ForStep(name=defined) | nodes.ForList(name=defined) | nodes.Label(name=defined):
                yield defined.name
            case _:
                yield from (name.name for name in walk.defined(node))


def _used(program: nodes.Program) -> Iterator[str]:
    """The large names in a program: a slip may join two of them."""
    return (node.name for node in walk.walk(program) if isinstance(node, nodes.Name) and node.name[:1].isupper())
