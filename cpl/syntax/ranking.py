"""Which of the edits that make a text parse is the likeliest: the rule, as data and two counts.

1. how few calls disagree with the number of parameters of what they call, how few names nothing defines, and how few
   statements of the outermost level define nothing
2. how much the mended definition is like sound CPL (`usage.py`), a closing bracket where one would pause and an edit
   that puts something in being preferred
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cpl.syntax import nodes, within
from cpl.syntax.lexer import Token
from cpl.syntax.usage import Usage

Arities = Mapping[str, tuple[int, int]]
"""For each function that is known, the least and the most arguments that it takes."""

_SHAPE: Final = 0.5
_PAUSE: Final = 2.0
_COST: Final = {"insert": 0.0, "delete": 6.0, "replace": 6.0}
_COST_OF_OPENER: Final = 10.0
"""With an opening bracket two brackets go, and a short text is left: without this it would look too likely."""


class Ranking:
    """The rule, for the definitions of a text that are sound, the texts that it may use, and others in its manner."""

    def __init__(self, programs: Sequence[nodes.Program], arities: Arities, usage: Usage) -> None:
        self.arities = {**arities, **dict(_headings(programs))}
        self.known = {*self.arities, *(name for each in programs for name in _defined(each))}
        self._wanted = {name for program in programs for name in _used(program)} - self.known
        self._usage = usage

    def rank(self, program: nodes.Program, tokens: Sequence[Token], cost: float) -> tuple[float, ...]:
        """Of a mended definition, the lower the likelier; `cost` is that of the edit."""
        likeness = self._usage.order_likeness(tokens) + _SHAPE * self._usage.shapes_likeness(program)
        return self._faults(program), cost - likeness

    def _faults(self, program: nodes.Program) -> int:
        own = set(_defined(program))
        unknown = (self._wanted | set(_used(program)) - self.known) - own
        aimless = sum(not isinstance(each, nodes.Definition | nodes.Get) for each in program.statements)
        return disagreements(program, self.arities) + len(unknown) + aimless


def cost(kind: str, *, opener: bool, paused: bool) -> float:
    """Of an edit: its kind, whether an opening bracket goes, and whether a bracket is closed at a pause."""
    return (_COST_OF_OPENER if opener else _COST[kind]) - _PAUSE * paused


def disagreements(program: nodes.Program, arities: Arities) -> int:
    """How many calls give another number of arguments than their function takes."""
    count = 0
    for node in within.walk(program):
        if isinstance(node, nodes.Application) and isinstance(node.function, nodes.Name):
            least, most = arities.get(node.function.name, (0, len(node.arguments)))
            count += not least <= len(node.arguments) <= most
    return count


def _headings(programs: Sequence[nodes.Program]) -> Iterator[tuple[str, tuple[int, int]]]:
    """How many arguments the functions take that are defined at the outermost level."""
    for program in programs:
        for statement in program.statements:
            match statement:
                case nodes.Definition(heading=nodes.FunctionHeading(name=name, parameters=parameters)):
                    yield name.name, (len(parameters), len(parameters))


def _defined(program: nodes.Program) -> Iterator[str]:
    """The names that a program gives a meaning to, parameters included."""
    for node in within.walk(program):
        if isinstance(node, nodes.Definition):
            yield from (name.name for name in within.names_in(node.heading))
            if isinstance(node.heading, nodes.FunctionHeading):
                yield from (name.name for name in node.heading.parameters)


def _used(program: nodes.Program) -> Iterator[str]:
    """The large names that stand in a program: those that a slip runs together."""
    return (node.name for node in within.walk(program) if isinstance(node, nodes.Name) and node.name[:1].isupper())
