"""The edge of an optimised module, where values are converted: inside, bit strings are whole numbers; outside they are
`Logical`.

A form says where in a value the bit strings are:

    bits                          a bit string
    number, truth, text           a value of this kind
    other                         any value; bit strings in it are not converted
    [form]                        a list of members of this form; `[]` is the empty list
    (form, form)                  a tuple of so many members
    Function((form,), form)       a function: the forms of its arguments, and of its result
    Either(form, form)            a value that has one of several forms

The code of a function inside is right only for arguments of certain forms. So each function has a door, made by `Fast`:

    def _Free(x): return ~x & 4294967295

    @Fast(_Free, Function((bits,), bits))
    def Free(x): return Not(x) & Full

Free(Logical(3)) has an argument of the right form: the door runs `_Free(3)`, and makes a `Logical` of the result. With
any other argument the door runs the second function, which is the program as it is written and takes anything. Inside
the module, functions call `_Free` without a door.
"""

import functools
from collections.abc import Callable
from typing import Any, Final

from cplrt.logical import Logical, Nil, bits_of, is_bits

Form = Any
"""A form, as the head of this module lists them."""


class Mark:
    """A form that is only a name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


bits: Final = Mark("bits")
number: Final = Mark("number")
truth: Final = Mark("truth")
text: Final = Mark("text")
other: Final = Mark("other")

_TYPES: Final[dict[Mark, tuple[type, ...]]] = {
    bits: (Logical, Nil),  # under some readings NIL is the bit string of zeros
    number: (int, float, complex),
    truth: (bool,),
    text: (str,),
    other: (object,),
}
"""The Python types of values of each form. A bool is an int to Python, but not a `number` here: `_fits` says so."""


class Function:
    """The form of a function: it `takes` arguments of these forms, and `gives` a result of that one."""

    def __init__(self, takes: tuple[Form, ...], gives: Form) -> None:
        self.takes = takes
        self.gives = gives


class Either:
    """The form of a value that has one of several forms; the Python type of the value tells which."""

    def __init__(self, *forms: Form) -> None:
        self.forms = forms


def Fast(inner: Callable[..., Any], form: Function) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for a function that takes anything: for arguments of this form the function `inner` runs instead."""
    takes = [_converted_part(part) for part in form.takes]
    gives = _converted_part(form.gives)

    def decorator(general: Callable[..., Any]) -> Callable[..., Any]:
        # The door has the docstring of `inner`, which is the CPL; `general` has none, but the name of the program.
        @functools.wraps(inner)
        def door(*arguments: Any, **named: Any) -> Any:
            is_plain_call = not named and len(arguments) == len(takes)
            if not is_plain_call or not all(map(_fits, arguments, form.takes)):
                return general(*arguments, **named)  # which also reports a wrong number of arguments
            converted = map(AsBits, arguments, takes)
            return AsLogical(inner(*converted), gives)

        door.__name__ = door.__qualname__ = general.__name__
        return door

    return decorator


def _fits(value: Any, form: Form) -> bool:
    """Tell whether a value from outside has a form, members and all."""
    if isinstance(form, Mark):
        is_wrong_bool = form is number and isinstance(value, bool)
        return isinstance(value, _TYPES[form]) and not is_wrong_bool
    if isinstance(form, Either):
        return any(_fits(value, option) for option in form.forms)
    if isinstance(form, Function):
        return callable(value)
    if isinstance(form, tuple):
        return isinstance(value, tuple) and len(value) == len(form) and all(map(_fits, value, form))

    if not isinstance(value, list):
        return False
    if form == []:
        return not value
    [member_form] = form
    return member_form is other or all(_fits(member, member_form) for member in value)


def _converted_part(form: Form) -> Form:
    """The form with `other` in place of all that holds no bit strings: such a list need not be copied to convert it."""
    parts: list[Form] = []
    match form:
        case list() | tuple():
            parts = [*form]
        case Either():
            parts = [*form.forms]
        case Function():
            parts = [*form.takes, form.gives]

    holds_bits = form is bits or any(_converted_part(part) is not other for part in parts)
    return form if holds_bits else other


def AsLogical(value: Any, form: Form) -> Any:
    """A value from inside an optimised module, as it is outside: bit strings are `Logical`."""
    return _across(value, form, Logical, AsLogical, AsBits)


def AsBits(value: Any, form: Form) -> Any:
    """A value from outside an optimised module, as it is inside: bit strings are whole numbers.

    Raises CplFault if a bit string is missing.
    """
    return _across(value, form, bits_of, AsBits, AsLogical)


_Convert = Callable[[Any, Form], Any]


def _across(
    value: Any, form: Form, convert_bits: Callable[[Any], Any], convert: _Convert, convert_back: _Convert
) -> Any:
    """A value of this form on the other side of the edge. `convert` takes the members of a value across, `convert_bits`
    a bit string, and `convert_back` what comes the other way: the arguments of a function.
    """
    if form is bits:
        return convert_bits(value)
    if isinstance(form, Either):
        for option in form.forms:
            if _has(value, option):
                return convert(value, option)
        return value
    if isinstance(form, Function) and callable(value):
        return _wrapped(value, form, convert, convert_back)

    # A list may come where the program has a tuple, and a tuple where it has a list. Each stays what it is.
    if isinstance(form, list) and isinstance(value, list | tuple):
        members = [convert(member, form[0]) for member in value]
    elif isinstance(form, tuple) and isinstance(value, list | tuple) and len(form) == len(value):
        members = [convert(member, part) for member, part in zip(value, form, strict=True)]
    else:
        return value
    return members if isinstance(value, list) else tuple(members)


def _wrapped(
    function: Callable[..., Any], form: Function, convert: _Convert, convert_back: _Convert
) -> Callable[..., Any]:
    """A function on the other side of the edge: it takes its arguments back, and its result across."""

    @functools.wraps(function)
    def converting(*arguments: Any) -> Any:
        if len(arguments) == len(form.takes):  # else the function itself reports that it takes another number
            pairs = zip(arguments, form.takes, strict=True)
            arguments = tuple([convert_back(argument, part) for argument, part in pairs])
        return convert(function(*arguments), form.gives)

    # The function inside is `_Free`, if the program calls it Free.
    converting.__name__ = converting.__qualname__ = function.__name__.lstrip("_")
    return converting


def _has(value: Any, form: Form) -> bool:
    """Tell which option of an `Either` a value on either side of the edge has: its Python type is enough to tell them
    apart. False for forms that need no conversion.
    """
    if isinstance(form, tuple):
        return isinstance(value, tuple) and len(value) == len(form)
    if isinstance(form, list):
        return isinstance(value, list)
    if isinstance(form, Function):
        return callable(value)
    if form is bits:
        is_inside = isinstance(value, int) and not isinstance(value, bool)
        return is_bits(value) or is_inside
    return False
