"""Values as CPL writes them."""

from typing import Any

from cplrt.arrays import Array
from cplrt.logical import Logical
from cplrt.operators import infinity


def show(value: Any) -> str:
    """`true`, `3.5`, `(1,2)`, `‘text’`, `[1,2]`, `NIL`, `∞`; a bit string as the call of `Logical` that makes it.

    However deep lists nest: Python's own `repr` would fail.
    """
    shown: list[str] = []
    waiting: list[Any] = [value]
    while waiting:
        match waiting.pop():
            case _Sign(text=text):
                shown.append(text)
            case Array() as array:
                waiting.append([*array])
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

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _show_one(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "∞" if value == infinity else "-∞" if value == -infinity else repr(value)
        case str():
            return f"‘{value}’"
        case list() | tuple():
            return "NIL"
        case Logical():
            positions = ",".join(map(str, value if value.bits >= 0 else ~value))
            return f"{'~' * (value.bits < 0)}Logical({f'[{positions}]' if positions else 'NIL'})"
        case _:
            return str(getattr(value, "__name__", repr(value)))
