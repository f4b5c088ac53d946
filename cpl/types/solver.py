"""Lets shapes flow to needs: every value comes to wherever it may be used, and what does not go together is noted.

`flow` is all that `inference` asks for. Needs flow the other way, so that of a parameter it is known what its function
needs. Two shapes of one variable that are built alike are one, with their parts joined: that bounds the work.
"""

from collections.abc import Callable, Sequence
from typing import Final

from cpl.semantics import core
from cpl.source import Span
from cpl.types import constraints
from cpl.types.constraints import WIDTHS, Kinds, Made, Need, Operand, Outcome, Shape, Term, Variable, key, parts

NILLABLE: Final = frozenset({"nil", "list", "tuple", "node", "element", "pointer", "stream", "array"})
"""What NIL belongs to: lists, tuples and nodes (S8); the others are our choice."""

NULLABLE: Final = frozenset({"nil", "list", "tuple", "logical", "string", "node", "element"})
"""Of what `Null` can be asked."""

_MOST_ALIKE: Final = 3
"""So many NILs, and strings that are written down, are told apart where they come together with others."""


class Solver:
    """The flows of one program. `conflicts` are shapes that came to needs which they do not meet, with the variables
    where both were; `declarations` the places that say of which type something is; `components` the variables of the
    components of nodes; `alternatives` what an element may be: kinds, and types of nodes.
    """

    def __init__(self, alternatives: Callable[[core.Global], frozenset[object]]) -> None:
        self.alternatives = alternatives
        self.level = 0
        self.variables: list[Variable] = []
        self.declarations: set[Span] = set()
        self.components: dict[tuple[core.Global, str], Variable] = {}
        self.conflicts: dict[tuple[Made, Need], dict[Variable, None]] = {}
        self._waiting: list[tuple[Term | Outcome, Variable | Need]] = []
        self._met: set[tuple[Made, Need]] = set()
        self._running = False

    def variable(self, *, given: bool = False, empty: bool = False) -> Variable:
        """A new variable of this level."""
        made = Variable(self.level, given, empty)
        self.variables.append(made)
        return made

    def as_variable(self, term: Term) -> Variable:
        """The term, or a variable that it flows into."""
        if isinstance(term, Variable):
            return term
        made = self.variable()
        made.shapes[key(term)] = term
        return made

    def declare(self, variable: Variable, shape: Shape) -> None:
        """The variable is of this shape: it is needed of what comes to it, and given to what uses it."""
        variable.declared = shape
        self.declarations.add(shape.span)
        self.flow(shape, variable)

    def flow(self, lower: Term | Outcome, upper: Variable | Need) -> None:
        """What is `lower` comes to what is `upper`."""
        self._waiting.append((lower, upper))
        if self._running:
            return  # the one who began does it
        self._running = True
        while self._waiting:
            self._step(*self._waiting.pop())
        self._running = False

    def _step(self, lower: Term | Outcome, upper: Variable | Need) -> None:
        if not isinstance(lower, Variable):
            if isinstance(upper, Variable):
                self._comes(lower, upper)
            else:
                self._meet(lower, upper, None)
        elif isinstance(upper, Variable):
            if lower is not upper and upper not in lower.above:
                lower.above[upper] = None
                upper.below[lower] = None
                for shape in [*lower.shapes.values()]:
                    self._comes(shape, upper)
                for need in _wanted(upper):
                    self._needed(lower, need)
        else:
            self._needed(lower, upper)

    def _comes(self, shape: Made, variable: Variable) -> None:
        """A shape comes to a variable, and so to all above it."""
        if variable.declared is not None and shape is not variable.declared:
            for need in _wanted(variable):
                self._meet(shape, need, variable)
            if not (variable.declared.head == "integer" and isinstance(shape, Shape) and shape.head in WIDTHS[:-1]):
                return  # a wider number is kept as it is
        if isinstance(shape, Shape) and not shape.members and len(variable.shapes) > _MOST_ALIKE:
            if shape.head == "nil":
                return
            if shape.constant is not None:
                shape = Shape(shape.span, shape.head, via=shape.via)  # one of many
        known = variable.shapes.get(key(shape))
        if known is not None:
            if isinstance(shape, Outcome) and isinstance(known, Outcome):
                self._join_kinds(shape.kinds, known.kinds)
                known.operands |= shape.operands
            elif isinstance(shape, Shape) and isinstance(known, Shape) and shape is not known:
                self._parts_flow(shape, known)
                self._items_flow(shape, known.items)
            return
        variable.shapes[key(shape)] = shape
        constraints.escape(shape, variable.level)
        self._waiting += [(shape, above) for above in variable.above]
        for need in list(variable.needs.values()):
            self._meet(shape, need, variable)

    def _needed(self, variable: Variable, need: Need) -> None:
        """Something is needed of a variable, and so of all below it."""
        known = variable.needs.get(key(need))
        if known is not None:
            if isinstance(need, Operand):
                assert isinstance(known, Operand)
                if not _is_asked(variable):
                    self._join_kinds(need.kinds, known.kinds)
            elif need is not known:
                for (new, out), (old, _) in zip(parts(need), parts(known), strict=True):
                    self.flow(*((old, new) if out else (new, old)))
            return
        variable.needs[key(need)] = need
        constraints.escape(need, variable.level)
        if variable.declared is None:
            self._waiting += [(below, need) for below in variable.below]
        for shape in [*variable.shapes.values()]:
            self._meet(shape, need, variable)

    # A shape and a need

    def _meet(self, lower: Made, upper: Need, at: Variable | None) -> None:
        pair = lower, upper
        if pair in self._met:
            if pair in self.conflicts and at is not None:
                self.conflicts[pair][at] = None
            return
        self._met.add(pair)
        fits = self._outcome_fits(lower, upper) if isinstance(lower, Outcome) else self._fits(lower, upper)
        if not fits:
            self.conflicts[pair] = {at: None} if at is not None else {}

    def _fits(self, lower: Shape, upper: Need) -> bool:
        """Whether a shape meets a need; its parts flow to those of the need."""
        if lower.soft and not isinstance(upper, constraints.Joined):
            return True
        match upper:
            case Shape():
                return self._shape_fits(lower, upper)
            case Operand():
                return self._operand_fits(lower, upper)
            case constraints.OneOf(kinds=kinds):
                return lower.kind in kinds or (lower.head == "element" and bool(self._kinds_of(lower) & kinds))
            case constraints.Member(index=index, member=member, kinds=kinds, written=written):
                return self._member(lower, index, member, kinds, written)
            case constraints.Rest(member=member):
                if lower.head in ("tuple", "list"):
                    for part in lower.members[1:] if lower.head == "tuple" else lower.members:
                        self.flow(part, member)
                return lower.head in ("tuple", "list", "nil")
            case constraints.Joined(member=member, nullable=nullable):
                if lower.head == "list" and not nullable:
                    self.flow(lower.members[0], member)
                elif lower.head != "nil":
                    self.flow(lower, member)
                return not nullable or lower.soft or lower.kind in NULLABLE
            case constraints.Beside():
                return self._beside(lower, upper)
            case constraints.Component():
                return self._component(lower, upper)
            case constraints.Softened(result=result):
                self.flow(Shape(lower.span, lower.head, lower.members, lower.name, soft=True), result)
                return True
            case _:
                return True

    def _shape_fits(self, lower: Shape, upper: Shape) -> bool:
        if lower.kind == upper.kind and lower.head not in ("tuple", "function", "node", "element"):
            self._parts_flow(lower, upper)
            return True
        match lower.head, upper.head:
            case "nil", "logical":
                return lower.zero
            case "nil", _:
                return upper.head in NILLABLE
            case ("tuple", "tuple") | ("function", "function"):
                if len(lower.members) != len(upper.members):
                    return False
                self._parts_flow(lower, upper)
                return True
            case "tuple", "list":
                for part in lower.members:
                    self.flow(part, upper.members[0])
                return True
            case "list", "tuple":
                self._items_flow(lower, upper.members)
                return True
            case "node", "node":
                return lower.name == upper.name
            case (_, "element") | ("element", _):
                return bool(self._kinds_of(lower) & self._kinds_of(upper))
            case ("function", "type") | ("type", "function"):
                return True
            case _:
                return False

    def _kinds_of(self, shape: Shape) -> frozenset[object]:
        """What a value of this shape may be, for elements: kinds, and types of nodes."""
        match shape:
            case Shape(head="element", name=core.Global() as name):
                return self.alternatives(name)
            case Shape(head="node", name=name):
                return frozenset({name})
            case _:
                return frozenset({shape.kind})

    def _parts_flow(self, lower: Shape, upper: Shape) -> None:
        if lower.head in ("list", "tuple"):
            self._waiting += zip(lower.members, upper.members, strict=True)
            return
        for (mine, out), (other, _) in zip(parts(lower), parts(upper), strict=True):
            self.flow(*((mine, other) if out else (other, mine)))

    def _items_flow(self, lower: Shape, items: tuple[Variable, ...]) -> None:
        """The members of a list come to places for each of them."""
        one_by_one = lower.items if len(lower.items) == len(items) else lower.members * len(items)
        for item, place in zip(one_by_one, items, strict=True):
            self.flow(item, place)

    def _member(
        self,
        lower: Shape,
        index: int | None,
        member: Variable,
        kinds: tuple[str, ...],
        written: Variable | None = None,
    ) -> bool:
        match lower.head:
            case "nil":
                return True
            case "list" | "array" if written is not None:
                self.flow(written, lower.members[-1])
                known = index is not None and 0 <= index < len(lower.items)
                for item in [lower.items[index or 0]] if known else lower.items:
                    self.flow(written, item)
            case "tuple" if "tuple" in kinds and written is None:
                if index is not None and not 0 <= index < len(lower.members):
                    return False
                soft = index is None and "string" not in kinds and _is_mixed(lower.members)  # a `for` takes them all
                for part in lower.members if index is None else [lower.members[index]]:
                    self.flow(part, constraints.Softened(lower.span, member) if soft else member)
            case "list" | "array" if lower.head in kinds:
                known = index is not None and 0 <= index < len(lower.items)
                self.flow(lower.items[index or 0] if known else lower.members[0], member)
            case "string" if "string" in kinds:
                self.flow(lower, member)
            case _:
                return False
        return True

    def _beside(self, lower: Shape, need: constraints.Beside) -> bool:
        arguments, result = need.arguments, need.result
        if lower.head in ("function", "type"):
            return lower.head == "type" or self._shape_fits(lower, Shape(need.span, "function", (*arguments, result)))
        if need.subscript:
            for argument in arguments:
                self.flow(argument, Shape(need.span, "number"))
            if len(arguments) == 1:
                return self._member(lower, need.index, result, constraints.SEQUENCES, need.written)
            row = self.variable()
            self.flow(row, constraints.Beside(need.span, arguments[1:], result, subscript=True, written=need.written))
            return self._member(lower, None, row, constraints.SEQUENCES)
        if lower.kind != "number":
            return False
        for argument in arguments:
            self.flow(argument, Shape(need.span, "number"))
            self.flow(argument, result)
        self.flow(Shape(need.span, lower.head), result)
        return True

    def _component(self, lower: Shape, need: constraints.Component) -> bool:
        if lower.head == "nil":
            return True
        if lower.head not in ("node", "element"):
            return False
        found = [name for name in need.types if name in self._kinds_of(lower)]
        for name in found:
            self.flow(self.components[name, need.component], need.result)
            self.flow(need.written, self.components[name, need.component])
        return bool(found)

    # Kinds of operands

    def _operand_fits(self, lower: Shape, operand: Operand) -> bool:
        kinds = operand.kinds.find()
        kind = "logical" if lower.zero else lower.kind
        if lower.head == "element":
            return bool(self._kinds_of(lower) & {*kinds.allowed})
        if kind not in kinds.allowed:
            return False
        if kinds.kind is None and not (lower.zero or _is_told_apart(lower, operand.variable)):
            self.resolve(kinds, kind)
        if kind == "number" and operand.result is not None:
            self.flow(Shape(operand.result.span, _width(operand.sign, lower.head)), operand.result.variable)
        return True

    def _outcome_fits(self, lower: Outcome, upper: Need) -> bool:
        kinds = lower.kinds.find()
        match upper:
            case Shape(soft=True) | constraints.Asked():
                return True
            case Shape(head=head):
                if upper.kind in kinds.allowed and kinds.kind is None:
                    self.resolve(kinds, upper.kind)
                if head == "integer" and lower.sign in constraints.KEEPS_WIDTH:
                    for operand in lower.operands:
                        self.flow(operand.variable, Shape(operand.span, "integer"))
                return upper.kind in kinds.allowed or (head == "element")
            case Operand(kinds=other):
                both = [kind for kind in kinds.allowed if kind in other.find().allowed]
                if len(both) == 1:
                    for each in (kinds, other.find()):
                        if each.kind is None:
                            self.resolve(each, both[0])
                return bool(both)
            case constraints.OneOf(kinds=wanted):
                both = [kind for kind in kinds.allowed if kind in wanted]
                if len(both) == 1 and kinds.kind is None:
                    self.resolve(kinds, both[0])
                return bool(both)
            case constraints.Joined(member=member):
                self.flow(lower, member)
                return True
            case _:
                return True  # what it turns out to be will meet it

    def resolve(self, kinds: Kinds, kind: str) -> None:
        """It is known of which kind the operands are."""
        kinds.kind = kind
        self._settle(kinds.operands, kinds.outcomes, kind)

    def _settle(self, operands: Sequence[Operand], outcomes: Sequence[Outcome], kind: str) -> None:
        for operand in operands:
            self.flow(operand.variable, Shape(operand.span, kind, via=operand.via))
        for outcome in outcomes:
            self.flow(Shape(outcome.span, kind), outcome.variable)

    def _join_kinds(self, one: Kinds, other: Kinds) -> None:
        """Operators that share an operand, or a result, are of one kind."""
        one, other = one.find(), other.find()
        if one is other or (one.kind and other.kind):
            return
        kind = one.kind or other.kind
        if len(one.operands) > len(other.operands):
            one, other = other, one
        unsettled = other if one.kind else one
        operands, outcomes = [*unsettled.operands], [*unsettled.outcomes]
        one.above = other
        other.kind = kind
        other.operands += one.operands
        other.outcomes += one.outcomes
        if kind:
            self._settle(operands, outcomes, kind)


