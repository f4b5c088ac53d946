"""Published counts of the lines of play of English draughts, from the start."""

from pathlib import Path

from test_cli import run

import cpl
from cpl.kit.perft import perft

PUBLISHED = [7, 49, 302, 1469, 7361, 36768, 179740]


def test_counts(root: Path) -> None:
    game = cpl.load(root / "programs" / "strachey.cpl")
    assert list(perft(game.LegalPositionsFrom, game.StartPosition, 6)) == PUBLISHED[:6]


def test_command_to_depth_7() -> None:
    done = run("cpl", "perft", "strachey.cpl", "--depth", "7")
    assert done.stdout == " ".join(map(str, PUBLISHED)) + "\n"


def test_another_game() -> None:
    """Nothing in it knows checkers: take one or two from a heap, down to none."""
    text = "Start = 5\nMoves(n) = n < 1 → NIL, n = 1 → [0], [n - 1,n - 2]\n"
    done = run("cpl", "perft", "-", "--start", "Start", "--moves", "Moves", "--depth", "4", input=text)
    assert done.stdout == "2 4 7 5\n", done.stderr


def test_a_program_that_is_no_game() -> None:
    done = run("cpl", "perft", "-", "--start", "1", input="F(x) = x\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("cpl perft: <stdin> defines no LegalPositionsFrom: name where play begins")
    done = run("cpl", "perft", "-", input="F(x) = x\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("cpl perft: <stdin> defines no StartPosition and no LegalPositionsFrom: name")
    done = run("cpl", "rules", "-", input="F(x) = x\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("cpl rules: <stdin> defines no StartPosition and no LegalPositionsFrom: they are")
    done = run("cpl", "perft", "-", "--start", "1 +", "--moves", "F", input="F(x) = x\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "<call 1>:1:4" in done.stderr
    done = run("cpl", "perft", "-", "--start", "1", "--moves", "2", input="F(x) = x\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "2 is no function" in done.stderr
