"""The terms that inference works with: what values are made as, what is needed of them, and the variables between.

A value has a `Shape`; what is done with it makes a `Need`. Both know where they stand in the text, so that when they do
not go together both places can be named. `solver` lets shapes flow to needs.
"""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from typing import Final

from cpl.semantics import core
from cpl.source import Span

NUMBERS: Final = ("integer", "real", "complex", "number")
"""The heads of numbers; `number` is one of which it is not known more."""

WIDTHS: Final = ("complex", "real", "integer")
"""Those of which more is known, the widest first."""

KEEPS_WIDTH: Final = ("PLUS", "MINUS", "SUM", "DIFFERENCE", "TIMES")
"""Operators that make of integers an integer."""

SEQUENCES: Final = ("list", "tuple", "array")


@dataclass(eq=False, slots=True)
class Variable:
    """What an expression or a name may be. `below` flow into it, and it flows into those `above`.

    `level` tells how deep in definitions it was made (see `schemes`); `given` if values come to it from outside of the
    program, as to parameters; `empty` if it may be the member of a list that has none. One that is `declared` is of
    that shape, whatever comes to it.
    """

    level: int
    given: bool = False
    empty: bool = False
    declared: "Shape | None" = None
    shapes: "dict[object, Shape | Outcome]" = field(default_factory=dict)
    needs: "dict[object, Need]" = field(default_factory=dict)
    below: "dict[Variable, None]" = field(default_factory=dict)
    above: "dict[Variable, None]" = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Need:
    """Something that is needed of a value, at a place of the text; the kinds of need are below.

    It may be needed, or made, by a function that is applied elsewhere, `via` another place.
    """

    span: Span
    via: Span | None = field(default=None, kw_only=True)


@dataclass(eq=False, slots=True)
class Shape(Need):
    """`head` applied to `parts`: a list of something, a function of something to something; `name` is that of a type
    of nodes or an element. As a need: that the value has this shape.

    Which kinds of parts a head has is in `variance`; of a list whose members are written down, `items` are these one by
    one. A string that is written down is a `constant`. A `soft` shape disagrees with nothing (our choice for what a
    bare name gives, as in the recorded examples; and what is read from a `general` variable), and so does a soft need:
    that of what is compared.
    """

    head: str
    members: tuple[Variable, ...] = ()
    name: core.Global | None = None
    soft: bool = False
    items: tuple[Variable, ...] = ()
    constant: str | None = None
    zero: bool = False  # NIL where it also stands for the bit string of zeros

    @property
    def kind(self) -> str:
        """The head, with all numbers in one."""
        return "number" if self.head in NUMBERS else self.head


def variance(head: str, count: int) -> tuple[bool, ...]:
    """Of each part whether values flow out of the whole with it; else they flow in.

    Arrays and pointers have two parts: what is read, and what is written.
    """
    match head:
        case "function":
            return (False,) * (count - 1) + (True,)
        case "array" | "pointer":
            return True, False
        case _:
            return (True,) * count


@dataclass(eq=False, slots=True)
class Kinds:
    """Operators of which all operands are of one kind, one of those `allowed`; `kind` as soon as one is known."""

    allowed: tuple[str, ...]
    kind: str | None = None
    operands: "list[Operand]" = field(default_factory=list)
    outcomes: "list[Outcome]" = field(default_factory=list)
    above: "Kinds | None" = None  # what this one was joined with

    def find(self) -> "Kinds":
        """The one that speaks for all that were joined."""
        found = self
        while found.above is not None:
            found = found.above
        return found


@dataclass(eq=False, slots=True)
class Operand(Need):
    """That the value is of a kind that an operator takes."""

    kinds: Kinds
    sign: str
    variable: Variable
    result: "Outcome | None"


