"""The precedence of operators, in two tables: a reading of a text has one of them.

No source that was reached gives CPL's own table of precedence; what the evidence fixes is in `grammar/README.md`. The
parser knows none of it, and hands chains on flat: `semantics/chains` makes their tree, by the table of the reading.
"""

from dataclasses import dataclass
from typing import Final, Literal

Binding = Literal["left", "right", "chain"]
"""Associativity of operators of equal rank. `chain`: neighbours share their operand, as in `0 < x < 9`."""


@dataclass(frozen=True)
class Table:
    """Each operator's rank between operands and before one: the higher binds the tighter."""

    infix: dict[str, tuple[int, Binding]]
    prefix: dict[str, int]


RELATIONS: Final = frozenset({"EQUAL", "UNEQUAL", "LESS", "GREATER", "AT_MOST", "AT_LEAST"})

LOOSE: Final = Table(
    infix={
        "JUXTAPOSED": (70, "left"),
        "POWER": (80, "right"),
        "TIMES": (60, "left"),
        "DIVIDE": (60, "right"),
        "PLUS": (50, "left"),
        "MINUS": (50, "left"),
        **dict.fromkeys(sorted(RELATIONS), (40, "chain")),
        "AND": (20, "left"),
        "OR": (10, "left"),
        "EQUIVALENT": (5, "left"),
        "INEQUIVALENT": (5, "left"),
    },
    prefix={"PLUS": 50, "MINUS": 50, "NOT": 30},
)
"""∧ binds weaker than + and −, and than relations."""

_WITHOUT_RELATIONS: Final = {kind: rank for kind, rank in LOOSE.infix.items() if kind not in RELATIONS}

TIGHT: Final = Table(infix=_WITHOUT_RELATIONS | {"AND": (54, "left")}, prefix=LOOSE.prefix | {"NOT": 56})
"""∧ binds stronger than + and −. For chains without relations: `a < b ∧ c < d` would be `a < (b ∧ c) < d`."""

TABLES: Final = {"loose": LOOSE, "tight": TIGHT}
