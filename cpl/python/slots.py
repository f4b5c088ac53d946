"""Types as Python's checkers take them: what may be given to what, and what two types have in common.

The inference says what a program does; a checker of Python follows less of that. It does not see that a value is no
longer NIL behind `Null`, and a list of integers is no list of reals to it. Where it could not follow, a type is
loosened as far as needed, to `Any` if nothing else is left.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cpl.semantics import core, shapes
from cpl.semantics.shapes import ArrayOf, Basic, Either, FunctionOf, ListOf, Named, PointerTo, TupleOf, Type, Unknown

ANY: Final = Unknown()
DOUBT: Final = Unknown("?")
"""A checker has an idea of its own of the type, and we do not know it."""

LATER: Final = Unknown("…")
"""Nothing is known so far: the first value has not been seen."""

INTEGER, REAL, COMPLEX = Basic("integer"), Basic("real"), Basic("complex")
BOOLEAN, LOGICAL, STRING, NIL = Basic("Boolean"), Basic("logical"), Basic("string"), Basic("NIL")
NUMBERS: Final = (INTEGER, REAL, COMPLEX)
"""Each may be given where a later one is wanted."""

_DEEPEST: Final = 6
SHALLOW: Final = 2
"""How deep a type is annotated that is large."""

_MOST_PARTS: Final = 40

_MOST_OPTIONS: Final = 4


@dataclass(eq=False)
class Slot:
    """Something that holds values: a variable, a parameter, a result (`returned`), a component.

    Of a variable `expected` says what was inferred. Its `type` is that of its first value, unless it is `changing` or a
    checker does not know it. `first` is what a checker takes the first value for, if it is not told more.
    """

    type: Type | None = None
    returned: bool = False
    expected: Type = ANY
    changing: bool = False
    first: Type | None = None

    @property
    def held(self) -> Type:
        """The type of what is in the slot."""
        return self.type or LATER

    @property
    def is_narrow(self) -> bool:
        """Whether a checker would take its first value for something else than it is."""
        return self.first is not None and self.first != self.type

    def put(self, value: Type, *, apart: bool = False) -> None:
        """Loosen the type so that the slot may hold the value, or one that a value was taken `apart` into."""
        if LATER in shapes.walk(value):
            return
        if self.first is None:
            self.first = value
        if self.type is None:
            self.type = self._beginning(value, apart=apart)
        if self.returned and isinstance(value, Unknown):
            self.type = ANY
        elif not fits(value, self.type):
            self.type = common(self.type, value)

    def _beginning(self, value: Type, *, apart: bool) -> Type:
        unknown = value == ANY or any(part in (DOUBT, NIL) for part in shapes.walk(value))
        if self.expected == ANY or (value == ANY and apart):
            return settled(value)
        known = isinstance(value, PointerTo) or not (unknown or self.changing)
        return settled(value) if known else self.expected

    def loosen(self) -> None:
        """Let the slot hold everything."""
        self.type = ANY


def settled(type: Type) -> Type:
    """The type without doubts. What is an empty list now may be of anything later, unless it may be something else."""
    match type:
        case Unknown():
            return ANY
        case Basic(name="NIL"):
            return ListOf(ANY)
        case Either(options=options):
            return either(each if each == NIL else settled(each) for each in options)
        case _:
            return _rebuilt(type, [settled(part) for part in shapes.parts(type)])


def _rebuilt(type: Type, parts: Sequence[Type]) -> Type:
    """The type with other types within."""
    match type:
        case ListOf():
            return ListOf(parts[0])
        case PointerTo():
            return PointerTo(parts[0])
        case TupleOf():
            return TupleOf(tuple(parts))
        case Either():
            return either(parts)
        case FunctionOf(parameters=parameters, result=result):
            return FunctionOf(tuple(parts[: len(parameters)]), None if result is None else parts[-1])
        case _:
            return type


def fits(value: Type, slot: Type) -> bool:
    """Whether a checker lets a value of one type stand where the other is wanted."""
    match value, slot:
        case _, Unknown():
            return True
        case Unknown(letter=letter), _:
            return letter != DOUBT.letter
        case Either(options=options), _:
            return all(fits(option, slot) for option in options)
        case _, Either(options=options):
            return any(fits(value, option) for option in options)
        case Basic(), Basic() if value in NUMBERS and slot in NUMBERS:
            return NUMBERS.index(value) <= NUMBERS.index(slot)
        case Basic(name="NIL"), ListOf():
            return True
        case ArrayOf(), ArrayOf():
            return True
        case (ListOf(), ListOf()) | (PointerTo(), PointerTo()):
            return all(map(same, shapes.parts(value), shapes.parts(slot)))
        case TupleOf(items=items), TupleOf(items=wanted):
            return len(items) == len(wanted) and all(map(fits, items, wanted))
        case FunctionOf(), FunctionOf():
            return _same_function(value, slot)
        case _:
            return value == slot


def same(one: Type, other: Type) -> bool:
    """Whether each may stand for the other."""
    return one == other or (fits(one, other) and fits(other, one))


def _same_function(value: FunctionOf, slot: FunctionOf) -> bool:
    if len(value.parameters) != len(slot.parameters) or (value.result is None) != (slot.result is None):
        return False
    given = value.result is None or slot.result is None or fits(value.result, slot.result)
    return given and all(map(fits, slot.parameters, value.parameters))


def common(one: Type, other: Type) -> Type:
    """A type of values of both."""
    match one, other:
        case (Unknown(), _) | (_, Unknown()):
            return ANY
        case _ if fits(other, one):
            return one
        case _ if fits(one, other):
            return settled(other)
        case (ListOf(), ListOf()) | (PointerTo(), PointerTo()):
            return _rebuilt(one, [ANY])
        case TupleOf(items=items), TupleOf(items=others) if len(items) == len(others):
            return TupleOf(tuple(map(common, items, others)))
        case _:
            return ANY


def joined(types: Iterable[Type]) -> Type:
    """What a checker takes several values for, one of which it is."""
    found = [*types]
    options = [*dict.fromkeys(each for each in found if each != LATER)]
    if not options:
        return LATER if found else DOUBT
    if len(options) == 1:
        return options[0]
    if ANY in options:
        return ANY
    whole = next((each for each in options if all(fits(other, each) for other in options)), None)
    return whole or DOUBT


def either(options: Iterable[Type]) -> Type:
    """One of several types; of too many nobody keeps track."""
    flat = list(dict.fromkeys(_flat(options)))
    kept = [each for each in flat if not any(each is not other and fits(each, other) for other in flat)]
    if any(isinstance(each, Unknown) for each in flat) or len(kept) > _MOST_OPTIONS:
        return ANY
    if NIL in flat and any(isinstance(each, Named) for each in flat):  # a checker would ask for a test before each use
        return ANY
    return kept[0] if len(kept) == 1 else Either(tuple(sorted(kept, key=_rank)))


def _rank(type: Type) -> tuple[bool, int, str]:
    """The order of options: short ones first, NIL at the end. Nodes stay in the order of the text."""
    sizes = (Basic, Named, TupleOf, ListOf)
    size = next((number for number, each in enumerate(sizes) if isinstance(type, each)), len(sizes))
    return type == NIL, size, "" if isinstance(type, Named) else repr(type)


def _flat(options: Iterable[Type]) -> Iterator[Type]:
    for each in options:
        yield from _flat(each.options) if isinstance(each, Either) else (each,)


def is_large(type: Type) -> bool:
    """Whether a type is too large to be followed: the types of a program's values may double with each definition."""
    waiting, parts = [(type, 0)], 1
    while waiting:
        part, depth = waiting.pop()
        within = shapes.parts(part)
        parts += len(within)
        if parts > _MOST_PARTS or (within and depth == _DEEPEST):
            return True
        waiting += [(each, depth + 1) for each in within]
    return False


def normal(
    type: Type | None, elements: Mapping[core.Global, Sequence[Type]], depth: int = _DEEPEST, *, option: bool = False
) -> Type:
    """A type as it was inferred, elements as their alternatives, what is too deep cut off: so are alternatives within
    an `option`.
    """

    def inner(part: Type, *, option: bool = option) -> Type:
        return normal(part, elements, depth - 1, option=option)

    match type:
        case None | Unknown() | Basic(name="type"):
            return ANY
        case Basic(name=name) if name not in shapes.BASIC and name != "index":
            return ANY
        case Either() if option:
            return ANY
        case _ if depth == 0:
            return ANY
        case Basic(name="index"):
            return INTEGER
        case ArrayOf():
            return ArrayOf(ANY)
        case Basic(name="NIL"):
            return ListOf(ANY)
        case Either(options=options):
            return either(each if each == NIL else inner(each, option=True) for each in options)
        case Named(name=name) if name in elements:
            return either(map(inner, elements[name]))
        case _:
            return _rebuilt(type, [*map(inner, shapes.parts(type))])
