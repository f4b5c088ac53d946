"""How values are represented in C: the form of a type of `cpl.types`.

Whole numbers and bit strings are words of 64 bits, tuples are structs, lists are counted vectors, and what may be of
several types is a struct with a tag. What is declared to be real is a double; where a real is only inferred, the value
may be whole too, and is a `number`. A type that is not known, arrays and nodes have no form.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from cpl.records import dataclass
from cpl.semantics import core, numbers
from cpl.types.format import written
from cpl.types.types import Basic, ByReference, Either, FunctionOf, ListOf, TupleOf, Type, Unknown


class Cannot(Exception):
    """Why a function stays in Python, in a few words."""


@dataclass(frozen=True, slots=True)
class Simple:
    """A type of the prelude, by its name there. In the code for Python it is one letter."""

    name: str


@dataclass(frozen=True, slots=True)
class TupleForm:
    """A struct with these items."""

    items: tuple["Form", ...]


@dataclass(frozen=True, slots=True)
class ListForm:
    """A list with such items."""

    item: "Form"


@dataclass(frozen=True, slots=True)
class UnionForm:
    """One of these, by a tag."""

    options: tuple["Form", ...]


@dataclass(frozen=True, slots=True)
class FunctionForm:
    """A function as a value: a pointer to its code, and to the variables that it has captured."""

    parameters: tuple["Form", ...]
    result: "Form"


@dataclass(frozen=True, slots=True)
class PlaceForm:
    """The address of a variable that holds such a value: of a parameter by reference."""

    item: "Form"


Form = Simple | TupleForm | ListForm | UnionForm | FunctionForm | PlaceForm

WHOLE: Final = Simple("whole")
TRUTH: Final = Simple("truth")
TEXT: Final = Simple("text")
NIL: Final = Simple("nil")
NUMBER: Final = Simple("number")
REAL: Final = Simple("real")
NOTHING: Final = Simple("void")

_BASIC: Final = {
    "integer": WHOLE,
    "logical": WHOLE,
    "real": NUMBER,
    "number": NUMBER,
    "Boolean": TRUTH,
    "string": TEXT,
    "NIL": NIL,
    "nothing": NOTHING,
}


def form_of(type: Type | None, letters: Mapping[str, Form] = MappingProxyType({})) -> Form:
    """The representation of a type, in which the `letters` stand for these. Raises Cannot."""
    match type:
        case Basic(name=name) if name in _BASIC:
            return _BASIC[name]
        case TupleOf(parts=parts):
            return TupleForm(tuple([form_of(part, letters) for part in parts]))
        case ListOf(parts=(part,)):
            return ListForm(form_of(part, letters))
        case Either(parts=parts):
            return union([form_of(part, letters) for part in parts])
        case FunctionOf(parts=(*parameters, result)) if type.__class__ is FunctionOf:
            return FunctionForm(tuple([form_of(part, letters) for part in parameters]), form_of(result, letters))
        case ByReference(parts=(part,)):
            return PlaceForm(form_of(part, letters))
        case Unknown(letter=letter) if letter in letters:
            return letters[letter]
        case None:
            raise Cannot("the type of a value is not known")
        case _:
            raise Cannot(f"C has no values of type {written(type)}")


def bind(type: Type, form: Form, letters: dict[str, Form]) -> None:
    """Find what the letters of a parameter's type stand for, if it gets a value of this form."""
    match type, form:
        case Unknown(letter=letter), _ if letter:
            letters[letter] = union([form, letters.get(letter, form)])
        case ListOf(parts=(part,)), ListForm(item=item):
            bind(part, item, letters)
        case (TupleOf(parts=parts), TupleForm(items=items)) if len(parts) == len(items):
            for part, item in zip(parts, items, strict=True):
                bind(part, item, letters)
        case (FunctionOf(parts=parts), FunctionForm(parameters=given, result=result)) if len(parts) == len(given) + 1:
            for part, item in zip(parts, (*given, result), strict=True):
                bind(part, item, letters)


def union(forms: Sequence[Form]) -> Form:
    """What any of these fits into. NIL is a list, if there is one; what may be whole or real is a number."""
    options = dict.fromkeys(
        option for form in forms for option in (form.options if isinstance(form, UnionForm) else (form,))
    )
    lists = [option.item for option in options if isinstance(option, ListForm)]
    numeric = [option for option in options if option in (WHOLE, REAL, NUMBER)]
    merged: list[Form] = [ListForm(union(lists))] if lists else []
    merged += [NUMBER] if len(numeric) > 1 else numeric
    merged += [
        option
        for option in options
        if not (isinstance(option, ListForm) or option in numeric or (option == NIL and lists))
    ]
    if NOTHING in merged:
        raise Cannot("a value may be missing")
    if len(merged) > _MOST_OPTIONS:
        raise Cannot("a value may be of very many types")
    return merged[0] if len(merged) == 1 else UnionForm(tuple(sorted(merged, key=repr)))


_MOST_OPTIONS: Final = 6


def loosened(form: Form) -> Form:
    """The form for values of a variable without a declared type: one that was real may be whole later."""
    match form:
        case TupleForm(items=items):
            return TupleForm(tuple(map(loosened, items)))
        case ListForm(item=item):
            return ListForm(loosened(item))
        case UnionForm(options=options):
            return union([*map(loosened, options)])
        case _:
            return NUMBER if form == REAL else form


def declared(variable: core.Local, form: Form | None) -> Form:
    """The form for a variable, as it is declared, or else this one. Raises Cannot."""
    kind = numbers.declared(variable)
    if kind == "complex" or form is None:
        raise Cannot(f"C has no complex numbers, as {variable.name}" if kind else "the type of a value is not known")
    return {"real": REAL, "integer": WHOLE}.get(kind, form)


def code(form: Form) -> str:
    """The form as `cplrt.native` reads it: `i` for a whole number, `(ii)` for a pair of them, `[i]`, `{(ii)z}`."""
    match form:
        case Simple(name=name):
            return {WHOLE: "i", TRUTH: "b", NIL: "z"}.get(form, name[0])
        case TupleForm(items=items):
            return f"({''.join(map(code, items))})"
        case ListForm(item=item):
            return f"[{code(item)}]"
        case UnionForm(options=options):
            return f"{{{''.join(map(code, options))}}}"
        case FunctionForm():
            return "f"
        case PlaceForm(item=item):
            return f"*{code(item)}"


def is_in_memory(form: Form) -> bool:
    """Whether a value may be or hold a list or a function, and so lie in the memory of a call."""
    return not {*code(form)}.isdisjoint("[f")


def stays_in_c(form: Form) -> bool:
    """Whether a value may be or hold a function or a place, which Python cannot have."""
    return not {*code(form)}.isdisjoint("f*")
