"""The edge of an optimised module, inside of which bit strings are whole numbers; outside they are `Logical`.

A form says where in a value the bit strings are: `bits` is one, `other` a value that holds none, `[form]` a list,
`(form, form)` a tuple, `Function((form,), form)` a function of such arguments that gives such a result, and
`Either(form, form)` a value that has one of several forms.
"""

import functools
from collections.abc import Callable
from typing import Any, Final

from cplrt.logical import Logical, bits_of, is_bits

Form = Any
"""A form, as above."""


class Mark:
    """A form that is only a name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


bits: Final = Mark("bits")
other: Final = Mark("other")


class Function:
    """The form of a function, in the edge of an optimised module."""

    def __init__(self, takes: tuple[Form, ...], gives: Form) -> None:
        self.takes = takes
        self.gives = gives


class Either:
    """One of several forms, told apart by the Python type of the value, in the edge of an optimised module."""

    def __init__(self, *forms: Form) -> None:
        self.forms = forms


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
