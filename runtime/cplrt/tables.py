"""A clock and a hash, for a search that remembers positions and has a limit of time. Both are our choice."""

import time
import zlib
from typing import Any

from cplrt.faults import CplFault
from cplrt.lists import LISTS
from cplrt.logical import is_bits
from cplrt.numbers import is_whole
from cplrt.show import require, show


def Clock() -> float:
    """Seconds on a clock that goes on evenly: the difference of two times means something, a single one does not."""
    return time.monotonic()


def Hash(x: Any, n: int) -> int:
    """A whole number from 0 to n − 1: the same for equal values, and in every run. Lists and strings are taken by what
    they hold, bit strings as numbers. Functions and nodes have numbers of their own, which differ from run to run.
    """
    require(is_whole(n) and n > 0, "Hash expected a whole number greater than 0", n)
    return hash(_fixed(x)) % n


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
