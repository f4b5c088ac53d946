"""Checkers of the seeds: the compiled CPL beside pydraughts, beside plain Python, and beside what the seeds say."""

import copy
import os
import random
import re
from collections.abc import Iterator
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any

import checkers_by_tiles as tiles
import draughts
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpl.draughts.fen import to_fen
from cpl.games import checkers
from cpl.games.checkers import PROGRAM, AlphaBeta, MiniMax, Random, State, from_cpl, from_move, to_cpl
from cpl.games.game import program

Board = list[list[int]]

PLAYERS = ("red", "black")
COMPARED = int(os.environ.get("CPLC_POSITIONS", "2000"))
"""Positions of random games that are compared with pydraughts: `CPLC_POSITIONS=20000` looks longer."""

examined = settings(deadline=None, max_examples=200)
boards = st.integers(0, 2**32).map(lambda seed: tiles.scattered(random.Random(seed)))
players = st.sampled_from(PLAYERS)


def board(*lines: str) -> Board:
    """A board from a picture: r and b for men, R and B for kings."""
    return [[" rRbB".index(sign.replace(".", " ")) for sign in line.split()] for line in lines]


def empty(**pieces: tuple[tuple[int, int], ...]) -> Board:
    """A board with a few pieces."""
    made = [[0] * 8 for _ in range(8)]
    for name, places in pieces.items():
        for row, column in places:
            made[row][column] = ("", "red", "red_king", "black", "black_king").index(name)
    return made


def games(seed: int) -> Iterator[tuple[State, str]]:
    """The states of random games, one game after another, each of at most 150 plies."""
    rng = random.Random(seed)
    while True:
        state, player = checkers.start(), "red"
        for _ in range(150):
            yield state, player
            if not (actions := checkers.actions(state, player)):
                break
            state, player = checkers.successor(state, rng.choice(actions)), tiles.OPPONENT[player]


def test_the_start() -> None:
    assert checkers.start() == board(
        ". r . r . r . r",
        "r . r . r . r .",
        ". r . r . r . r",
        ". . . . . . . .",
        ". . . . . . . .",
        "b . b . b . b .",
        ". b . b . b . b",
        "b . b . b . b .",
    )


@pytest.mark.parametrize(
    ("state", "player", "expected"),
    [
        pytest.param(empty(red=((2, 3),)), "red", [[(2, 3), (3, 2)], [(2, 3), (3, 4)]], id="men go forward"),
        pytest.param(empty(black=((6, 5),)), "black", [[(6, 5), (5, 4)], [(6, 5), (5, 6)]], id="also black ones"),
        pytest.param(
            empty(red_king=((7, 0), (0, 7))), "red", [[(0, 7), (1, 6)], [(7, 0), (6, 1)]], id="kings go both ways"
        ),
        pytest.param(
            empty(red=((0, 1), (2, 7)), black=((1, 2), (3, 4), (3, 2), (5, 2))),
            "red",
            [[(0, 1), (2, 3), (4, 1), (6, 3)], [(0, 1), (2, 3), (4, 5)]],
            id="who can capture must, and goes on to the end",
        ),
        pytest.param(
            empty(red=((4, 3),), black=((3, 2),)),
            "red",
            [[(4, 3), (5, 2)], [(4, 3), (5, 4)]],
            id="men do not capture backward",
        ),
        pytest.param(empty(red_king=((4, 3),), black=((3, 2),)), "red", [[(4, 3), (2, 1)]], id="kings do"),
        pytest.param(
            empty(red_king=((2, 3),), black=((3, 2), (5, 2), (5, 4), (3, 4))),
            "red",
            [[(2, 3), (4, 1), (6, 3), (4, 5), (2, 3)], [(2, 3), (4, 5), (6, 3), (4, 1), (2, 3)]],
            id="the tile that a capturing piece left is empty",
        ),
        pytest.param(empty(red=((5, 2),), black=((6, 3), (6, 5))), "red", [[(5, 2), (7, 4)]], id="a crowned man stops"),
    ],
)
def test_actions(state: Board, player: str, expected: list[list[tuple[int, int]]]) -> None:
    assert checkers.actions(state, player) == expected


