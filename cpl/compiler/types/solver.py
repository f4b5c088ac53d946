"""Constraint solving: every value flows to wherever it may be used; where it does not fit, there is a conflict.

Needs flow against the values, so that it is known what a function needs of its parameters. Two shapes of one variable
that are built alike are one, with their inputs and outputs joined: that bounds the work.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from cpl.compiler.semantics import core
from cpl.compiler.semantics.graphs import reachable
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
from cpl.limits import MOST_ALIKE, MOST_UNIONS, MOST_UNITED


class Solver:
    """The flows of one program. `conflicts` are shapes with needs that they do not meet, and the variables that have
    both; `components` the variables of the components of nodes; `alternatives` what an element may be: kinds, and types
    of nodes. `doubt` is that of the place that is being read.
    """

    def __init__(
        self,
        alternatives: Callable[[core.Global], frozenset[object]],
        component: Callable[[Shape, core.Global, str], Variable],
    ) -> None:
        self.alternatives = alternatives
        self._component = component
        self.level = 0
        self.doubt = Doubt.NONE
        self.variables: list[Variable] = []
        self.components: dict[tuple[core.Global, str], Variable] = {}
        self.conflicts: dict[tuple[LowerBound, Need], dict[Variable, None]] = {}
        self._worklist: list[tuple[Variable | LowerBound, Variable | Need]] = []
        self._met: set[tuple[LowerBound, Need]] = set()
        self._unions: dict[frozenset[Shape], Shape] = {}
        self._running = False
        self._doubt = Doubt.NONE  # of the needs that follow from what is being solved

    def variable(self, *, external: bool = False, empty: bool = False) -> Variable:
        """A new variable of this level."""
        variable = Variable(self.level, external, empty)
        self.variables.append(variable)
        return variable

    def holding(self, shape: Shape) -> Variable:
        """A new variable of this shape."""
        variable = self.variable()
        variable.bounds[shape.key] = shape
        return variable

    def flow(self, lower: Variable | LowerBound, upper: Variable | Need) -> None:
        """Add the constraint lower ≤ upper and propagate it."""
        self._doubt = self._doubt if self._running else self.doubt
        if isinstance(upper, Need):
            upper.doubt = max(upper.doubt, self._doubt)
        self._worklist.append((lower, upper))
        if not self._running:  # the outer call drains the worklist
            self._running = True
            while self._worklist:
                self._step(*self._worklist.pop())
            self._running = False

    def _step(self, lower: Variable | LowerBound, upper: Variable | Need) -> None:
        if not isinstance(upper, Variable):
            assert isinstance(lower, Variable)
            self._add_need(lower, upper)
        elif not isinstance(lower, Variable):
            self._add_bound(lower, upper)
        elif lower is not upper and upper not in lower.above:
            lower.link(upper)
            for shape in [*lower.bounds.values()]:
                self._add_bound(shape, upper)
            for need in _needs_of_values(upper):
                need.doubt = max(need.doubt, self._doubt if upper.declared else Doubt.NONE)
                self._add_need(lower, need)

    def _add_bound(self, shape: LowerBound, variable: Variable) -> None:
        """A shape flows into a variable, and so into all above it."""
        if variable.declared is not None and shape is not variable.declared:
            for need in _needs_of_values(variable):
                self._meet(shape, need, variable)
            if not variable.converts and isinstance(shape, Shape) and _is_wider(shape.head, variable.declared.head):
                self.conflicts.setdefault((shape, variable.declared), {})[variable] = None
            if not isinstance(shape, Shape) or not (shape.modes or shape.head == "nil"):
                return  # but how a function takes its arguments is kept, and NIL belongs to many types
            if shape.head == "nil":
                shape = replace(shape, unchecked=True)
        if isinstance(shape, Shape) and len(variable.bounds) > MOST_ALIKE:
            if shape.head == "nil" and any(present.head == "nil" for present in variable.shapes):
                return
            if shape.constant is not None:
                shape = Shape(shape.span, shape.head, via=shape.via)  # one of many
        if isinstance(shape, OperatorValue) and shape.is_open and shape.key not in variable.bounds:
            shape = self._separated(shape, variable)
        key = shape.key
        if key in variable.bounds:
            shape = self._join(shape, variable.bounds[key])
            if shape is variable.bounds[key]:
                return
        variable.bounds[key] = shape
        constraints.escape(shape, variable.level)
        self._worklist += [(shape, above) for above in variable.above]
        for need in [*variable.needs.values()]:
            self._meet(shape, need, variable)

    def _separated(self, value: OperatorValue, variable: Variable) -> OperatorValue:
        """The value of an operator in a variable, or what stands there for any of many, whose operands are unknown."""
        if value.variable is variable or not (value.any_of or len(variable.bounds) > MOST_ALIKE):
            return value
        overload = Overload(value.overload.root.allowed)
        merged = OperatorValue(
            overload, value.span, value.operator, variable, {self.variable(): value.span}, any_of=True
        )
        overload.values.append(merged)
        return merged

    def _join(self, shape: LowerBound, present: LowerBound) -> LowerBound:
        """Return the bound that stands for two of one variable that are built alike."""
        if isinstance(shape, OperatorValue) and isinstance(present, OperatorValue):
            present.alike |= {shape: None} if shape is not present else {}
        elif isinstance(shape, Shape) and isinstance(present, Shape) and shape is not present:
            return self._united(shape, present) if present.outputs or present.inputs else present
        return present

    def _united(self, shape: Shape, present: Shape) -> Shape:
        """A shape into which both flow, and neither into the other: a list of two arrays does not make them alike."""
        several = (*dict.fromkeys((*(present.united or (present,)), *(shape.united or (shape,)))),)
        if len(several) == len(present.united):
            return present
        if (every := frozenset(several)) in self._unions:
            return self._unions[every]
        if len(several) > MOST_UNITED or len(self._unions) > MOST_UNIONS:
            self._flow_parts(shape, present)
            self._flow_items(shape, present.items)
            return present
        outputs, inputs, items = (
            tuple([self.variable(empty=True) for _ in parts])
            for parts in (present.outputs, present.inputs, present.items)
        )
        self._unions[every] = union = replace(present, outputs=outputs, inputs=inputs, items=items)
        union.united = several
        for member in several:
            self._flow_parts(member, union)
            self._flow_items(member, items)
        return union

    def _add_need(self, variable: Variable, need: Need) -> None:
        """A variable gets a need, and so do all below it."""
        key = need.key
        if key in variable.needs:
            present = variable.needs[key]
            if not isinstance(need, Operand):
                self._flow_parts(present, need)
            elif isinstance(present, Operand) and not variable.has(constraints.TypeTest):
                self._join_overloads(need.overload, present.overload)
            return
        variable.needs[key] = need
        constraints.escape(need, variable.level)
        if variable.declared is None:
            self._worklist += [(below, need) for below in variable.below]
        for shape in [*variable.bounds.values()]:
            self._meet(shape, need, variable)

    # A shape and a need

    def _meet(self, lower: LowerBound, upper: Need, at: Variable) -> None:
        pair = lower, upper
        if pair not in self._met:
            self._met.add(pair)
            self._doubt = upper.doubt
            fits = self._value_fits(lower, upper) if isinstance(lower, OperatorValue) else self._fits(lower, upper)
            if not fits:
                self.conflicts[pair] = {}
        if pair in self.conflicts:
            self.conflicts[pair][at] = None

    def _fits(self, lower: Shape, upper: Need) -> bool:
        """Whether a shape meets a need; its parts flow to those of the need."""
        if lower.unchecked and not isinstance(upper, constraints.Joined):
            return True
        if isinstance(upper, Shape):
            return self._shape_fits(lower, upper)
        kinds = constraints.kinds_of(upper)
        if not (lower.unchecked or kinds is None or kinds & {lower.kind, *self._alternatives_of(lower)}):
            return False
        match upper:
            case Operand() if (
                lower.head not in ("element", "nil")
                and not _is_compared_with_itself(lower, upper.variable)
                and upper.overload.root.kind is None
            ):
                self.resolve(upper.overload.root, lower.kind)
            case constraints.Member(index=index, outputs=(member,), inputs=written):
                return self._member(lower, index, member, written, is_loop="string" in (upper.kinds or ()))
            case constraints.Rest(outputs=(member,)):
                for part in lower.outputs[1:] if lower.head == "tuple" else lower.outputs:
                    self.flow(part, member)
            case constraints.Joined(outputs=(member,)):
                if lower.head == "list" and kinds is None:
                    self.flow(lower.outputs[0], member)
                elif lower.head != "nil":
                    self.flow(lower, member)
            case constraints.Juxtaposed():
                return self._juxtaposed(lower, upper)
            case constraints.HasComponent(types=types, component=component, outputs=(result,), inputs=(written,)):
                fitting = [name for name in types if name in self._alternatives_of(lower)]
                for name in fitting:
                    part = self._component(lower, name, component)
                    self.flow(part, result)
                    self.flow(written, part)
                return bool(fitting) or lower.head == "nil"
            case constraints.Unchecked(outputs=(result,)):
                unchecked = Shape(
                    lower.span, lower.head, lower.name, unchecked=True, outputs=lower.outputs, inputs=lower.inputs
                )
                self.flow(unchecked, result)
        return True

    def _shape_fits(self, lower: Shape, upper: Shape) -> bool:
        match lower.head, upper.head:
            case "nil", "logical":
                return lower.zero
            case "nil", _:
                return upper.head in constraints.NILLABLE
            case "tuple", "list":
                for part in lower.outputs:
                    self.flow(part, upper.outputs[0])
            case "list", "tuple":
                self._flow_items(lower, upper.outputs)
            case (_, "element") | ("element", _):
                if len(lower.outputs) == len(upper.outputs):
                    self._flow_parts(lower, upper)
                return bool(self._alternatives_of(lower) & self._alternatives_of(upper))
            case ("function", "type") | ("type", "function"):
                pass
            case "function", "function" if lower.modes != upper.modes and _form(lower) == _form(upper):
                self.flow(lower.outputs[0], upper.outputs[0])
                return False
            case _:
                if _form(lower) != _form(upper):
                    return False
                self._flow_parts(lower, upper)
        return True

    def _alternatives_of(self, shape: Shape) -> frozenset[object]:
        """The kinds and the types of nodes that a value of this shape may be of; an element may be of several."""
        if shape.head == "element" and shape.name is not None:
            return self.alternatives(shape.name)
        return frozenset({"nil", "logical"} if shape.zero else {shape.name or shape.kind})

    def _flow_parts(self, lower: Need, upper: Need) -> None:
        """Relate the parts of two terms that are built alike: outputs are covariant, inputs contravariant."""
        self._worklist += zip(lower.outputs, upper.outputs, strict=True)
        self._worklist += zip(upper.inputs, lower.inputs, strict=True)

    def _flow_items(self, lower: Shape, items: tuple[Variable, ...]) -> None:
        """The members of a list flow to the place for each of them."""
        one_by_one = lower.items if len(lower.items) == len(items) else lower.outputs * len(items)
        self._worklist += zip(one_by_one, items, strict=True)

    def _member(
        self,
        lower: Shape,
        index: int | None,
        member: Variable,
        written: Sequence[Variable] = (),
        *,
        is_loop: bool = False,
    ) -> bool:
        """Whether a shape has a member at an index; it flows out, and what is `written` flows in."""
        match lower.head:
            case "tuple":
                if written or (index is not None and not 0 <= index < len(lower.outputs)):
                    return False
                parts = lower.outputs if index is None else [lower.outputs[index]]
                is_mixed = index is None and not is_loop and constraints.are_mixed(parts)  # a loop takes all of them
                for part in parts:
                    self.flow(part, constraints.Unchecked(lower.span, outputs=(member,)) if is_mixed else member)
            case "string":
                self.flow(lower, member)
            case head if head != "nil":
                item = lower.items[index : index + 1] if index is not None and index >= 0 else ()
                for new, place in product(written, (lower.inputs or lower.outputs) + (item or lower.items)):
                    self.flow(new, place)
                for part in item or lower.outputs:
                    self.flow(part, member)
        return True

    def _juxtaposed(self, lower: Shape, need: constraints.Juxtaposed) -> bool:
        arguments, written, result = need.inputs[: need.arity], need.inputs[need.arity :], need.outputs[0]
        if lower.head in ("function", "type"):
            return self._shape_fits(lower, Shape(need.span, "function", inputs=arguments, outputs=need.outputs))
        for argument in arguments:
            self.flow(argument, Shape(need.span, "number"))
        if need.subscript:
            if len(arguments) == 1:
                return self._member(lower, need.index, result, written)
            row, rest = self.variable(), (*arguments[1:], *written)
            self.flow(row, constraints.Juxtaposed(need.span, need.arity - 1, True, inputs=rest, outputs=need.outputs))
            return self._member(lower, None, row)
        for argument in arguments:
            self.flow(argument, result)
        self.flow(Shape(need.span, lower.head, unsure=lower.unsure or lower.head == "number"), result)
        return True

    # Overloaded operators

    def _value_fits(self, lower: OperatorValue, upper: Need) -> bool:
        """Whether an operator's value meets a need: one of its kinds must; if only one does, it is that."""
        if isinstance(upper, constraints.Joined):
            self.flow(lower, upper.outputs[0])
            return True
        is_element = isinstance(upper, Shape) and upper.head == "element"
        if is_element or not isinstance(upper, Shape | constraints.OneOf | Operand):
            return True  # the shape that it turns out to be will meet it
        overloads = [lower.overload.root, *([upper.overload.root] if isinstance(upper, Operand) else [])]
        kinds = constraints.kinds_of(upper) or ()
        both = [kind for kind in overloads[0].allowed if kind in kinds]
        if len(both) == 1:
            for overload in overloads:
                if overload.kind is None:
                    self.resolve(overload, both[0])
        if isinstance(upper, Shape) and upper.head == "integer":
            for value in reachable([lower], lambda value: value.alike):
                for operand, place in value.operands.items() if value.operator in constraints.KEEPS_WIDTH else ():
                    self.flow(operand, Shape(place, "integer"))
        return bool(both)

    def resolve(self, overload: Overload, kind: str) -> None:
        """Settle of which kind the operands are."""
        overload.kind = kind
        for operand in overload.operands:
            self.flow(operand.variable, Shape(operand.span, kind, via=operand.via))
        for value in overload.values:
            self.flow(Shape(value.span, "real" if value.operator == "DIVIDE" else kind), value.variable)

    def _join_overloads(self, first: Overload, other: Overload) -> None:
        """Operators that share an operand, or a result, are of one kind."""
        first, other = first.root, other.root
        if first is other or (first.kind and other.kind):
            return
        if kind := first.kind or other.kind:
            self.resolve(other if first.kind else first, kind)
        if len(first.operands) > len(other.operands):
            first, other = other, first
        first.joined = other
        other.operands += first.operands
        other.values += first.values


def _needs_of_values(variable: Variable) -> list[Need]:
    """Return the needs of the values that flow into a variable. A `general` variable takes them as they are."""
    if variable.declared is None:
        return [*variable.needs.values()]
    if variable.declared.head == "general":
        return [constraints.AnyType(variable.declared.span)]
    if variable.converts:
        return [Shape(variable.declared.span, "number")]
    return [variable.declared]


def _is_wider(head: str, other: str) -> bool:
    """Whether numbers of one type may not stand where another is declared."""
    return head in WIDTHS and other in WIDTHS and WIDTHS.index(head) < WIDTHS.index(other)


def _is_compared_with_itself(lower: Shape, variable: Variable) -> bool:
    """Whether a string is compared with itself, so that the variable may be of other kinds beside."""
    compared = (need.constant for need in variable.needs.values() if isinstance(need, constraints.Compared))
    return lower.constant is not None and lower.constant in compared


def _form(shape: Shape) -> tuple[object, ...]:
    """Return the features in which shapes that are built alike agree."""
    return shape.kind, shape.name, len(shape.outputs), len(shape.inputs)
