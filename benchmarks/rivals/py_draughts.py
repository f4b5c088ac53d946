"""Perft of English draughts with py-draughts, an independent program: every move is made, and taken back.

python benchmarks/rivals/py_draughts.py DEPTH
"""

import sys

from draughts import AmericanBoard


def leaves(board: AmericanBoard, depth: int) -> int:
    """The number of lines of play of so many plies."""
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += leaves(board, depth - 1) if depth > 1 else 1
        board.pop()
    return count


if __name__ == "__main__":
    print(*[leaves(AmericanBoard(), plies + 1) for plies in range(int(sys.argv[1]))])