@pytest.mark.parametrize(
    ("state", "action", "after"),
    [
        (
            empty(red=((0, 1), (2, 7)), black=((1, 2), (3, 4), (3, 2), (5, 2))),
            [(0, 1), (2, 3), (4, 1), (6, 3)],
            empty(red=((6, 3), (2, 7)), black=((3, 4),)),
        ),
        (empty(red=((5, 2),), black=((6, 3), (6, 5))), [(5, 2), (7, 4)], empty(red_king=((7, 4),), black=((6, 5),))),
        (empty(black=((1, 2),)), [(1, 2), (0, 3)], empty(black_king=((0, 3),))),
        (empty(red=((6, 1),)), [(6, 1), (7, 0)], empty(red_king=((7, 0),))),
    ],
)
def test_successors(state: Board, action: list[tuple[int, int]], after: Board) -> None:
    assert checkers.successor(state, action) == after


@pytest.mark.parametrize("player", PLAYERS)
def test_the_end(player: str) -> None:
    opponent = tiles.OPPONENT[player]
    lost, blocked = empty(**{opponent: ((3, 2),)}), empty(red=((3, 0),), black=((4, 1), (5, 2)))
    for state in (lost, blocked if player == "red" else tiles.turned(blocked)):
        assert checkers.is_end(state, player)
        assert checkers.utility(state, player) == checkers.utility(state, player, player) == -inf
        assert checkers.utility(state, player, opponent) == inf
    assert not checkers.is_end(checkers.start(), player)
    assert checkers.is_end(lost, opponent), "a player without a piece has lost, whoever is to move"
    assert checkers.utility(lost, opponent) == inf
    assert checkers.utility(empty(), player) == -inf
    with pytest.raises(ValueError, match="not over"):
        checkers.utility(checkers.start(), player)


def after(state: Board, *path: tuple[int, int]) -> State:
    return checkers.successor(state, [*path])


@pytest.mark.parametrize(
    ("pieces", "path", "counts"),
    [
        ({"red": ((2, 1),)}, ((2, 1), (3, 2)), (8, 0)),
        ({"red": ((2, 1),), "black": ((3, 2),)}, ((2, 1), (4, 3)), (0, 0)),
        ({"red_king": ((2, 5),)}, ((2, 5), (1, 4)), (8, 10)),
        ({"red_king": ((4, 5),), "black": ((5, 6),)}, ((4, 5), (6, 7)), (0, 10)),
    ],
    ids=["a man's step", "a man's capture is an advance, too", "a king's step", "a king's capture"],
)
def test_what_is_counted(pieces: Any, path: Any, counts: tuple[int, int]) -> None:
    counted = after(State(empty(**pieces), since_capture=7, since_advance=9), *path)
    assert (counted.since_capture, counted.since_advance) == counts


@pytest.mark.parametrize("counts", [{"since_capture": 100}, {"since_advance": 100}])
def test_fifty_moves_of_each_player_without_the_one_or_the_other_are_a_draw(counts: dict[str, int]) -> None:
    kings = empty(red_king=((0, 1),), black_king=((7, 6),))
    drawn = State(kings, **counts)
    almost = State(kings, **{name: count - 1 for name, count in counts.items()})
    for player in PLAYERS:
        assert checkers.is_end(drawn, player)
        assert checkers.utility(drawn, player) == 0.0
        assert not checkers.is_end(almost, player)
    assert checkers.is_end(after(almost, (0, 1), (1, 0)), "black")
    assert checkers.actions(drawn, "red"), "the rules of movement do not know of it"