@dataclass(eq=False, slots=True)
class Outcome:
    """What an operator gives: of the kind of its operands, or of `made`."""

    kinds: Kinds
    span: Span
    sign: str
    variable: Variable
    operands: dict[Operand, None] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether its kind is not known: else there is a shape beside it."""
        return self.kinds.find().kind is None


@dataclass(eq=False, slots=True)
class OneOf(Need):
    """That the value is of one of several kinds: `what` says so in words."""

    kinds: frozenset[str]
    what: str


@dataclass(eq=False, slots=True)
class Member(Need):
    """That the value has members: the one at `index`, or any of them if that is not known, is the `member`."""

    index: int | None
    member: Variable
    kinds: tuple[str, ...] = SEQUENCES
    written: Variable | None = None  # what it is given for its new value


@dataclass(eq=False, slots=True)
class Rest(Need):
    """That the value is a list, whose members but the first are wanted."""

    member: Variable


@dataclass(eq=False, slots=True)
class Joined(Need):
    """That the value is a list, or a member of one: what is no list counts as a list of itself (E34). With `nullable`
    it must be something of which `Null` can be asked.
    """

    member: Variable
    nullable: bool = False


@dataclass(eq=False, slots=True)
class Beside(Need):
    """`f(x)` with a small name: a function that is applied, or a factor. `m[k]`, a `subscript`: or what has members."""

    arguments: tuple[Variable, ...]
    result: Variable
    subscript: bool
    index: int | None = None
    written: Variable | None = None  # what the member is given for its new value


@dataclass(eq=False, slots=True)
class Component(Need):
    """That the value is a node with this component, of one of several `types`."""

    component: str
    types: tuple[core.Global, ...]
    result: Variable
    written: Variable


@dataclass(eq=False, slots=True)
class Softened(Need):
    """That the value is taken for what it is, and may disagree."""

    result: Variable


@dataclass(eq=False, slots=True)
class Asked(Need):
    """That the value may be of several types. If `kinds` are named it is asked of which of them it is: kinds of value,
    and types of nodes; of none it is only taken as it is.
    """

    kinds: frozenset[object]


Term = Variable | Shape
Made = Shape | Outcome
"""What values are made as."""


def key(term: Need | Outcome) -> object:
    """Of the shapes and needs of a variable those of one key are one: their parts are joined."""
    if isinstance(term, Shape):  # first, since most are of these
        if term.head == "nil":
            return "nil", term.soft, term.zero, term.span.start  # every one of them is told of
        return term.head, len(term.members), term.name, term.constant, term.soft
    match term:
        case Operand(kinds=kinds) | Outcome(kinds=kinds):
            return type(term), kinds.allowed
        case OneOf(kinds=kinds) | Asked(kinds=kinds):
            return type(term), kinds
        case Member():
            return Member, term.index, term.kinds, term.written is None
        case Joined(nullable=nullable):
            return Joined, nullable
        case Beside():
            return Beside, len(term.arguments), term.subscript, term.index, term.written is None
        case Component(component=component):
            return Component, component
        case _:
            return type(term)


def parts(need: Need) -> tuple[tuple[Variable, bool], ...]:
    """The variables of a need, and whether what is in the value flows into them (or out of them, into the value)."""
    match need:
        case Shape(members=()) | Operand():
            return ()
        case Shape(head=head, members=members):
            return tuple(zip(members, variance(head, len(members)), strict=True))
        case Member(member=member, written=None) | Rest(member=member) | Joined(member=member):
            return ((member, True),)
        case Member(member=member, written=Variable() as written):
            return (member, True), (written, False)
        case Beside(arguments=arguments, result=result, written=written):
            taken = arguments if written is None else (*arguments, written)
            return (*((each, False) for each in taken), (result, True))
        case Component(result=result, written=written):
            return (result, True), (written, False)
        case Softened(result=result):
            return ((result, True),)
        case _:
            return ()


def variables(terms: Iterable[Need | Outcome]) -> Iterator[Variable]:
    """The variables within shapes and needs."""
    for each in terms:
        if isinstance(each, Shape):
            yield from each.members
            yield from each.items
        elif isinstance(each, Need):
            yield from (part for part, _ in parts(each))


def escape(term: Need | Outcome, level: int) -> None:
    """What is within a shape or a need of an outer variable is of that level, too: no use of a function copies it."""
    waiting = [term]
    while waiting:
        for variable in variables((waiting.pop(),)):
            if variable.level > level:
                variable.level = level
                waiting += [*variable.shapes.values(), *variable.needs.values()]


def width(variable: Variable, doubtful: Set[Term] = frozenset()) -> str:
    """Which of `WIDTHS` a number is of; `number` if it depends on one of which that is not known, as on one that is
    `doubtful`.
    """
    found: set[str] = set()
    seen, waiting = {variable}, [variable]
    while waiting:
        current = waiting.pop()
        outcomes = [each for each in current.shapes.values() if isinstance(each, Outcome)]
        needs = (each for each in current.needs.values() if current.given or not getattr(each, "soft", False))
        made, needed = _widths(current.shapes.values()), _widths(needs)
        is_doubtful = current is not variable and current in doubtful
        found |= made if made or needed or outcomes else {"number"}
        found |= {"number"} if is_doubtful and not needed else set()
        found |= {"real"} if any(each.sign not in KEEPS_WIDTH for each in outcomes) else set()
        operands = {operand.variable for each in outcomes for operand in each.operands}
        waiting += operands - seen
        seen |= operands
    return next((each for each in ("complex", "real", "number") if each in found), "integer")


def _widths(known: Iterable[Need | Outcome]) -> set[str]:
    return {each.head for each in known if isinstance(each, Shape) and each.head in WIDTHS}
