"""cplrt has fast ways for usual arguments. For these and for all others its functions mean what is written here."""

# ruff: noqa: F403, F405
import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

import pytest
from conftest import SLOW
from cplrt import *
from cplrt.sharing import MANY, SharingList
from cplrt.show import WHOLE as ADVICE
from hypothesis import given
from hypothesis import strategies as st

Function = Callable[..., Any]


class OwnLogical(Logical):
    """As Python may have one, like those that follow."""

    __slots__ = ()


class OwnList(list[Any]):
    pass


class OwnInteger(int):
    pass


class Box(Node):
    """Its component is called as the digits of a bit string are."""

    __slots__ = ("bits",)


WHOLE = st.one_of(st.integers(-9, 9), st.integers(-(2**70), 2**70))
NUMBERS = st.one_of(WHOLE, st.booleans(), WHOLE.map(OwnInteger), st.floats(), st.complex_numbers())
LOGICAL = st.one_of(*(WHOLE.map(kind) for kind in (Logical, ArithmeticLogical, OwnLogical)))
OTHERS = st.sampled_from(["", "a", None, Box(3), operator.add])
SINGLE = st.one_of(LOGICAL, st.builds(Nil), NUMBERS, OTHERS)
KINDS: tuple[Function, ...] = (list, tuple, OwnList, SharingList)
LISTS = st.recursive(
    st.one_of(st.builds(Nil), *(st.lists(SINGLE, max_size=3).map(kind) for kind in KINDS)),
    lambda members: st.one_of(*(st.lists(members, max_size=3).map(kind) for kind in KINDS)),
)
LONG = st.builds(lambda kind, length: kind(range(length)), st.sampled_from(KINDS), st.integers(MANY - 2, MANY + 2))
ANYTHING = st.one_of(SINGLE, LISTS, LONG)
MOSTLY_LISTS: st.SearchStrategy[Any] = st.one_of(st.builds(list), LISTS, LONG, ANYTHING)
PLACES = st.one_of(st.integers(-99, 99), st.sampled_from([True, OwnInteger(3), OwnInteger(-3), 1.0, "a", [], Nil()]))
KINDS_OF_VALUES = ["integer", "index", "real", "complex", "Boolean", "string", "integer list", "Box"]
WORDS = st.sampled_from(KINDS_OF_VALUES)
FEW_LOGICAL = [Logical(0), Logical(6), ~Logical(6), ArithmeticLogical(6), ArithmeticLogical(0), OwnLogical(6)]
FEW = [*FEW_LOGICAL, Nil(), [], [1], [True, 2], (), (1,), (1, [2]), OwnList([1]), SharingList([1])]
FEW += [SharingList(range(MANY)), True, False, 0, 1, -1, OwnInteger(1), 1.0, 2.5, math.inf, 1j, 1 + 0j, "", "a", None]
FEW += [Box(3), operator.neg]


def are_bits(*values: Any) -> bool:
    return all(isinstance(each, (Logical, Nil)) for each in values)


def digits(x: Any) -> int:
    if are_bits(x):
        return int(x.bits)
    raise CplFault(f"expected a bit string, found {show(x)}")


def is_number(x: Any, *kinds: type) -> bool:
    return isinstance(x, kinds) and not isinstance(x, bool)


def number(x: Any) -> Any:
    if is_number(x, int, float, complex):
        return x
    raise CplFault(f"expected a number, found {show(x)}")


def whole(x: Any, use: str = "") -> int:
    if is_number(x, int):
        return int(x)
    raise CplFault(f"expected a whole number{use}, found {show(x)}{advice(x)}")


def advice(x: Any) -> str:
    return ADVICE if isinstance(x, float) and math.isfinite(x) else ""


def is_list(x: Any) -> bool:
    return isinstance(x, (list, tuple))


