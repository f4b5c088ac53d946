"""Reading back types: from the bounds of a variable to its type.

The lower bounds decide; where none are known, or some come from outside, the upper bounds do. In

    Heads[L] = Map(λx. Head(x), L)

nothing is known of `L`, but it is needed as a list, and its members as lists, so `Heads` is `α list list ⇒ α list`.
"""

from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import islice
from typing import Final

from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.types import constraints
from cpl.compiler.types.constraints import NUMBERS, Need, Operand, OperatorValue, Overload, Shape, Variable
from cpl.compiler.types.generate import Inference
from cpl.compiler.types.types import (
    GENERAL,
    LETTERS,
    NIL,
    NOTHING,
    ArrayOf,
    Basic,
    ByReference,
    BySubstitution,
    Composite,
    FunctionOf,
    ListOf,
    Named,
    PointerTo,
    TupleOf,
    Type,
    Unknown,
    either,
)
from cpl.limits import DEEPEST_TYPE, MOST_OPTIONS, MOST_PARTS_OF_TYPE, MOST_VARIABLES_UNITED

_CONSTRUCTORS: Final = {"list": ListOf, "tuple": TupleOf, "array": ArrayOf, "pointer": PointerTo}
_WIDEST_FIRST: Final = [Basic(width) for width in ("complex", "real", "number", "integer")]
_BASIC: Final = {"boolean": "Boolean", "nil": "NIL"}


class Readback:
    """Gives the types of one inference. Unknown types are letters, the same letter for the same type. So are those of
    tainted variables, unless their needs determine a type.

    With `guess`, a parameter that is compared with whole numbers is taken for an integer if nothing else is known.
    """

    def __init__(self, inference: Inference, *, guess: bool = True) -> None:
        self._inference = inference
        self._guess = guess
        self._widths = inference.widths if guess else inference.needed_widths
        self._letters: dict[Variable | Overload, str] = {}
        self._path: dict[Variable, None] = {}  # the variables that are being read, each a part of the one before
        self._recursive: set[Variable] = set()  # those whose types have themselves for a part, or never end
        self._parts = 0

    def of(self, term: Variable | Shape) -> Type:
        """The type of an expression or a name, or of a function's shape."""
        return self._of(term) if isinstance(term, Variable) else self._shape(term)

    def _of(self, variable: Variable) -> Type:
        """The type of a variable. A type that contains itself, or is too large, is general."""
        self._parts += 1
        if variable in self._path or len(self._path) > DEEPEST_TYPE or self._parts > MOST_PARTS_OF_TYPE:
            self._recursive.add(variable)
            return GENERAL
        self._path[variable] = None
        type = self._variable(variable)
        del self._path[variable]
        return GENERAL if variable in self._recursive else type

    def _variable(self, variable: Variable) -> Type:
        """The type of a variable by itself: as it is declared, as its values are, or as its needs ask."""
        if variable.is_open and variable.declared is None:
            return self._unknown(variable)
        if variable.declared is None and variable.shapes and variable not in self._inference.tainted:
            return self._made(variable.shapes, variable)
        type = self._shape(variable.declared) if variable.declared is not None else self._needed(variable)
        has_nil = any(shape.head == "nil" for shape in variable.shapes)
        return _either([type, NIL]) if has_nil else type

    def _made(self, shapes: Sequence[Shape], variable: Variable) -> Type:
        """A choice between shapes, with the widest of numbers; general if the program does not distinguish them."""
        if not variable.has(constraints.Distinguished) and not constraints.are_alike(shapes):
            return GENERAL

        alternatives: set[object] = set()  # of the elements here: an element stands for them all
        for shape in shapes:
            if shape.head == "element" and shape.name:
                alternatives |= self._inference.alternatives(shape.name)

        options: list[Type] = []
        if any(shape.head in NUMBERS for shape in shapes):
            options.append(self._number(self._widths.of(variable), variable))
        for shape in shapes:
            if shape.head not in NUMBERS and shape.name not in alternatives:
                options.append(self._shape(shape))
        return _either(options)

    def _number(self, width: str, variable: Variable) -> Type:
        """The type of numbers of this width; where it is unknown, the needs may tell it."""
        needed = constraints.needed_widths(variable.needs.values(), compared=self._guess and variable.external)
        known = constraints.widths(variable.bounds.values())
        if width == "number" and "integer" in needed and known <= {"integer"}:
            return Basic("integer")
        return Basic(width)

    def _shape(self, shape: Shape) -> Type:
        match shape.head:
            case "list" | "tuple" | "array" | "pointer" as head:
                return _CONSTRUCTORS[head](tuple(map(self._of, shape.outputs)))
            case "function":
                [result] = shape.outputs
                is_routine = {shape.head for shape in result.shapes} == {"nothing"}
                result_type = NOTHING if is_routine else self._of(result)
                modes = shape.modes or ("",) * len(shape.inputs)
                return FunctionOf((*map(_passed, modes, map(self._of, shape.inputs)), result_type))
            case "node" | "element" if shape.name is not None:
                return Named(shape.name)
            case "nothing" | "general":
                return GENERAL
            case head:
                return Basic(_BASIC.get(head, head))

    def _needed(self, variable: Variable) -> Type:
        """The type of a variable by its needs, as its values are not known."""
        needs = [*variable.needs.values()]
        if variable.has(constraints.TypeTest):
            return self._unknown(variable)
        shapes = [need for need in needs if isinstance(need, Shape)]
        kinds = {shape.kind for shape in shapes}
        if kinds == {"number"}:
            return self._number("complex" if "complex" in constraints.widths(shapes) else "number", variable)
        structured = [shape for shape in shapes if shape.outputs]
        if structured or len(kinds) == 1:
            most_precise = max(structured or shapes, key=lambda shape: shape.head == "tuple")
            return self._shape(most_precise)
        return self._by_use(needs, {shape.head for shape in variable.shapes}) or self._unknown(variable)

    def _by_use(self, needs: Sequence[Need], heads: Set[str]) -> Type | None:
        """The likeliest type for these needs, if values with these heads may be there: a list rather than an array."""
        for need in needs:
            match need:
                case constraints.Member(outputs=(member,)) | constraints.Rest(outputs=(member,)):
                    allowed_kinds = [need.kinds for need in needs if need.kinds]
                    for head, possible in (("list", constraints.LISTS), ("array", {"array"})):
                        if heads <= possible and all(head in allowed for allowed in allowed_kinds):
                            return _CONSTRUCTORS[head]((self._of(member),))
                case constraints.HasComponent(types=(name,)):
                    is_tested_for_nil = any(
                        isinstance(need, constraints.OneOf) and "nil" in (need.kinds or ()) for need in needs
                    )
                    return _either([Named(name), NIL]) if is_tested_for_nil else Named(name)
        for need in needs:  # a list may be a condition, too
            match need:
                case constraints.Compared(head=head) if head != "nil":
                    return Basic(_BASIC.get(head, constraints.kind_of(head)))
                case constraints.OneOf(what="a condition"):
                    return Basic("Boolean")
        return None

    def _unknown(self, variable: Variable) -> Type:
        """The letter of an unknown type; or, if all that flows in is of one type, or of numbers, that type."""
        overload = _overload(variable)
        if overload is not None:
            return self._letter(overload)

        roots = self._roots(variable)
        if roots and variable not in roots and len(roots) <= MOST_OPTIONS:
            types = [*map(self._of, roots), *map(self._shape, variable.shapes)]
            joined: Type | None = types[0]
            for other in types[1:]:
                joined = _joined(joined, other)
            if joined is not None:
                return joined
        return self._letter(variable)

    def _letter(self, root: Variable | Overload) -> Unknown:
        """The letter of what has an unknown type: the same for all operands and values of operators of one kind."""
        next_letter = LETTERS[len(self._letters) % len(LETTERS)]
        return Unknown(self._letters.setdefault(root, next_letter))

    def _roots(self, variable: Variable) -> list[Variable]:
        """The parameters and the unknown values that flow into a variable."""

        def is_root(source: Variable) -> bool:
            is_parameter = source.external and (source in self._inference.polymorphic or not source.below)
            return is_parameter or not (source.below or source.bounds)

        before = reachable([variable], lambda source: () if is_root(source) else source.below)
        return [*filter(is_root, islice(before, MOST_VARIABLES_UNITED))]


