"""What is kept of a function's flows when it is known, so that every use of it has flows of its own.

A function may be used at several types: its parameters and its result, and what they have to do with each other, are
copied for each use. What only went on inside is left behind.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from cpl.source import Span
from cpl.types import constraints
from cpl.types.constraints import Kinds, Made, Need, Operand, Outcome, Shape, Variable, key, width
from cpl.types.solver import Solver

_MOST_KEPT: Final = 500
"""A function with more to copy than this is of one type, however it is used."""

_MOST_TOGETHER: Final = 100
"""And so are more functions than this that use each other."""


@dataclass(frozen=True)
class Scheme:
    """A function's shape, and of all variables in it that are its own (of a level beyond `level`) those that each flows
    into: others of them, and such as are not copied. Of some of those, in turn, what flows out of them is `below`.
    """

    shape: Shape
    level: int
    above: dict[Variable, list[Variable]] = field(default_factory=dict)
    below: dict[Variable, list[Variable]] = field(default_factory=dict)


def shape_of(known: Shape | Scheme) -> Shape:
    """The shape of a function, of which there may be copies."""
    return known.shape if isinstance(known, Scheme) else known


def schemes(shapes: Sequence[Shape], level: int, own: Sequence[Variable]) -> list[Scheme]:
    """The schemes of functions that were inferred together beyond this level, with variables of their `own`."""
    if len(shapes) > _MOST_TOGETHER:
        return [Scheme(shape, level) for shape in shapes]
    outer = [*dict.fromkeys(below for variable in own for below in variable.below if below.level <= level)]
    return [_scheme(shape, level, outer) for shape in shapes]


def _scheme(shape: Shape, level: int, outer: Sequence[Variable]) -> Scheme:
    kept: dict[Variable, None] = {}
    waiting = [*shape.members]
    while waiting and len(kept) <= _MOST_KEPT:
        variable = waiting.pop()
        if variable.level > level and variable not in kept:
            kept[variable] = None
            waiting += constraints.variables((*variable.shapes.values(), *variable.needs.values()))
    made = Scheme(shape, level)
    if len(kept) > _MOST_KEPT:
        return made
    for variable in kept:
        made.above[variable] = [*_reached(variable, lambda each: each in kept or each.level <= level)]
    for source in outer:
        for variable in _reached(source, lambda each: each in kept or each.level <= level):
            if variable in kept:
                made.below.setdefault(variable, []).append(source)
    return made


def _reached(start: Variable, is_end: Callable[[Variable], bool]) -> Iterator[Variable]:
    """What a variable flows into, through what is left behind."""
    seen = {start}
    waiting = [*start.above]
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        if is_end(current):
            yield current
        else:
            waiting += current.above


def instance(scheme: Scheme, solver: Solver, via: Span) -> Shape:
    """The function's shape for its use at a place."""
    if not scheme.above:
        return scheme.shape
    copies = {variable: solver.variable(empty=variable.empty) for variable in scheme.above}
    copying = _Copying(copies, solver, via)
    for variable, copy in copies.items():
        if variable.declared is not None:
            copy.declared = declared = copying.shape(variable.declared)
            copy.shapes[key(declared)] = declared
        for shape in variable.shapes.values():
            if shape is not variable.declared and (made := copying.made(shape, copy, variable)) is not None:
                copy.shapes[key(made)] = made
        for need in variable.needs.values():
            if (wanted := copying.need(need, copy)) is not None:
                copy.needs[key(wanted)] = wanted
        for above in scheme.above[variable]:
            _link(copy, copies.get(above, above))
        for below in scheme.below.get(variable, ()):
            _link(below, copy)
    return copying.shape(scheme.shape)


def _link(lower: Variable, upper: Variable) -> None:
    lower.above[upper] = None
    upper.below[lower] = None


class _Copying:
    """Copies shapes and needs with the variables in them."""

    def __init__(self, copies: dict[Variable, Variable], solver: Solver, via: Span) -> None:
        self.copies = copies
        self.solver = solver
        self.via = via
        self.kinds: dict[Kinds, Kinds] = {}

    def of(self, variable: Variable) -> Variable:
        """The copy of a variable; those that are not copied stand for themselves."""
        return self.copies.get(variable, variable)

    def made(self, made: Made, holder: Variable, original: Variable) -> Made | None:
        """A copy of what comes to a variable. Of a number it is kept whether its width depends on the arguments."""
        if isinstance(made, Shape):
            return self.shape(made)
        kinds = self._kinds(made.kinds) if made.is_open else made.kinds
        unknown = Operand(made.span, kinds, made.sign, self.solver.variable(), None)
        operands = {unknown: None} if width(original) == "number" else {}
        if not made.is_open:
            return Outcome(kinds, made.span, made.sign, holder, operands) if operands else None
        kinds.outcomes.append(Outcome(kinds, made.span, made.sign, holder, operands))
        return kinds.outcomes[-1]

    def shape(self, shape: Shape) -> Shape:
        """A copy of a shape."""
        of = self.of
        made = Shape(shape.span, shape.head, tuple(map(of, shape.members)), shape.name, via=self.via)
        made.soft, made.zero, made.constant = shape.soft, shape.zero, shape.constant
        made.items = tuple(map(of, shape.items))
        return made

    def need(self, need: Need, holder: Variable) -> Need | None:
        """A copy of a need; what it is `via` is the outermost use."""
        made = self._need(need, holder)
        if made is not None and made is not need:
            made.via = self.via
        return made

    def _need(self, need: Need, holder: Variable) -> Need | None:
        of, span = self.of, need.span
        match need:
            case Shape():
                return self.shape(need)
            case Operand(kinds=kinds, sign=sign):
                if kinds.find().kind is not None:
                    return None
                copied = self._kinds(kinds)
                operand = Operand(span, copied, sign, holder, None)
                copied.operands.append(operand)
                return operand
            case constraints.Member(index=index, member=member, kinds=sorts, written=written):
                return constraints.Member(span, index, of(member), sorts, written and of(written))
            case constraints.Rest(member=member):
                return constraints.Rest(span, of(member))
            case constraints.Joined(member=member, nullable=nullable):
                return constraints.Joined(span, of(member), nullable)
            case constraints.Beside(
                arguments=arguments, result=result, subscript=subscript, index=index, written=written
            ):
                given = tuple([of(each) for each in arguments])
                return constraints.Beside(span, given, of(result), subscript, index, written and of(written))
            case constraints.Component(component=component, types=types, result=result, written=written):
                return constraints.Component(span, component, types, of(result), of(written))
            case constraints.Softened(result=result):
                return constraints.Softened(span, of(result))
            case constraints.OneOf(kinds=sorts, what=what):
                return constraints.OneOf(span, sorts, what)
            case _:
                return need

    def _kinds(self, kinds: Kinds) -> Kinds:
        kinds = kinds.find()
        return self.kinds.setdefault(kinds, Kinds(kinds.allowed))
