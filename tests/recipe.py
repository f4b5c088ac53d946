"""Simple checkers for the tests to compare with: the recipe in Python, step by step, and a minimax of its own.

Boards that can be hashed come in, boards and winners go out; called by `test_simple_checkers.py`.
"""

from functools import cache

from cpl.games.simple_checkers import BLACK, RED

Grid = tuple[tuple[int, ...], ...]
Square = tuple[int, int]

SQUARES = [(row, column) for row in range(8) for column in range(8)]


def grid(board) -> Grid:
    return tuple(map(tuple, board))


def placed(red, black) -> Grid:
    return grid([[RED * ((r, c) in red) + BLACK * ((r, c) in black) for c in range(8)] for r in range(8)])


def at(board: Grid, row: int, col: int) -> int | None:
    """The one thing that is not in the recipe: what is off the board is neither 0 nor anything else."""
    return board[row][col] if 0 <= row <= 7 and 0 <= col <= 7 else None


@cache
def recipe_next_board(board: Grid, player: int) -> list[Grid]:
    possible_boards = []  # 1
    forwards = player  # 3 and 4 are alike but for the way
    for row in range(8):  # a
        for col in range(8):  # i
            for side in (1, -1):  # 1 and 2, 3 and 4
                if at(board, row, col) == player and at(board, row + forwards, col + side) == 0:
                    new_board = list(map(list, board))
                    new_board[row][col] = 0
                    new_board[row + forwards][col + side] = player
                    possible_boards.append(grid(new_board))
    return possible_boards  # 5


@cache
def recipe_simple_checkers(board: Grid, player: int, moves_ahead: int) -> int:
    winner = 0  # 1
    if moves_ahead == 0 and len(recipe_next_board(board, player)) != 0:  # 2
        winner = 0
    elif player == -1 and len(recipe_next_board(board, player)) == 0:  # 3
        winner = 1
    elif player == 1 and len(recipe_next_board(board, player)) == 0:  # 4
        winner = -1
    else:  # 5 and 6
        for new_board in recipe_next_board(board, player):
            winner = recipe_simple_checkers(new_board, -player, moves_ahead - 1)
            if winner != 0:
                return winner
    return winner  # 7


def men(board: Grid) -> tuple[frozenset[Square], frozenset[Square]]:
    """The squares of red and of black."""
    red, black = (frozenset(each for each in SQUARES if board[each[0]][each[1]] == side) for side in (RED, BLACK))
    return red, black


@cache
def best(red: frozenset[Square], black: frozenset[Square], player: int, plies: int) -> int:
    """Red wants the least, black the most."""
    own = red if player == RED else black
    moves = [
        own - {man} | {to}
        for man in own
        for to in ((man[0] + player, man[1] - 1), (man[0] + player, man[1] + 1))
        if to in SQUARES and to not in red | black
    ]
    if not moves or plies == 0:
        return 0 if moves else -player
    if player == RED:
        return min(best(after, black, BLACK, plies - 1) for after in moves)
    return max(best(red, after, RED, plies - 1) for after in moves)


def minimax(board: Grid, player: int, plies: int) -> int:
    return best(*men(board), player, plies)
