"""Capture the Flag against a second program by rows and columns, rule by rule, and against a player at random."""

import random
import re
from functools import cache
from math import isqrt
from typing import Any

import pytest
from capture_by_grids import features, minimax, moves, other, score, turned
from capture_by_grids import winner as plain_winner
from hypothesis import given, settings
from hypothesis import strategies as st

import cpl
from cpl.games.capture import SIDES, START, capture, legal_moves, reason, winner

COLOURS = st.sampled_from("wb")


@cache
def compiled() -> Any:
    return cpl.load("capture.cpl")


def state(history: list[str], side: str) -> Any:
    size = isqrt(len(history[0]))
    boards = [compiled().BoardOf(board, size) for board in history]
    return compiled().State(boards, SIDES[side], size)


def weights() -> dict[str, int]:
    return {feature.__name__: weight for feature, weight in zip(compiled().Features, compiled().Weights, strict=True)}


def test_the_example_of_the_task_and_lists_that_stay_as_they_are() -> None:
    assert "-wWw--w-w---w---bbb--bBb-" in legal_moves([START], "w"), "the move that the task shows"
    for search in ("alphabeta", "minimax"):
        assert capture([START], "w", 2, search=search) == "-wW-w-www-------bbb--bBb-"
    program = compiled()
    assert program.Capture([START], "w", 2) == capture([START], "w", 2)
    assert program.CaptureBy(program.MiniMaxMove, [START], "w", 2) == capture([START], "w", 2)
    assert program.Capture(["W-w------"], "b", 1) == "", "the game is over"
    board = [*START]
    found = capture([board], "w", 1)
    assert board == [*START]
    found[0] = "x"
    assert legal_moves([board], "w")[0][0] == "-"
    assert capture([tuple(START)], "w", 1) == capture([board], "w", 1)  # type: ignore[type-var]
    history = [START]
    legal_moves(history, "w"), winner(history, "w"), capture(history, "w", 2)
    assert history == [START]
    assert capture((START,), "w", 1) == capture(history, "w", 1)


def test_boards_as_lists() -> None:
    """What is found has the form of the last board, whatever the others have."""
    after = capture([START], "w", 2)
    assert capture([[*START]], "w", 2) == [*after]
    assert legal_moves([[*after], START], "b") == [[*each] for each in legal_moves([after, START], "b")]
    assert legal_moves([after, [*START]], "b") == legal_moves([after, START], "b")
    assert winner([[*after]], "b") is None
    with pytest.raises(ValueError, match=r"^the game is over, w has won: every pawn of the other is captured$"):
        capture([[*START.replace("b", "-")]], "b", 1)


def rows(text: str) -> str:
    return "".join(text.split())


MOVES = {
    "a pawn steps forward or to a side; a flag at the edge does not come round": """
        w  W---- ----- --w-- ----- b---B
        W---- ----- ----- --w-- b---B  W---- ----- ---w- ----- b---B  W---- ----- -w--- ----- b---B
        ----- W---- --w-- ----- b---B  -W--- ----- --w-- ----- b---B""",
    "a flag steps forward, back and to a side, and captures nothing": """
        w  w---- --bW- --b-- ----- b---B
        ----- w-bW- --b-- ----- b---B  -w--- --bW- --b-- ----- b---B  w--W- --b-- --b-- ----- b---B
        w---- --b-W --b-- ----- b---B  w---- --b-- --bW- ----- b---B""",
    "a pawn jumps over a pawn or a flag, forward or to a side, not back, and need not": """
        w  W---b -b--- -wB-- -b--- ----b
        W---b -b--- ---w- -b--- ----b  W---b -b--- --B-- ----- -w--b  W---b -b--- w-B-- -b--- ----b
        -W--b -b--- -wB-- -b--- ----b  ----b Wb--- -wB-- -b--- ----b""",
    "Black goes up, and does not jump where there is no room": """
        b  Ww- w-- b-B
        Ww- w-- -bB  Ww- w-- bB-  Ww- w-B b--""",
    "a pawn on the last row stays a pawn, which goes and captures to the side": """
        w  --w-- W---- ----- -B--- ---bw
        ----- W-w-- ----- -B--- ---bw  ---w- W---- ----- -B--- ---bw  -w--- W---- ----- -B--- ---bw
        W-w-- ----- ----- -B--- ---bw  --w-- -W--- ----- -B--- ---bw  --w-- ----- W---- -B--- ---bw
        --w-- W---- ----- -B--- --w--""",
}
"""Who is to move, the board, and all boards that his moves lead to."""


