"""Perft of English draughts by hand: the functions of Strachey's program of 1966 on whole numbers.

They are written out for each kind of move, direction and side, and lists are built by appending: what one would write in
Python for speed, with the same positions, the same squares and the same lists as the program.

    python benchmarks/rivals/ints.py DEPTH
"""

import sys

Position = tuple[int, int, int, int]

BOARD = 0b11111111_0_11111111_0_11111111_0_11111111_00000
LAST_ROWS = 0b1111 << 36 | 0b1111 << 5
START = 0b1111_0_11111111_00000, (0b11111111 << 32) | (0b1111 << 27), 0, 1


def positions(position: Position) -> list[Position]:
    """All next positions: captures if there are any."""
    X, Y, K, side = position
    return black(X, Y, K) if side > 0 else white(X, Y, K)


def black(X: int, Y: int, K: int) -> list[Position]:
    """Of the side that moves up the numbers of the squares."""
    out: list[Position] = []
    empty = ~X & ~Y & BOARD
    L = (((empty >> 5) & Y) >> 5) & X
    while L:
        piece = L & -L
        L ^= piece
        taken = piece << 5
        to = taken << 5
        kings = to if piece & K else to & LAST_ROWS
        black_captures(X & ~piece | to, Y & ~taken, K & ~taken & ~piece | kings, to, out)
    L = (((empty >> 4) & Y) >> 4) & X
    while L:
        piece = L & -L
        L ^= piece
        taken = piece << 4
        to = taken << 4
        kings = to if piece & K else to & LAST_ROWS
        black_captures(X & ~piece | to, Y & ~taken, K & ~taken & ~piece | kings, to, out)
    L = (((empty << 4) & Y) << 4) & X & K
    while L:
        piece = L & -L
        L ^= piece
        taken = piece >> 4
        to = taken >> 4
        black_captures(X & ~piece | to, Y & ~taken, K & ~taken & ~piece | to, to, out)
    L = (((empty << 5) & Y) << 5) & X & K
    while L:
        piece = L & -L
        L ^= piece
        taken = piece >> 5
        to = taken >> 5
        black_captures(X & ~piece | to, Y & ~taken, K & ~taken & ~piece | to, to, out)
    if out:
        return out
    L = (empty >> 5) & X
    while L:
        piece = L & -L
        L ^= piece
        to = piece << 5
        kings = to if piece & K else to & LAST_ROWS
        out.append((Y, X & ~piece | to, K & ~piece | kings, -1))
    L = (empty >> 4) & X
    while L:
        piece = L & -L
        L ^= piece
        to = piece << 4
        kings = to if piece & K else to & LAST_ROWS
        out.append((Y, X & ~piece | to, K & ~piece | kings, -1))
    L = (empty << 4) & X & K
    while L:
        piece = L & -L
        L ^= piece
        to = piece >> 4
        out.append((Y, X & ~piece | to, K & ~piece | to, -1))
    L = (empty << 5) & X & K
    while L:
        piece = L & -L
        L ^= piece
        to = piece >> 5
        out.append((Y, X & ~piece | to, K & ~piece | to, -1))
    return out


def black_captures(X: int, Y: int, K: int, piece: int, out: list[Position]) -> None:
    """Go on with a capture as long as there is another one."""
    empty = ~X & ~Y & BOARD
    further: list[tuple[int, int, int, int]] = []
    taken = (piece << 5) & Y
    to = (taken << 5) & empty
    if to:
        kings = to if piece & K else to & LAST_ROWS
        further.append((X & ~piece | to, Y & ~taken, K & ~taken & ~piece | kings, to))
    taken = (piece << 4) & Y
    to = (taken << 4) & empty
    if to:
        kings = to if piece & K else to & LAST_ROWS
        further.append((X & ~piece | to, Y & ~taken, K & ~taken & ~piece | kings, to))
    if piece & K:
        taken = (piece >> 4) & Y
        to = (taken >> 4) & empty
        if to:
            further.append((X & ~piece | to, Y & ~taken, K & ~taken & ~piece | to, to))
        taken = (piece >> 5) & Y
        to = (taken >> 5) & empty
        if to:
            further.append((X & ~piece | to, Y & ~taken, K & ~taken & ~piece | to, to))
    if not further:
        out.append((Y, X, K, -1))
    for each in further:
        black_captures(*each, out)