def test_a_win_comes_before_a_draw_and_the_search_sees_both() -> None:
    blocked = State(empty(red_king=((0, 7),), black_king=((1, 6), (2, 5))), since_capture=100, since_advance=100)
    assert checkers.utility(blocked, "red") == -inf
    assert checkers.utility(blocked, "black") == 0.0
    last = State(empty(red_king=((2, 1),), black=((3, 2),)), since_capture=99, since_advance=99)
    assert checkers.utility(after(last, (2, 1), (4, 3)), "black") == -inf
    # One ply before the draw every move is worth nothing, however many pieces one has more.
    state = State(empty(red_king=((0, 1), (0, 3), (2, 1)), black_king=((7, 6),)), since_capture=99, since_advance=50)
    for kind in (MiniMax, AlphaBeta):
        assert kind(2).consider(state, "red")[0] == 0
        assert kind(2).consider([*state], "red")[0] > 0


def test_the_same_paths_as_pydraughts(measured: Any) -> None:
    several = captures = 0
    for state, player in islice(games(seed=3), COMPARED):
        position = to_cpl(state, player)[0]
        expected = sorted(
            [divmod_square(square) for square in move.steps_move]
            for move in draughts.Board(variant="english", fen=to_fen(position)).legal_moves()
        )
        found = checkers.actions(state, player)
        assert found == expected, to_fen(position)
        several += any(len(path) > 2 for path in found)
        captures += tiles.actions(state, player) == [*tiles.jumps(state, player)]
    measured(
        f"{COMPARED} positions of random games: the same paths as pydraughts; {captures} with captures, "
        f"{several} of several pieces"
    )
    assert several > COMPARED / 100


def divmod_square(square: int) -> tuple[int, int]:
    """The tile of an official number."""
    row, place = divmod(square - 1, 4)
    return row, 2 * place + 1 - row % 2


@examined
@given(boards, players)
def test_actions_and_features_are_as_tile_by_tile(board: Board, player: str) -> None:
    """No piece is lost but those that were jumped over; nobody's data is changed."""
    given_, opponent, game = copy.deepcopy(board), tiles.OPPONENT[player], program(PROGRAM)
    assert checkers.features(board, player) == tiles.features(board, player)
    found = checkers.actions(board, player)
    assert found == sorted(tiles.actions(board, player))
    assert checkers.must_moves(board, player) == sorted(tiles.jumps(board, player))
    assert checkers.optional_moves(board, player) == sorted(tiles.steps(board, player))
    for action in found:
        unchanged, after = copy.deepcopy(action), checkers.successor(board, action)
        assert after == tiles.moved(board, *action)
        jumped = len(action) - 1 if abs(action[0][0] - action[1][0]) == 2 else 0
        assert len(tiles.pieces(after, player)) == len(tiles.pieces(board, player))
        assert len(tiles.pieces(after, opponent)) == len(tiles.pieces(board, opponent)) - jumped
        assert after.since_capture == (0 if jumped else 1)
        assert action == unchanged
        for row in after:
            row[:] = [9] * 8
    position = to_cpl(State(board), player)[0]
    for move in game.Moves(position):  # the program's next position holds nothing else: no king without a piece, say
        after = State(tiles.moved(board, *from_move(move)))
        assert game.Successor(position, move) == to_cpl(after, opponent)[0]
    assert board == given_


@examined
@given(boards, players)
def test_colours_reversed(board: Board, player: str) -> None:
    """The board turned round, with the colours exchanged, is the same game."""
    turned, opponent = tiles.turned(board), tiles.OPPONENT[player]
    assert sorted([[(7 - row, 7 - column) for row, column in path] for path in checkers.actions(turned, opponent)]) == (
        checkers.actions(board, player)
    )
    assert checkers.features(turned, opponent) == checkers.features(board, player)
    assert checkers.is_end(turned, opponent) == checkers.is_end(board, player)


@examined
@given(boards, players, st.integers(0, 99), st.integers(0, 99))
def test_to_the_program_and_back(board: Board, player: str, captured: int, advanced: int) -> None:
    state = State(board, since_capture=captured, since_advance=advanced)
    again, mover = from_cpl(to_cpl(state, player))
    assert (repr(again), mover) == (repr(state), player)