def members(x: Any, use: str) -> list[Any]:
    if not is_list(x):
        hint = "; SymbolsOf(s) is the list of its symbols" if isinstance(x, str) else ""
        raise CplFault(f"{use} expected a list, found {show(x)}{hint}")
    if len(x) == 0:
        raise CplFault(f"{use} of NIL: the list is empty")
    return [*x]


def plus(x: Any, y: Any) -> Logical:
    if isinstance(x, ArithmeticLogical) and isinstance(y, ArithmeticLogical):
        return ArithmeticLogical(x.bits + y.bits)
    return Logical(x.bits | digits(y))


def minus(x: Any, y: Any) -> Logical:
    if isinstance(x, ArithmeticLogical) and isinstance(y, ArithmeticLogical):
        return ArithmeticLogical(x.bits - y.bits)
    return Logical(x.bits & ~digits(y))


def shift(x: Any, n: Any) -> Logical:
    bits, places = digits(x), whole(n, " to shift by")
    return Logical(bits >> places if places > 0 else bits << -places)


def null(x: Any) -> bool:
    if isinstance(x, Logical):
        return x.bits == 0
    if is_list(x) or isinstance(x, str):
        return len(x) == 0
    if isinstance(x, Node):
        return False
    raise CplFault(f"Null expected a list or a bit string, found {show(x)}")


def join(*both: Any) -> list[Any]:
    return [each for one in both for each in (one if isinstance(one, list) else [one])]


def min_list(*items: Any) -> list[Any]:
    result: list[Any] = []
    for member in join(*items):
        may_be_null = is_list(member) or isinstance(member, (Logical, str))
        if not (may_be_null and null(member)) and not any(equal(member, each) for each in result):
            result.append(member)
    return result


def item(x: Any, index: Any) -> Any:
    if callable(x):
        return x(index)
    if not is_list(x):
        raise CplFault(f"expected an array or a list, found {show(x)}")
    place = whole(index, " as a subscript")
    if not 0 <= place < len(x):
        limits = f"0 to {len(x) - 1}" if len(x) else "there are no members"
        raise CplFault(f"subscript {index} is out of bounds ({limits})")
    return [*x][place]


def equal(x: Any, y: Any) -> bool:
    for kind in (list, tuple):
        if isinstance(x, kind) and isinstance(y, kind):
            return len(x) == len(y) and all(map(equal, x, y))
    return isinstance(x, bool) == isinstance(y, bool) and bool(x == y)


def as_integer(x: Any) -> int:
    value = number(x)
    if isinstance(value, int):
        return value
    if value.imag or not math.isfinite(value.real) or value.real != int(value.real):
        raise CplFault(f"expected an integer, found {show(x)}{advice(x)}")
    return int(value.real)


def as_real(x: Any) -> float:
    value = number(x)
    if value.imag:
        raise CplFault(f"expected a real number, found {show(x)}")
    return float(value.real)


def quotient(a: Any, b: Any) -> int:
    m, n = whole(a), whole(b)
    if n == 0:
        raise CplFault("division by zero")
    return abs(m) // abs(n) * (1 if (m < 0) == (n < 0) else -1)


def is_of(kind: str, x: Any) -> bool:
    match kind:
        case "integer" | "index":
            return is_number(x, int)
        case "real":
            return is_number(x, int, float)
        case "complex":
            return isinstance(x, complex)
        case "Boolean":
            return isinstance(x, bool)
        case "string":
            return isinstance(x, str)
        case "integer list":
            return is_list(x) and all(is_number(each, int) for each in x)
        case _:
            return False


