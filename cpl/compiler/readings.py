"""Readings of a CPL text, as plain data: how its operators bind, and what they, NIL and Shift do to bit strings.

The 1966 text leaves four things open, and what the program does hangs on them: each is a key of a reading. What the
evidence fixes is in `grammar/README.md`. How operators bind is one of two tables of `precedence`.
"""

from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from cpl.compiler.precedence import LOOSE, TABLES, Table

KEYS: Final = {
    "and": ("loose", "tight"),
    "plusminus": ("set", "arithmetic"),
    "nil": ("list", "zero"),
    "shift": ("down", "up"),
}
"""The keys of a reading, each with its values. The first value is the default."""

WORDS: Final = {
    "loose": "∧ binds weaker than + and −",
    "tight": "∧ binds tighter than + and −",
    "set": "+ and − are those of sets",
    "arithmetic": "+ and − are arithmetic",
    "list": "NIL is the empty list only",
    "zero": "NIL is also zero",
    "down": "Shift goes to lower numbers",
    "up": "Shift goes to higher numbers",
}
"""What each value says."""


@dataclass(frozen=True)
class Reading:
    """A reading of a text.

    `and_`: ∧ binds weaker than + and − (`loose`) or stronger (`tight`). `plusminus`: on bit strings x + y is x ∨ y and
    x − y is x ∧ ~y (`set`, evidence E13), or both count with them as whole numbers (`arithmetic`). `nil`: NIL is the
    empty list only (`list`), or the bit string of all zeros as well (`zero`). `shift`: Shift(x,n) with a positive n
    takes digits to lower numbers (`down`) or, as the glossary has it, to higher ones (`up`, evidence S5).
    """

    and_: str = "loose"
    plusminus: str = "set"
    nil: str = "list"
    shift: str = "down"

    @property
    def values(self) -> dict[str, str]:
        """The value of each key."""
        return {"and": self.and_, "plusminus": self.plusminus, "nil": self.nil, "shift": self.shift}

    @property
    def mixture(self) -> str:
        """The keys with their values: `and=tight,plusminus=set,nil=zero`. The usual `shift` is not named."""
        return ",".join(f"{key}={value}" for key, value in self.values.items() if (key, value) != ("shift", "down"))

    @property
    def name(self) -> str:
        """The shortest text that `named` understands."""
        return next((name for name, reading in NAMED.items() if reading == self), self.mixture)

    @property
    def about(self) -> str:
        """The meaning of operators on bit strings, in a sentence or two."""
        operators = {
            "set": "On bit strings + is union, and x - y is what is in x and not in y.",
            "arithmetic": "On bit strings + and - are those of whole numbers.",
        }
        nil = {"list": "", "zero": " NIL is the empty list, and the bit string of zeros as well."}
        shift = {"down": "", "up": " Shift(x,n) with a positive n takes digits to higher numbers."}
        return operators[self.plusminus] + nil[self.nil] + shift[self.shift]

    @property
    def stand_ins(self) -> dict[str, str]:
        """The names of cplrt that modules with this reading give Python, and the names that they have there."""
        return {"ArithmeticLogical": "Logical"} if self.plusminus == "arithmetic" else {}

    def table(self, *, related: bool) -> Table:
        """Return how tightly each operator binds in a chain; a chain that is `related` holds a relation."""
        return LOOSE if related else TABLES[self.and_]

    def operator(self, kind: str) -> str:
        """The operation that an infix operator stands for."""
        arithmetic = {"PLUS": "SUM", "MINUS": "DIFFERENCE"} if self.plusminus == "arithmetic" else {}
        return arithmetic.get(kind, kind)


SET: Final = Reading()
ARITHMETIC: Final = Reading("tight", "arithmetic", "zero")
DEFAULT: Final = SET
NAMED: Final = {"set": SET, "arithmetic": ARITHMETIC}
USUAL: Final = tuple(
    Reading(and_, plusminus, nil) for and_, plusminus, nil in product(KEYS["and"], KEYS["plusminus"], KEYS["nil"])
)
"""The eight readings with the usual `shift`, the default first."""

ALL: Final = (*USUAL, *(replace(reading, shift="up") for reading in USUAL))
"""All sixteen readings."""


def named(text: str) -> Reading:
    """Return the reading of a name or of a mixture; keys that a mixture leaves out are as in the default.

    Raises ValueError, in a plain line, for anything else.
    """
    if text.strip() in NAMED:
        return NAMED[text.strip()]
    chosen: dict[str, str] = {}
    for part in text.split(","):
        key, _, value = map(str.strip, part.partition("="))
        if value not in KEYS.get(key, ()) or key in chosen:
            choices = "; ".join(f"{key}={' or '.join(values)}" for key, values in KEYS.items())
            names = " or ".join(NAMED)
            raise ValueError(f"{text!r} is not a reading: give {names}, or some of {choices}, with commas between")
        chosen[key] = value
    return Reading(*(chosen.get(key, values[0]) for key, values in KEYS.items()))


ReadingOption = Reading | str | None
"""A reading, its name as `named` takes it, or None for what the manifest of the program says, or the default."""


def reading_of(wanted: ReadingOption) -> Reading:
    """Return the Reading for a name, a Reading, or None (the default). Raises ValueError as `named` does."""
    if isinstance(wanted, str):
        return named(wanted)
    return wanted or DEFAULT
