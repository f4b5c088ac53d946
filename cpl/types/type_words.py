"""Shapes and needs in the reader's words."""

from typing import Final

from cpl.semantics import core
from cpl.types import constraints
from cpl.types.constraints import Made, Need, Operand, OperatorValue, Shape

_WORDS: Final[dict[object, str]] = {
    "boolean": "a truth value",
    "logical": "a bit string",
    **dict.fromkeys(constraints.NUMBERS, "a number"),
    "string": "a string",
    "list": "a list",
    "array": "an array",
    "pointer": "a pointer",
    "stream": "a stream",
    "type": "a type",
    "nil": "NIL",
    "general": "a value of any type",
    "nothing": "a routine, which has no value",
}

_MODES: Final = {"": "value", "reference": "reference"}


def described_both(made: Made | Need, need: Need) -> tuple[str, str]:
    """What a value is and what is needed of it; of functions that differ in their modes only, these modes."""
    one, other = _modes(made), _modes(need)
    if one and one != other and len(one) == len(other):
        return _taking(one), _taking(other)
    return described(made, need), described(need, made)


def _modes(term: Made | Need) -> list[str]:
    match term:
        case Shape(head="function", inputs=parameters, modes=modes):
            return [_MODES.get(each, "substitution") for each in modes or [""] * len(parameters)]
        case constraints.Juxtaposed(arity=count):
            return ["value"] * count
        case _:
            return []


def _taking(modes: list[str]) -> str:
    arguments = "arguments" if len(modes) > 1 else "argument"
    several = modes if len({*modes}) > 1 else modes[:1]
    return f"a function that takes its {arguments} by {' and by '.join(several)}"


_NUMBERS: Final = {"integer": "an integer", "real": "a real number", "complex": "a complex number"}


def described(term: Made | Need, value: Made | Need | None = None) -> str:
    """What a value is, or what is needed of this `value`."""
    is_tuple = isinstance(value, Shape) and value.head == "tuple"
    match term:
        case Shape(head="tuple", outputs=members):
            return f"a list of {len(members)}"
        case Shape(head="function", inputs=parameters):
            return f"a function of {len(parameters)} argument{'s' if len(parameters) != 1 else ''}"
        case Shape(head="node" | "element", name=core.Global(name=name)):
            return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
        case Shape(head=head) if isinstance(value, Shape) and term.kind == value.kind:
            return _NUMBERS.get(head, _WORDS[head])
        case Shape(head=head):
            return _WORDS[head]
        case OperatorValue(overload=overload) | Operand(overload=overload):
            kind = overload.root.kind
            *some, last = [_WORDS[each] for each in ([kind] if kind else overload.root.allowed)]
            return f"{', '.join(some)} or {last}" if some else last
        case constraints.OneOf(what=what):
            return what
        case constraints.Member(inputs=(_,)):
            return "an array or a list in square brackets"
        case constraints.Member(index=int(index)) | constraints.Juxtaposed(index=int(index)) if is_tuple:
            return f"a list with a member number {index}"
        case constraints.Joined():
            return "a list or a bit string"
        case constraints.Juxtaposed(subscript=True):
            return "a list, an array or a function"
        case constraints.Juxtaposed():
            return "a function or a number"
        case constraints.Component(component=name):
            return f"a node with {name}"
        case _:
            return "a list"
