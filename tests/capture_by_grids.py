"""Capture the Flag for the tests to compare with: rules, evaluation and minimax in Python, by rows and columns.

Boards as strings come in, boards, winners and values go out; called by `test_capture.py`. Nothing of this is as the CPL
does it: no bit strings, no left-out squares, no history that is cut short.
"""

from collections.abc import Iterator
from math import isqrt

Square = tuple[int, int]
Grid = dict[Square, str]

SWAPPED = str.maketrans("wWbB", "bBwW")


def other(side: str) -> str:
    return "b" if side == "w" else "w"


def turned(board: str) -> str:
    """The board from the other side, the colours changed: the same game."""
    return board[::-1].translate(SWAPPED)


def grid_of(board: str) -> Grid:
    size = isqrt(len(board))
    return {divmod(place, size): sign for place, sign in enumerate(board)}


def after(board: str, changes: dict[Square, str]) -> str:
    return "".join((grid_of(board) | changes).values())


def squares(board: str, signs: str) -> list[Square]:
    return [square for square, sign in grid_of(board).items() if sign in signs]


def ahead(side: str) -> int:
    return 1 if side == "w" else -1


def ways(side: str, piece: str) -> list[Square]:
    forwards = [(ahead(side), 0), (0, 1), (0, -1)]
    return forwards if piece == side else [*forwards, (-ahead(side), 0)]


def captures(board: str, side: str) -> Iterator[tuple[Square, Square, Square]]:
    """From where over what to where."""
    grid = grid_of(board)
    prey = other(side) + other(side).upper()
    for row, column in squares(board, side):
        for down, right in ways(side, side):
            over, to = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if grid.get(over, "") in [*prey] and grid.get(to) == "-":
                yield (row, column), over, to


def steps(board: str, side: str) -> Iterator[tuple[Square, Square, str]]:
    grid = grid_of(board)
    for piece in (side, side.upper()):
        for row, column in squares(board, piece):
            for down, right in ways(side, piece):
                to = row + down, column + right
                if grid.get(to) == "-":
                    yield (row, column), to, piece


def moves(history: list[str], side: str) -> list[str]:
    """All boards that a move makes, whoever may have won already."""
    board = history[0]
    found = [after(board, {start: "-", over: "-", to: side}) for start, over, to in captures(board, side)]
    found += [after(board, {start: "-", to: piece}) for start, to, piece in steps(board, side)]
    return [each for each in found if each not in history]


def short(board: str, side: str) -> int:
    """The rows that the side's flag is short of being beyond all opposing pawns."""
    flag = max(row * ahead(side) for row, _ in squares(board, side.upper()))
    return max(row * ahead(side) for row, _ in squares(board, other(side))) - flag + 1


def winner(history: list[str], side: str) -> str | None:
    """With `side` to move: first what the one achieved who has just moved, then what `side` has."""
    board, mover = history[0], other(side)
    if side not in board or side.upper() not in board:
        return mover
    if len(history) > 1 and squares(history[1], mover.upper()) != squares(board, mover.upper()):
        flag = squares(board, mover.upper())
        if flag and all(ahead(mover) * (flag[0][0] - row) > 0 for row, _ in squares(board, side)):
            return mover
    if not moves(history, side):
        return mover
    return side if mover not in board or mover.upper() not in board else None


def features(board: str, side: str) -> dict[str, int]:
    prey = {over for _, over, _ in captures(board, side)}
    hunted = {over for _, over, _ in captures(board, other(side))}
    return {
        "Pawns": board.count(side),
        "SafeFlag": int(squares(board, side.upper())[0] not in hunted),
        "Threats": len(prey),
        "Race": -short(board, side),
        "Room": len([*steps(board, side)]),
    }


def ready(board: str, side: str) -> bool:
    prey = {grid_of(board)[over] for _, over, _ in captures(board, side)}
    if other(side).upper() in prey or (prey and board.count(other(side)) == 1):
        return True
    row, column = squares(board, side.upper())[0]
    return short(board, side) <= 1 and grid_of(board).get((row + ahead(side), column)) == "-"


def score(board: str, side: str, weights: dict[str, int]) -> int:
    if ready(board, side):
        return 100_000
    mine, theirs = features(board, side), features(board, other(side))
    return sum(weight * (mine[name] - theirs[name]) for name, weight in weights.items())


def minimax(history: list[str], side: str, depth: int, weights: dict[str, int]) -> int:
    """The value to `side`."""
    won = winner(history, side)
    if won is not None:
        return (1 if won == side else -1) * (1_000_000 + depth)
    if depth == 0:
        return score(history[0], side, weights)
    return max(-minimax([move, *history], other(side), depth - 1, weights) for move in moves(history, side))
