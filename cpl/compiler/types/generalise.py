"""Generalisation: makes an inferred function polymorphic, so that each use of it may be of other types.

A function's type scheme is made once: the variables of its shape, of what can be reached from that in bounds and needs,
and the flows between them. Variables that matter only inside the function are left out. Each use instantiates the
scheme: it copies these variables with their bounds, needs and flows. As in Rémy's algorithm, a variable has the level
of the definition in which it was made, and one that escapes gets the level of the variable outside that it escapes to.
What is beyond the level at which the function is defined is its own, and can be copied. In

    Twice[F, x] = F(F(x))
    let n = Twice[λk. k + 1, 1]
    let b = Twice[λb. ~b, true]

the scheme copies four variables: F, x, what F returns, and the result. F has the need for a function of x, and what it
returns flows into x and into the result. `n` and `b` have copies of their own, so that no number meets a truth value.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeVar

from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.source import Span
from cpl.compiler.types import constraints
from cpl.compiler.types.constraints import (
    WIDTHS,
    Doubt,
    LowerBound,
    Need,
    Operand,
    OperatorValue,
    Overload,
    Shape,
    Variable,
)
from cpl.compiler.types.solver import Solver
from cpl.compiler.types.widths import Widths
from cpl.limits import MOST_FUNCTIONS_TOGETHER, MOST_VARIABLES_COPIED

_AnyNeed = TypeVar("_AnyNeed", bound=Need)


@dataclass(frozen=True)
class Scheme:
    """A function's shape, the variables that each use copies, and the flows from and to them: of each variable those
    that it flows into. A function that is not polymorphic has none of these.
    """

    shape: Shape
    copied: Collection[Variable] = ()
    flows: dict[Variable, list[Variable]] = field(default_factory=dict)
    widths: Widths = field(default_factory=lambda: Widths(frozenset()))


def schemes(shapes: Sequence[Shape], level: int, made: Sequence[Variable]) -> list[Scheme]:
    """The schemes of functions that use each other, at this level. `made` are the variables of their definitions."""
    _doubt_needs_of_joins(shapes, made)
    if len(shapes) > MOST_FUNCTIONS_TOGETHER:
        return [*map(Scheme, shapes)]

    inside = {variable for variable in made if variable.level > level}

    entering: dict[Variable, list[Variable]] = {}  # of each variable outside, those inside that it flows into
    for variable in made:
        for below in variable.below:
            if below not in inside:
                entering.setdefault(below, []).append(variable)

    widths = Widths(_unknown(inside), inside=inside, complex=True)
    return [_scheme(shape, level, entering, widths) for shape in shapes]


def _doubt_needs_of_joins(shapes: Sequence[Shape], made: Iterable[Variable]) -> None:
    """Where values of several sources join, as those of two arms do, the needs are in doubt: an argument that flows in
    there is one of several, and not every run needs something of it.
    """
    parameters = {parameter for shape in shapes for parameter in shape.inputs}
    for variable in made:
        if variable.declared is None and _is_join(variable, is_parameter=variable in parameters):
            for need in variable.needs.values():
                need.doubt = max(need.doubt, Doubt.HERE)


def _is_join(variable: Variable, *, is_parameter: bool) -> bool:
    """Whether values of several sources come to a variable: other variables, arguments, values made there."""
    if not variable.below:
        return False
    if is_parameter or len(variable.below) > 1:
        return True
    [only] = variable.below
    return not variable.bounds.keys() <= only.bounds.keys()


def _unknown(inside: Set[Variable]) -> Set[Variable]:
    """The variables whose numbers are not known before all of the program is: those that depend on arguments, or on
    variables outside.
    """
    starts = [
        variable for variable in inside if constraints.has_unknown_numbers(variable) or variable.below.keys() - inside
    ]

    def fed_inside(variable: Variable) -> list[Variable]:
        return [fed for fed in constraints.fed_by(variable) if fed in inside]

    return {*reachable(starts, fed_inside)}


def _scheme(shape: Shape, level: int, entering: Mapping[Variable, Sequence[Variable]], widths: Widths) -> Scheme:
    copied = _copied(shape, level)
    if len(copied) > MOST_VARIABLES_COPIED:
        return Scheme(shape)

    # A path between two variables that are copied, or outside, becomes one flow: those on it are left out.
    def is_end(variable: Variable) -> bool:
        return variable in copied or variable.level <= level

    def above(variable: Variable) -> Iterable[Variable]:
        return () if is_end(variable) else variable.above

    flows = {}
    for source in copied:
        flows[source] = [end for end in reachable(source.above, above) if end is not source and is_end(end)]
    for source, starts in entering.items():
        flows[source] = [end for end in reachable(starts, above) if end in copied]
    return Scheme(shape, copied, flows, widths)


def _copied(shape: Shape, level: int) -> dict[Variable, None]:
    """The variables beyond this level that a scheme copies: those of the shape and of all bounds and needs in it, and
    what is unknown and flows into them. If there are more than `MOST_VARIABLES_COPIED`, one more than that.
    """

    def own_parts(variable: Variable) -> list[Variable]:
        return [part for part in constraints.parts_of(variable) if part.level > level]

    def own_below(variable: Variable) -> list[Variable]:
        return [below for below in variable.below if below.level > level]

    parts = [part for part in constraints.variables([shape]) if part.level > level]
    copied = dict.fromkeys(islice(reachable(parts, own_parts), MOST_VARIABLES_COPIED + 1))
    if len(copied) > MOST_VARIABLES_COPIED:
        return copied

    sources = reachable(copied, own_below)
    unknown = [source for source in sources if not (source.bounds or source.below or source.empty)]
    return copied | dict.fromkeys(unknown)


def instance(scheme: Scheme, solver: Solver, via: Span) -> Shape:
    """The function's shape for its use at a place: the scheme instantiated."""
    if not scheme.copied:
        return scheme.shape
    copies = {variable: solver.variable(empty=variable.empty) for variable in scheme.copied}
    copying = _Copying(copies, scheme.widths, solver, via)

    for variable, copy in copies.items():
        if variable.declared is not None:
            copy.declared = copying.need(variable.declared)
            copy.converts = variable.converts
            copy.bounds[copy.declared.key] = copy.declared
        for bound in variable.bounds.values():
            if bound is not variable.declared:
                lower = copying.bound(bound, copy)
                if lower is not None:
                    copy.bounds[lower.key] = lower
        for need in variable.needs.values():
            upper = copying.operand(need, copy) if isinstance(need, Operand) else copying.need(need)
            if upper is not None:
                copy.needs[upper.key] = upper

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
        """A copy of a need, or of a shape. Its `via` is this use, which is the outermost so far."""
        return replace(
            need,
            inputs=self.all_of(need.inputs),
            outputs=self.all_of(need.outputs),
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

        if not lower.operands:  # they are being read
            operands = {self.solver.variable(): lower.span}
        elif lower.alike:  # it stands for several
            operands = {self._of_widths(self.widths.possible(lower), lower.span): lower.span}
        else:
            operands = {self._copy_of_operand(operand, span): span for operand, span in lower.operands.items()}

        overload = self._overload(lower) if lower.is_open else lower.overload
        copy = OperatorValue(overload, lower.span, lower.operator, holder, operands)
        if lower.is_open:
            overload.values.append(copy)
        return copy

    def _copy_of_operand(self, operand: Variable, span: Span) -> Variable:
        """The copy of an operand; for one that is not copied a new variable, of the same widths."""
        if operand in self.copies:
            return self.copies[operand]
        return self._of_widths(self.widths.possible(operand), span)

    def _of_widths(self, widths: Set[str], span: Span) -> Variable:
        """A new variable for numbers of these widths."""
        variable = self.solver.variable()
        if not widths.isdisjoint(WIDTHS):
            for width in sorted(widths):
                shape = Shape(span, width, unsure=width == "number")
                variable.bounds[shape.key] = shape
        return variable

    def _overload(self, term: Operand | OperatorValue) -> Overload:
        """The copy of the overload of a term."""
        root = term.overload.root
        return self.overloads.setdefault(root, Overload(root.allowed))
