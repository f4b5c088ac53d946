"""From what may flow through a variable to the type that it is of.

The values that come to it decide; where none are known, what is needed of it.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from itertools import pairwise
from typing import Final

from cpl.semantics import core
from cpl.types import constraints
from cpl.types.constraints import NUMBERS, WIDTHS, Kinds, Need, Operand, Outcome, Shape, Term, Variable
from cpl.types.solver import are_alike
from cpl.types.types import (
    GENERAL,
    ArrayOf,
    Basic,
    Either,
    FunctionOf,
    ListOf,
    Named,
    PointerTo,
    TupleOf,
    Type,
    Unknown,
    all_parts,
    parts,
)

_SIZES: Final = ((8, 64), (4, 64), (2, 64), (1, 200))
"""How deep a type is given, and in how many parts; one with more parts is given less deep, as types may double with
each definition.
"""

_MOST_SEARCHED: Final = 500
_MOST_OPTIONS: Final = 6
_LETTERS: Final = "αβγδεζηθικλμνξοπρστυφχψω"
_BASIC: Final = {"boolean": "Boolean", "nil": "NIL"}


class Signatures:
    """Gives the types of one inference. What nothing is known of has a letter, the same for what is the same; so have
    the `doubtful` variables, to which more may come than is known, unless what is needed of them tells.
    """

    def __init__(
        self,
        doubtful: Set[Term] = frozenset(),
        alternatives: Callable[[core.Global], Set[object]] = lambda _: frozenset(),
    ) -> None:
        self._doubtful = doubtful
        self._alternatives = alternatives
        self._letters: dict[Variable | Kinds, str] = {}
        self._path: dict[Variable, None] = {}
        self._endless: set[Variable] = set()  # of types that have themselves for a part
        self._parts = 0
        self._deepest, self._most = _SIZES[0]

    def of(self, term: Term) -> Type:
        """The type of an expression or a name."""
        for size in _SIZES:
            self._deepest, self._most = size
            self._letters.clear()
            self._endless.clear()
            self._parts = 0
            found = self._of(term)
            if self._parts <= self._most:
                break
        return found

    def _of(self, term: Term) -> Type:
        if isinstance(term, Shape):
            return self._shape(term)
        self._parts += 1
        if term in self._path or len(self._path) > self._deepest or self._parts > self._most:
            self._endless.add(term)
            return GENERAL
        self._path[term] = None
        found = self._variable(term)
        del self._path[term]
        return GENERAL if term in self._endless else found

    def _variable(self, variable: Variable) -> Type:
        if variable.declared is not None:
            return self._shape(variable.declared)
        made = [shape for shape in variable.shapes.values() if isinstance(shape, Shape)]
        if any(isinstance(shape, Outcome) and shape.is_open for shape in variable.shapes.values()):
            return self._unknown(variable)
        if made and variable not in self._doubtful:
            return self._either(made, variable)
        return self._needed(variable)

    def _either(self, shapes: Sequence[Shape], variable: Variable) -> Type:
        """Of one of several shapes; of numbers the widest. What is of several types though nobody asks is of any."""
        if not _is_asked(variable) and any(not are_alike(one, other) for one, other in pairwise(shapes)):
            return GENERAL
        numbers = {shape.head for shape in shapes if shape.head in NUMBERS}
        elements = [shape.name for shape in shapes if shape.head == "element" and shape.name]
        within = {each for name in elements for each in self._alternatives(name)}
        others = [shape for shape in shapes if shape.head not in NUMBERS and shape.name not in within]
        width = constraints.width(variable, self._doubtful)
        options = [self._number(width, variable)] if numbers else []
        options += [self._shape(shape) for shape in others]
        if any(isinstance(each, ListOf) for each in options):
            options = [each for each in options if each != Basic("NIL")]
        return either(options)

    def _number(self, width: str, variable: Variable) -> Type:
        wanted = (need for need in variable.needs.values() if isinstance(need, Shape) and need.head == "integer")
        if width == "number" and any(variable.given or not need.soft for need in wanted):
            width = "integer"
        return Basic(width)

    def _shape(self, shape: Shape) -> Type:
        match shape.head:
            case "list":
                return ListOf(self._of(shape.members[0]))
            case "tuple":
                return TupleOf(tuple([self._of(each) for each in shape.members]))
            case "array":
                return ArrayOf(self._of(shape.members[0]))
            case "pointer":
                return PointerTo(self._of(shape.members[0]))
            case "function":
                *parameters, result = shape.members
                given = tuple([self._of(each) for each in parameters])
                return FunctionOf(given, None if _is_nothing(result) else self._of(result))
            case "node" | "element":
                assert shape.name is not None
                return Named(shape.name)
            case "nothing" | "general":
                return GENERAL
            case head:
                return Basic(_BASIC.get(head, head))

    def _needed(self, variable: Variable) -> Type:
        """What a value must be of which it is only known what is done with it."""
        needs = [*variable.needs.values()]
        if any(isinstance(need, constraints.Asked) and need.kinds for need in needs):
            return self._unknown(variable)
        shapes = [need for need in needs if isinstance(need, Shape) and not need.soft]
        kinds = {shape.kind for shape in shapes}
        if kinds == {"number"}:
            heads = {shape.head for shape in shapes}
            return self._number(next((each for each in ("complex", "integer") if each in heads), "number"), variable)
        for head in ("tuple", "list", "array", "function", "pointer"):
            found = [shape for shape in shapes if shape.head == head]
            if found:
                return self._shape(found[0])
        if len(kinds) == 1:
            return self._shape(shapes[0])
        return self._by_use(needs) or self._unknown(variable)

    def _by_use(self, needs: Sequence[Need]) -> Type | None:
        for need in needs:
            match need:
                case constraints.Member(member=member) | constraints.Rest(member=member):
                    return ListOf(self._of(member))
                case constraints.Component(types=(name,)):
                    return Named(name)
        for need in needs:
            match need:
                case Shape(soft=True) if need.head != "nil":
                    return Basic("number") if need.kind == "number" else self._shape(need)
                case constraints.OneOf(what="a condition"):
                    return Basic("Boolean")
        return None

    def _unknown(self, variable: Variable) -> Type:
        """What nothing tells of. If it comes from one place only, or is of the kind of another, it is what that is."""
        root: Variable | Kinds = _kinds(variable) or variable
        roots = [*_roots(variable)] if root is variable else []
        if roots and variable not in roots and len(roots) <= _MOST_OPTIONS:
            made = [self._shape(shape) for shape in variable.shapes.values() if isinstance(shape, Shape)]
            found = _widest([*map(self._of, roots), *made])
            if len(found) == 1:
                return found[0]
        return Unknown(self._letters.setdefault(root, _LETTERS[len(self._letters) % len(_LETTERS)]))


def _widest(types: Sequence[Type]) -> list[Type]:
    """The types, each once, and of numbers the widest."""
    widths = [Basic(width) for width in (*WIDTHS[:-1], "number", WIDTHS[-1])]
    others = [each for each in dict.fromkeys(types) if each not in widths]
    return [*[each for each in widths if each in types][:1], *others]


def _is_asked(variable: Variable) -> bool:
    """Whether it is asked of a value of which type it is."""
    return any(
        (isinstance(need, constraints.Asked) and need.kinds) or (isinstance(need, Shape) and need.soft)
        for need in variable.needs.values()
    )


def _kinds(variable: Variable) -> Kinds | None:
    """The operators, of a kind that is not known yet, that make a value or take it."""
    known = (*variable.shapes.values(), *variable.needs.values())
    found = (each.kinds.find() for each in known if isinstance(each, Outcome | Operand))
    return next((kinds for kinds in found if kinds.kind is None), None)


def _is_nothing(variable: Variable) -> bool:
    return any(isinstance(shape, Shape) and shape.head == "nothing" for shape in variable.shapes.values())


def _roots(variable: Variable) -> Iterator[Variable]:
    """Where what flows into a variable comes from."""
    seen = {variable}
    waiting = [variable]
    while waiting and len(seen) < _MOST_SEARCHED:
        current = waiting.pop()
        if current.given or not current.below:
            yield current
            continue
        for each in current.below:
            if each not in seen:
                seen.add(each)
                waiting.append(each)


def either(options: Sequence[Type]) -> Type:
    """One of these types, each once. What is within one of them is not told in more ways than one."""
    if len(options) == 1:
        return options[0]
    flat: dict[Type, None] = {}
    several = len({*options}) > 1
    for option in options:
        alone = option.options if isinstance(option, Either) else (option,)
        flat |= dict.fromkeys([rebuilt(each, _single) if several else each for each in alone])
    if len(flat) == 1:
        return next(iter(flat))
    if not flat or len(flat) > _MOST_OPTIONS or any(isinstance(each, Unknown) for each in flat):
        return GENERAL
    return Either(tuple(sorted(flat, key=_rank)))


def _rank(type: Type) -> int:
    """Where a type stands among others: NIL last, and before it what has no parts."""
    return 2 if type == Basic("NIL") else 1 if isinstance(type, Basic) else 0


def _single(type: Type) -> Type:
    return GENERAL if isinstance(type, Either) else rebuilt(type, _single)


def narrowed(general: Type, used: Type) -> Type:
    """A definition's type as its program uses it: what of it is not known from its own text, and which numbers."""
    match general, used:
        case Unknown(), Unknown():
            return general
        case Unknown(), _:
            return used
        case (Basic(name="integer"), Basic(name="real")) | (Basic(), Basic(name="number")):
            return general
        case Either(options=some), Either(options=others) if len(some) == len(others):
            return either(_each(some, others))
        case FunctionOf(result=None), _:
            return used if isinstance(used, FunctionOf) and used.result is None else general
        case _ if type(general) is type(used) and len(parts(general)) == len(parts(used)) > 0:
            inner = iter(_each(parts(general), parts(used)))
            return rebuilt(general, lambda _: next(inner))
        case _:
            return general if used == GENERAL or (_has_letters(used) and not _has_letters(general)) else used


