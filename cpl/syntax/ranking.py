"""Which of the edits that make a text parse is the likeliest: the rule, as data and two counts.

1. how little there is that no compiler would take: calls that disagree with the number of parameters or components of
   what they call, names that nothing defines, functions as operands, values that are not used, blocks without a result
2. how much the mended definition is like sound CPL (`usage.py`), a closing bracket where one would pause and an edit
   that puts something in being preferred, and names and opening brackets least likely to go
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from cpl.syntax import nodes, within
from cpl.syntax.lexer import Token
from cpl.syntax.signs import OPENERS, OPERANDS
from cpl.syntax.usage import Usage

Arities = Mapping[str, tuple[int, int]]
"""For each function that is known, the least and the most arguments that it takes."""

_SHAPE: Final = 0.5
_PAUSE: Final = 2.0
_CHANGE: Final = 8.0
_LOSS: Final = 14.0
"""With an opening bracket two brackets go, and with a name what it stands for; yet a short text looks likely."""


class Ranking:
    """The rule, for the texts that a definition stands among and may use, and for what is usual in them."""

    def __init__(self, programs: Sequence[nodes.Program], arities: Arities, usage: Usage) -> None:
        self.arities = {**arities, **dict(_functions(programs))}
        self.known = {*self.arities, *(name for each in programs for name in _given(each))}
        self._wanted = {name for program in programs for name in _used(program)} - self.known
        self._usage = usage

    def rank(self, program: nodes.Program, tokens: Sequence[Token], cost: float) -> tuple[float, ...]:
        """Of a mended definition, the lower the likelier; `cost` is that of the edit."""
        likeness = self._usage.order_likeness(tokens) + _SHAPE * self._usage.shapes_likeness(program)
        return self._faults(program), cost - likeness

    def _faults(self, program: nodes.Program) -> int:
        arities = {**self.arities, **dict(_functions([program]))}
        unknown = (self._wanted | set(_used(program)) - self.known) - set(_given(program))
        astray = sum(isinstance(each, nodes.Result) for each in program.statements)
        return len(unknown) + astray + sum(_is_fault(node, arities) for node in within.walk(program))


def cost(taken: str, *, paused: bool) -> float:
    """Of an edit: what it takes out, and whether it closes a bracket at a pause."""
    if not taken:
        return -_PAUSE * paused
    return _LOSS if taken in OPENERS or taken in OPERANDS else _CHANGE


def _is_fault(node: nodes.Node, arities: Arities) -> bool:
    """Whether no compiler would take this: a wrong number of arguments, a function as an operand, a value not used, a
    block without a result.
    """
    match node:
        case nodes.Application(function=nodes.Name(name=name), arguments=arguments) if name in arities:
            least, most = arities[name]
            return not least <= len(arguments) <= most
        case nodes.Chain(items=items):
            return any(isinstance(item, nodes.Name) and arities.get(item.name, (0, 0))[0] for item in items)
        case nodes.Definition(heading=nodes.Name(name=name)):
            return name in arities
        case nodes.ValueBlock(section=section, result=False):
            return not any(isinstance(each, nodes.Result | nodes.ValueCommand) for each in within.walk(section))
        case nodes.ValueCommand(value=value):
            return not isinstance(value, nodes.Application | nodes.Name)
        case _:
            return False


def _functions(programs: Sequence[nodes.Program]) -> Iterator[tuple[str, tuple[int, int]]]:
    """How many arguments the functions take that are defined at the outermost level, and what makes and takes apart
    nodes.
    """
    for statement in chain.from_iterable(program.statements for program in programs):
        for part in within.parts(statement):
            match part:
                case nodes.Definition(heading=heading) | nodes.Routine(heading=heading) if isinstance(
                    heading, nodes.FunctionHeading
                ):
                    yield heading.name.name, (len(heading.parameters), len(heading.parameters))
                case nodes.NodeType(name=name, components=components):
                    yield name.name, (len(components), len(components))
                    yield from ((component.name, (1, 1)) for component in components)


def _given(program: nodes.Program) -> Iterator[str]:
    """The names that a program gives to something, parameters and components included."""
    for node in within.walk(program):
        match node:
            case nodes.Definition(heading=heading) | nodes.Routine(heading=heading):
                yield from (name.name for name in within.names_in(heading))
            case nodes.Parameter(name=name):
                yield name
            case nodes.Declaration(names=names) | nodes.Lambda(parameters=names):
                yield from (name.name for name in names)
            case (
                nodes.NodeType(name=given)
                | nodes.Element(name=given)
                | nodes.ForStep(name=given)
                | nodes.ForList(name=given)
                | nodes.Label(name=given)
            ):
                yield given.name


def _used(program: nodes.Program) -> Iterator[str]:
    """The large names that stand in a program: those that a slip runs together."""
    return (node.name for node in within.walk(program) if isinstance(node, nodes.Name) and node.name[:1].isupper())
