"""CPL names to Python names, so that different names stay different.

`x` and `ChosenPosition` stay as they are; σ is spelled `sigma`; a prime becomes `_prime`. No CPL name holds an underscore, so
what an underscore begins is always ours: `_prime`, the trailing one of `None_` and `Phi_`, the number of `x_1`.
"""

import keyword
from collections.abc import Iterable, Set

from cpl.syntax.signs import GREEK


def spell(name: str) -> str:
    """The Python name of a CPL name, as long as no other name is near: injective but for Φ, which meets the large name Phi."""
    letters = name.rstrip("'")
    if letters in GREEK:
        name = GREEK[letters] + name[len(letters) :]
    python = name.replace("'", "_prime")
    return f"{python}_" if keyword.iskeyword(python) else python


class Spelling:
    """The Python names of one module. A Greek capital gives way, with an underscore, to a large name of the same letters."""

    def __init__(self, names: Iterable[str]) -> None:
        self._large = {spell(name) for name in names if name[0] not in GREEK}

    def __call__(self, name: str) -> str:
        python = spell(name)
        return f"{python}_" if name[0] in GREEK and python in self._large else python


def fresh(wanted: str, taken: Set[str]) -> str:
    """`wanted`, or `wanted_1`, `wanted_2` … if others have it already."""
    if wanted not in taken:
        return wanted
    number = 1
    while f"{wanted}_{number}" in taken:
        number += 1
    return f"{wanted}_{number}"
