"""The representation of values in C.

The form of a value is a type of `types` without letters. A whole number or a bit string is a word of 64 bits, a tuple
a struct, a list a counted vector, a parameter by reference an address, and what may be of several types a struct
with a tag; a function is a pointer to its code and one to the variables that it has captured. `REAL` is the form of
what is declared to be real: a double. Where a real is only inferred, the value may be whole too: its form is `NUMBER`.
A type that is not known, arrays and nodes have no form.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Final

from cpl.compiler.semantics import core, numbers
from cpl.compiler.types.types import (
    NIL,
    NOTHING,
    Basic,
    ByReference,
    BySubstitution,
    Composite,
    Either,
    FunctionOf,
    ListOf,
    TupleOf,
    Type,
    Unknown,
    all_parts,
    written,
)
from cpl.limits import MOST_OPTIONS

Form = Type

WHOLE: Final = Basic("integer")
TRUTH: Final = Basic("Boolean")
TEXT: Final = Basic("string")
NUMBER: Final = Basic("number")
REAL: Final = Basic("real")
NUMBERS: Final = frozenset({WHOLE, REAL, NUMBER})

SIMPLE: Final[Mapping[Form, str]] = {
    WHOLE: "whole",
    TRUTH: "truth",
    TEXT: "text",
    NUMBER: "number",
    REAL: "real",
    NIL: "nil",
    NOTHING: "void",
}
"""The names that the prelude has for forms."""


_CODES: Final[Mapping[Form, str]] = {WHOLE: "i", TRUTH: "b", TEXT: "t", NUMBER: "n", REAL: "r", NIL: "z", NOTHING: "v"}
_BRACKETS: Final[Mapping[type[Composite], tuple[str, str]]] = {
    TupleOf: ("(", ")"),
    ListOf: ("[", "]"),
    Either: ("{", "}"),
}


class Cannot(Exception):
    """The reason why a function stays in Python, in a few words."""


def form_of(type: Type | None, letters: Mapping[str, Form] = MappingProxyType({})) -> Form:
    """Return the form of a type whose letters stand for these forms. Raises Cannot."""
    match type:
        case Unknown(letter=letter) if letter in letters:
            return letters[letter]
        case Basic() if type in SIMPLE:
            return NUMBER if type == REAL else type
        case Basic(name="logical"):
            return WHOLE
        case Either(parts=parts):
            return union([form_of(part, letters) for part in parts])
        case ListOf() | TupleOf() | FunctionOf() | ByReference() if not isinstance(type, BySubstitution):
            return replace(type, parts=tuple(form_of(part, letters) for part in type.parts))
        case None:
            raise Cannot("the type of a value is not known")
    raise Cannot(f"C has no values of type {written(type)}")


def bind(type: Type, form: Form, letters: dict[str, Form]) -> None:
    """Find what the letters of a parameter's type stand for, if it gets a value of this form."""
    match type, form:
        case Unknown(letter=letter), _ if letter:
            letters[letter] = union([form, letters.get(letter, form)])
        case ListOf(parts) | TupleOf(parts) | FunctionOf(parts), Composite(forms) if (
            type.__class__ is form.__class__ and len(parts) == len(forms)
        ):
            for part, part_form in zip(parts, forms, strict=True):
                bind(part, part_form, letters)


def options_of(form: Form) -> Sequence[Form]:
    """Return the forms of which a value may be."""
    return form.parts if isinstance(form, Either) else (form,)


def union(forms: Sequence[Form]) -> Form:
    """Return the join of forms: each of them can be coerced to it. Raises Cannot.

    NIL is a list, if there is a list among them, and what may be whole or real is a number.
    """
    options = {*chain.from_iterable(map(options_of, forms))}
    lists = [option for option in options if isinstance(option, ListOf)]
    if lists:
        member = union([option.parts[0] for option in lists])
        options -= {*lists, NIL}
        options.add(ListOf((member,)))
    if len(options & NUMBERS) > 1:
        options -= NUMBERS
        options.add(NUMBER)
    if NOTHING in options:
        raise Cannot("a value may be missing")
    if len(options) > MOST_OPTIONS:
        raise Cannot("a value may be of very many types")
    if len(options) < 2:
        return options.pop()
    ordered = sorted(options, key=lambda option: (option == NIL, repr(option)))  # NIL is the last
    return Either(tuple(ordered))


def widened(form: Form) -> Form:
    """Return the form for values of a variable without a declared type: one that was real may be whole later."""
    match form:
        case ListOf() | TupleOf():
            return replace(form, parts=tuple(map(widened, form.parts)))
        case Either(parts=options):
            return union([*map(widened, options)])
        case _:
            return NUMBER if form == REAL else form


def declared(variable: core.Local, type: Type | None, letters: Mapping[str, Form] = MappingProxyType({})) -> Form:
    """Return the form for a variable, as it is declared, or else that of its type. Raises Cannot."""
    match numbers.declared(variable):
        case "real":
            return REAL
        case "integer":
            return WHOLE
        case "":
            return form_of(type, letters)
        case kind:
            return form_of(Basic(kind), letters)


def code(form: Form) -> str:
    """Write a form as `cplrt.native` reads it: `i` for a whole number, `(ii)` for a pair of them, `[i]`, `{(ii)z}`."""
    if isinstance(form, Composite):
        opener, closer = _BRACKETS[form.__class__]
        return f"{opener}{''.join(map(code, form.parts))}{closer}"
    return _CODES[form]


def is_in_memory(form: Form) -> bool:
    """Tell whether a value may be or hold a list or a function, and so lie in the memory of a call."""
    return any(isinstance(part, ListOf | FunctionOf) for part in all_parts(form))


def stays_in_c(form: Form) -> bool:
    """Tell whether a value may be or hold a function or a place, which Python cannot have."""
    return any(isinstance(part, FunctionOf | ByReference) for part in all_parts(form))


@dataclass(frozen=True)
class Value:
    """An expression of C, whose text is written when the form that is expected of it is known: `0` becomes
    `of_whole(0)` where a `number` is expected.

    `written` gives the text in a form, or None if the expression cannot be written in that form; it is called once.
    `own_form` is the form that the value has by itself, if there is one; a tuple has `parts`. The rest of a list is a
    `walk`: the variable that has the list, and the place where the rest begins. A test may have an `opposite`, which
    says more than `!`: that of `(x < y)` is `(x >= y)` if both are whole numbers.
    """

    own_form: Form | None
    written: Callable[[Form], str | None]
    parts: tuple["Value", ...] = ()
    walk: tuple[str, str] | None = None
    opposite: str = ""

    @property
    def form(self) -> Form:
        """The form that the value has by itself. Raises Cannot."""
        if self.own_form is None:
            raise Cannot("the type of a value is not known")
        return self.own_form

    @property
    def text(self) -> str:
        """The expression, in the form that it has by itself."""
        text = self.written(self.form)
        assert text is not None
        return text


def plain(text: str, form: Form) -> Value:
    """A value that is always written in the same form."""
    return Value(form, lambda wanted: text if wanted == form else None)
