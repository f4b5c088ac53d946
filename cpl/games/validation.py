"""What callers give to the games, checked; the messages say what was expected."""

from collections.abc import Sequence
from typing import Any

from cpl.games.position import SIZE


def whole(value: object, what: str, least: int | None = None) -> int:
    """A whole number. Raises TypeError for anything else, also for a bool; ValueError if it is too small."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} is a whole number, not {type(value).__name__}")
    if least is not None and value < least:
        raise ValueError(f"{what} is {least} or more, not {value}")
    return value


def grid(rows: object, what: str, part: str, values: frozenset[int], shown: str) -> list[list[int]]:
    """A copy of eight rows of eight such values. Raises TypeError or ValueError for anything else."""
    copy = [
        [*_eight(row, part, f"row {number} of the {what}")]
        for number, row in enumerate(_eight(rows, "row", f"a {what}"))
    ]
    for number, row in enumerate(copy):
        for column, value in enumerate(row):
            if not isinstance(value, int) or isinstance(value, bool) or value not in values:
                where = f"the {part} in row {number}, column {column}"
                raise ValueError(f"{where} is {shown}, not {whole(value, where)}")
    return copy


def _eight(given: object, part: str, place: str) -> Sequence[Any]:
    if not isinstance(given, Sequence) or isinstance(given, str | bytes | bytearray):
        raise TypeError(f"{place} is a list of {SIZE} {part}s, not {type(given).__name__}")
    if len(given) != SIZE:
        raise ValueError(f"{place} has {SIZE} {part}s, not {len(given)}")
    return given