def _has_letters(type: Type) -> bool:
    return any(isinstance(each, Unknown) and each.letter for each in all_parts(type))


def _each(some: Sequence[Type], others: Sequence[Type]) -> tuple[Type, ...]:
    return tuple([narrowed(one, other) for one, other in zip(some, others, strict=True)])


def lettered(type: Type) -> Type:
    """The same type, its unknown parts lettered from α on, numbers of unknown width real."""
    letters: dict[str, str] = {}

    def renamed(part: Type) -> Type:
        match part:
            case Unknown(letter=letter):
                return Unknown(letters.setdefault(letter, _LETTERS[len(letters) % len(_LETTERS)])) if letter else part
            case Basic(name="number"):
                return Basic("real")
            case _:
                return rebuilt(part, renamed)

    return renamed(type)


def rebuilt(type: Type, change: Callable[[Type], Type]) -> Type:
    """The type with its parts changed."""
    match type:
        case ListOf(member=part):
            return ListOf(change(part))
        case ArrayOf(member=part):
            return ArrayOf(change(part))
        case PointerTo(contents=part):
            return PointerTo(change(part))
        case TupleOf(items=items):
            return TupleOf(tuple([change(item) for item in items]))
        case Either(options=options):
            return either([change(option) for option in options])
        case FunctionOf(parameters=parameters, result=result):
            given = tuple([change(each) for each in parameters])
            return FunctionOf(given, None if result is None else change(result))
        case _:
            return type
