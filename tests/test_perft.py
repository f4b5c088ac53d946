"""Published counts of the lines of play of English draughts, from the start."""

from functools import partial

import pytest
from command_line import run

PUBLISHED = [7, 49, 302, 1469, 7361, 36768, 179740]


@pytest.mark.long
def test_command_to_depth_7() -> None:
    done = run("cpl", "perft", "strachey.cpl", "--depth", "7")
    assert done.stdout == " ".join(map(str, PUBLISHED)) + "\n"


def test_another_game() -> None:
    """Nothing in it knows checkers: take one or two from a heap, down to none."""
    text = "Start = 5\nMoves(n) = n < 1 → NIL, n = 1 → [0], [n - 1,n - 2]\n"
    done = run("cpl", "perft", "-", "--start", "Start", "--moves", "Moves", "--depth", "4", input=text)
    assert done.stdout == "2 4 7 5\n", done.stderr


MISSING = "<stdin> defines no StartPosition and no LegalPositionsFrom: "


@pytest.mark.parametrize(
    ("arguments", "text", "status", "said"),
    [
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
    ],
)
def test_what_is_no_game(arguments: tuple[str, ...], text: str, status: int, said: str) -> None:
    done = run("cpl", *arguments, input=text)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith(f"cpl {arguments[0]}: {said}")


def test_a_start_that_does_not_parse() -> None:
    assert "<call 1>:1:4" in run("cpl", "perft", "-", "--start", "1 +", "--moves", "F", input="F(x) = x\n").stderr


def test_a_count_runs_in_c_where_that_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    count = partial(run, "cpl", "perft", "strachey.cpl", "--depth", "3", "-v")
    assert (count().stdout, count().stderr) == ("7 49 302\n", "all in C, where that can be\n")
    assert count("-O").stderr == "all in optimised Python\n"
    game = run("cpl", "perft", "--game", "strachey", "--depth", "2", "-v")
    assert (game.stdout, game.stderr) == ("7 49\n", "searches to a fixed depth in C, all else in optimised Python\n")
    monkeypatch.setenv("CC", "false")  # a compiler that fails
    broken = count()
    assert (broken.stdout, broken.stderr.splitlines()[1:]) == (
        "7 49 302\n",
        [
            "cpl perft: warning: the library could not be built: no reason given; optimised Python is run instead of C",
            "all in optimised Python",
        ],
    )
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "")
    assert (count().stdout, count().stderr) == ("7 49 302\n", "all in optimised Python\n")
    assert count("--native").stderr.startswith("all in C, where that can be\ncpl perft: native code needs a C compiler")
