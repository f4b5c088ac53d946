"""Strings: sequences of symbols (evidence T4). No operation on them is attested: these are our choice."""

from typing import Any

from cplrt.faults import CplFault
from cplrt.numbers import is_whole
from cplrt.show import show


def SymbolsOf(s: Any) -> list[str]:
    """The symbols of a string as a list of strings of one symbol each."""
    if not isinstance(s, str):
        raise CplFault(f"SymbolsOf expected a string, found {show(s)}")
    return [*s]


def StringOf(L: Any) -> str:
    """The strings of a list one after the other, as one string."""
    if not isinstance(L, list | tuple) or not all(isinstance(each, str) for each in L):
        raise CplFault(f"StringOf expected a list of strings, found {show(L)}")
    return "".join(L)


def Code(s: Any) -> int:
    """The number of a symbol in the alphabet (that of Unicode)."""
    if not isinstance(s, str) or len(s) != 1:
        raise CplFault(f"Code expected one symbol, found {show(s)}")
    return ord(s)


def _is_symbol(n: int) -> bool:
    """Whether the alphabet has this number: some stand for halves of symbols."""
    return 0 <= n < 0xD800 or 0xE000 <= n <= 0x10FFFF


def SymbolWith(n: Any) -> str:
    """The symbol that has this number in the alphabet."""
    if not is_whole(n) or not _is_symbol(n):
        raise CplFault(f"no symbol has the code {show(n)}")
    return chr(n)
