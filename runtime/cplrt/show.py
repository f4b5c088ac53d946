"""Values as CPL writes them. The types of cplrt implement `Shown`; this module knows only Python's own types."""

import re
from collections.abc import Sequence
from contextlib import suppress
from math import inf, isfinite
from types import FunctionType
from typing import Any
from unicodedata import lookup

from cplrt.faults import CplFault


class Shown:
    """A value that knows how CPL writes it."""

    __slots__ = ()
    sort = ""  # the word by which declared types call it, if they can

    def shown(self) -> tuple[str, Sequence[Any] | None]:
        """Its name, and the values in square brackets after it, or None for no brackets."""
        raise NotImplementedError


def show(value: Any) -> str:
    """`true`, `3.5`, `(1,2)`, `‘text’`, `[1,2]`, `NIL`, `∞`; bit strings, nodes, pointers and complex numbers as the
    call that makes them. What stands within itself is shown as […]. A function of the top level is shown by its
    name, any other one as `a function`.

    Lists may nest to any depth, where Python's own `repr` fails.
    """
    texts: list[str] = []
    waiting: list[Any] = [value]
    open_values: set[int] = set()
    while waiting:
        match waiting.pop():
            case _Sign(text=text, closes=closed):
                texts.append(text)
                open_values.discard(closed)
            case Shown() as node:
                name, members = node.shown()
                texts.append(name)
                if id(node) in open_values:
                    texts.append("[…]")
                elif members is not None:
                    open_values.add(id(node))
                    waiting += _within("[", members, "]", id(node))
            case list() as members if id(members) in open_values:
                texts.append("[…]")
            case list() as members if members:
                open_values.add(id(members))
                waiting += _within("[", members, "]", id(members))
            case tuple() as members if members:
                waiting += _within("(", members, ")")
            case member:
                texts.append(_show_one(member))
    return "".join(texts)


class _Sign:
    """Punctuation among the values that wait to be shown."""

    __slots__ = ("closes", "text")

    def __init__(self, text: str, closes: int = 0) -> None:
        self.text = text
        self.closes = closes


def require(holds: object, wanted: str, value: Any) -> None:
    """Raise CplFault unless a condition holds, as in `Code expected one symbol, found 3`."""
    if not holds:
        found, advice = show(value), ""
        sort = "string" if isinstance(value, str) else value.sort if isinstance(value, Shown) else ""
        if sort == "array":
            found = f"an array, {found}"  # its members alone look like a list
        if sort in AS_LIST and wanted.endswith(("expected a list", "expected a list or a bit string")):
            advice = f"; {AS_LIST[sort]}"
        elif isinstance(value, float) and isfinite(value) and ("a whole number" in wanted or "an integer" in wanted):
            advice = WHOLE
        raise CplFault(f"{wanted}, found {found}{advice}")


AS_LIST = {
    "string": "SymbolsOf(s) is the list of its symbols",
    "array": "ListOf(A) is the list of its members",
}
"""What is advised where something of this sort was found and a list is needed."""


WHOLE = "; for a whole number write Quotient(a,b) for a / b, or Entier(x)"
"""What a fault advises where a real number was found and a whole one is needed."""


def _within(opener: str, members: Sequence[Any], closer: str, closes: int = 0) -> list[Any]:
    """The values and punctuation of a list, last first."""
    waiting = [_Sign(closer, closes)]
    for index, member in reversed(list(enumerate(members))):
        waiting += [member, _Sign(",")] if index else [member]
    return [*waiting, _Sign(opener)]


def _show_number(value: float) -> str:
    """`1⏨20` for what Python writes 1e+20."""
    digits, _, exponent = repr(value).partition("e")
    return f"{digits}⏨{int(exponent)}" if exponent else digits


def _show_one(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int() if value.bit_length() > 2000:
            from decimal import Decimal  # as `str` writes at most 4300 digits

            return str(Decimal(value))
        case int():
            return str(value)
        case float():
            return "∞" if value == inf else "-∞" if value == -inf else _show_number(value)
        case complex():
            return f"Complex({_show_one(value.real)},{_show_one(value.imag)})"
        case str():
            return _in_quotes(value)
        case list() | tuple():
            return "NIL"
        case FunctionType():
            return "a function" if "<" in value.__qualname__ else cpl_name(value.__name__)
        case type():
            return cpl_name(value.__name__)
        case _:
            return str(getattr(value, "__name__", repr(value)))


def _in_quotes(string: str) -> str:
    """A string in quotes that do not stand in it. A star is doubled where it would change what follows it."""
    written = re.sub(r"\*(?=[NST*\n\t])", "**", string).replace("\n", "*N").replace("\t", "*T")
    quotes = next((pair for pair in ("‘’", '""', "“”") if pair[1] not in string), "‘’")
    return f"{quotes[0]}{written}{quotes[1]}"


def cpl_name(name: str) -> str:
    """The CPL name for a name of a generated module: `sigma_prime` is σ', `None_` None."""
    letters = name.partition("_")[0]
    with suppress(KeyError):
        if len(letters) > 1 and letters.islower():
            letters = lookup(f"GREEK SMALL LETTER {letters.replace('var', 'final ')}")
    return letters + "'" * name.count("_prime")
