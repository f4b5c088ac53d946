"""`cpl board`: positions as text and as pictures, and what is no position."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import run, run_alone
from screen import Screen

SVG = "{http://www.w3.org/2000/svg}"
TWO_KINGS = "B:W18,K30:B15,K2"


def test_a_position_as_text_with_numbers_turned_and_the_last_move() -> None:
    done = run("cpl", "board", TWO_KINGS, "--ascii", well=True)
    assert done.stdout.splitlines()[3:6] == [
        "    13      14       b      16",
        "        17       w      19      20",
        "    21      22      23      24",
    ]
    assert done.stdout.endswith("\nBlack to play.\n")
    first = run("cpl", "board", "--no-ascii").stdout
    assert (first.count("●"), first.count("○")) == (12, 12)
    done = run("cpl", "board", "w:w21-32:b1-10,12,15", "--last", "11 15", "--numbers", "--flip", "--ascii")
    assert done.stdout.splitlines()[4:6] == [
        "       16       [15b]      14        13",
        "  12b      [11]       10b        9b",
    ]
    done = run("cpl", "board", "B:WK22:B1", "--last", "22x13x6x15x22", "--ascii")
    assert (done.returncode, "[W]" in done.stdout) == (0, True)


def test_a_position_as_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "position.svg"
    done = run("cpl", "board", "W:W30:B8,K31", "-o", file, "--last", "22x31")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    text = file.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.attrib["aria-label"] == (
        "White to play; black man on 8; white man on 30; black king on 31; an arrow from 22 to 31"
    )
    assert {str(number) for number in range(1, 33)} <= {element.text for element in root.iter(f"{SVG}text")}
    assert run("cpl", "board", "W:W30:B8,K31", "-o", "-", "--last", "22x31").stdout == text
    assert run("cpl", "board", "-o", tmp_path / "none" / "x.svg", status=1).stderr.endswith("does not exist\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nonsense",), "'nonsense' is not a position: write one like "),
        (("B:W33:B1",), "'33' is not a piece: write a square from 1 to 32"),
        (("B:W30:B\x1b[31m",), "is not a position"),
        ((TWO_KINGS, "--last", "x"), "--last x: 'x' is not a move: write one like 11-15"),
        ((TWO_KINGS, "--last", "2-33"), "--last 2-33: '33' is not a square"),
        ((TWO_KINGS, "--last", "22-30"), "--last 22-30: no piece goes so; "),
        ((TWO_KINGS, "--last", "12x19x30"), "--last 12x19x30: no piece goes so; "),
        ((TWO_KINGS, "--last", "11-15"), "--last 11-15: white moved last, and has no piece on 15"),
        (("B:W18,22:B1", "--last", "22-18"), "--last 22-18: there is still a piece on 22"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    file = tmp_path / "kept.svg"
    file.write_text("kept", encoding="utf-8")
    done = run("cpl", "board", *arguments, "-o", file, fails=2)
    assert message in done.stderr
    assert done.stderr.startswith("cpl board: ") and done.stderr.count("\n") == 1 and "\x1b" not in done.stderr
    assert file.read_text(encoding="utf-8") == "kept"


def test_colour_only_at_a_terminal() -> None:
    for settings, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        screen = Screen("board", TWO_KINGS, **settings)
        assert ("\x1b[48;5;" in screen.until("Black to play.")) == coloured
        assert screen.ended() == 0
    done = run_alone("cpl", "board", TWO_KINGS, LANG="C", LC_ALL="")
    assert done.stdout.isascii() and "\x1b" not in done.stdout
