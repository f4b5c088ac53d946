"""Simple checkers against the recipe written down in Python step by step, and against another minimax."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import Any

import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

import cpl
from cpl.games.simple_checkers import BLACK, RED, board_of, next_board, picture_of, simple_checkers, solve, start_board

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


PLAYERS = st.sampled_from([RED, BLACK])


@cache
def compiled() -> Any:
    return cpl.load("simple-checkers.cpl")


@st.composite
def boards(draw, most: int = 64, squares: tuple[Square, ...] = tuple(SQUARES)) -> Grid:
    """At most so many men anywhere on these squares: few or many, of one colour or both, at the edges too."""
    taken = draw(st.lists(st.sampled_from(squares), max_size=most, unique=True))
    colours = draw(st.lists(st.booleans(), min_size=len(taken), max_size=len(taken)))
    sides = list(zip(taken, colours, strict=True))
    return placed({square for square, red in sides if red}, {square for square, red in sides if not red})


CORNERS = [(0, 0), (0, 4), (2, 2), (4, 0), (4, 4)]


def few(most: int = 6) -> st.SearchStrategy[Grid]:
    """Boards of few men, close together as often as not: there they block one another."""
    crowded = [tuple((r, c) for r in range(top, top + 4) for c in range(left, left + 4)) for top, left in CORNERS]
    return st.one_of(boards(most), *(boards(most, squares) for squares in crowded))


def turned(board: Grid) -> Grid:
    """Upside down, with the colours exchanged: red then plays as black did."""
    return grid([[-square for square in row] for row in reversed(board)])


def mirrored(board: Grid) -> Grid:
    return grid([row[::-1] for row in board])


@settings(deadline=None, max_examples=150)
@given(boards(), PLAYERS)
def test_the_boards_are_those_of_the_recipe_in_its_order(board: Grid, player: int) -> None:
    assert [grid(each) for each in next_board(board, player)] == recipe_next_board(board, player)


@settings(deadline=None, max_examples=200)
@given(few() | boards(), PLAYERS, st.integers(0, 4))
def test_the_winner_is_that_of_the_recipe_and_of_minimax(board: Grid, player: int, moves: int) -> None:
    moves = min(moves, 2) if sum(map(len, men(board))) > 6 else moves
    assert simple_checkers(board, player, moves) == recipe_simple_checkers(board, player, moves)
    winner = solve(board, player, moves)
    assert winner == minimax(board, player, moves)
    assert type(winner) is int
    program = compiled()
    value, _ = program.AlphaBeta(([*map(list, board)], player), moves, program.Moves, program.Play, program.Value)
    assert player * value == winner


def test_first_boards_are_usual_and_invalid_input_refused() -> None:
    assert next_board(placed({(4, 4)}, {(3, 3), (3, 5)}), RED) == []
    assert next_board(placed({(4, 4), (3, 3), (3, 5)}, ()), RED) != []
    assert next_board(placed({(1, 1), (0, 0), (0, 2)}, ()), RED) == []
    empty = placed((), ())
    for moves in (0, 1, 5, 10**9):
        for function in (simple_checkers, solve):
            assert [function(empty, player, moves) for player in (RED, BLACK)] == [BLACK, RED]
    first = start_board()
    assert picture_of(first).splitlines()[::7] == [". b . b . b . b", "r . r . r . r ."]
    red, black = men(grid(first))
    assert {(r, c) for r, c in SQUARES if (r + c) % 2 and (r < 3 or r > 4)} == red | black
    assert len(red) == len(black) == 12
    assert grid(first) == turned(mirrored(grid(first)))
    first[0][1] = RED
    assert start_board() != first
    for player in (0, 2, -2, True, 1.0, "red", None):
        for call in (next_board, lambda *given: simple_checkers(*given, 1), lambda *given: solve(*given, 1)):
            with pytest.raises(ValueError if type(player) is int else TypeError, match=r"^a player is "):
                call(EMPTY, player)
    for moves in (-1, True, 1.0, "1", None):
        for function in (simple_checkers, solve):
            with pytest.raises(ValueError if moves == -1 else TypeError, match=r"^moves_ahead is "):
                function(EMPTY, RED, moves)
    for picture in ("", ". " * 64, "\n".join(["." * 8] * 7), "\n".join(["." * 8] * 7 + ["x" * 8])):
        with pytest.raises(ValueError, match="8 lines of 8 signs"):
            board_of(picture)


@settings(deadline=None, max_examples=50)
@given(boards(), PLAYERS)
def test_the_boards_are_new_and_the_given_one_stays(board: Grid, player: int) -> None:
    given = [list(row) for row in board]
    found = next_board(given, player)
    simple_checkers(given, player, 1), solve(given, player, 1)
    assert grid(given) == board
    rows = [row for each in found for row in each]
    assert all(type(each) is list for each in [*found, *rows])
    assert len({id(row) for row in [*rows, *given]}) == len(rows) + 8
    assert compiled().StartBoard == start_board()


EMPTY = [[0] * 8 for _ in range(8)]


def with_square(square: object) -> list[list[object]]:
    return [[*EMPTY[0][:3], square, *EMPTY[0][4:]], *EMPTY[1:]]


@pytest.mark.parametrize(
    ("board", "error", "message"),
    [
        (None, TypeError, "a board is a list of 8 rows, not NoneType"),
        ("." * 8, TypeError, "a board is a list of 8 rows, not str"),
        ({}, TypeError, "a board is a list of 8 rows, not dict"),
        (EMPTY[:7], ValueError, "a board has 8 rows, not 7"),
        ([], ValueError, "a board has 8 rows, not 0"),
        ([*EMPTY[:7], 0], TypeError, "row 7 of the board is a list of 8 squares, not int"),
        ([*EMPTY[:7], "........"], TypeError, "row 7 of the board is a list of 8 squares, not str"),
        ([*EMPTY[:7], [0] * 9], ValueError, "row 7 of the board has 8 squares, not 9"),
        (with_square(2), ValueError, "the square in row 0, column 3 is -1, 0 or 1, not 2"),
        (with_square(True), TypeError, "the square in row 0, column 3 is a whole number, not bool"),
        (with_square(1.0), TypeError, "the square in row 0, column 3 is a whole number, not float"),
        (with_square("r"), TypeError, "the square in row 0, column 3 is a whole number, not str"),
    ],
)
def test_invalid_boards(board, error: type[Exception], message: str) -> None:
    calls = (lambda: simple_checkers(board, RED, 1), lambda: solve(board, RED, 1), lambda: picture_of(board))
    for call in (lambda: next_board(board, RED), *calls):
        with pytest.raises(error) as raised:
            call()
        assert str(raised.value) == message


@given(boards())
def test_pictures_are_read_as_they_are_written(board: Grid) -> None:
    assert grid(board_of(picture_of(board))) == board


Way = tuple[int, int, int]
"""The player to move, what the recipe says, and what minimax says."""


@cache
def partings() -> dict[Way, dict[int, list[Grid]]]:
    """All boards with a man each on which they part, by how, and by the moves ahead: a game has 14 moves at most."""
    found: dict[Way, dict[int, list[Grid]]] = {}
    for red, black in permutations(SQUARES, 2):
        board = placed({red}, {black})
        for player in (RED, BLACK):
            for moves in range(15):
                way = player, recipe_simple_checkers(board, player, moves), minimax(board, player, moves)
                if way[1] != way[2]:
                    found.setdefault(way, {}).setdefault(moves, []).append(board)
    return found


def rows_of_the_page() -> Iterator[tuple[Way, Grid, int, int]]:
    """The table of the smallest positions: how they part, the board, the least moves ahead, how many boards."""
    page = (ROOT / "docs" / "descriptions.md").read_text(encoding="utf-8")
    sides = {"black wins": BLACK, "black loses": RED, "nobody wins": 0}
    cells = r"\| ([^|]+) \| ([^|]+) \| row (\d), column (\d) \| row (\d), column (\d) \| (\d+) \| (\d+) \|"
    for said, meant, *numbers in re.findall(cells, page):
        row, column, row_of_red, column_of_red, least, count = map(int, numbers)
        yield (BLACK, sides[said], sides[meant]), placed({(row_of_red, column_of_red)}, {(row, column)}), least, count


@pytest.mark.long
def test_the_page_has_the_smallest_position_for_every_way_to_part() -> None:
    rows = list(rows_of_the_page())
    assert len(rows) == 4
    for (player, said, meant), board, least, count in rows:
        found = partings()[player, said, meant]
        assert min(found) == least
        assert board in found[least]
        assert len(found[least]) == count
        assert (simple_checkers(board, player, least), solve(board, player, least)) == (said, meant)
        assert {turned(each) for each in found[least]} == {*partings()[-player, -said, -meant][least]}
    ways = {way for way, *_ in rows}
    assert partings().keys() == ways | {(-player, -said, -meant) for player, said, meant in ways}