def worth(state: State, player: str, depth: int) -> float:
    """Minimax in plain Python, on boards, with the features and weights as they are counted there."""
    opponent = tiles.OPPONENT[player]
    ways = tiles.actions(state, player)
    if not ways:
        return -1_000_000 - depth
    if not tiles.pieces(state, opponent):
        return 1_000_000 + depth
    if state.since_capture >= 100 or state.since_advance >= 100:
        return 0
    if depth == 0:
        own, other = tiles.features(state, player), tiles.features(state, opponent)
        return sum(weight * (own[name] - other[name]) for name, weight in checkers.weights().items())
    return max(-worth(_made(state, player, way), opponent, depth - 1) for way in ways)


def _made(state: State, player: str, way: list[tuple[int, int]]) -> State:
    (row, column), after = way[0], tiles.moved(state, *way)
    taken = len(tiles.pieces(after, tiles.OPPONENT[player])) < len(tiles.pieces(state, tiles.OPPONENT[player]))
    return State(
        after,
        since_capture=0 if taken else state.since_capture + 1,
        since_advance=0 if state[row][column] in (1, 3) else state.since_advance + 1,
    )


@settings(deadline=None, max_examples=25)
@given(boards, players, st.sampled_from([0, 97, 98, 99]), st.sampled_from([0, 97, 98, 99]), st.integers(1, 3))
def test_a_search_is_worth_what_it_is_on_boards(
    board: Board, player: str, captured: int, advanced: int, depth: int
) -> None:
    state = State(board, since_capture=captured, since_advance=advanced)
    if not checkers.is_end(state, player):
        assert AlphaBeta(depth).consider(state, player)[0] == worth(state, player, depth)


@examined
@given(boards, players)
def test_nobody_s_data_is_changed(board: Board, player: str) -> None:
    state = State(board, since_capture=3, since_advance=4)
    before = repr(state)
    checkers.features(state, player)
    checkers.to_fen(state, player)
    if checkers.is_end(state, player):
        checkers.utility(state, player)
    else:
        for each in (Random(1), AlphaBeta(1), MiniMax(1)):
            checkers.read_action(state, player, checkers.action_text(each.choose(state, player)))
    assert repr(state) == before


FEATURES = {
    "CaptureStep": (empty(red=((2, 3),), black=((3, 4),)), 1, 1),
    "Confinement": (empty(red=((3, 0), (4, 3)), black=((6, 1), (7, 6))), -3, -2),
    "MultipleCapture": (empty(red=((0, 1),), black=((1, 2), (3, 4), (5, 6))), 2, 0),
    "BlockedLanes": (empty(red=((0, 1), (0, 5), (2, 3)), black=((6, 1), (7, 2))), 2, 1),
    "OneSidedCapture": (empty(red=((2, 3), (1, 2)), black=((3, 4),)), 1, 0),
    "Contact": (empty(red=((2, 3), (3, 4)), black=((4, 5), (6, 7))), 1, 0),
    "Recapture": (empty(red=((2, 3), (1, 2)), black=((3, 4),)), 1, 0),
    "SafeRunners": (empty(red=((5, 0), (5, 6)), black=((7, 4), (7, 6))), 1, 2),
    "Pieces": (empty(red=((2, 3), (1, 2)), red_king=((7, 0),), black=((3, 4),)), 3, 1),
    "Kings": (empty(red=((2, 3), (1, 2)), red_king=((7, 0),), black=((3, 4),)), 1, 0),
}
"""A board for each feature, and what it is to Red and to Black."""


def test_each_feature_has_a_board_a_weight_and_a_row_of_the_page(root: Path) -> None:
    weights = checkers.weights()
    assert [*weights] == [*checkers.features(checkers.start(), "red")] == [*FEATURES]
    assert all(weight > 0 for weight in weights.values())
    for name, (board, red, black) in FEATURES.items():
        turned = tiles.turned(board)
        found = [checkers.features(board, player)[name] for player in PLAYERS]
        assert found == [red, black] == [checkers.features(turned, player)[name] for player in PLAYERS[::-1]], name
    page = (root / "docs" / "descriptions.md").read_text("utf-8")
    assert {
        name: int(weight) for name, weight in re.findall(r"(?m)^\| .* \| `(\w+)` \| .* \| (\d+) \|$", page)
    } == weights