def test_the_moves_with_captures_first() -> None:
    for name in MOVES:
        side, board, *after = re.split(r"\s{2,}", MOVES[name].strip())
        found = legal_moves([rows(board)], side)
        assert len(found) == len(set(found))
        assert set(found) == set(map(rows, after))
        assert {turned(each) for each in legal_moves([turned(rows(board))], other(side))} == set(found)
    found = legal_moves([rows("W---- ----- -wB-- -b--- ----b")], "w")
    assert found[:3] == [
        rows("W---- ----- --B-- ----- -w--b"),
        rows("W---- ----- ---w- -b--- ----b"),
        rows("W---- ----- w-B-- -b--- ----b"),
    ]
    assert found[-1] == rows("-W--- ----- -wB-- -b--- ----b")


def won(text: list[str], side: str) -> tuple[str | None, str | None]:
    history = list(map(rows, text))
    assert plain_winner(history, side) == winner(history, side)
    return winner(history, side), reason(history, side)


@pytest.mark.parametrize(
    ("board", "side", "lost"),
    [
        ("W-w --- --B", "w", "every pawn"),
        ("W-- --- b-B", "b", "every pawn"),
        ("W-w --- --b", "w", "the flag"),
        ("--w --- b-B", "b", "the flag"),
    ],
)
def test_who_has_no_flag_or_no_pawn_has_lost(board: str, side: str, lost: str) -> None:
    assert won([board], "b") == won([board], "w") == (side, f"{lost} of the other is captured")
    assert legal_moves([rows(board)], "w") == []


def test_who_cannot_move_has_lost() -> None:
    for board in ("W-- --- --B", "--- -w- --b", "W-- --- --b"):
        assert (won([board], "w")[0], won([board], "b")[0]) == ("b", "w")
    assert won(["Ww wB"], "w") == ("b", "the other has no legal move"), "Black has no pawn, but moved last"
    assert won(["Ww wB"], "b") == ("w", "every pawn of the other is captured")


def test_both_may_be_blocked() -> None:
    blocked = "wWw bbb Bbb"
    assert won([blocked], "w") == ("b", "the other has no legal move")
    assert won([blocked], "b") == ("w", "the other has no legal move")
    assert legal_moves([rows(blocked)], "w") == []
    with pytest.raises(ValueError, match=r"^the game is over, b has won: the other has no legal move$"):
        capture([rows(blocked)], "w", 1)


def test_who_cannot_move_for_the_history_has_lost() -> None:
    board = rows("W-w bb- -bB")
    before = legal_moves([board], "w")
    assert won([board, *before[1:]], "w") == (None, None)
    assert won([board, *before], "w") == ("b", "the other has no legal move")
    assert legal_moves([board, *before], "w") == []


PAST = "the flag has moved past every pawn of the other"


@pytest.mark.parametrize(
    ("boards", "side", "expected"),
    [
        pytest.param(boards, side, (winner, PAST if winner else None), id=name)
        for name, boards, side, winner in (
            ("steps past", ["w---- ----- b-b-- ---W- ----B", "w---- ----- b-bW- ----- ----B"], "b", "w"),
            ("is level with one", ["w---- ----- b-bW- ----- ----B", "w---- ---W- b-b-- ----- ----B"], "b", None),
            ("moves to the side", ["w---- ----- b-b-- --W-- ----B", "w---- ----- b-b-- ---W- ----B"], "b", "w"),
            ("nobody knows what moved", ["w---- ----- b-b-- ---W- ----B"], "b", None),
            ("a pawn moved", ["-w--- ----- b-b-- ---W- ----B", "w---- ----- b-b-- ---W- ----B"], "b", None),
            ("an opposing pawn went by", ["w---- ----- b-b-- ---W- ----B", "w---- ----- b---- --bW- ----B"], "w", None),
            ("the other flag moved", ["w---- ----- b-b-- ---W- ---B-", "w---- ----- b-b-- ---W- ----B"], "w", None),
            ("is behind one", ["----B ---W- ----- b---- -w---", "---WB ----- ----- b---- -w---"], "b", None),
            ("Black goes up", ["W--B- -w--- ----- ---b- -----", "W---- -w-B- ----- ---b- -----"], "w", "b"),
        )
    ],
)
def test_a_flag_that_has_moved_past_all_pawns_has_won(boards: list[str], side: str, expected: Any) -> None:
    assert won(boards, side) == expected


