"""Values as CPL writes them."""

from typing import Any

from cplrt.arrays import Array
from cplrt.logical import Logical
from cplrt.nodes import Node
from cplrt.operators import infinity
from cplrt.references import Cell, ComponentOf, MemberOf


def show(value: Any) -> str:
    """`true`, `3.5`, `(1,2)`, `‘text’`, `[1,2]`, `NIL`, `∞`; bit strings, nodes, pointers and complex numbers as the
    call that makes them. Of a node within itself only the name is shown, of an array nothing.

    However deep lists nest: Python's own `repr` would fail.
    """
    shown: list[str] = []
    waiting: list[Any] = [value]
    open_nodes: set[int] = set()
    while waiting:
        match waiting.pop():
            case _Sign(text=text, closes=node):
                shown.append(text)
                open_nodes.discard(node)
            case Array() | Node() | Cell() | MemberOf() | ComponentOf() as node:
                shown.append(_name(node))
                if id(node) in open_nodes:
                    shown.append("[…]")
                    continue
                open_nodes.add(id(node))
                waiting.append(_Sign("]", id(node)))
                members = _parts(node)
                for index, member in reversed(list(enumerate(members))):
                    waiting += [member, _Sign(",")] if index else [member]
                waiting.append(_Sign("["))
            case list() | tuple() as members if members:
                open_sign, close_sign = ("[", "]") if isinstance(members, list) else ("(", ")")
                waiting.append(_Sign(close_sign))
                for index, member in reversed(list(enumerate(members))):
                    waiting += [member, _Sign(",")] if index else [member]
                waiting.append(_Sign(open_sign))
            case member:
                shown.append(_show_one(member))
    return "".join(shown)


class _Sign:
    """A sign among the values that wait to be shown."""

    __slots__ = ("closes", "text")

    def __init__(self, text: str, closes: int = 0) -> None:
        self.text = text
        self.closes = closes


def _name(node: Any) -> str:
    match node:
        case Array():
            return ""
        case Node():
            return type(node).__name__
        case _:
            return "Pointer"


def _parts(node: Any) -> list[Any]:
    match node:
        case Array(members=members):
            return members
        case Node():
            return [getattr(node, name) for name in type(node).__slots__]
        case _:
            return [node.value]


def _show_number(value: float) -> str:
    """`1⏨20` for what Python writes 1e+20."""
    digits, _, exponent = repr(value).partition("e")
    return f"{digits}⏨{int(exponent)}" if exponent else digits


def _show_one(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "∞" if value == infinity else "-∞" if value == -infinity else _show_number(value)
        case complex():
            return f"Complex({_show_one(value.real)},{_show_one(value.imag)})"
        case str():
            return f"‘{value}’"
        case list() | tuple():
            return "NIL"
        case Logical():
            positions = ",".join(map(str, value if value.bits >= 0 else ~value))
            return f"{'~' * (value.bits < 0)}Logical({f'[{positions}]' if positions else 'NIL'})"
        case _:
            return str(getattr(value, "__name__", repr(value)))
