"""Generalisation: makes an inferred function polymorphic, so that each use of it may be of other types.

A function's type scheme is made once, and each use of the function instantiates it: the use copies the variables of the
scheme with their bounds, needs and flows. The scheme has the variables of the function's shape, and those that can be
reached from these through bounds and needs. Variables that matter only inside the function are left out; a flow through
them becomes a flow between the variables before and after them.

Variables of outer definitions are not copied, as all uses share them. As in Rémy's algorithm, levels tell which these
are. A variable has the level of the definition in which it was made: the more definitions contain it, the higher. A
variable that escapes to one of a lower level gets that level. So the variables that belong to a function are those of a
higher level than that at which the function is defined. In

    Twice[F, x] = F(F(x))
    let n = Twice[λk. k + 1, 1]
    let b = Twice[λb. ~b, true]

each use of Twice copies four variables: F, x, what F returns, and the result. F has the need for a function of x, and
what it returns flows into x and into the result. `n` and `b` have copies of their own, so that no number meets a truth
value.
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
    """The type scheme of a function. With a shape only, the function is not polymorphic: all uses share that shape."""

    shape: Shape
    copied: Collection[Variable] = ()
    """The variables that each use copies."""
    flows: dict[Variable, list[Variable]] = field(default_factory=dict)
    """The flows from and to these: for each variable, those that it flows into."""
    widths: Widths = field(default_factory=lambda: Widths(unknown=frozenset()))
    """The widths of numbers, as far as the definition tells them, for operands that are not copied."""


def schemes(shapes: Sequence[Shape], level: int, made: Sequence[Variable]) -> list[Scheme]:
    """The schemes of functions that use each other, in their order. The functions are defined at this level, and `made`
    are the variables that inference made for them.
    """
    _doubt_needs_of_joins(shapes, made)  # first, as each copy of a need takes its doubt
    if len(shapes) > MOST_FUNCTIONS_TOGETHER:
        return [*map(Scheme, shapes)]

    inside = {variable for variable in made if variable.level > level}

    entering: dict[Variable, list[Variable]] = {}  # for each variable outside, those inside that it flows into
    for variable in made:
        for below in variable.below:
            if below not in inside:
                entering.setdefault(below, []).append(variable)

    # Whether the program has complex numbers is not known yet, so it may.
    widths = Widths(_of_unknown_widths(inside), inside=inside, complex=True)
    return [_scheme(shape, level, entering, widths) for shape in shapes]


def _doubt_needs_of_joins(shapes: Sequence[Shape], made: Iterable[Variable]) -> None:
    """Mark needs as doubtful where values of several sources join, as those of two arms do. An argument that flows into
    such a variable is only one of its values, and a run in which another one comes may need nothing of the argument.
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
    # All bounds of the only variable below have come from it. A bound that it does not have was made here.
    [only] = variable.below
    return not variable.bounds.keys() <= only.bounds.keys()


def _of_unknown_widths(inside: Set[Variable]) -> Set[Variable]:
    """The variables inside whose numbers depend on arguments, or on variables outside: their widths are known only when
    the whole program is.
    """
    starts = []
    for variable in inside:
        comes_from_outside = bool(variable.below.keys() - inside)
        if comes_from_outside or constraints.has_unknown_numbers(variable):
            starts.append(variable)

    def fed_inside(variable: Variable) -> list[Variable]:
        return [fed for fed in constraints.fed_by(variable) if fed in inside]

    return {*reachable(starts, fed_inside)}


def _scheme(shape: Shape, level: int, entering: Mapping[Variable, Sequence[Variable]], widths: Widths) -> Scheme:
    """The scheme of one function, or its shape alone if too much would be copied. `entering` are the flows from
    variables outside into variables inside.
    """
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
        # A path from outside to outside is the same for all uses, and is there already.
        flows[source] = [end for end in reachable(starts, above) if end in copied]
    return Scheme(shape, copied, flows, widths)


def _copied(shape: Shape, level: int) -> dict[Variable, None]:
    """The variables that a scheme copies, in order: those of a higher level in the shape and in all its bounds and
    needs, and those that flow into them without a source of their own. If there are more than `MOST_VARIABLES_COPIED`,
    only so many that this can be seen.
    """

    def own_parts(variable: Variable) -> list[Variable]:
        return [part for part in constraints.parts_of(variable) if part.level > level]

    def own_below(variable: Variable) -> list[Variable]:
        return [below for below in variable.below if below.level > level]

    parts = [part for part in constraints.variables([shape]) if part.level > level]
    enough = MOST_VARIABLES_COPIED + 1
    copied = dict.fromkeys(islice(reachable(parts, own_parts), enough))
    if len(copied) == enough:
        return copied

    # A variable without a source may have any value. If it were left out, a copy into which it flows would seem to have
    # its other values only.
    sources = reachable(copied, own_below)
    without_source = [source for source in sources if not (source.bounds or source.below or source.empty)]
    return copied | dict.fromkeys(without_source)


