"""Python's error messages in words of CPL, for the interpreter and for programs that are loaded into this process.

If a program adds a string and a number, Python says

    can only concatenate str (not "int") to str

The pattern for this message has two groups, here `str` and `int`. In words of CPL these are "a string" and "a number".
The words stand in a template, and so the user reads

    + cannot be applied to a string and a number
"""

import re
import sys
from typing import Final

from cplrt.depth import DEEPEST

ENDLESS: Final = "the recursion goes too deep; does it ever end?"
"""The message of a recursion that reaches the limit of a run."""


def in_words(error: BaseException) -> str:
    """Return the message of an error in words of CPL."""
    match error:
        case RecursionError():
            limit = sys.getrecursionlimit()
            if limit < DEEPEST:  # nobody has raised it to the limit of a run: the recursion may well end
                return (
                    f"the recursion is deeper than this process allows ({limit:,}): "
                    "call cplrt.allow_deep_recursion() first, or use cpl run"
                )
            return ENDLESS
        case MemoryError() | SystemError():  # the second is what Python says if there is no memory for one more call
            return "memory ran out"
        case ZeroDivisionError():
            return "division by zero"
        case OverflowError():
            return "a number is too large"
        case UnicodeDecodeError():
            return "the input is not UTF-8"
        # A component of NIL, which is an empty list in Python, was asked for. (The attribute `value` is no component:
        # it is what a pointer or an argument by reference leads to.)
        case AttributeError(obj=[], name=str(component)) if component != "value":
            return f"NIL has no component {_cpl_name(component)}"
        case TypeError() | ValueError() | NameError() | AttributeError():
            return _translated(str(error))
        case _:
            return str(error)


_CALLED: Final = r"(?:[\w<>]+\.)*(?P<name>\w+|<lambda>)\(\)"
"""A function as Python's messages name it, after the classes and functions that contain it: `F.<locals>.G()`."""

# The order matters: the first pattern that matches is taken, so the attribute `value` comes before any attribute.
_MESSAGES: Final = {
    # The sign = is there if the program adds to a variable, as in `x += 1`.
    r"unsupported operand type\(s\) for (.+?)=?: '(\w+)' and '(\w+)'": "{0} cannot be applied to {1} and {2}",
    r"can only concatenate (\w+) \(not \"(\w+)\"\) to \w+": "+ cannot be applied to {0} and {1}",
    r"can't multiply sequence by non-int of type '(\w+)'": "× cannot be applied to a list or a string and {0}",
    r"bad operand type for unary (\S): '(\w+)'": "{0} cannot be applied to {1}",
    r"'(\S+)' not supported between instances of '(\w+)' and '(\w+)'": "{1} and {2} cannot be compared by {0}",
    r"cannot access (?:local|free) variable '(?P<name>\w+)' where .*": "{name} has no value yet",
    r"'(\w+)' object does not support item assignment": "expected an array to assign to, found {0}",
    r"'(\w+)' object is not callable": "expected a function, found {0}",
    r"'(\w+)' object is not iterable": "expected a list, found {0}",  # a for loop says so
    r"object of type '(\w+)' has no len\(\)": "expected a list, found {0}",
    r"cannot unpack non-iterable (\w+) object": "expected a list to take apart, found {0}",
    r"not enough values to unpack \(expected (\d+), got (\d+)\)": (
        "expected a list of {0} to take apart, found one of {1}"
    ),
    r"too many values to unpack \(expected (\d+).*\)": "expected a list of {0} to take apart, found a longer one",
    r"'(\w+)' object has no attribute 'value'": "expected a pointer or an argument by reference, found {0}",
    # Here `type` is a group so that the template has its words, "a type".
    r"(type) object '\w+' has no attribute 'value'": "expected a pointer, found {0}",
    r"'(\w+)' object has no attribute '(?P<name>\w+)'.*": "{0} has no component {name}",
    r"name '(?P<name>\w+)' is not defined": "{name} has no value yet",
    # The name in `_CALLED` is group 0, so the numbers of the message are groups 1 and 2.
    rf"{_CALLED} takes 1 positional argument but (\d+) were given": "{name} takes 1 argument but got {1}",
    rf"{_CALLED} takes (\d+) positional arguments but (\d+) (?:was|were) given": (
        "{name} takes {1} arguments but got {2}"
    ),
    rf"{_CALLED} missing 1 required positional argument: .*": "{name} got one argument too few",
    rf"{_CALLED} missing (\d+) required positional arguments: .*": "{name} got {1} arguments too few",
}
"""Patterns of Python's messages, each with a template in words of CPL.

`{0}`, `{1}` … are the groups of the pattern, in the words of `_WORDS` if they are there; numbers are not. `{name}` is
the group `name`: a name of the program, which is not looked up, as `_WORDS` has it only by chance.
"""

_LAMBDA: Final = "<lambda>"
"""The name of functions without a name."""

_WORDS: Final = {
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
    _LAMBDA: "a function",
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
"""The words for values of Python's classes and of those of cplrt, and the signs of CPL for Python's operators."""


def kind_of(value: object) -> str:
    """Say what kind of value this is, such as "a list"."""
    return _words_for(type(value).__name__)


def _translated(message: str) -> str:
    """Translate a message of Python into words of CPL; a message that no pattern matches stays as it is."""
    for pattern, template in _MESSAGES.items():
        match = re.fullmatch(pattern, message)
        if match:
            words = map(_words_for, match.groups())
            name = match.groupdict().get("name", "")
            shown_name = _WORDS[name] if name == _LAMBDA else _cpl_name(name)
            return template.format(*words, name=shown_name)
    return message


def _words_for(name: str) -> str:
    """Return the words for a class or an operator of Python. What is not among `_WORDS` is a class of the program: then
    the words are its name in CPL.
    """
    return _WORDS.get(name, _cpl_name(name))


def _cpl_name(name: str) -> str:
    """Return the CPL name for a name of the generated module, in which `x'` is `x_prime`, and `x_2` a second `x`. This
    is safe since no name of CPL has a `_`.
    """
    return re.sub(r"_\d+$", "", name).replace("_prime", "'")