def white(X: int, Y: int, K: int) -> list[Position]:
    """Of the side that moves down the numbers of the squares."""
    out: list[Position] = []
    empty = ~X & ~Y & BOARD
    L = (((empty << 5) & Y) << 5) & X
    while L:
        piece = L & -L
        L ^= piece
        taken = piece >> 5
        to = taken >> 5
        kings = to if piece & K else to & LAST_ROWS
        white_captures(X & ~piece | to, Y & ~taken, K & ~taken & ~piece | kings, to, out)
    L = (((empty << 4) & Y) << 4) & X
    while L:
        piece = L & -L
        L ^= piece
        taken = piece >> 4
        to = taken >> 4
        kings = to if piece & K else to & LAST_ROWS
        white_captures(X & ~piece | to, Y & ~taken, K & ~taken & ~piece | kings, to, out)
    L = (((empty >> 4) & Y) >> 4) & X & K
    while L:
        piece = L & -L
        L ^= piece
        taken = piece << 4
        to = taken << 4
        white_captures(X & ~piece | to, Y & ~taken, K & ~taken & ~piece | to, to, out)
    L = (((empty >> 5) & Y) >> 5) & X & K
    while L:
        piece = L & -L
        L ^= piece
        taken = piece << 5
        to = taken << 5
        white_captures(X & ~piece | to, Y & ~taken, K & ~taken & ~piece | to, to, out)
    if out:
        return out
    L = (empty << 5) & X
    while L:
        piece = L & -L
        L ^= piece
        to = piece >> 5
        kings = to if piece & K else to & LAST_ROWS
        out.append((Y, X & ~piece | to, K & ~piece | kings, 1))
    L = (empty << 4) & X
    while L:
        piece = L & -L
        L ^= piece
        to = piece >> 4
        kings = to if piece & K else to & LAST_ROWS
        out.append((Y, X & ~piece | to, K & ~piece | kings, 1))
    L = (empty >> 4) & X & K
    while L:
        piece = L & -L
        L ^= piece
        to = piece << 4
        out.append((Y, X & ~piece | to, K & ~piece | to, 1))
    L = (empty >> 5) & X & K
    while L:
        piece = L & -L
        L ^= piece
        to = piece << 5
        out.append((Y, X & ~piece | to, K & ~piece | to, 1))
    return out


def white_captures(X: int, Y: int, K: int, piece: int, out: list[Position]) -> None:
    """Go on with a capture as long as there is another one."""
    empty = ~X & ~Y & BOARD
    further: list[tuple[int, int, int, int]] = []
    taken = (piece >> 5) & Y
    to = (taken >> 5) & empty
    if to:
        kings = to if piece & K else to & LAST_ROWS
        further.append((X & ~piece | to, Y & ~taken, K & ~taken & ~piece | kings, to))
    taken = (piece >> 4) & Y
    to = (taken >> 4) & empty
    if to:
        kings = to if piece & K else to & LAST_ROWS
        further.append((X & ~piece | to, Y & ~taken, K & ~taken & ~piece | kings, to))
    if piece & K:
        taken = (piece << 4) & Y
        to = (taken << 4) & empty
        if to:
            further.append((X & ~piece | to, Y & ~taken, K & ~taken & ~piece | to, to))
        taken = (piece << 5) & Y
        to = (taken << 5) & empty
        if to:
            further.append((X & ~piece | to, Y & ~taken, K & ~taken & ~piece | to, to))
    if not further:
        out.append((Y, X, K, 1))
    for each in further:
        white_captures(*each, out)


def leaves(position: Position, depth: int) -> int:
    """The number of lines of play of so many plies."""
    after = positions(position)
    if depth == 1:
        return len(after)
    return sum([leaves(each, depth - 1) for each in after])


if __name__ == "__main__":
    print(*[leaves(START, plies + 1) for plies in range(int(sys.argv[1]))])
