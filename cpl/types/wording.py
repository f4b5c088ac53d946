"""Shapes and needs in the reader's words."""

from collections.abc import Collection
from typing import Final

from cpl.semantics import core
from cpl.types import constraints
from cpl.types.constraints import Made, Need, Operand, Outcome, Shape

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


def made_of(made: Made) -> str:
    """What a value is."""
    match made:
        case Outcome(overload=overload):
            return _one_of(overload.root.allowed)
        case Shape(head="tuple", outputs=members):
            return f"a list of {len(members)}"
        case Shape(head="function", inputs=parameters):
            return f"a function of {len(parameters)} argument{'s' if len(parameters) != 1 else ''}"
        case Shape(head="node" | "element", name=core.Global(name=name)):
            return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
        case Shape(head=head):
            return _WORDS[head]


def needed(need: Need, made: Made) -> str:
    """What is needed, to be said of this value."""
    match need:
        case Shape():
            return made_of(need)
        case Operand(overload=overload):
            kind = overload.root.kind
            return _one_of([kind] if kind else overload.root.allowed)
        case constraints.OneOf(what=what):
            return what
        case constraints.Member(inputs=(_,)):
            return "an array or a list in square brackets"
        case constraints.Member(index=int(index)) | constraints.Juxtaposed(index=int(index)) if _is_tuple(made):
            return f"a member number {index}"
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


def _is_tuple(made: Made) -> bool:
    return isinstance(made, Shape) and made.head == "tuple"


def _one_of(kinds: Collection[str]) -> str:
    *some, last = [_WORDS[kind] for kind in kinds]
    return f"{', '.join(some)} or {last}" if some else last
