"""The numberings of the squares of draughts, for commands that have imported no game yet."""

from collections.abc import Mapping, Sequence
from typing import Final

from cplrt.checkers import board

OFFICIAL_NUMBERS: Final = "official"

NUMBERINGS: Final[Mapping[str, Sequence[int]]] = {
    OFFICIAL_NUMBERS: range(1, 33),
    "1952": range(32),
    "1966": board,
}
"""The numbers of the squares that are played on, row by row from Black's side of the board to White's, under the names
that `--numbers` has: the official ones, those of Strachey's program of 1952, and those of his program of 1966
(docs/1952.md).
"""
