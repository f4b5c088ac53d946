"""How much is at fault in a definition: of the edits that make a text parse, the likeliest leave the fewest faults.

What no compiler would take is a fault: a call that disagrees with the number of parameters, a name that nothing
defines, a function as an operand, a value that is not used, a block without a result. So is what nobody writes: a test
that is no test, a truth value among arguments, a list or a call with nothing in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cpl.syntax import nodes, walk

Arities = Mapping[str, tuple[int, int]]
"""For each function that is known, the least and the most arguments that it takes."""

_LOGICAL: Final = frozenset("AND OR NOT EQUAL UNEQUAL LESS GREATER AT_MOST AT_LEAST EQUIVALENT INEQUIVALENT".split())


class Ranking:
    """Counts faults in a definition that stands among these programs and may use them."""

    def __init__(self, programs: Sequence[nodes.Program], arities: Arities) -> None:
        self.arities = {**arities, **_arities(programs)}
        self.known = {*self.arities, *(name for each in programs for name in _given(each))}
        self._wanted = {name for program in programs for name in _used(program)} - self.known

    def faults(self, program: nodes.Program) -> int:
        """How much is at fault in a definition, and in the other programs if they need what it should define."""
        arities = {**self.arities, **_arities([program])}
        unknown = (self._wanted | set(_used(program)) - self.known) - set(_given(program))
        astray = sum(isinstance(each, nodes.Result) for each in program.statements)
        return len(unknown) + astray + sum(_faults(node, arities) for node in walk.walk(program))


def _faults(node: nodes.Node, arities: Arities) -> int:
    """The faults of one node."""
    match node:
        case nodes.Application(arguments=()) | nodes.FunctionHeading(parameters=()) | nodes.Bracket((), square=False):
            return 1
        case nodes.Application(function=function, arguments=arguments):
            least, most = arities.get(function.name, _ANY) if isinstance(function, nodes.Name) else _ANY
            return (not least <= len(arguments) <= most) + sum(map(_is_logical, arguments))
        case nodes.Bracket(items=items, square=square) if square or len(items) > 1:
            return sum(map(_is_logical, items))
        case nodes.Chain(items=items):
            applied = any(isinstance(item, nodes.Name) and arities.get(item.name, _ANY)[0] for item in items)
            return applied + (isinstance(items[0], nodes.Operator) and items[0].kind == "PLUS")
        case nodes.Arm(test=test) | nodes.If(test=test) | nodes.While(test=test) | nodes.Test(condition=test):
            return _is_no_test(test)
        case nodes.ForStep(first=first, step=step, last=last):
            return sum(map(_is_logical, (first, step, last)))
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
    """Whether this is a choice or has a truth value, as arguments and members seldom are without brackets."""
    match node:
        case nodes.Chain(items=items):
            return any(isinstance(item, nodes.Operator) and item.kind in _LOGICAL for item in items)
        case _:
            return isinstance(node, nodes.Conditional)


def _is_no_test(node: nodes.Expression) -> bool:
    match node:
        case nodes.Bracket(items=(only,), square=False):
            return _is_no_test(only)
        case nodes.Chain():
            return not _is_logical(node)
        case _:
            return isinstance(node, nodes.Number | nodes.String | nodes.Bracket | nodes.Conditional)


def _arities(programs: Sequence[nodes.Program]) -> dict[str, tuple[int, int]]:
    """How many arguments the functions take that programs define, and what makes and takes apart nodes."""
    found: dict[str, int] = {}
    for statement in (statement for program in programs for statement in program.statements):
        for part in walk.parts(statement):
            match part:
                case nodes.Definition(heading=nodes.FunctionHeading() as heading) | nodes.Routine(heading=heading):
                    found[heading.name.name] = len(heading.parameters)
                case nodes.NodeType(name=name, components=components):
                    found |= {name.name: len(components), **dict.fromkeys([each.name for each in components], 1)}
    return {name: (count, count) for name, count in found.items()}


def _given(program: nodes.Program) -> Iterator[str]:
    """The names that a program gives to something, parameters and components included."""
    for node in walk.walk(program):
        match node:
            case nodes.Parameter(name=name):
                yield name
            case nodes.Lambda(parameters=names):
                yield from (name.name for name in names)
            case nodes.ForStep(name=given) | nodes.ForList(name=given) | nodes.Label(name=given):
                yield given.name
            case _:
                yield from (name.name for name in walk.defined(node))


def _used(program: nodes.Program) -> Iterator[str]:
    """The large names that stand in a program: those that a slip runs together."""
    return (node.name for node in walk.walk(program) if isinstance(node, nodes.Name) and node.name[:1].isupper())