def test_no_board_comes_again_which_the_search_knows_too() -> None:
    history = [START]
    for side, seen in (("w", 0), ("b", 1), ("w", 2)):
        assert len(history) - 1 == seen
        history = [legal_moves(history, side)[-1], *history]
    forbidden = legal_moves([history[0]], "w")
    assert {*forbidden} & {*history}
    assert {*legal_moves(history, "w")} == {*forbidden} - {*history}
    # What was there before cannot be the answer to a move either.
    board, side = rows("W---- -w--- b---- ----- ---bB"), "w"
    free = compiled().AlphaBetaMove(state([board], side), 2)
    changed = 0
    for first in legal_moves([board], side):
        for second in legal_moves([first, board], other(side)):
            history = [board, second]
            value, _ = compiled().AlphaBetaMove(state(history, side), 2)
            assert value == minimax(history, side, 2, weights())
            changed += value != free[0]
    assert changed


@pytest.mark.usefixtures("deep")
def test_a_history_may_be_long() -> None:
    assert legal_moves([START, *(START[::-1] for _ in range(3000))], "w") == legal_moves([START], "w")


@st.composite
def boards(draw, largest: int = 7, most: int = 8) -> str:
    """A flag and pawns on either side, anywhere, or White's before Black's as in a first board."""
    size = draw(st.integers(3, largest))
    places = draw(st.permutations(range(size * size)))
    count = draw(st.integers(2, min(most, size * size // 2)))
    pawns, taken = draw(st.integers(1, count - 1)), ["-"] * (size * size)
    pieces = ["W", *"w" * pawns, *"b" * (count - pawns), "B"]
    if draw(st.booleans()):
        places = sorted(places[: len(pieces)])
    for place, piece in zip(places, pieces, strict=False):
        taken[place] = piece
    return "".join(taken)


@settings(deadline=None, max_examples=60)
@given(boards(), COLOURS, st.randoms(use_true_random=False))
def test_games_at_random_are_as_the_second_program_has_them(board: str, side: str, chance: random.Random) -> None:
    history = [board]
    for _ in range(30):
        expected = plain_winner(history, side)
        assert winner(history, side) == expected
        found = legal_moves(history, side)
        assert sorted(found) == ([] if expected else sorted(moves(history, side)))
        if expected:
            break
        history, side = [chance.choice(found), *history], other(side)


@settings(deadline=None, max_examples=200)
@given(st.integers(1, 4), st.data(), COLOURS)
def test_so_is_the_winner_on_any_boards(size: int, data: st.DataObject, side: str) -> None:
    """Also without flags, without pawns, and full."""
    history = []
    for _ in range(data.draw(st.integers(1, 3))):
        signs = data.draw(st.lists(st.sampled_from("-wb"), min_size=size**2, max_size=size**2))
        for flag in "WB":
            if data.draw(st.booleans()):
                signs[data.draw(st.integers(0, size**2 - 1))] = flag
        history.append("".join(signs))
    assert winner(history, side) == plain_winner(history, side)


@settings(deadline=None, max_examples=100)
@given(boards(), COLOURS)
def test_the_features_count_what_the_page_says(board: str, side: str) -> None:
    program = compiled()
    seen = program.Seen(program.BoardOf(board, isqrt(len(board))), SIDES[side], program.Field(isqrt(len(board))))
    assert {feature.__name__: feature(seen) for feature in program.Features} == features(board, side)
    assert program.Score(seen) == score(board, side, weights())


def future(history: list[str], side: str, chance: random.Random) -> list[str]:
    """Boards to which two or three moves can lead."""
    found = []
    for _ in range(chance.randrange(10)):
        line, to_move = history, side
        for _ in range(chance.randrange(2, 4)):
            if after := legal_moves(line, to_move):
                line, to_move = [chance.choice(after), *line], other(to_move)
        found.append(line[0])
    return found


@settings(deadline=None, max_examples=60)
@given(boards(5, 5), COLOURS, st.integers(1, 3), st.randoms(use_true_random=False))
def test_both_searches_find_what_plain_minimax_finds(board: str, side: str, depth: int, chance: random.Random) -> None:
    """After some moves; in the history stand some boards that are yet to come, as in no game. And the move that they
    make is worth what they say."""
    history = [board]
    for _ in range(chance.randrange(6)):
        if found := legal_moves(history, side):
            history, side = [chance.choice(found), *history], other(side)
    history += future(history, side, chance)
    if winner(history, side):
        return
    value, _ = compiled().AlphaBetaMove(state(history, side), depth)
    assert value == minimax(history, side, depth, weights())
    chosen = capture(history, side, depth)
    assert chosen == capture(history, side, depth, search="minimax")
    assert -minimax([chosen, *history], other(side), depth - 1, weights()) == value


def test_a_win_is_taken_soon_and_chance_beaten() -> None:
    """The boards in the history are one more for each ply."""
    program, deepest = compiled(), []

    def counted(state: Any) -> Any:
        deepest.append(len(state[1]))
        return program.Choices(state)

    for depth in (1, 2, 3):
        deepest.clear()
        program.MiniMax(state([START], "w"), depth, counted, program.Play, program.Value)
        assert max(deepest) == 1 + depth
    board = rows("W---- -w--- -B--- ----- b----")
    for depth in (1, 2, 3):
        assert capture([board], "w", depth) == rows("W---- ----- ----- -w--- b----")
    assert compiled().AlphaBetaMove(state([board], "w"), 3)[0] == compiled().Victory + 2
    # Twelve games on three boards, six with either side.
    wins = 0
    for number in range(12):
        chance, own, history, side = random.Random(number), "wb"[number % 2], [FIRST_BOARDS[number % 3]], "w"
        while winner(history, side) is None:
            found = capture(history, side, 3) if side == own else chance.choice(legal_moves(history, side))
            history, side = [found, *history], other(side)
        wins += winner(history, side) == own
    assert wins >= 0.95 * 12


FIRST_BOARDS = (START, "w-W-w" + "-" * 15 + "b-B-b", "-W--" + "wwww" + "bbbb" + "--B-")


def test_invalid_histories_sides_depths_and_searches() -> None:
    for history, error, message in (
        (None, TypeError, "a history is a list of boards, not NoneType"),
        (START, TypeError, "a history is a list of boards, not str"),
        ({START}, TypeError, "a history is a list of boards, not set"),
        ([], ValueError, "a history has at least one board, the one that is there now"),
        ([START, None], TypeError, "board 2 of the history is a string or a list, not NoneType"),
        ([START, 7], TypeError, "board 2 of the history is a string or a list, not int"),
        ([b"W-w---b-B"], TypeError, "board 1 of the history is a string or a list, not bytes"),
        ([["W", 1, "-", "b"]], ValueError, "sign 2 of board 1 of the history is 1, which is none of w, W, b, B and -"),
        (
            [["W-", "bB", [], ""]],
            ValueError,
            "sign 1 of board 1 of the history is 'W-', which is none of w, W, b, B and -",
        ),
        ([[]], ValueError, "board 1 of the history is not square: it has 0 signs"),
        ([list(START)[1:]], ValueError, "board 1 of the history is not square: it has 24 signs"),
        ([[*"W-w-x-b-B"]], ValueError, "sign 5 of board 1 of the history is 'x', which is none of w, W, b, B and -"),
        ([""], ValueError, "board 1 of the history is not square: it has 0 signs"),
        ([START, START[1:]], ValueError, "board 2 of the history is not square: it has 24 signs"),
        (
            [START, "-wWw--www-----bbb--bBb-"],
            ValueError,
            "board 2 of the history is not square: it has 23 signs; the task misprints its first board so, it is "
            "-wWw--www-------bbb--bBb-",
        ),
        ([START, "W-w---b-B"], ValueError, "the boards of a history are of one size: board 2 has 9 signs, board 1 25"),
        (["W-w-x-b-B"], ValueError, "sign 5 of board 1 of the history is 'x', which is none of w, W, b, B and -"),
        (["W-w-W-b-B"], ValueError, "board 1 of the history has 2 flags of White, not one"),
        (["W-w-B-b-B"], ValueError, "board 1 of the history has 2 flags of Black, not one"),
    ):
        for call in (legal_moves, winner, reason, lambda history, side: capture(history, side, 1)):
            with pytest.raises(error) as raised:
                call(history, "w")
            assert str(raised.value) == message
    for side in ("W", "white", "", None, 1, True):
        for call in (legal_moves, winner, lambda history, side: capture(history, side, 1)):
            with pytest.raises(ValueError if isinstance(side, str) else TypeError, match=r"^a side is "):
                call([START], side)
    for depth in (0, -1, True, 1.0, "2", None):
        with pytest.raises(ValueError if type(depth) is int else TypeError, match=r"^the depth is "):
            capture([START], "w", depth)
    with pytest.raises(ValueError, match=r"^a search is alphabeta or minimax, not 'best'$"):
        capture([START], "w", 1, search="best")
