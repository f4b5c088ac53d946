"""What `cpl.games.capture` says of input that is none, and that it leaves the caller's history as it is."""

import subprocess
import sys
from typing import Any

import pytest

from cpl.games.capture import START, capture, legal_moves, reason, winner


def test_the_history_stays_as_it_is() -> None:
    history = [START]
    legal_moves(history, "w"), winner(history, "w"), capture(history, "w", 2)
    assert history == [START]
    assert capture((START,), "w", 1) == capture(history, "w", 1)


def test_importing_the_game_compiles_nothing() -> None:
    code = "import cpl.games.capture, sys; print('cpl.compiler' in sys.modules, 'lark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


@pytest.mark.parametrize(
    ("history", "error", "message"),
    [
        (None, TypeError, "a history is a list of boards, not NoneType"),
        (START, TypeError, "a history is a list of boards, not str"),
        ({START}, TypeError, "a history is a list of boards, not set"),
        ([], ValueError, "a history has at least one board, the one that is there now"),
        ([list(START)], TypeError, "board 1 of the history is a string, not list"),
        ([START, None], TypeError, "board 2 of the history is a string, not NoneType"),
        ([""], ValueError, "board 1 of the history is not square: it has 0 signs"),
        ([START, START[1:]], ValueError, "board 2 of the history is not square: it has 24 signs"),
        (
            [START, "W-w---b-B"],
            ValueError,
            "the boards of a history are of one size: board 2 has 9 signs, board 1 25",
        ),
        (["W-w-x-b-B"], ValueError, "sign 5 of board 1 of the history is 'x', which is none of w, W, b, B and -"),
        (["W-w-W-b-B"], ValueError, "board 1 of the history has 2 flags of White, not one"),
        (["W-w-B-b-B"], ValueError, "board 1 of the history has 2 flags of Black, not one"),
    ],
)
def test_what_is_no_history(history: Any, error: type[Exception], message: str) -> None:
    for call in (
        lambda: capture(history, "w", 1),
        lambda: legal_moves(history, "w"),
        lambda: winner(history, "w"),
        lambda: reason(history, "w"),
    ):
        with pytest.raises(error) as raised:
            call()
        assert str(raised.value) == message


@pytest.mark.parametrize("side", ["W", "white", "", None, 1, True])
def test_what_is_no_side(side: Any) -> None:
    error = ValueError if isinstance(side, str) else TypeError
    for call in (
        lambda: capture([START], side, 1),
        lambda: legal_moves([START], side),
        lambda: winner([START], side),
    ):
        with pytest.raises(error, match=r"^a side is "):
            call()


@pytest.mark.parametrize("depth", [0, -1, True, 1.0, "2", None])
def test_what_is_no_depth(depth: Any) -> None:
    with pytest.raises(ValueError if type(depth) is int else TypeError, match=r"^the depth is "):
        capture([START], "w", depth)


def test_what_is_no_search() -> None:
    with pytest.raises(ValueError, match=r"^a search is alphabeta or minimax, not 'best'$"):
        capture([START], "w", 1, search="best")


def test_who_has_no_legal_move_cannot_be_asked_for_one() -> None:
    with pytest.raises(ValueError, match=r"^the game is over, b has won: the other has no legal move$"):
        capture(["wWwbbbBbb"], "w", 1)
