"""Boards as pictures and as text; programs beside their Python."""

import sys
from xml.etree import ElementTree

import pytest

import cpl
from cpl.games.board import Board, strachey
from cpl.kit.beside import beside

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def game():
    return cpl.load("strachey.cpl")


def circles(board: Board) -> int:
    return len(ElementTree.fromstring(board._repr_svg_()).findall(f"{SVG}circle"))


def test_the_first_position(game) -> None:
    board = strachey(game.StartPosition)
    assert str(board).splitlines()[0] == ". b . b . b . b"
    assert str(board).splitlines()[-1] == "Black to play."
    assert len(board.pieces) == 24
    assert circles(board) == 48
    assert board.labels[0, 1] == "5" and board.labels[7, 6] == "39"
    root = ElementTree.fromstring(board._repr_svg_())
    assert len(root.findall(f"{SVG}rect")) == 1 + 64
    assert "black man on 5;" in root.attrib["aria-label"]


def test_kings_and_whose_pieces_they_are(game) -> None:
    white_to_play = (game.Logical([5]), game.Logical([39]), game.Logical([5, 39]), game.White)
    assert strachey(white_to_play).pieces == {(0, 1): "W", (7, 6): "B"}
    assert "white king on 5" in strachey(white_to_play).described()


def test_what_a_move_changed_is_marked(game) -> None:
    start = game.StartPosition
    after = strachey(game.ChosenPosition(start), before=start)
    assert after.marked == [(2, 1), (3, 2)]  # 14 to 19


def test_names_in_a_picture_are_escaped() -> None:
    board = Board({(0, 1): "b"}, {(0, 1): "<&"}, caption='"<script>')
    assert "<script>" not in board._repr_svg_()
    assert ElementTree.fromstring(board._repr_svg_()) is not None


def test_definitions_beside_their_python(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = beside(cpl.compile_text("Two = 2\nF(x) = x < Two → x,\n  2x || < & >\n"))
    assert [(pair.name, pair.cpl, pair.python) for pair in pairs.pairs] == [
        ("Two", "Two = 2", "Two = 2"),
        (
            "F",
            "F(x) = x < Two → x,\n  2x || < & >",
            "def F(x: float) -> float:\n    if x < Two:\n        return x\n    return 2 * x",
        ),
    ]
    html = pairs._repr_html_()
    assert 'F(<span style="font-style: italic">x</span>) = <span style="font-style: italic">x</span> &lt; Two' in html
    assert ElementTree.fromstring(html) is not None
    monkeypatch.setitem(sys.modules, "pygments", None)
    assert "F(x) = x &lt; Two" in pairs._repr_html_()
    with pytest.raises(KeyError):
        beside(cpl.compile_text("Two = 2"), "Three")