def instance(scheme: Scheme, solver: Solver, via: Span) -> Shape:
    """The function's shape for its use at a place: the scheme instantiated."""
    if not scheme.copied:
        return scheme.shape
    copies = {variable: solver.variable(empty=variable.empty) for variable in scheme.copied}
    copying = _Copying(copies, scheme.widths, solver, via)

    for variable, copy in copies.items():
        copying.add_constraints(variable, copy)
    for source, ends in scheme.flows.items():
        for end in ends:
            copying.of(source).link(copying.of(end))
    return copying.need(scheme.shape)


@dataclass(frozen=True)
class _Copying:
    """Copies shapes and needs, with the variables in them, for one use of a function."""

    copies: dict[Variable, Variable]
    """The copy of each variable of the scheme."""
    widths: Widths
    """Those of the scheme."""
    solver: Solver
    via: Span
    """The place of the use."""
    overloads: dict[Overload, Overload] = field(default_factory=dict)
    """The copies of overloads that have been made so far."""

    def add_constraints(self, variable: Variable, copy: Variable) -> None:
        """Give the copy of a variable copies of its declaration, bounds and needs."""
        if variable.declared is not None:
            copy.declared = self.need(variable.declared)
            copy.converts = variable.converts
            copy.bounds[copy.declared.key] = copy.declared

        for bound in variable.bounds.values():
            if bound is not variable.declared:
                copied_bound = self.bound(bound, copy)
                if copied_bound is not None:
                    copy.bounds[copied_bound.key] = copied_bound

        for need in variable.needs.values():
            copied_need = self.operand(need, copy) if isinstance(need, Operand) else self.need(need)
            if copied_need is not None:
                copy.needs[copied_need.key] = copied_need

    def of(self, variable: Variable) -> Variable:
        """The copy of a variable; those that are not copied stand for themselves."""
        return self.copies.get(variable, variable)

    def all_of(self, variables: Iterable[Variable]) -> tuple[Variable, ...]:
        """The copies of several variables."""
        return tuple(map(self.of, variables))

    def need(self, need: _AnyNeed) -> _AnyNeed:
        """A copy of a need, or of a shape. Its `via` is this use. If the need came into the function from a use there,
        that place is replaced: of the calls that lead to a need, the outermost one is kept.
        """
        return replace(
            need,
            inputs=self.all_of(need.inputs),
            outputs=self.all_of(need.outputs),
            items=self.all_of(need.items),
            via=self.via,
            doubt=self.doubt(need),
        )

    def doubt(self, need: Need) -> Doubt:
        """Whether every run that comes to this use has the need. If a run within the function may do without it, it is
        in doubt as that; otherwise it is in doubt if the use itself is.
        """
        return Doubt.WITHIN if need.doubt else self.solver.doubt

    def operand(self, operand: Operand, holder: Variable) -> Operand | None:
        """A copy of an operand for a variable, its holder. None if the kind of its operator is known: then the holder
        has a need for a shape of that kind as well, and the copy of that is enough.
        """
        if operand.overload.root.kind is not None:
            return None
        copy = Operand(operand.span, self._overload(operand), holder, via=self.via, doubt=self.doubt(operand))
        copy.overload.operands.append(copy)
        return copy

    def bound(self, lower: LowerBound, holder: Variable) -> LowerBound | None:
        """A copy of a lower bound for a variable, its holder. None for the value of an operator that is known not to be
        a number: then the holder has a shape as well, and the copy of that is enough.
        """
        if isinstance(lower, Shape):
            return self.need(lower)
        if lower.overload.root.kind not in (None, "number"):
            return None

        if not lower.operands:  # the operands are still being inferred: nothing is known of them
            operands = {self.solver.variable(): lower.span}
        elif lower.alike:  # it stands for several values: the copy has one operand, of all widths that they may have
            operands = {self._of_widths(self.widths.possible(lower), lower.span): lower.span}
        else:
            operands = {self._copy_of_operand(operand, span): span for operand, span in lower.operands.items()}

        # Once the kind is known, an overload has nothing more to find out, and all uses share it.
        overload = self._overload(lower) if lower.is_open else lower.overload
        copy = OperatorValue(overload, lower.span, lower.operator, holder, operands)
        if lower.is_open:
            overload.values.append(copy)
        return copy

    def _copy_of_operand(self, operand: Variable, span: Span) -> Variable:
        """The copy of an operand; if the scheme does not copy it, a new variable of the same widths."""
        if operand in self.copies:
            return self.copies[operand]
        return self._of_widths(self.widths.possible(operand), span)

    def _of_widths(self, widths: Set[str], span: Span) -> Variable:
        """A new variable for numbers of these widths. If none of them is a known width, it gets no bounds: a variable
        without a source may have any width.
        """
        variable = self.solver.variable()
        if not widths.isdisjoint(WIDTHS):
            for width in sorted(widths):
                shape = Shape(span, width, unsure=width == "number")
                variable.bounds[shape.key] = shape
        return variable

    def _overload(self, term: Operand | OperatorValue) -> Overload:
        """The copy of the overload of a term: one copy for all terms that share the overload."""
        root = term.overload.root
        return self.overloads.setdefault(root, Overload(root.allowed))
