"""What a search over many positions needs: a clock, a hash, a memory that forgets, and word from outside to end.

All are our choice.
"""

import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from cplrt.faults import CplFault
from cplrt.lists import LISTS
from cplrt.logical import is_bits
from cplrt.numbers import is_whole
from cplrt.show import require, show

T = TypeVar("T")

PLACES: Final = 1 << 19
"""How many values `Remember` keeps at once; the C of a program keeps as many of each type."""

_PRIME: Final = (1 << 61) - 1
"""By which Python of 64 bits divides a whole number to hash it."""

NEVER: Final[Callable[[], bool]] = bool

_remembered: list[tuple[int, Any] | None] = []
_halting = threading.local()


def Clock() -> float:
    """Seconds on a clock that goes on evenly: the difference of two times means something, a single one does not."""
    return time.monotonic()


def Hash(x: Any, n: int) -> int:
    """A whole number from 0 to n − 1: the same for equal values, and in every run. Lists and strings are taken by what
    they hold, bit strings as numbers. Functions and nodes have numbers of their own, which differ from run to run.
    """
    require(is_whole(n) and n > 0, "expected a whole number greater than 0", n)  # of `Random` too
    return _hash(_fixed(x)) % n


def _hash(x: Any) -> int:
    """Python's hash. That of a whole number is the one of 64 bits in a browser too, where Python has 32."""
    if isinstance(x, float) and x.is_integer():
        x = int(x)
    if not isinstance(x, int):
        return hash(x)
    remainder = abs(x) % _PRIME
    signed = -remainder if x < 0 else remainder
    return -2 if signed == -1 else signed  # to Python, −1 is an error


def _fixed(x: Any) -> Any:
    """A value that Python can hash, and hashes alike in every run."""
    if is_bits(x):
        return x.bits
    if isinstance(x, LISTS):
        return tuple(map(_fixed, x))
    if isinstance(x, str):
        return zlib.crc32(x.encode(errors="surrogatepass"))
    try:
        hash(x)
    except TypeError:
        raise CplFault(f"Hash expected a value without arrays, found {show(x)}") from None
    return x


def Remember(h: int, x: Any) -> None:
    """Keep x under the number h: a number, a truth value, a string, a bit string, or a tuple of such. It may be
    forgotten at any time.
    """
    require(is_whole(h), "Remember expected a whole number", h)
    require(_form(x), "Remember expected a value without lists, arrays, functions and nodes", x)
    if not _remembered:
        _remembered.extend([None] * PLACES)
    _remembered[h % PLACES] = h, x


def Recall(h: int, x: T) -> T:
    """The value that was kept last under the number h, by any program; x if there is none, if it is forgotten, or if it
    is not of the type of x.
    """
    require(is_whole(h), "Recall expected a whole number", h)
    kept = _remembered[h % PLACES] if _remembered else None
    return kept[1] if kept and kept[0] == h and _form(kept[1]) == _form(x) else x


def _form(x: Any) -> Any:
    """What two values have in common that are of one type; nothing for a value that cannot be kept."""
    if isinstance(x, tuple):
        forms = tuple(map(_form, x))
        return ("tuple", *forms) if all(forms) else None
    return x.__class__ if isinstance(x, int | float | str) or is_bits(x) else None


def Halted() -> bool:
    """Whether whoever runs the program wants it to come to an end soon."""
    return asked()()


@contextmanager
def halting(is_over: Callable[[], bool]) -> Iterator[None]:
    """Let `Halted` give what `is_over` gives, to the CPL that this thread runs meanwhile."""
    before = asked()
    _halting.asked = is_over
    try:
        yield
    finally:
        _halting.asked = before


def asked() -> Callable[[], bool]:
    """What `Halted` gives in this thread; `NEVER` if nobody has said when it is to be true."""
    is_over: Callable[[], bool] = getattr(_halting, "asked", NEVER)
    return is_over