def _either(options: Sequence[Type]) -> Type:
    """Join types to a choice. NIL is a list, so it is no further option beside one; what is unknown may be anything."""
    if isinstance(options[0], Unknown):
        return options[0]
    if any(isinstance(option, ListOf) for option in options):
        options = [option for option in options if option != NIL]
    return either(options)


def _joined(first: Type | None, other: Type) -> Type | None:
    """The join of two types that are built alike, with the wider number in each place; None if they are not."""
    match first, other:
        case Basic(), Basic() if first in _WIDEST_FIRST and other in _WIDEST_FIRST:
            return min(first, other, key=_WIDEST_FIRST.index)
        case Composite(some), Composite(others) if type(first) is type(other) and len(some) == len(others):
            parts = [_joined(part, like_it) for part, like_it in zip(some, others, strict=True)]
            known = tuple(part for part in parts if part is not None)
            return replace(first, parts=known) if len(known) == len(parts) else None
        case _:
            return first if first == other else None


def _passed(mode: str, content: Type) -> Type:
    """The type of a parameter of this mode, from that of its content: a place, a thunk or a value."""
    match mode, content:
        case "reference", PointerTo((contents,)) | (Unknown() as contents):
            return ByReference((contents,))
        case "substitution", FunctionOf((value,)) | (Unknown() as value):
            return BySubstitution((value,))
        case "place by substitution", FunctionOf((place,)) | (Unknown() as place):
            return BySubstitution((_passed("reference", place),))
        case _:
            return content


def _overload(variable: Variable) -> Overload | None:
    """The operators, of a kind that is not known, that make a value or take it."""
    for term in (*variable.bounds.values(), *variable.needs.values()):
        if isinstance(term, OperatorValue | Operand) and term.overload.root.kind is None:
            return term.overload.root
    return None
