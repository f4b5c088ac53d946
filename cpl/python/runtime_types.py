"""What a checker of Python makes of the functions of cplrt that CPL programs apply."""

from collections.abc import Sequence
from typing import Final

from cpl.python.slots import (
    ANY,
    BOOLEAN,
    COMPLEX,
    DOUBT,
    INTEGER,
    LATER,
    LOGICAL,
    NIL,
    NUMBERS,
    REAL,
    STRING,
    either,
    fits,
    joined,
    same,
)
from cpl.semantics.shapes import ArrayOf, Basic, Either, FunctionOf, ListOf, PointerTo, TupleOf, Type, Unknown

STREAM: Final = Basic("stream")
_BITS: Final = Either((LOGICAL, ListOf(ANY)))

WANTED: Final[dict[str, tuple[Type, ...]]] = {
    "Shift": (LOGICAL, INTEGER),
    "SingleDigitFrom": (LOGICAL,),
    "Complex": (REAL, REAL),
    "RealPart": (COMPLEX,),
    "ImaginaryPart": (COMPLEX,),
    "Quotient": (REAL, REAL),
    "Remainder": (REAL, REAL),
    "PrintPosition": (TupleOf((LOGICAL, LOGICAL, LOGICAL, INTEGER)),),
    **dict.fromkeys("Entier Round".split(), (REAL,)),
    **dict.fromkeys("SqRt Exp Ln Sin Cos ArcTan".split(), (COMPLEX,)),
}
"""The types of parameters, where a function does not take everything."""

_RESULTS: Final[dict[str, Type]] = {
    **dict.fromkeys("Null Is".split(), BOOLEAN),
    **dict.fromkeys("Logical Shift SingleDigitFrom".split(), LOGICAL),
    **dict.fromkeys("Array Copy".split(), ArrayOf(ANY)),
    **dict.fromkeys("ReadSymbol NextSymbol Symbols StringOf SymbolWith".split(), STRING),
    **dict.fromkeys("Source StreamOf".split(), STREAM),
    **dict.fromkeys("Code Entier Round Quotient Remainder".split(), INTEGER),
    **dict.fromkeys("RealPart ImaginaryPart".split(), REAL),
    "SymbolsOf": ListOf(STRING),
    "Complex": COMPLEX,
}


def result(name: str, arguments: Sequence[Type]) -> Type:
    """The type of a function of cplrt applied to values of these types."""
    if LATER in arguments and name not in _RESULTS:
        return LATER
    match name, arguments:
        case "Head", (ListOf(member=member),):
            return member
        case "Tail", (ListOf() as whole,):
            return whole
        case "Next", (ListOf(member=member) as whole,):
            return TupleOf((member, whole))
        case "Head", (Either() | Basic(name="NIL"),):
            return DOUBT
        case "Tail", (argument,):
            return ListOf(DOUBT if isinstance(argument, Either | Basic) else ANY)
        case "Next", (argument,):
            doubt = isinstance(argument, Either | Basic)
            return TupleOf((DOUBT, ListOf(DOUBT))) if doubt else TupleOf((ANY, ListOf(ANY)))
        case "Join", (first, second):
            return _join(first, second)
        case "MinList", _:
            given = [each for each in map(_without_nil, arguments) if each is not None]
            return ListOf(given[0] if len({*given}) == 1 else ANY if ANY in given else DOUBT)
        case "Pointer", (argument,):
            return PointerTo(argument)
        case "Follow", (PointerTo(contents=contents),):
            return contents
        case "SqRt" | "Exp" | "Ln" | "Sin" | "Cos" | "ArcTan", (argument,):
            return REAL if argument in (INTEGER, REAL) else COMPLEX if argument == COMPLEX else ANY
        case _:
            return _RESULTS.get(name, ANY)


def _without_nil(type: Type) -> Type | None:
    match type:
        case Either(options=options):
            return either(each for each in options if each != NIL)
        case _:
            return None if type == NIL else type


def _join(first: Type, second: Type) -> Type:
    match first, second:
        case (Unknown(letter=""), _) | (_, Unknown(letter="")):
            return ListOf(ANY)
        case ListOf(member=member), ListOf(member=other) if same(member, other):
            return first
        case (ListOf() as whole, Basic(name="NIL")) | (Basic(name="NIL"), ListOf() as whole):
            return whole
        case Either(options=options), ListOf(member=member):
            return second if all(fits(each, member) or each == second for each in options) else ListOf(ANY)
        case _, Either():
            return ListOf(ANY)
        case ((TupleOf() | Basic() | ArrayOf()), ListOf(member=member)) if first != NIL and same(first, member):
            return second
        case ((TupleOf() | ArrayOf()), Basic(name="NIL")):
            return ListOf(first)
        case _:
            return ListOf(DOUBT)


def selected(operand: Type, indices: int) -> Type:
    """The type of `m[k]` by `Item`."""
    match operand:
        case Unknown() if operand == LATER:
            return LATER
        case ListOf(member=member) if indices == 1:
            return member
        case FunctionOf(result=result):
            return ANY if result is None else result
        case _:
            return ANY


def run_through(members: Type) -> Type | None:
    """The type of the variable that runs through the members; None if a checker cannot see that there are any."""
    match members:
        case ListOf(member=member):
            return member
        case TupleOf(items=items):
            return joined(items)
        case Unknown() if members != DOUBT:
            return members
        case ArrayOf():
            return ANY
        case Basic(name="NIL"):
            return DOUBT
        case _:
            return None


def stepped(bounds: Sequence[Type]) -> Type:
    """The type of the numbers from one to another."""
    if LATER in bounds:
        return LATER
    if any(isinstance(each, Unknown) for each in bounds):
        return ANY if all(each in (ANY, INTEGER, REAL) for each in bounds) else DOUBT
    return INTEGER if all(each == INTEGER for each in bounds) else REAL


def operation(sign: str, left: Type, right: Type) -> Type | None:
    """The type of an operator's value; None if a checker finds nothing that it could be."""
    if left == DOUBT or right == DOUBT:
        return DOUBT
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return ANY
    match sign:
        case "PLUS" | "MINUS" | "AND" | "OR" if left == right == LOGICAL:
            return LOGICAL
        case "AND" | "OR" if left == right == BOOLEAN:
            return BOOLEAN
        case "PLUS" | "MINUS" | "TIMES" | "DIVIDE" | "POWER" if left in NUMBERS and right in NUMBERS:
            return _arithmetic(sign, left, right)
        case _:
            return None


def _arithmetic(sign: str, left: Type, right: Type) -> Type:
    widest = right if fits(left, right) else left
    match sign:
        case "POWER" if widest == COMPLEX:
            return COMPLEX
        case "POWER":  # below zero powers are of other types, and so Python leaves the question open
            return REAL if (left, right) == (REAL, INTEGER) else ANY
        case "DIVIDE" if widest == INTEGER:
            return REAL
        case _:
            return widest
