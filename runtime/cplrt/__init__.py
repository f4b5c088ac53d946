"""The runtime library of compiled CPL modules.

It needs only the Python standard library, not the compiler.
"""

from cplrt.arrays import Array, Copy, Item, SetItem
from cplrt.depth import allow_deep_recursion, start_program
from cplrt.equality import Equal
from cplrt.faults import CplFault, TooDeep
from cplrt.lists import Head, Join, MinList, Next, Null, Tail
from cplrt.logical import ArithmeticLogical, Logical, Minus, Nil, Plus, Shift, SingleDigitFrom, Union, Without
from cplrt.nodes import Element, Is, Node, Type
from cplrt.numbers import (
    ArcTan,
    Complex,
    Cos,
    Entier,
    Exp,
    ImaginaryPart,
    Ln,
    Quotient,
    RealPart,
    Remainder,
    Round,
    Sin,
    SqRt,
)
from cplrt.operators import And, Differ, Juxtapose, Not, Or, Same, infinity
from cplrt.places import cpl_place, note_cpl_lines
from cplrt.references import Cell, ComponentOf, Follow, MemberOf, Place, Pointer
from cplrt.show import show
from cplrt.steps import Steps
from cplrt.streams import (
    Destination,
    Finish,
    Input,
    NewLine,
    NextSymbol,
    Output,
    ReadItem,
    ReadSymbol,
    Source,
    Stream,
    StreamOf,
    Symbols,
    Write,
    WriteOn,
)
from cplrt.strings import Code, StringOf, SymbolsOf, SymbolWith

__all__ = [
    "And",
    "ArcTan",
    "ArithmeticLogical",
    "Array",
    "Cell",
    "Code",
    "Complex",
    "ComponentOf",
    "Copy",
    "Cos",
    "CplFault",
    "Destination",
    "Differ",
    "Element",
    "Entier",
    "Equal",
    "Exp",
    "Finish",
    "Follow",
    "Head",
    "ImaginaryPart",
    "Input",
    "Is",
    "Item",
    "Join",
    "Juxtapose",
    "Ln",
    "Logical",
    "MemberOf",
    "MinList",
    "Minus",
    "NewLine",
    "Next",
    "NextSymbol",
    "Nil",
    "Node",
    "Not",
    "Null",
    "Or",
    "Output",
    "Place",
    "Plus",
    "Pointer",
    "Quotient",
    "ReadItem",
    "ReadSymbol",
    "RealPart",
    "Remainder",
    "Round",
    "Same",
    "SetItem",
    "Shift",
    "Sin",
    "SingleDigitFrom",
    "Source",
    "SqRt",
    "Steps",
    "Stream",
    "StreamOf",
    "StringOf",
    "SymbolWith",
    "Symbols",
    "SymbolsOf",
    "Tail",
    "TooDeep",
    "Type",
    "Union",
    "Without",
    "Write",
    "WriteOn",
    "allow_deep_recursion",
    "cpl_place",
    "infinity",
    "note_cpl_lines",
    "show",
    "start_program",
]
