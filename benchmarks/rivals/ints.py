"""Perft of English draughts by hand: the functions of Strachey's program of 1966 on whole numbers.

They are written out for each kind of move, direction and side, and lists are built by appending: what one would write
in Python for speed, with the same positions, the same squares and the same lists as the program.

    python benchmarks/rivals/ints.py DEPTH
"""

import sys

Position = tuple[int, int, int, int]

BOARD = 0b11111111_0_11111111_0_11111111_0_11111111_00000
LAST_ROWS = 0b1111 << 36 | 0b1111 << 5
START = 0b1111_0_11111111_00000, (0b11111111 << 32) | (0b1111 << 27), 0, 1


def positions(position: Position) -> list[Position]:
    """All next positions: captures if there are any."""
    x, y, k, side = position
    return black(x, y, k) if side > 0 else white(x, y, k)


def black(x: int, y: int, k: int) -> list[Position]:
    """Of the side that moves up the numbers of the squares."""
    out: list[Position] = []
    empty = ~x & ~y & BOARD
    pieces = (((empty >> 5) & y) >> 5) & x
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        taken = piece << 5
        to = taken << 5
        kings = to if piece & k else to & LAST_ROWS
        black_captures(x & ~piece | to, y & ~taken, k & ~taken & ~piece | kings, to, out)
    pieces = (((empty >> 4) & y) >> 4) & x
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        taken = piece << 4
        to = taken << 4
        kings = to if piece & k else to & LAST_ROWS
        black_captures(x & ~piece | to, y & ~taken, k & ~taken & ~piece | kings, to, out)
    pieces = (((empty << 4) & y) << 4) & x & k
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        taken = piece >> 4
        to = taken >> 4
        black_captures(x & ~piece | to, y & ~taken, k & ~taken & ~piece | to, to, out)
    pieces = (((empty << 5) & y) << 5) & x & k
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        taken = piece >> 5
        to = taken >> 5
        black_captures(x & ~piece | to, y & ~taken, k & ~taken & ~piece | to, to, out)
    if out:
        return out
    pieces = (empty >> 5) & x
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        to = piece << 5
        kings = to if piece & k else to & LAST_ROWS
        out.append((y, x & ~piece | to, k & ~piece | kings, -1))
    pieces = (empty >> 4) & x
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        to = piece << 4
        kings = to if piece & k else to & LAST_ROWS
        out.append((y, x & ~piece | to, k & ~piece | kings, -1))
    pieces = (empty << 4) & x & k
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        to = piece >> 4
        out.append((y, x & ~piece | to, k & ~piece | to, -1))
    pieces = (empty << 5) & x & k
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        to = piece >> 5
        out.append((y, x & ~piece | to, k & ~piece | to, -1))
    return out


def black_captures(x: int, y: int, k: int, piece: int, out: list[Position]) -> None:
    """Go on with a capture as long as there is another one."""
    empty = ~x & ~y & BOARD
    further: list[tuple[int, int, int, int]] = []
    taken = (piece << 5) & y
    to = (taken << 5) & empty
    if to:
        kings = to if piece & k else to & LAST_ROWS
        further.append((x & ~piece | to, y & ~taken, k & ~taken & ~piece | kings, to))
    taken = (piece << 4) & y
    to = (taken << 4) & empty
    if to:
        kings = to if piece & k else to & LAST_ROWS
        further.append((x & ~piece | to, y & ~taken, k & ~taken & ~piece | kings, to))
    if piece & k:
        taken = (piece >> 4) & y
        to = (taken >> 4) & empty
        if to:
            further.append((x & ~piece | to, y & ~taken, k & ~taken & ~piece | to, to))
        taken = (piece >> 5) & y
        to = (taken >> 5) & empty
        if to:
            further.append((x & ~piece | to, y & ~taken, k & ~taken & ~piece | to, to))
    if not further:
        out.append((y, x, k, -1))
    for position in further:
        black_captures(*position, out)


def white(x: int, y: int, k: int) -> list[Position]:
    """Of the side that moves down the numbers of the squares."""
    out: list[Position] = []
    empty = ~x & ~y & BOARD
    pieces = (((empty << 5) & y) << 5) & x
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        taken = piece >> 5
        to = taken >> 5
        kings = to if piece & k else to & LAST_ROWS
        white_captures(x & ~piece | to, y & ~taken, k & ~taken & ~piece | kings, to, out)
    pieces = (((empty << 4) & y) << 4) & x
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        taken = piece >> 4
        to = taken >> 4
        kings = to if piece & k else to & LAST_ROWS
        white_captures(x & ~piece | to, y & ~taken, k & ~taken & ~piece | kings, to, out)
    pieces = (((empty >> 4) & y) >> 4) & x & k
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        taken = piece << 4
        to = taken << 4
        white_captures(x & ~piece | to, y & ~taken, k & ~taken & ~piece | to, to, out)
    pieces = (((empty >> 5) & y) >> 5) & x & k
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        taken = piece << 5
        to = taken << 5
        white_captures(x & ~piece | to, y & ~taken, k & ~taken & ~piece | to, to, out)
    if out:
        return out
    pieces = (empty << 5) & x
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        to = piece >> 5
        kings = to if piece & k else to & LAST_ROWS
        out.append((y, x & ~piece | to, k & ~piece | kings, 1))
    pieces = (empty << 4) & x
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        to = piece >> 4
        kings = to if piece & k else to & LAST_ROWS
        out.append((y, x & ~piece | to, k & ~piece | kings, 1))
    pieces = (empty >> 4) & x & k
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        to = piece << 4
        out.append((y, x & ~piece | to, k & ~piece | to, 1))
    pieces = (empty >> 5) & x & k
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        to = piece << 5
        out.append((y, x & ~piece | to, k & ~piece | to, 1))
    return out


def white_captures(x: int, y: int, k: int, piece: int, out: list[Position]) -> None:
    """Go on with a capture as long as there is another one."""
    empty = ~x & ~y & BOARD
    further: list[tuple[int, int, int, int]] = []
    taken = (piece >> 5) & y
    to = (taken >> 5) & empty
    if to:
        kings = to if piece & k else to & LAST_ROWS
        further.append((x & ~piece | to, y & ~taken, k & ~taken & ~piece | kings, to))
    taken = (piece >> 4) & y
    to = (taken >> 4) & empty
    if to:
        kings = to if piece & k else to & LAST_ROWS
        further.append((x & ~piece | to, y & ~taken, k & ~taken & ~piece | kings, to))
    if piece & k:
        taken = (piece << 4) & y
        to = (taken << 4) & empty
        if to:
            further.append((x & ~piece | to, y & ~taken, k & ~taken & ~piece | to, to))
        taken = (piece << 5) & y
        to = (taken << 5) & empty
        if to:
            further.append((x & ~piece | to, y & ~taken, k & ~taken & ~piece | to, to))
    if not further:
        out.append((y, x, k, 1))
    for position in further:
        white_captures(*position, out)


def leaves(position: Position, depth: int) -> int:
    """The number of lines of play of so many plies."""
    after = positions(position)
    if depth == 1:
        return len(after)
    return sum([leaves(position, depth - 1) for position in after])


if __name__ == "__main__":
    print(*[leaves(START, plies + 1) for plies in range(int(sys.argv[1]))])
