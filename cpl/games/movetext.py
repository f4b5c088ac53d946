"""Moves as the lines of a file of games: numbered in twos, the result last, no line longer than it should be."""

import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

_WIDTH: Final = 80
_TIE: Final = "\N{NO-BREAK SPACE}"


def movetext(moves: Iterable[str], result: str) -> str:
    """`1. 11-15 22-18 2. 15x22 *`; a number stands with its move. The first is whoever's move it was."""
    text = textwrap.fill(" ".join([*_numbered(moves), result]), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return text.replace(_TIE, " ")


def _numbered(moves: Iterable[str]) -> Iterator[str]:
    for ply, move in enumerate(moves):
        yield move if ply % 2 else f"{ply // 2 + 1}.{_TIE}{move}"
