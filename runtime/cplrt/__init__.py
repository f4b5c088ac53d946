"""What a module compiled from CPL stands on. It imports nothing of the compiler, and nothing but the standard
library.
"""

from cplrt.arrays import Array, Copy, Item, SetItem
from cplrt.depth import allow_deep_recursion
from cplrt.faults import CplFault
from cplrt.lists import Head, Join, MinList, Next, Null, Tail
from cplrt.logical import Logical, Shift, SingleDigitFrom
from cplrt.numbers import Quotient, Remainder
from cplrt.operators import And, Differ, Juxtapose, Not, Or, Same, infinity
from cplrt.places import cpl_place, note_cpl_lines
from cplrt.show import show
from cplrt.steps import Steps

__all__ = [
    "And",
    "Array",
    "Copy",
    "CplFault",
    "Differ",
    "Head",
    "Item",
    "Join",
    "Juxtapose",
    "Logical",
    "MinList",
    "Next",
    "Not",
    "Null",
    "Or",
    "Quotient",
    "Remainder",
    "Same",
    "SetItem",
    "Shift",
    "SingleDigitFrom",
    "Steps",
    "Tail",
    "cpl_place",
    "infinity",
    "show",
]

allow_deep_recursion()
note_cpl_lines()
