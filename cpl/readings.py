"""The ways to read a CPL text, as plain data: what the operators of a chain mean to each other.

No source reached gives CPL's own table of precedence. What the evidence fixes is in `grammar/README.md` with
the rows it rests on; the parser knows none of it, and hands chains on flat.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Binding(Enum):
    """How operators of equal rank associate. CHAIN: neighbours share their operand, as in `0 < x < 9`."""

    LEFT = "left"
    RIGHT = "right"
    CHAIN = "chain"


@dataclass(frozen=True)
class Reading:
    """One way to read a text.

    `infix` and `prefix` give each operator's rank: the higher binds the tighter.
    """

    name: str
    infix: dict[str, tuple[int, Binding]]
    prefix: dict[str, int]


SET: Final = Reading(
    name="set",
    infix={
        "JUXTAPOSED": (70, Binding.LEFT),
        "POWER": (80, Binding.RIGHT),
        "TIMES": (60, Binding.LEFT),
        "DIVIDE": (60, Binding.RIGHT),
        "PLUS": (50, Binding.LEFT),
        "MINUS": (50, Binding.LEFT),
        "EQUAL": (40, Binding.CHAIN),
        "UNEQUAL": (40, Binding.CHAIN),
        "LESS": (40, Binding.CHAIN),
        "GREATER": (40, Binding.CHAIN),
        "AT_MOST": (40, Binding.CHAIN),
        "AT_LEAST": (40, Binding.CHAIN),
        "AND": (20, Binding.LEFT),
        "OR": (10, Binding.LEFT),
        "EQUIVALENT": (5, Binding.LEFT),
        "INEQUIVALENT": (5, Binding.LEFT),
    },
    prefix={"PLUS": 50, "MINUS": 50, "NOT": 30},
)
"""∧ binds weaker than + and −; on bit strings + is ∨, and x − y is x ∧ ~y (evidence E13)."""

DEFAULT: Final = SET
