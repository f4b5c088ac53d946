"""Generalisation: makes an inferred function polymorphic, by copying its flows for each use.

A function may be used at several types. Its parameters, its result, and the flows between them are copied; variables
that matter only within the function are left out.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeVar

from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.source import Span
from cpl.compiler.types import constraints
from cpl.compiler.types.constraints import Doubt, LowerBound, Need, Operand, OperatorValue, Overload, Shape, Variable
from cpl.compiler.types.solver import Solver
from cpl.compiler.types.widths import Widths
from cpl.limits import MOST_FUNCTIONS_TOGETHER, MOST_VARIABLES_COPIED

_AnyNeed = TypeVar("_AnyNeed", bound=Need)


@dataclass(frozen=True)
class Scheme:
    """A function's shape, the variables in it that each use copies, and what flows from and to them: of each variable
    those that it flows into. A function of one type has none.
    """

    shape: Shape
    copied: Collection[Variable] = ()
    flows: dict[Variable, list[Variable]] = field(default_factory=dict)
    widths: Widths = field(default_factory=lambda: Widths(frozenset()))


def schemes(shapes: Sequence[Shape], level: int, within: Sequence[Variable]) -> list[Scheme]:
    """The schemes of functions that were inferred together, with these `inner` variables, beyond this level. Where
    several values come together, not every run needs something of the one that is passed in.
    """
    parameters = {parameter for shape in shapes for parameter in shape.inputs}
    joining = [
        variable
        for variable in within
        if variable.below
        and variable.declared is None
        and (
            len(variable.below) + (variable in parameters) > 1
            or variable.bounds.keys() - {key for below in variable.below for key in below.bounds}
        )
    ]
    for need in {need for variable in joining for need in variable.needs.values()}:
        need.doubt = max(need.doubt, Doubt.HERE)
    if len(shapes) > MOST_FUNCTIONS_TOGETHER:
        return [*map(Scheme, shapes)]
    inside = {variable for variable in within if variable.level > level}
    entering: dict[Variable, list[Variable]] = {}  # of each variable outside, those inside that it flows into
    for variable in within:
        for below in variable.below:
            if below not in inside:
                entering.setdefault(below, []).append(variable)
    widths = Widths(_unknown(inside), inside=inside, complex=True)
    return [_scheme(shape, level, entering, widths) for shape in shapes]


def _unknown(inside: Set[Variable]) -> Set[Variable]:
    """The variables whose numbers are not known before all of the program is: those that depend on arguments, or on
    variables outside.
    """
    starts = [
        variable for variable in inside if constraints.has_unknown_numbers(variable) or variable.below.keys() - inside
    ]
    return {*reachable(starts, lambda variable: [part for part in constraints.fed_by(variable) if part in inside])}


def _scheme(shape: Shape, level: int, entering: Mapping[Variable, Sequence[Variable]], widths: Widths) -> Scheme:
    def inner(variable: Variable) -> list[Variable]:
        return [part for part in constraints.parts_of(variable) if part.level > level]

    def is_end(variable: Variable) -> bool:
        return variable in copied or variable.level <= level

    def above(variable: Variable) -> Iterable[Variable]:
        return () if is_end(variable) else variable.above

    parts = (part for part in constraints.variables([shape]) if part.level > level)
    copied = dict.fromkeys(islice(reachable(parts, inner), MOST_VARIABLES_COPIED + 1))
    if len(copied) > MOST_VARIABLES_COPIED:
        return Scheme(shape)
    lower = reachable(copied, lambda variable: [below for below in variable.below if below.level > level])
    copied |= dict.fromkeys(
        [variable for variable in lower if not (variable.bounds or variable.below or variable.empty)]
    )
    flows = {}  # what is neither copied nor outside is left out
    for source in copied:
        flows[source] = [end for end in reachable(source.above, above) if end is not source and is_end(end)]
    for source, starts in entering.items():
        flows[source] = [end for end in reachable(starts, above) if end in copied]
    return Scheme(shape, copied, flows, widths)


def instance(scheme: Scheme, solver: Solver, via: Span) -> Shape:
    """The function's shape for its use at a place."""
    if not scheme.copied:
        return scheme.shape
    copying = _Copying(
        {variable: solver.variable(empty=variable.empty) for variable in scheme.copied}, scheme.widths, solver, via
    )
    for variable, copy in copying.copies.items():
        if variable.declared is not None:
            copy.declared = copying.need(variable.declared)
            copy.converts = variable.converts
            copy.bounds[copy.declared.key] = copy.declared
        for shape in variable.bounds.values():
            if shape is not variable.declared and (lower := copying.bound(shape, copy)) is not None:
                copy.bounds[lower.key] = lower
        for need in variable.needs.values():
            wanted = copying.operand(need, copy) if isinstance(need, Operand) else copying.need(need)
            if wanted is not None:
                copy.needs[wanted.key] = wanted
    for source, ends in scheme.flows.items():
        for end in ends:
            copying.of(source).link(copying.of(end))
    return copying.need(scheme.shape)


