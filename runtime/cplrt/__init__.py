"""What a module compiled from CPL stands on. It imports nothing of the compiler, and nothing but the standard library."""

import sys

from cplrt.faults import CplFault
from cplrt.lists import Head, Join, MinList, Next, Null, Tail
from cplrt.logical import Logical, Shift, SingleDigitFrom
from cplrt.operators import And, Juxtapose, Not, Or, infinity
from cplrt.show import show

__all__ = [
    "And",
    "CplFault",
    "Head",
    "Join",
    "Juxtapose",
    "Logical",
    "MinList",
    "Next",
    "Not",
    "Null",
    "Or",
    "Shift",
    "SingleDigitFrom",
    "Tail",
    "infinity",
    "show",
]

# CPL repeats by recursion, and goes deeper than Python by itself allows. Python frames live on the heap.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 400_000))
