"""Positions of the program of 1966 as boards: one, or several in a row, each with its name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cpl.diagnostics import Invalid
from cpl.games.board import Board, is_drawable, picture
from cpl.games.moves import OFFICIAL, BadMove, Path, moves_between
from cpl.outside import escape, printable
from cpl.views.style import fragment


@dataclass(frozen=True, repr=False)
class Boards:
    """Boards by their names: notebooks show them in rows, and as text they are one below the other."""

    boards: Mapping[str, Board]

    def __repr__(self) -> str:
        return "\n\n".join(f"{printable(name)}\n{board.text()}" for name, board in self.boards.items())

    def _repr_html_(self) -> str:
        figures = "".join(
            f"<figure><figcaption>{escape(name)}</figcaption>\n{board.svg()}</figure>\n"
            for name, board in self.boards.items()
        )
        return fragment("boards", _STYLE, figures)


def board(position: Any, before: Any = None) -> Board:
    """The board of a position `(X,Y,K,σ)`, or of `(X,Y,K,σ,Φ)` in the middle of a move, with the program's numbers.

    With the position `before` it, the squares that changed are marked, and an arrow shows the move if only one leads
    here. A dashed crown is a king's mark without a piece.

    Raises ValueError for anything but positions.
    """
    for each in (position, before):
        if not (is_drawable(each) or each is None and position is not None):
            raise Invalid(f"a position is (X,Y,K,σ) or (X,Y,K,σ,Φ), with bit strings of squares, not {each!r:.80}")
    return replace(picture(position, before), arrows=[*_moves(before, position)])


def boards(positions: Mapping[str, Any] | None = None, /, **more: Any) -> Boards:
    """Several positions, or boards, by their names: `cpl.boards(before=p, after=q)`, or a mapping if the names are
    not identifiers. Raises ValueError as `board` does.
    """
    given = {**(positions or {}), **more}
    return Boards({name: each if isinstance(each, Board) else board(each) for name, each in given.items()})


def _moves(before: Any, after: Any) -> Iterator[Path]:
    """The path of the only move that leads from one position to the next; none if there is no such move."""
    if before is None or len(before) + len(after) != 8 or before[3] == after[3]:
        return
    match moves_between(before, after):
        case [text]:
            try:
                yield OFFICIAL.path(text)
            except BadMove:  # it goes over squares beside the board
                return


_STYLE: Final = """\
display: flex; flex-wrap: wrap; gap: 12px;
figure { margin: 0; flex: 0 1 280px; min-width: 0; }
figcaption { margin: 0 0 2px; padding: 0; text-align: left; font-size: 14px; color: var(--ink); }
svg { display: block; width: 100%; height: auto; }
"""
