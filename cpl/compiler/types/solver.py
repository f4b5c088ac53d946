"""Constraint solving: every value flows to wherever it may be used; where it does not meet a need, there is a conflict.

This is subtyping as in algebraic subtyping: a constraint is lower ≤ upper. Lower bounds (`Shape` and `OperatorValue`)
flow from variable to variable; upper bounds (`Need`) flow the other way, so that it is known what a function needs of
its parameters. Where both come to one variable, they are compared, each pair once. If their constructors agree, their
parts are constrained in turn: outputs are covariant, inputs contravariant. If they do not, the pair is a conflict. In

    First[L] = Head(L) + 1
    let u = First[["a"]]

`Head` gives `L` the need for a member number 0. What that need takes out, h, is an operand of +, so h has the need for
a number. The application makes a list flow into `L`. There the list and the need for a member are compared: they agree,
so that the members of the list flow into h. There a string and the need for a number are compared: that is a conflict.

Two lower bounds of one variable that are built alike are joined, with their inputs and outputs: that bounds the work.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

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
    """The constraints of one program, always solved.

    `conflicts` are shapes with needs that they do not meet, and the variables that have both. `components` are the
    variables of the components of nodes. `alternatives` tells what an element may be: kinds, and types of nodes. New
    variables are made at the current `level`; new needs have the `doubt` of the place that is being read.
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
        self._compared: set[tuple[LowerBound, Need]] = set()
        self._unions: dict[frozenset[Shape], Shape] = {}
        self._running = False
        self._doubt = Doubt.NONE  # of the needs that follow from the constraint that is being solved

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
        """Add the constraint lower ≤ upper, and solve all that follows from it."""
        if not self._running:
            self._doubt = self.doubt
        if isinstance(upper, Need):
            upper.doubt = max(upper.doubt, self._doubt)
        self._worklist.append((lower, upper))
        if self._running:  # a step of the loop below has called: it goes on with the worklist
            return

        self._running = True
        while self._worklist:
            self._step(*self._worklist.pop())
        self._running = False

    def _step(self, lower: Variable | LowerBound, upper: Variable | Need) -> None:
        if not isinstance(upper, Variable):
            assert isinstance(lower, Variable)  # a value comes to a need through a variable only
            self._add_need(lower, upper)
        elif not isinstance(lower, Variable):
            self._add_bound(lower, upper)
        elif lower is not upper and upper not in lower.above:
            self._add_edge(lower, upper)

    def _add_edge(self, lower: Variable, upper: Variable) -> None:
        """A variable flows into another."""
        lower.link(upper)
        for bound in [*lower.bounds.values()]:
            self._add_bound(bound, upper)
        for need in _needs_of_values(upper):
            if upper.declared:
                need.doubt = max(need.doubt, self._doubt)
            self._add_need(lower, need)

    def _add_bound(self, bound: LowerBound, variable: Variable) -> None:
        """A value flows into a variable, and so into all above it."""
        if variable.declared is not None and bound is not variable.declared:
            self._compare_with_declaration(bound, variable, variable.declared)

            # The variable is of the declared type. But the modes of a function's parameters are not declared, and NIL
            # belongs to many types.
            if not isinstance(bound, Shape) or not (bound.modes or bound.head == "nil"):
                return
            if bound.head == "nil":
                bound = replace(bound, unchecked=True)

        if isinstance(bound, Shape) and len(variable.bounds) > MOST_ALIKE:
            if bound.head == "nil" and any(present.head == "nil" for present in variable.shapes):
                return
            if bound.constant is not None:
                bound = Shape(bound.span, bound.head, via=bound.via)  # a string that stands for many constants
        if isinstance(bound, OperatorValue) and bound.is_open and bound.key not in variable.bounds:
            bound = self._alone_or_merged(bound, variable)

        key = bound.key
        if key in variable.bounds:
            present = variable.bounds[key]
            bound = self._join(bound, present)
            if bound is present:
                return

        variable.bounds[key] = bound
        constraints.escape(bound, variable.level)
        self._worklist += [(bound, above) for above in variable.above]
        for need in [*variable.needs.values()]:
            self._compare(bound, need, variable)

    def _compare_with_declaration(self, bound: LowerBound, variable: Variable, declared: Shape) -> None:
        for need in _needs_of_values(variable):
            self._compare(bound, need, variable)
        if not variable.converts and isinstance(bound, Shape) and _is_wider(bound.head, declared.head):
            self.conflicts.setdefault((bound, declared), {})[variable] = None

    def _alone_or_merged(self, value: OperatorValue, variable: Variable) -> OperatorValue:
        """The value of an operator in a variable. If there are many, one with an unknown operand stands for them."""
        if value.variable is variable or not (value.any_of or len(variable.bounds) > MOST_ALIKE):
            return value
        overload = Overload(value.overload.root.allowed)
        operands = {self.variable(): value.span}
        merged = OperatorValue(overload, value.span, value.operator, variable, operands, any_of=True)
        overload.values.append(merged)
        return merged

    def _join(self, bound: LowerBound, present: LowerBound) -> LowerBound:
        """Return the bound that stands for two of one variable that have the same key."""
        if bound is present:
            return present
        if isinstance(bound, Shape) and isinstance(present, Shape) and (present.outputs or present.inputs):
            return self._united(bound, present)
        if isinstance(bound, OperatorValue) and isinstance(present, OperatorValue):
            present.alike[bound] = None
        return present

    def _united(self, shape: Shape, present: Shape) -> Shape:
        """The union of two shapes: both flow into it, and neither into the other, since a list of two arrays does not
        make these alike.
        """
        members = (*dict.fromkeys([*_members_of_union(present), *_members_of_union(shape)]),)
        if len(members) == len(present.united):
            return present

        key = frozenset(members)
        if key in self._unions:
            return self._unions[key]

        # Unions of unions would grow without end: beyond these limits the one flows into the other.
        if len(members) > MOST_UNITED or len(self._unions) > MOST_UNIONS:
            self._flow_parts(shape, present)
            self._flow_items(shape, present.items)
            return present

        union = replace(
            present,
            outputs=self._new_parts(present.outputs),
            inputs=self._new_parts(present.inputs),
            items=self._new_parts(present.items),
        )
        union.united = members
        self._unions[key] = union
        for member in members:
            self._flow_parts(member, union)
            self._flow_items(member, union.items)
        return union

    def _new_parts(self, parts: Sequence[Variable]) -> tuple[Variable, ...]:
        """As many new variables as there are parts."""
        return tuple(self.variable(empty=True) for _ in parts)

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
        for bound in [*variable.bounds.values()]:
            self._compare(bound, need, variable)

    # A lower bound and a need

    def _compare(self, lower: LowerBound, upper: Need, at: Variable) -> None:
        """A variable has a lower bound and a need: constrain their parts, or note the conflict."""
        pair = lower, upper
        if pair not in self._compared:
            self._compared.add(pair)
            self._doubt = upper.doubt
            if isinstance(lower, OperatorValue):
                is_met = self._operator_value_meets(lower, upper)
            else:
                is_met = self._meets(lower, upper)
            if not is_met:
                self.conflicts[pair] = {}
        if pair in self.conflicts:
            self.conflicts[pair][at] = None

    def _meets(self, lower: Shape, upper: Need) -> bool:
        """Whether a shape meets a need; its parts flow to those of the need."""
        if lower.unchecked and not isinstance(upper, constraints.Joined):
            return True
        if isinstance(upper, Shape):
            return self._meets_shape(lower, upper)
        kinds = constraints.kinds_of(upper)
        if not (lower.unchecked or kinds is None or kinds & {lower.kind, *self._alternatives_of(lower)}):
            return False
        match upper:
            case Operand():
                self._resolve_by_operand(lower, upper)
            case constraints.Member(index=index, outputs=(member,), inputs=written):
                return self._has_member(lower, index, member, written, is_loop="string" in (upper.kinds or ()))
            case constraints.Rest(outputs=(member,)):
                for part in lower.outputs[1:] if lower.head == "tuple" else lower.outputs:
                    self.flow(part, member)
            case constraints.Joined(outputs=(member,)):
                if lower.head == "list" and kinds is None:
                    self.flow(lower.outputs[0], member)
                elif lower.head != "nil":
                    self.flow(lower, member)
            case constraints.Juxtaposed():
                return self._can_be_juxtaposed(lower, upper)
            case constraints.HasComponent(types=types, component=component, outputs=(result,), inputs=(written,)):
                possible = [name for name in types if name in self._alternatives_of(lower)]
                for name in possible:
                    part = self._component(lower, name, component)
                    self.flow(part, result)
                    self.flow(written, part)
                return bool(possible) or lower.head == "nil"
            case constraints.Unchecked(outputs=(result,)):
                unchecked = Shape(
                    lower.span, lower.head, lower.name, unchecked=True, outputs=lower.outputs, inputs=lower.inputs
                )
                self.flow(unchecked, result)
        return True

    def _meets_shape(self, lower: Shape, upper: Shape) -> bool:
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
            case "function", "function" if lower.any_number and not upper.any_number:
                [each] = lower.inputs
                for argument in upper.inputs:
                    self.flow(argument, each)
                self.flow(lower.outputs[0], upper.outputs[0])
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

    def _has_member(
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
                if index is not None:
                    self.flow(lower.outputs[index], member)
                else:
                    self._flow_any_of_tuple(lower, member, is_loop=is_loop)
            case "string":
                self.flow(lower, member)
            case "nil":
                pass
            case _:
                item = lower.items[index : index + 1] if index is not None and index >= 0 else ()
                places = (lower.inputs or lower.outputs) + (item or lower.items)
                for new in written:
                    for place in places:
                        self.flow(new, place)
                for part in item or lower.outputs:
                    self.flow(part, member)
        return True

    def _flow_any_of_tuple(self, lower: Shape, member: Variable, *, is_loop: bool) -> None:
        """A member of a tuple flows out, but it is not known which. If they are of several kinds, it is unchecked: it
        may well be the right one. A loop takes all of them.
        """
        if not is_loop and constraints.are_mixed(lower.outputs):
            for part in lower.outputs:
                self.flow(part, constraints.Unchecked(lower.span, outputs=(member,)))
        else:
            for part in lower.outputs:
                self.flow(part, member)

    def _can_be_juxtaposed(self, lower: Shape, need: constraints.Juxtaposed) -> bool:
        """Whether a shape can be applied to what follows it, or subscripted, or multiplied with it."""
        arguments, written = need.inputs[: need.arity], need.inputs[need.arity :]
        [result] = need.outputs

        if lower.head in ("function", "type"):
            return self._meets_shape(lower, Shape(need.span, "function", inputs=arguments, outputs=need.outputs))

        for argument in arguments:
            self.flow(argument, Shape(need.span, "number"))

        if need.subscript and len(arguments) == 1:
            return self._has_member(lower, need.index, result, written)
        if need.subscript:  # `m[i, k]` is `m[i]`, a row, subscripted with k
            row, rest = self.variable(), (*arguments[1:], *written)
            self.flow(row, constraints.Juxtaposed(need.span, need.arity - 1, True, inputs=rest, outputs=need.outputs))
            return self._has_member(lower, None, row)

        # A product is as wide as its factors.
        for argument in arguments:
            self.flow(argument, result)
        self.flow(Shape(need.span, lower.head, unsure=lower.unsure or lower.head == "number"), result)
        return True

    # Overloaded operators

    def _resolve_by_operand(self, lower: Shape, operand: Operand) -> None:
        """The kind of an operand tells that of its operator. Nothing is told by NIL, which is of many kinds, by an
        element, which is of several, nor by a string if the same string is tested for: then the others matter.
        """
        overload = operand.overload.root
        if (
            overload.kind is None
            and lower.head not in ("element", "nil")
            and not _is_compared_with_itself(lower, operand.variable)
        ):
            self.resolve(overload, lower.kind)

    def _operator_value_meets(self, lower: OperatorValue, upper: Need) -> bool:
        """Whether an operator's value meets a need: one of its kinds must; if only one does, it is that."""
        if isinstance(upper, constraints.Joined):
            self.flow(lower, upper.outputs[0])
            return True
        is_element = isinstance(upper, Shape) and upper.head == "element"
        if is_element or not isinstance(upper, Shape | constraints.OneOf | Operand):
            return True  # once the kind of the operator is known, there is a shape beside it, which is compared

        overloads = [lower.overload.root]
        if isinstance(upper, Operand):
            overloads.append(upper.overload.root)

        needed = constraints.kinds_of(upper) or ()
        common = [kind for kind in lower.overload.root.allowed if kind in needed]
        if len(common) == 1:
            for overload in overloads:
                if overload.kind is None:
                    self.resolve(overload, common[0])

        if isinstance(upper, Shape) and upper.head == "integer":
            self._need_integers(lower)
        return bool(common)

    def _need_integers(self, result: OperatorValue) -> None:
        """The value of an operator must be an integer, and so must its operands, unless it widens them."""
        for value in reachable([result], lambda value: value.alike):
            if value.operator in constraints.KEEPS_WIDTH:
                for operand, place in value.operands.items():
                    self.flow(operand, Shape(place, "integer"))

    def resolve(self, overload: Overload, kind: str) -> None:
        """Settle the kind of operators: of their operands and their values."""
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
        if first.kind:
            self.resolve(other, first.kind)
        elif other.kind:
            self.resolve(first, other.kind)

        # Union by size: the smaller one is joined to the larger one.
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
    """Whether a string is compared with itself, so that the variable may be of other kinds as well."""
    if lower.constant is None:
        return False
    return any(
        isinstance(need, constraints.Compared) and need.constant == lower.constant for need in variable.needs.values()
    )


def _members_of_union(shape: Shape) -> Sequence[Shape]:
    """The shapes that a union stands for; a shape that is no union stands for itself."""
    return shape.united or (shape,)


def _form(shape: Shape) -> tuple[object, ...]:
    """The features in which shapes that are built alike agree."""
    return shape.kind, shape.name, len(shape.outputs), len(shape.inputs), shape.any_number