WAYS: list[tuple[Function, Function, tuple[st.SearchStrategy[Any], ...]]] = [
    (operator.and_, lambda x, y: Logical(x.bits & digits(y)), (LOGICAL, ANYTHING)),
    (operator.or_, lambda x, y: Logical(x.bits | digits(y)), (LOGICAL, ANYTHING)),
    (operator.add, plus, (LOGICAL, ANYTHING)),
    (operator.sub, minus, (LOGICAL, ANYTHING)),
    (operator.invert, lambda x: Logical(~x.bits), (LOGICAL,)),
    (operator.eq, lambda x, y: are_bits(y) and x.bits == y.bits, (LOGICAL, ANYTHING)),
    (operator.lt, lambda x, y: x.bits < digits(y), (LOGICAL, ANYTHING)),
    (operator.gt, lambda x, y: x.bits > digits(y), (LOGICAL, ANYTHING)),
    (bool, lambda x: x.bits != 0, (LOGICAL,)),
    (Plus, lambda x, y: Logical(x.bits + y.bits) if are_bits(x, y) else x + y, (LOGICAL, ANYTHING)),
    (Minus, lambda x, y: Logical(x.bits - y.bits) if are_bits(x, y) else x - y, (LOGICAL, ANYTHING)),
    (Union, lambda x, y: Logical(x.bits | y.bits) if are_bits(x, y) else x + y, (LOGICAL, ANYTHING)),
    (Without, lambda x, y: Logical(x.bits & ~y.bits) if are_bits(x, y) else x - y, (LOGICAL, ANYTHING)),
    (SingleDigitFrom, lambda x: Logical(digits(x) & -digits(x)), (ANYTHING,)),
    (Shift, shift, (ANYTHING, PLACES)),
    (Null, null, (MOSTLY_LISTS,)),
    (Head, lambda x: members(x, "Head")[0], (MOSTLY_LISTS,)),
    (Tail, lambda x: members(x, "Tail")[1:], (MOSTLY_LISTS,)),
    (Next, lambda x: (members(x, "Next")[0], members(x, "Next")[1:]), (MOSTLY_LISTS,)),
    (Join, join, (MOSTLY_LISTS, MOSTLY_LISTS)),
    (MinList, min_list, (MOSTLY_LISTS, MOSTLY_LISTS)),
    (Item, item, (MOSTLY_LISTS, st.one_of(st.integers(-1, 3), ANYTHING))),
    (Equal, equal, (MOSTLY_LISTS, MOSTLY_LISTS)),
    (Equal, equal, (NUMBERS, NUMBERS)),
    (AsInteger, as_integer, (ANYTHING,)),
    (AsReal, as_real, (ANYTHING,)),
    (Quotient, quotient, (NUMBERS, NUMBERS)),
    (Remainder, lambda a, b: whole(a) - whole(b) * quotient(a, b), (NUMBERS, NUMBERS)),
    (Is, is_of, (WORDS, ANYTHING)),
]
"""Functions, what they mean, and what they are tried on."""


def outcome(function: Function, arguments: tuple[Any, ...]) -> Any:
    """The value with all types in it, or the fault."""
    try:
        return typed(function(*arguments))
    except (CplFault, TypeError, OverflowError) as error:
        return type(error), str(error)


def typed(value: Any) -> Any:
    """A value with all types in it. A list that shares its members is a list."""
    if is_list(value):
        return list if isinstance(value, SharingList) else type(value), [typed(each) for each in value]
    return type(value), repr(value)


@pytest.mark.parametrize(("function", "meaning", "arguments"), WAYS, ids=lambda value: getattr(value, "__name__", ""))
@SLOW
@given(st.data())
def test_a_fast_way_means_the_same(
    function: Function, meaning: Function, arguments: tuple[st.SearchStrategy[Any], ...], data: st.DataObject
) -> None:
    drawn = data.draw(st.tuples(*arguments))
    assert outcome(function, drawn) == outcome(meaning, drawn)


@pytest.mark.parametrize(("function", "meaning", "arguments"), WAYS, ids=lambda value: getattr(value, "__name__", ""))
def test_every_kind_of_argument_goes_its_way(
    function: Function, meaning: Function, arguments: tuple[st.SearchStrategy[Any], ...]
) -> None:
    few = [FEW_LOGICAL if each is LOGICAL else KINDS_OF_VALUES if each is WORDS else FEW for each in arguments]
    for taken in itertools.product(*few):
        assert outcome(function, taken) == outcome(meaning, taken)
