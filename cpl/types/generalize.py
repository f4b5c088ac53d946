"""Generalization: makes an inferred function polymorphic, by copying its flows for each use.

A function may be used at several types. Its parameters, its result, and the flows between them are copied; variables
that matter only within the function are left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final, TypeVar

from cpl.source import Span
from cpl.types import constraints
from cpl.types.constraints import Made, Need, Operand, Outcome, Overload, Shape, Variable
from cpl.types.reach import reachable
from cpl.types.solver import Solver
from cpl.types.widths import Widths

_AnyNeed = TypeVar("_AnyNeed", bound=Need)

_MOST_KEPT: Final = 500
"""A function with more variables to copy is of one type, however it is used."""

_MOST_TOGETHER: Final = 100
"""So are more functions than this that use each other."""


@dataclass(frozen=True)
class Scheme:
    """A function's shape, and the variables in it that each use copies: for each of them those `above`, which it flows
    into, and, in `below`, those that flow into it and are not copied. A function of one type has none.
    """

    shape: Shape
    above: dict[Variable, list[Variable]] = field(default_factory=dict)
    below: dict[Variable, list[Variable]] = field(default_factory=dict)


def schemes(shapes: Sequence[Shape], level: int, inner: Sequence[Variable]) -> list[Scheme]:
    """The schemes of functions that were inferred together, with these `inner` variables, beyond this level."""
    if len(shapes) > _MOST_TOGETHER:
        return [*map(Scheme, shapes)]
    outer = [*dict.fromkeys(below for variable in inner for below in variable.below if below.level <= level)]
    return [_scheme(shape, level, outer) for shape in shapes]


def _scheme(shape: Shape, level: int, outer: Sequence[Variable]) -> Scheme:
    def inner(variable: Variable) -> list[Variable]:
        return [part for part in constraints.parts_of(variable) if part.level > level]

    def reached(start: Variable) -> list[Variable]:
        """What a variable flows into of what is kept and of what is outside, through what is left behind."""

        def is_end(variable: Variable) -> bool:
            return variable in kept or variable.level <= level

        def above(variable: Variable) -> Iterable[Variable]:
            return () if is_end(variable) else variable.above

        return [each for each in reachable(start.above, above) if each is not start and is_end(each)]

    parts = (part for part in constraints.variables([shape]) if part.level > level)
    kept = dict.fromkeys(islice(reachable(parts, inner), _MOST_KEPT + 1))
    if len(kept) > _MOST_KEPT:
        return Scheme(shape)
    made = Scheme(shape, {variable: reached(variable) for variable in kept})
    for source in outer:
        for variable in reached(source):
            if variable in kept:
                made.below.setdefault(variable, []).append(source)
    return made


def instance(scheme: Scheme, solver: Solver, via: Span) -> Shape:
    """The function's shape for its use at a place."""
    if not scheme.above:
        return scheme.shape
    copying = _Copying({each: solver.variable(empty=each.empty) for each in scheme.above}, solver, via)
    for variable, copy in copying.copies.items():
        if variable.declared is not None:
            copy.declared = copying.need(variable.declared)
            copy.shapes[copy.declared.key] = copy.declared
        for shape in variable.shapes.values():
            if shape is not variable.declared and (made := copying.made(shape, copy, variable)) is not None:
                copy.shapes[made.key] = made
        for need in variable.needs.values():
            wanted = copying.operand(need, copy) if isinstance(need, Operand) else copying.need(need)
            if wanted is not None:
                copy.needs[wanted.key] = wanted
        for above in scheme.above[variable]:
            _link(copy, copying.of(above))
        for below in scheme.below.get(variable, ()):
            _link(below, copy)
    return copying.need(scheme.shape)


def _link(lower: Variable, upper: Variable) -> None:
    lower.above[upper] = None
    upper.below[lower] = None


class _Copying:
    """Copies shapes and needs with the variables in them."""

    def __init__(self, copies: dict[Variable, Variable], solver: Solver, via: Span) -> None:
        self.copies = copies
        self._solver = solver
        self._via = via
        self._overloads: dict[Overload, Overload] = {}
        self._widths = Widths()

    def of(self, variable: Variable) -> Variable:
        """The copy of a variable; those that are not copied stand for themselves."""
        return self.copies.get(variable, variable)

    def need(self, need: _AnyNeed) -> _AnyNeed:
        """A copy of a need, or of a shape; what it comes `via` is the outermost use."""
        inputs, outputs = tuple(map(self.of, need.inputs)), tuple(map(self.of, need.outputs))
        copy = replace(need, inputs=inputs, outputs=outputs, via=self._via)
        if isinstance(copy, Shape):
            copy.items = tuple(map(self.of, copy.items))
        return copy

    def operand(self, operand: Operand, holder: Variable) -> Operand | None:
        """A copy of an operand; if its kind is known it has a shape beside it, which is enough."""
        if operand.overload.root.kind is not None:
            return None
        copy = Operand(operand.span, self._overload(operand), holder, None, via=self._via)
        copy.overload.operands.append(copy)
        return copy

    def made(self, made: Made, holder: Variable, original: Variable) -> Made | None:
        """A copy of what comes to a variable. Of a number it is kept whether its width depends on the arguments."""
        if isinstance(made, Shape):
            return self.need(made)
        is_number = self._widths.of(original) == "number"
        if not (made.is_open or is_number):
            return None
        overload = self._overload(made) if made.is_open else made.overload
        unknown = Operand(made.span, overload, self._solver.variable(), None)
        copy = Outcome(overload, made.span, made.operator, holder, {unknown: None} if is_number else {})
        if made.is_open:
            overload.outcomes.append(copy)
        return copy

    def _overload(self, of: Operand | Outcome) -> Overload:
        root = of.overload.root
        return self._overloads.setdefault(root, Overload(root.allowed))
