"""Strings: sequences of symbols (evidence T4). No operation on them is attested: these are our choice."""

from typing import Any

from cplrt.faults import CplFault
from cplrt.lists import LISTS
from cplrt.numbers import is_whole
from cplrt.show import WHOLE, require, show


def SymbolsOf(s: Any) -> list[str]:
    """The symbols of a string, as a list of one-symbol strings."""
    require(isinstance(s, str), "SymbolsOf expected a string", s)
    return [*s]


def StringOf(L: Any) -> str:
    """The strings of a list, joined."""
    are_strings = isinstance(L, LISTS) and all(isinstance(member, str) for member in L)
    require(are_strings, "StringOf expected a list of strings", L)
    return "".join(L)


def Code(s: Any) -> int:
    """The Unicode number of a symbol."""
    require(isinstance(s, str) and len(s) == 1, "Code expected one symbol", s)
    return ord(s)


def SymbolWith(n: Any) -> str:
    """The symbol with this Unicode number."""
    if not is_whole(n) or not (0 <= n < 0xD800 or 0xE000 <= n <= 0x10FFFF):  # surrogates are no symbols
        raise CplFault(f"no symbol has the code {show(n)}{WHOLE if isinstance(n, float) else ''}")
    return chr(n)
