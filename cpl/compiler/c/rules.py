"""The rules by which the C of a program gets faster or shorter, by their names.

Each can be left out, and the program does the same: `pipeline.Options(native=True, without=["append"])`. So can each
pass for C (`cpl.compiler.optimise.passes`), such as `append`. Tests run programs without each of them.
"""

from collections.abc import Mapping
from typing import Final

from cpl.compiler.optimise.passes import FOR_C

RULES: Final[Mapping[str, str]] = {
    "count": "the ones of a bit string are counted by one operation",
    "rests": "a variable that walks through a list is a place in it",
    "ask": "a short loop asks for Ctrl-C once, before it",
    "parts": "a tuple that is an argument is passed in parts",
    "pack": "what is remembered has half the room",
    "prefetch": "what is remembered is asked for as soon as its place is known",
    "variables": "a variable that only hands on its value goes",
}
"""Each rule, and what it does."""

CAN_BE_LEFT_OUT: Final = (*dict.fromkeys(name for stage in FOR_C for name, _ in stage), *RULES)
"""The names of the passes for C and of the rules."""
