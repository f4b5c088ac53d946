"""Strings: sequences of symbols (evidence T4). No operation on them is attested: these are our choice."""

from typing import Any

from cplrt.faults import CplFault
from cplrt.lists import LISTS
from cplrt.numbers import is_whole
from cplrt.show import show


def SymbolsOf(s: Any) -> list[str]:
    """The symbols of a string, as a list of one-symbol strings."""
    if not isinstance(s, str):
        raise CplFault(f"SymbolsOf expected a string, found {show(s)}")
    return [*s]


def StringOf(L: Any) -> str:
    """The strings of a list, joined."""
    if not isinstance(L, LISTS) or not all(isinstance(member, str) for member in L):
        raise CplFault(f"StringOf expected a list of strings, found {show(L)}")
    return "".join(L)


def Code(s: Any) -> int:
    """The Unicode number of a symbol."""
    if not isinstance(s, str) or len(s) != 1:
        raise CplFault(f"Code expected one symbol, found {show(s)}")
    return ord(s)


def _is_symbol(n: int) -> bool:
    """Whether this is the Unicode number of a symbol (surrogates are not)."""
    return 0 <= n < 0xD800 or 0xE000 <= n <= 0x10FFFF


def SymbolWith(n: Any) -> str:
    """The symbol with this Unicode number."""
    if not is_whole(n) or not _is_symbol(n):
        raise CplFault(f"no symbol has the code {show(n)}")
    return chr(n)