@dataclass(frozen=True)
class _Copying:
    """Copies shapes and needs, for the use at a place, with the variables in them."""

    copies: dict[Variable, Variable]
    widths: Widths
    solver: Solver
    via: Span
    overloads: dict[Overload, Overload] = field(default_factory=dict)

    def of(self, variable: Variable) -> Variable:
        """The copy of a variable; those that are not copied stand for themselves."""
        return self.copies.get(variable, variable)

    def all_of(self, variables: Iterable[Variable]) -> tuple[Variable, ...]:
        """The copies of several variables."""
        return tuple(map(self.of, variables))

    def need(self, need: _AnyNeed) -> _AnyNeed:
        """A copy of a need, or of a shape; what it comes `via` is the outermost use."""
        inputs, outputs = self.all_of(need.inputs), self.all_of(need.outputs)
        return replace(
            need,
            inputs=inputs,
            outputs=outputs,
            items=self.all_of(need.items),
            via=self.via,
            doubt=self.doubt(need),
        )

    def doubt(self, need: Need) -> Doubt:
        """Whether every run that comes to this use has the need."""
        return Doubt.WITHIN if need.doubt else self.solver.doubt

    def operand(self, operand: Operand, holder: Variable) -> Operand | None:
        """A copy of an operand; if its kind is known it has a shape beside it, which is enough."""
        if operand.overload.root.kind is not None:
            return None
        copy = Operand(operand.span, self._overload(operand), holder, via=self.via, doubt=self.doubt(operand))
        copy.overload.operands.append(copy)
        return copy

    def bound(self, lower: LowerBound, holder: Variable) -> LowerBound | None:
        """A copy of what comes to a variable. What is of another kind than numbers has a shape beside it."""
        if isinstance(lower, Shape):
            return self.need(lower)
        if lower.overload.root.kind not in (None, "number"):
            return None
        overload = self._overload(lower) if lower.is_open else lower.overload
        known_operands = lower.operands if not lower.alike else {}  # what stands for many is of an unknown width
        operands = {self._operand(operand, span): span for operand, span in known_operands.items()}
        copy = OperatorValue(
            overload, lower.span, lower.operator, holder, operands or {self.solver.variable(): lower.span}
        )
        if lower.is_open:
            overload.values.append(copy)
        return copy

    def _operand(self, operand: Variable, span: Span) -> Variable:
        """Return the copy of an operand, or a number of its width if it has only one."""
        width = "" if operand in self.copies else self.widths.only(operand)
        if width:
            return self.solver.holding(Shape(span, width))
        return self.copies.get(operand) or self.solver.variable()

    def _overload(self, of: Operand | OperatorValue) -> Overload:
        root = of.overload.root
        return self.overloads.setdefault(root, Overload(root.allowed))
