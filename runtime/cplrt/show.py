"""Values as CPL writes them."""

from typing import Any

from cplrt.logical import Logical
from cplrt.operators import infinity


def show(value: Any) -> str:
    """`true`, `3.5`, `(1,2)`, `‘text’`, `[1,2]`, `NIL`, `∞`; a bit string as the call of `Logical` that makes it."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "∞" if value == infinity else "-∞" if value == -infinity else repr(value)
        case str():
            return f"‘{value}’"
        case []:
            return "NIL"
        case list():
            return f"[{','.join(map(show, value))}]"
        case tuple():
            return f"({','.join(map(show, value))})"
        case Logical() if value.bits < 0:
            return f"~{show(~value)}"
        case Logical():
            return f"Logical({show(list(value))})"
        case _:
            return getattr(value, "__name__", repr(value))