def _wanted(variable: Variable) -> list[Need]:
    """What is needed of the values that come to a variable. One that is `general` takes them as they are."""
    if variable.declared is None:
        return [*variable.needs.values()]
    if variable.declared.head == "general":
        return [constraints.Asked(variable.declared.span, frozenset())]
    return [variable.declared]


def _is_asked(variable: Variable) -> bool:
    """Whether it is asked of which type a value is: then one may be of several, in different places."""
    return any(isinstance(need, constraints.Asked) and need.kinds for need in variable.needs.values())


def _is_told_apart(lower: Shape, variable: Variable) -> bool:
    """Whether a string is compared with itself, so that the variable may be of other kinds beside."""
    alike = (need for need in variable.needs.values() if isinstance(need, Shape) and need.soft)
    return lower.constant is not None and any(need.constant == lower.constant for need in alike)


def _is_mixed(members: Sequence[Variable]) -> bool:
    """Whether members are of several kinds, so that nothing is known of one of them."""
    shapes = (shape for member in members for shape in member.shapes.values())
    return len({shape.kind for shape in shapes if isinstance(shape, Shape)}) > 1


def _width(sign: str, head: str) -> str:
    """Which number an operator makes of this one."""
    if head == "complex" or sign in constraints.KEEPS_WIDTH:
        return head
    return "real"


def are_alike(one: Shape, other: Shape) -> bool:
    """Whether values of these shapes can be equal, and so of one type."""
    return (
        one.soft
        or other.soft
        or one.kind == other.kind
        or {one.head, other.head} <= {"list", "tuple", "nil"}
        or {one.head, other.head} <= {"node", "element", "nil"}
        or {one.head, other.head} <= {"function", "type"}
        or any(
            a.head == "nil" and (b.head in NILLABLE or (a.zero and b.head == "logical"))
            for a, b in ((one, other), (other, one))
        )
        or "element" in (one.head, other.head)
    )
