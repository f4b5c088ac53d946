"""The edge of an optimised module, where values are converted: inside, bit strings are whole numbers; outside they are
`Logical`.

A form says where in a value the bit strings are: `bits` is one, `other` a value that holds none, `[form]` a list,
`(form, form)` a tuple, `Function((form,), form)` a function of such arguments that gives such a result, and
`Either(form, form)` a value that has one of several forms. `number`, `truth` and `text` hold none either, and `[]` is
the empty list.

The code of a function inside rests on the forms of its arguments. So each function has a door, `Fast`: an argument from
outside is checked there, once, and never again inside. If its form is not the one that it has in the program, the
function runs as it is written, which takes anything.
"""

import functools
from collections.abc import Callable
from typing import Any, Final

from cplrt.logical import Logical, Nil, bits_of, is_bits

Form = Any
"""A form, as above."""


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
    bits: (Logical, Nil),
    number: (int, float, complex),
    truth: (bool,),
    text: (str,),
    other: (object,),
}
"""The Python types of values of each form; a truth value is no number."""


class Function:
    """The form of a function, in the edge of an optimised module."""

    def __init__(self, takes: tuple[Form, ...], gives: Form) -> None:
        self.takes = takes
        self.gives = gives


class Either:
    """One of several forms, told apart by the Python type of the value, in the edge of an optimised module."""

    def __init__(self, *forms: Form) -> None:
        self.forms = forms


def Fast(inner: Callable[..., Any], form: Function) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for a function that takes anything: for arguments of this form the function `inner` runs instead."""
    converted = [_converted(part) for part in form.takes]
    gives = _converted(form.gives)

    def decorator(general: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(inner)
        def door(*arguments: Any, **named: Any) -> Any:
            if named or len(arguments) != len(converted) or not all(map(_fits, arguments, form.takes)):
                return general(*arguments, **named)
            return AsLogical(inner(*map(AsBits, arguments, converted)), gives)

        door.__name__ = door.__qualname__ = general.__name__
        return door

    return decorator


def _fits(value: Any, form: Form) -> bool:
    """Tell whether a value from outside has a form."""
    if isinstance(form, Mark):
        return isinstance(value, _TYPES[form]) and (form is not number or not isinstance(value, bool))
    if isinstance(form, Either):
        return any(_fits(value, option) for option in form.forms)
    if isinstance(form, Function):
        return callable(value)
    if isinstance(form, tuple):
        return isinstance(value, tuple) and len(value) == len(form) and all(map(_fits, value, form))
    if not form:
        return isinstance(value, list) and not value
    return isinstance(value, list) and (form[0] is other or all(_fits(member, form[0]) for member in value))


def _converted(form: Form) -> Form:
    """A form without what is not converted: a list that holds no bit strings stays the list that it is."""
    parts: list[Form] = [*form] if isinstance(form, list | tuple) else []
    if isinstance(form, Either):
        parts = [*form.forms]
    elif isinstance(form, Function):
        parts = [*form.takes, form.gives]
    if form is not bits and all(_converted(part) is other for part in parts):
        return other
    return form


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
    if form is bits:
        return convert_bits(value)
    if isinstance(form, Either):
        form = next((option for option in form.forms if _has(value, option)), other)
        return value if form is other else convert(value, form)
    if isinstance(form, Function) and callable(value):
        return _wrapped(value, form, convert, convert_back)
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
    @functools.wraps(function)
    def converting(*arguments: Any) -> Any:
        if len(arguments) == len(form.takes):
            arguments = tuple(
                [convert_back(argument, part) for argument, part in zip(arguments, form.takes, strict=True)]
            )
        return convert(function(*arguments), form.gives)

    converting.__name__ = converting.__qualname__ = function.__name__.lstrip("_")
    return converting


def _has(value: Any, form: Form) -> bool:
    """Tell whether a value may have a form."""
    if isinstance(form, tuple):
        return isinstance(value, tuple) and len(value) == len(form)
    if isinstance(form, list):
        return isinstance(value, list)
    if isinstance(form, Function):
        return callable(value)
    return form is bits and (is_bits(value) or (isinstance(value, int) and not isinstance(value, bool)))
