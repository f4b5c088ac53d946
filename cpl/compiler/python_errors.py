"""Python's error messages in words of CPL, for the interpreter and for programs that are loaded into this process."""

import re
import sys
from typing import Final

from cplrt.depth import DEEPEST

ENDLESS: Final = "the recursion goes too deep; does it ever end?"


def in_words(error: BaseException) -> str:
    """Return the message of an error in words of CPL."""
    match error:
        case RecursionError() if sys.getrecursionlimit() < DEEPEST:
            return (
                f"the recursion is deeper than this process allows ({sys.getrecursionlimit():,}): "
                "call cplrt.allow_deep_recursion() first, or use cpl run"
            )
        case RecursionError():
            return ENDLESS
        case MemoryError() | SystemError():  # the second is what Python says if there is no memory for one more call
            return "memory ran out"
        case ZeroDivisionError():
            return "division by zero"
        case OverflowError():
            return "a number is too large"
        case UnicodeDecodeError():
            return "the input is not UTF-8"
        case AttributeError(obj=[], name=str(component)) if component != "value":
            return f"NIL has no component {_as_in_cpl(component)}"
        case TypeError() | ValueError() | NameError() | AttributeError():
            return _in_cpl(str(error))
        case _:
            return str(error)


_CALLED: Final = r"(?:[\w<>]+\.)*(\w+|<lambda>)\(\)"

_MESSAGES: Final = {
    r"unsupported operand type\(s\) for (.+?)=?: '(\w+)' and '(\w+)'": "{0} cannot be applied to {1} and {2}",
    r"can only concatenate (\w+) \(not \"(\w+)\"\) to \w+": "+ cannot be applied to {0} and {1}",
    r"can't multiply sequence by non-int of type '(\w+)'": "× cannot be applied to a list or a string and {0}",
    r"bad operand type for unary (\S): '(\w+)'": "{0} cannot be applied to {1}",
    r"'(\S+)' not supported between instances of '(\w+)' and '(\w+)'": "{1} and {2} cannot be compared by {0}",
    r"cannot access (?:local|free) variable '(\w+)' where .*": "{0} has no value yet",
    r"'(\w+)' object does not support item assignment": "expected an array to assign to, found {0}",
    r"'(\w+)' object is not callable": "expected a function, found {0}",
    r"'(\w+)' object is not iterable": "expected a list, found {0}",  # by a for loop
    r"object of type '(\w+)' has no len\(\)": "expected a list, found {0}",
    r"cannot unpack non-iterable (\w+) object": "expected a list to take apart, found {0}",
    r"not enough values to unpack \(expected (\d+), got (\d+)\)": (
        "expected a list of {0} to take apart, found one of {1}"
    ),
    r"too many values to unpack \(expected (\d+).*\)": "expected a list of {0} to take apart, found a longer one",
    r"'(\w+)' object has no attribute 'value'": "expected a pointer or an argument by reference, found {0}",
    r"(type) object '\w+' has no attribute 'value'": "expected a pointer, found {0}",
    r"'(\w+)' object has no attribute '(\w+)'.*": "{0} has no component {1}",
    r"name '(\w+)' is not defined": "{0} has no value yet",
    rf"{_CALLED} takes 1 positional argument but (\d+) were given": "{0} takes 1 argument but got {1}",
    rf"{_CALLED} takes (\d+) positional arguments but (\d+) (?:was|were) given": "{0} takes {1} arguments but got {2}",
    rf"{_CALLED} missing 1 required positional argument: .*": "{0} got one argument too few",
    rf"{_CALLED} missing (\d+) required positional arguments: .*": "{0} got {1} arguments too few",
}
"""Patterns of Python's messages, and the same in words of CPL, with the groups of the pattern in braces."""

_NAMES: Final = {
    "int": "a number",
    "float": "a number",
    "bool": "a truth value",
    "str": "a string",
    "list": "a list",
    "SharingList": "a list",
    "tuple": "a list",
    "Logical": "a bit string",
    "ArithmeticLogical": "a bit string",
    "Nil": "a list",
    "function": "a function",
    "Closure": "a function",
    "<lambda>": "a function",
    "type": "a type",
    "Element": "a type",
    "Stream": "a stream",
    "NoneType": "nothing",
    "complex": "a complex number",
    "Array": "an array",
    "Cell": "a pointer",
    "NumberCell": "a pointer",
    "MemberOf": "a pointer",
    "ComponentOf": "a pointer",
    "**": "↑",
    "** or pow()": "↑",
    "&": "∧",
    "|": "∨",
    "*": "×",
    "<=": "≤",
    ">=": "≥",
}


def kind_of(value: object) -> str:
    """Say what kind of value this is, such as "a list"."""
    name = type(value).__name__
    return _NAMES.get(name, _as_in_cpl(name))


def _in_cpl(message: str) -> str:
    """A message of Python in words of CPL, or as it is if there are none for it."""
    for pattern, template in _MESSAGES.items():
        match = re.fullmatch(pattern, message)
        if match:
            names = map(_as_in_cpl, match.groups())
            return template.format(*(_NAMES.get(name, name) for name in names))
    return message


def _as_in_cpl(name: str) -> str:
    """The CPL name for a name of the module: no name of CPL has a `_`."""
    return re.sub(r"_\d+$", "", name).replace("_prime", "'")
