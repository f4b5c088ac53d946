"""Python's error messages in words of CPL, for the interpreter and for programs that are loaded into this process."""

import re
import sys
from typing import Final

from cplrt.depth import DEEPEST

ENDLESS: Final = "the recursion goes too deep; does it ever end?"
"""The message of a recursion that reaches the limit of a run."""


def in_words(error: BaseException) -> str:
    """Return the message of an error in words of CPL."""
    match error:
        case RecursionError() if sys.getrecursionlimit() < DEEPEST:  # the limit of this process, not that of CPL
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
        # The empty list is NIL, which may stand for a node. A place has its content as `value`, which is no component.
        case AttributeError(obj=[], name=str(component)) if component != "value":
            return f"NIL has no component {_as_in_cpl(component)}"
        case TypeError() | ValueError() | NameError() | AttributeError():
            return _in_cpl(str(error))
        case _:
            return str(error)


_CALLED: Final = r"(?:[\w<>]+\.)*(?P<name>\w+|<lambda>)\(\)"
"""A function as Python's messages name it, after the classes and functions that contain it."""

_MESSAGES: Final = {
    r"unsupported operand type\(s\) for (.+?)=?: '(\w+)' and '(\w+)'": "{0} cannot be applied to {1} and {2}",
    r"can only concatenate (\w+) \(not \"(\w+)\"\) to \w+": "+ cannot be applied to {0} and {1}",
    r"can't multiply sequence by non-int of type '(\w+)'": "× cannot be applied to a list or a string and {0}",
    r"bad operand type for unary (\S): '(\w+)'": "{0} cannot be applied to {1}",
    r"'(\S+)' not supported between instances of '(\w+)' and '(\w+)'": "{1} and {2} cannot be compared by {0}",
    r"cannot access (?:local|free) variable '(?P<name>\w+)' where .*": "{name} has no value yet",
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
    r"'(\w+)' object has no attribute '(?P<name>\w+)'.*": "{0} has no component {name}",
    r"name '(?P<name>\w+)' is not defined": "{name} has no value yet",
    rf"{_CALLED} takes 1 positional argument but (\d+) were given": "{name} takes 1 argument but got {1}",
    rf"{_CALLED} takes (\d+) positional arguments but (\d+) (?:was|were) given": (
        "{name} takes {1} arguments but got {2}"
    ),
    rf"{_CALLED} missing 1 required positional argument: .*": "{name} got one argument too few",
    rf"{_CALLED} missing (\d+) required positional arguments: .*": "{name} got {1} arguments too few",
}
"""Patterns of Python's messages, and the same in words of CPL. A number in braces is a group of the pattern that is in
`_NAMES`, or a count; `{name}` is a name of the program, which may be one of `_NAMES` by chance.
"""

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
"""The words for values of these classes, and the signs of CPL for Python's operators."""


def kind_of(value: object) -> str:
    """Say what kind of value this is, such as "a list"."""
    name = type(value).__name__
    return _NAMES.get(name, _as_in_cpl(name))


def _in_cpl(message: str) -> str:
    """Translate a message of Python into words of CPL; a message that no pattern matches stays as it is."""
    for pattern, template in _MESSAGES.items():
        match = re.fullmatch(pattern, message)
        if match:
            words = [_NAMES.get(group, _as_in_cpl(group)) for group in match.groups()]
            name = match.groupdict().get("name", "")
            return template.format(*words, name="a function" if name == "<lambda>" else _as_in_cpl(name))
    return message


def _as_in_cpl(name: str) -> str:
    """Return the CPL name for a name of the generated module, in which `x'` is `x_prime`, and `x_2` a second `x`. This
    is safe since no name of CPL has a `_`.
    """
    return re.sub(r"_\d+$", "", name).replace("_prime", "'")
