"""Published counts of the lines of play of English draughts, from the start."""

import pytest
from command_line import run

PUBLISHED = [7, 49, 302, 1469, 7361, 36768, 179740]


@pytest.mark.long
def test_command_to_depth_7() -> None:
    assert run("cpl", "perft", "strachey.cpl", "--depth", "7").stdout == " ".join(map(str, PUBLISHED)) + "\n"


def test_another_game() -> None:
    """Nothing in it knows checkers: take one or two from a heap, down to none."""
    text = "Start = 5\nMoves(n) = n < 1 → NIL, n = 1 → [0], [n - 1,n - 2]\n"
    done = run("cpl", "perft", "-", "--start", "Start", "--moves", "Moves", "--depth", "4", input=text)
    assert done.stdout == "2 4 7 5\n", done.stderr


MISSING = "<stdin> defines no StartPosition and no LegalPositionsFrom: "


def test_what_is_no_game_and_no_start_is_told() -> None:
    for arguments, text, status, said in (
        (
            ("perft", "-", "--start", "1"),
            "F(x) = x\n",
            2,
            "<stdin> defines no LegalPositionsFrom: name where play begins",
        ),
        (("perft", "-"), "F(x) = x\n", 2, f"{MISSING}name where play begins"),
        (("rules", "-"), "F(x) = x\n", 2, f"{MISSING}define both"),
        (("perft", "-", "--start", "1", "--moves", "2"), "F(x) = x\n", 2, "2 is not a function"),
        (("perft", "-", "--start", "1", "--moves", "F"), "F(x) = x\n", 1, "expected a list, found a number"),
        (("perft", "-", "--start", "1", "--moves", "F"), "F(x,y) = x\n", 1, "F got one argument too few"),
        (
            ("perft", "--game", "capture", "--start", "X"),
            "",
            2,
            "--start and --moves are for files: a game has its own",
        ),
        (
            ("perft", "--game", "capture", "--moves", "X"),
            "",
            2,
            "--start and --moves are for files: a game has its own",
        ),
    ):
        assert run("cpl", *arguments, input=text, fails=status).stderr.startswith(f"cpl {arguments[0]}: {said}")
    assert "<call 1>:1:4" in run("cpl", "perft", "-", "--start", "1 +", "--moves", "F", input="F(x) = x\n").stderr
