"""The representation of values in C.

The form of a value is a type of `types` without letters. A whole number or a bit string is a word of 64 bits, a tuple
a struct, a list a counted vector, a parameter by reference an address, and what may be of several types a struct
with a tag; a function is a pointer to its code and one to the variables that it has captured. `REAL` is the form of
what is declared to be real: a double. Where a real is only inferred, the value may be whole too: its form is `NUMBER`.
A type that is not known, arrays and nodes have no form.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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
            return replace(type, parts=tuple([form_of(part, letters) for part in type.parts]))
    raise Cannot(f"C has no values of type {written(type)}" if type else "the type of a value is not known")


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
    """Return what any of these fits into. NIL is a list, if there is one; what may be whole or real is a number."""
    options = {option for form in forms for option in options_of(form)}
    if lists := [option for option in options if isinstance(option, ListOf)]:
        options = options - {*lists, NIL} | {ListOf((union([option.parts[0] for option in lists]),))}
    if len(options & NUMBERS) > 1:
        options = options - NUMBERS | {NUMBER}
    if NOTHING in options:
        raise Cannot("a value may be missing")
    if len(options) > MOST_OPTIONS:
        raise Cannot("a value may be of very many types")
    several = Either(tuple(sorted(options, key=lambda option: (option == NIL, repr(option)))))
    return several if len(options) > 1 else options.pop()


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
    kind = numbers.declared(variable)
    return {"real": REAL, "integer": WHOLE}.get(kind) or form_of(Basic(kind) if kind else type, letters)


def code(form: Form) -> str:
    """Write a form as `cplrt.native` reads it: `i` for a whole number, `(ii)` for a pair of them, `[i]`, `{(ii)z}`."""
    if isinstance(form, Composite):
        brackets = {TupleOf: "({})", ListOf: "[{}]", Either: "{{{}}}"}[form.__class__]
        return brackets.format("".join(map(code, form.parts)))
    return {"whole": "i", "truth": "b", "nil": "z"}.get(SIMPLE[form], SIMPLE[form][0])


def is_in_memory(form: Form) -> bool:
    """Tell whether a value may be or hold a list or a function, and so lie in the memory of a call."""
    return any(isinstance(part, ListOf | FunctionOf) for part in all_parts(form))


def stays_in_c(form: Form) -> bool:
    """Tell whether a value may be or hold a function or a place, which Python cannot have."""
    return any(isinstance(part, FunctionOf | ByReference) for part in all_parts(form))


@dataclass(frozen=True)
class Value:
    """An expression of C. `written` gives its text in a form, or None if that is not one in which it can be written;
    it is called once, when the form that is wanted is known. `own_form` is the form that the value has by itself, if
    there is one; a tuple has `parts`.
    """

    own_form: Form | None
    written: Callable[[Form], str | None]
    parts: tuple["Value", ...] = ()

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
