"""Boards as pictures and as text, also by `cpl board`; programs beside their Python."""

import ast
import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cplrt
import pytest
from colours import contrast, of_terminal
from command_line import run, run_alone
from conftest import ROOT
from screen import Screen

import cpl
from cpl.games import checkers
from cpl.games.board import Board, Square, strachey
from cpl.games.moves import BadMove, lettered
from cpl.games.playable import NAMES, game_of
from cpl.games.position import DARK, NAMES_OF_SQUARES, NUMBERS, square_names
from cpl.study.views.listing import SideBySide, beside

SVG = "{http://www.w3.org/2000/svg}"


def circles(board: Board) -> int:
    return len(ElementTree.fromstring(board._repr_svg_()).findall(f"{SVG}circle"))


def test_the_first_position_is_a_board(game) -> None:
    board = strachey(game.StartPosition)
    assert str(board).splitlines()[0] == ". b . b . b . b"
    assert str(board).splitlines()[-1] == "Black to play."
    assert len(board.pieces) == 24
    assert circles(board) == 48
    assert board.labels[0, 1] == "5" and board.labels[7, 6] == "39"
    root = ElementTree.fromstring(board._repr_svg_())
    assert len(root.findall(f"{SVG}rect")) == 1 + 64
    assert "black man on 5;" in root.attrib["aria-label"]


def test_kings_are_shown(game) -> None:
    white_to_play = (game.Logical([5]), game.Logical([39]), game.Logical([5, 39]), game.White)
    assert strachey(white_to_play).pieces == {(0, 1): "W", (7, 6): "B"}
    assert "white king on 5" in strachey(white_to_play).described()


def test_squares_that_a_move_changed_are_marked(game) -> None:
    after = strachey(game.ChosenPosition(game.StartPosition), before=game.StartPosition)
    assert after.marked == [(2, 1), (3, 2)]  # what a move changed: 14 to 19


SIZES = (3, 5, 8, 12, 26)


@pytest.mark.parametrize("size", SIZES)
def test_squares_have_names_of_letters_and_numbers(size: int) -> None:
    squares = [*product(range(size), repeat=2)]
    assert {*square_names(size)} == {*squares}
    names = [square_names(size)[square] for square in squares]
    assert [lettered(size).path(f"{name}-{name}")[0] for name in names] == squares
    assert (names[0], names[-1]) == (f"a{size}", f"{'_abcdefghijklmnopqrstuvwxyz'[size]}1")
    assert lettered(size).path(f" {names[-1].upper()} {names[0]} ") == (squares[-1], squares[0])


def test_what_is_no_square_is_refused() -> None:
    why = r"is not a square: squares are a1 to h8$|is not a move: write one like b4-b3$"
    for name in (*"c 3 c0 c9 i1 c03 cc3 c³ ä1 c-1 c99 c100".split(), "", "c3 d4"):
        with pytest.raises(BadMove, match=why):
            lettered(8).path(f"{name}-a1")


def corners(size: int) -> dict[Square, str]:
    """All kinds of pieces: r, b and w, men and others."""
    return {(0, 0): "r", (0, size - 1): "B", (size - 1, 0): "w", (size - 1, size - 1): "W", (1, 1): "b", (1, 0): "R"}


def drawn(board: Board) -> ElementTree.Element:
    return ElementTree.fromstring(board.svg())


def ground(board: Board) -> list[tuple[float, float, str]]:
    """Where the squares of a picture are, and their colours; the first rectangle is the frame."""
    squares = drawn(board).findall(f"{SVG}rect")[1:]
    return [(float(square.attrib["x"]), float(square.attrib["y"]), square.attrib["fill"]) for square in squares]


@pytest.mark.parametrize(("size", "flipped"), [*product(SIZES, (False, True))])
def test_pictures_of_all_sizes(size: int, flipped: bool) -> None:
    board = Board(corners(size), size=size, flipped=flipped, cell=20)
    squares = ground(board)
    assert len(squares) == size**2
    assert {x for x, _, _ in squares} == {18 + 20 * column for column in range(size)}
    marked = replace(board, marked=[(0, 0)])
    (place,) = [place for place, (one, two) in enumerate(zip(squares, ground(marked), strict=True)) if one != two]
    assert squares[place][:2] == ((18 + 20 * (size - 1),) * 2 if flipped else (18, 18))
    assert circles(board) == 2 * 3 + 3  # a man has a ring, a king a crown
    rim = [element.text for element in drawn(board).findall(f"{SVG}text")]
    assert rim[:size] == sorted(rim[:size], reverse=flipped)
    assert rim[size:] == [str(number) for number in (range(1, size + 1) if flipped else range(size, 0, -1))]


def test_arrows_go_over_their_squares_but_no_numbers() -> None:
    board = Board({}, {(0, 0): "x"}, arrows=[[(7, 0), (5, 2), (7, 4)], [(0, 0)], [(1, 1), (1, 1)]])
    (line,) = drawn(board).iter(f"{SVG}polyline")  # no step, no arrow
    (head,) = drawn(board).iter(f"{SVG}polygon")
    points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    assert points[:2] == [(26, 334), (114, 246)]
    tip = tuple(map(float, head.attrib["points"].split()[0].split(",")))
    assert points[1] < points[2] < tip < (202, 334)  # on its way to the middle of the last square
    assert "an arrow from a1 to c3 to e1" in board.described()
    (turned,) = drawn(replace(board, flipped=True)).iter(f"{SVG}polyline")
    assert turned.attrib["points"].startswith("334,26 246,114 ")
    assert "arrow" not in Board({}).described()
    for down, right, flipped in [*product((-1, 1), (-1, 1), (False, True))]:
        path = [(4, 3), (4 + 2 * down, 3 + 2 * right), (4 + down, 3 + 3 * right)]  # over a square, then back by one
        board = drawn(Board({}, NUMBERS, arrows=[path], flipped=flipped))
        (line,) = board.iter(f"{SVG}polyline")
        points = [complex(*map(float, point.split(","))) for point in line.attrib["points"].split()]
        numbers = board.findall(f"{SVG}text")
        assert len(numbers) == len(NUMBERS)
        for number in numbers:
            to_left = number.attrib.get("text-anchor") == "end"
            middle = complex(float(number.attrib["x"]) + (-7 if to_left else 7), float(number.attrib["y"]) - 4)
            for start, end in pairwise(points):
                along = (middle - start) / (end - start)
                nearest = start + min(max(along.real, 0), 1) * (end - start)
                assert abs(middle - nearest) > 11, number.text  # half the height of a number, and half the line


def test_invalid_boards() -> None:
    for wrong, message in (
        ({"size": 0}, "a board has 1 to 26 squares"),
        ({"size": 27}, "a board has 1 to 26 squares"),
        ({"capital": "queen"}, "a capital letter is one of king, flag, not 'queen'"),
        ({"arrows": [[(7, 7), (8, 8)]]}, r"0 to 7, not \(8, 8\)"),
        ({"marked": [(0, -1)]}, r"0 to 7, not \(0, -1\)"),
        ({"pieces": {(3, 4): "b", (5, 0): "w"}, "size": 5}, r"0 to 4, not \(5, 0\)"),
        ({"pieces": {(3, 4): "x"}}, "a piece is one of b, .*, or a capital, not 'x'"),
    ):
        with pytest.raises(ValueError, match=message):
            Board(**{"pieces": {}, **wrong})


def test_flags_are_shown() -> None:
    board = Board({(0, 2): "B", (4, 2): "W", (1, 1): "b"}, size=5, capital="flag")
    assert board.described() == "black flag on c5; black pawn on b4; white flag on c1"
    assert len(drawn(board).findall(f"{SVG}g")) == 2
    assert circles(board) == 2
    assert "⚑" in board.text() and "⚐" in board.text()


def test_captions_are_broken_into_lines_under_the_board() -> None:
    board = Board({}, {(0, 0): "<&"}, "White to play, who lost\nhis flag\x1b[31m <script>", size=3)
    root = drawn(board)
    frame, (_, *lines) = root.findall(f"{SVG}rect")[0], root.findall(f"{SVG}text")
    assert [line.text for line in lines] == ["White to play, who", "lost his flag [31m", "<script>"]
    assert float(lines[-1].attrib["y"]) < float(root.attrib["height"]) == float(frame.attrib["height"])
    assert contrast(lines[-1].attrib["fill"], frame.attrib["fill"]) >= 4.5
    assert board.text().splitlines()[-1] == "White to play, who lost his flag [31m <script>"


def test_colours_change_nothing_but_colours() -> None:
    board = Board(corners(5), size=5, marked=[(1, 0)], caption="To play")
    text = board.text(colour=True)
    assert [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()] == board.text().splitlines()
    assert text.count("\x1b[0m") == 25


def test_numbers_stand_beside_pieces_and_marks() -> None:
    numbered = Board({(0, 1): "b", (1, 0): "W"}, {(0, 1): "1", (0, 3): "2", (1, 0): "13"}, size=4, marked=[(1, 0)])
    assert numbered.text(numbers=True).splitlines()[:2] == ["        1●        2", " [13♕]"]
    lettered = Board({(0, 0): "r", (1, 1): "B"}, size=2, marked=[(0, 1)])
    assert lettered.text(unicode=False, numbers=True).splitlines() == ["  a2r [b2]", "  a1   b1B"]


@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_every_game_are_those_of_its_moves(name: str) -> None:
    game = game_of(name)
    text = game.board(game.start()).text(numbers=True)
    assert all(name in re.findall(r"\w+", text) for name in game.notation.squares.values())
    assert max(map(len, text.splitlines())) <= 60


@pytest.mark.parametrize(("size", "flipped", "capital"), [*product(SIZES, (False, True), ("king", "flag"))])
def test_text_for_a_terminal(size: int, flipped: bool, capital: str) -> None:
    board = Board(corners(size), size=size, flipped=flipped, capital=capital, marked=[(1, 0)], caption="σ to play")
    text = board.text()
    assert "\x1b" not in text
    assert all(unicodedata.east_asian_width(sign) not in "WF" and not unicodedata.combining(sign) for sign in text)
    plain = board.text(unicode=False)
    assert plain.isascii() and "\x1b" not in plain
    rows = plain.splitlines()
    assert len(rows) == len(text.splitlines()) == size + 2
    names = [line.split()[0] for line in rows[:size]]
    assert names == [str(number) for number in (range(1, size + 1) if flipped else range(size, 0, -1))]
    for square, piece in board.pieces.items():  # each where its letter and its number meet
        column = rows[size].index(square_names(size)[square][0])
        assert rows[names.index(square_names(size)[square][1:])][column] == piece
    assert plain.count("[") == 1 and "[R]" in plain


def everything() -> list[Board]:
    """Boards on which everything stands that is ever drawn, on every sort of square where it does."""
    boards = []
    for game in map(game_of, NAMES):
        turn = game.start()
        for move in (None, *(0,) * 12):
            path = [*turn.legal][move] if move is not None else ()
            turn = game.play(turn, path) if path else turn
            boards.append(game.board(turn, path))
    for capital, shift, is_marked in product(("king", "flag"), (0, 1), (False, True)):
        squares = [(row, column + shift) for row, column in product((2, 4), (1, 3, 5))]
        ghosts = [(7, shift)]
        marked = [*squares, *ghosts] if is_marked else []
        pieces = dict(zip(squares, "bwrBWR", strict=True))
        boards.append(Board(pieces, capital=capital, marked=marked, caption="To play", ghosts=ghosts))
    return boards


def test_everything_on_a_terminal_and_in_a_picture_stands_out() -> None:
    seen = set()
    for board, numbers in product(everything(), (False, True)):
        cells = re.findall(r"\x1b\[48;5;(\d+);(?:1;)?38;5;(\d+)m([^\x1b]*)", board.text(colour=True, numbers=numbers))
        seen |= {(sign, int(pen), int(ground)) for ground, pen, text in cells for sign in text.strip()}
    assert {sign for sign, _, _ in seen} >= {*"●○♛♕⚑⚐♔·[]0123456789abcdefgh"}
    assert len({ground for _, _, ground in seen}) == 3
    assert {each for each in seen if contrast(of_terminal(each[1]), of_terminal(each[2])) < 4.5} == set()
    seen = {pair for board in everything() for pair in drawn_pairs(board)}
    assert {kind for kind, _, _ in seen} == {"text", "circle", "path", "polyline", "polygon"}
    assert len({ground for kind, _, ground in seen if kind == "circle"}) == 6  # three sorts of squares, three of discs
    assert {each for each in seen if max(contrast(colour, each[2]) for colour in each[1]) < 4.5} == set()


def colours(element: ElementTree.Element) -> frozenset[str]:
    return frozenset({element.get("fill"), element.get("stroke")} - {None, "none"})


def drawn_pairs(board: Board) -> Iterator[tuple[str, frozenset[str], str]]:
    """What is drawn, its colours, of which one must stand out, and the colour under it."""
    root = drawn(board)
    frame, *squares = root.findall(f"{SVG}rect")
    assert (frame.get("width"), frame.get("height")) == (root.get("width"), root.get("height"))  # no page shows through
    under = frame.attrib["fill"]
    for element in [*root][2:]:
        kind = element.tag.removeprefix(SVG)
        if kind == "rect":
            under = element.attrib["fill"]
        elif kind == "text":  # a number in a square, or the rim and the caption
            yield kind, colours(element), frame.attrib["fill"] if element.get("text-anchor") == "middle" else under
        elif kind == "g":
            for part in element:
                grounds = {each.attrib["fill"] for each in squares} if part.get("points") else {under}
                yield from ((part.tag.removeprefix(SVG), colours(part), ground) for ground in grounds)
        else:
            yield kind, colours(element), under
            under = element.attrib["fill"] if kind == "circle" and element.get("fill") != "none" else under


def test_checkers_and_the_other_side_are_shown() -> None:
    """The numbers of squares can be read, and the last action is seen."""
    rows = checkers.start().picture().text(unicode=False).splitlines()
    assert rows[2:6] == [
        " 9       r       r       r       r  12",
        "    13      14      15      16",
        "        17      18      19      20",
        "21   b       b       b       b      24",
    ]
    action = [(2, 1), (3, 2)]
    state = checkers.successor(checkers.start(), action)
    board = state.picture(action)
    assert (board.marked, board.arrows) == ((*action,), [(*action,)])
    assert board.described().endswith("; an arrow from 9 to 14")
    text = board.text(unicode=False)
    assert text.count("[") == 2 and "[9]" in text and "[r]" in text
    assert str(board) == str(state)
    assert state._repr_svg_() == state.picture().svg()
    with pytest.raises(ValueError, match="an action is"):
        state.picture([(2, 1)])
    flipped = checkers.start().picture(flipped=True).text(unicode=False).splitlines()
    assert flipped[3] == "    20      19      18      17"
    board = Board(corners(3), size=3, caption="To play")
    assert str(board) == "r . B\nR b .\nw . W\nTo play"
    assert str(replace(board, flipped=True)) == "W . w\n. b R\nB . r\nTo play"


def test_definitions_beside_their_python() -> None:
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
    assert '(<span class="c-nv">x</span>) = <span class="c-nv">x</span> &lt; Two' in html
    assert listings(html) == [text for pair in pairs.pairs for text in (pair.cpl, pair.python)]
    with pytest.raises(KeyError):
        beside(cpl.compile_text("Two = 2"), "Three")


def test_definitions_are_shown_as_they_were_loaded() -> None:
    source, library = cpl.Source("f.cpl", "F(x) = G(x) + 1"), cpl.Source("g.cpl", "G(x) = x")
    game = cpl.load(source, libraries=[library], reading="arithmetic")
    assert repr(beside(game, "F")) == repr(beside(cpl.compile_text(source.text, libraries=[library]), "F"))
    assert "Plus(" in repr(beside(cpl.load("strachey-original.cpl", repair=True, reading="arithmetic"), "MakeMove"))
    with pytest.raises(TypeError, match="math was not loaded by cpl"):
        beside(math)


def test_declarations_and_commands_are_shown_beside_their_python() -> None:
    compiled = cpl.compile_text(
        "node Leaf is string Letter\nelement Tree is Leaf or real\nlet (Alpha, Beta) = (1,2)\ninteger n\n"
        "n := 5\nreal list Some = NIL\nF(x) = ‘a\u2028b’\n"
    )
    pairs = {pair.name: pair for pair in beside(compiled).pairs}
    assert {*pairs} == {"Leaf", "Tree", "Alpha, Beta", "Some", "F", ""}
    assert pairs[""].cpl == "n := 5"
    assert pairs["Leaf"].cpl == "node Leaf is string Letter"
    assert pairs["F"].python.endswith('    return "a\\u2028b"')
    assert beside(compiled, "Beta").pairs == (pairs["Alpha, Beta"],)


def test_functions_that_are_values_are_shown_beside_their_python() -> None:
    text = "L = λx. x = 1 → 2, 3\nM = λx. x + 1\nlet (P, Q) = (λx. x, λx. 2x)\n"
    pairs = beside(cpl.compile_text(text)).pairs
    assert [pair.cpl for pair in pairs] == text.splitlines()
    assert [pair.name for pair in pairs] == ["L", "M", "P, Q"]
    assert pairs[0].python == "def L(x: float) -> int:\n    if Equal(x, 1):\n        return 2\n    return 3"
    names: dict[str, Any] = {"Callable": Callable, "Any": Any, "Equal": cplrt.Equal}
    exec("\n".join(pair.python for pair in pairs), names)
    assert (names["L"](1), names["M"](2), names["P"](3), names["Q"](4)) == (2, 3, 3, 8)


def listings(html: str) -> list[str]:
    """The texts that a table of definitions shows, CPL and Python by turns."""
    return ["".join(element.itertext()).removesuffix("\n") for element in ElementTree.fromstring(html).iter("pre")]


@pytest.mark.parametrize(
    "name", ["codes.cpl", "library/checkers-1966.cpl", "library/standard.cpl", "macrogenerator.cpl", "strachey.cpl"]
)
def test_the_python_that_is_shown_is_all_of_the_python(name: str) -> None:
    path = ROOT / "programs" / name
    libraries = [ROOT / "programs" / "strachey.cpl"] if path.name == "checkers-1966.cpl" else []
    libraries += [ROOT / "programs" / "library" / "checkers-1966.cpl"] if libraries else []
    compiled = cpl.compile_text(path.read_text("utf-8"), path=str(path), libraries=libraries, repair=True)
    texts = [listings(SideBySide((pair,))._repr_html_())[1] for pair in beside(compiled).pairs]
    shown = [ast.dump(statement) for text in texts for statement in ast.parse(text).body]
    made = [node for node in ast.parse(compiled.python).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    for node in made:
        del node.body[0]  # the CPL
    assert made or path.name == "standard.cpl"
    assert not {ast.dump(node) for node in made} - {*shown}


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


def numbers_of_squares(drawn: str) -> dict[Square, str]:
    """The numbers in a board of text that shows them all, by their squares."""
    lines = drawn.splitlines()[:8]
    numbers = [number for line in lines for number in re.findall(r"\d+", line)]
    assert [len(re.findall(r"\d+", line)) for line in lines] == [4] * 8
    return dict(zip(DARK, numbers, strict=True))


@pytest.mark.parametrize("name", NAMES_OF_SQUARES)
def test_every_numbering_is_drawn_and_read_back(name: str, tmp_path: Path) -> None:
    numbering = NAMES_OF_SQUARES[name]
    assert len({*numbering.values()}) == len(DARK) == 32
    drawn = run("cpl", "board", "--ascii", "--numbers", name, well=True).stdout
    assert numbers_of_squares(drawn) == numbering
    run("cpl", "board", "--numbers", name, "-o", tmp_path / "board.svg", well=True)
    picture = ElementTree.fromstring((tmp_path / "board.svg").read_text(encoding="utf-8"))
    assert [text.text for text in picture.iter(f"{SVG}text")][:32] == [*numbering.values()]


def test_numbers_of_1952_and_1966_follow_from_each_other() -> None:
    """As the table of docs/1952.md has them."""
    for square in DARK:
        n = int(NAMES_OF_SQUARES["1952"][square])
        assert NAMES_OF_SQUARES["1966"][square] == str(n + 5 + n // 8)
        assert NAMES_OF_SQUARES["official"][square] == str(n + 1)


def test_what_follows_bare_numbers_is_no_value_of_them() -> None:
    expected = run("cpl", "board", TWO_KINGS, "--numbers", "--ascii", well=True).stdout
    for arguments in (("--numbers", TWO_KINGS), ("--numbers=official", TWO_KINGS), ("--numbers", "--", TWO_KINGS)):
        assert run("cpl", "board", "--ascii", *arguments, well=True).stdout == expected
    for arguments in (("--numbers", "1953"), ("--numbers", "0"), ("--numbers=x",)):
        assert "argument --numbers: invalid choice" in run("cpl", "board", *arguments, status=2).stderr
    assert "its value is empty" in run("cpl", "board", "--numbers=", status=2).stderr


def test_positions_are_drawn_in_colour_only_at_a_terminal(tmp_path: Path) -> None:
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
    for settings, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        screen = Screen("board", TWO_KINGS, **settings)
        assert ("\x1b[48;5;" in screen.until("Black to play.")) == coloured
        assert screen.ended() == 0
    done = run_alone("cpl", "board", TWO_KINGS, LANG="C", LC_ALL="")
    assert done.stdout.isascii() and "\x1b" not in done.stdout


def test_what_is_refused(tmp_path: Path) -> None:
    for arguments, message in (
        (("nonsense",), "'nonsense' is not a position: write one like "),
        (("B:W33:B1",), "'33' is not a piece: write a square from 1 to 32"),
        (("B:W30:B\x1b[31m",), "is not a position"),
        ((TWO_KINGS, "--last", "x"), "--last x: 'x' is not a move: write one like 11-15"),
        ((TWO_KINGS, "--last", "2-33"), "--last 2-33: '33' is not a square"),
        ((TWO_KINGS, "--last", "22-30"), "--last 22-30: no piece goes so; "),
        ((TWO_KINGS, "--last", "12x19x30"), "--last 12x19x30: no piece goes so; "),
        ((TWO_KINGS, "--last", "11-15"), "--last 11-15: white moved last, and here has moved no piece from 11 to 15"),
        (
            ("B:W18,22:B1", "--last", "22-18"),
            "--last 22-18: white moved last, and here has moved no piece from 22 to 18",
        ),
    ):
        file = tmp_path / "kept.svg"
        file.write_text("kept", encoding="utf-8")
        done = run("cpl", "board", *arguments, "-o", file, fails=2)
        assert message in done.stderr
        assert done.stderr.startswith("cpl board: ") and done.stderr.count("\n") == 1 and "\x1b" not in done.stderr
        assert file.read_text(encoding="utf-8") == "kept"


def test_the_colours_of_a_board_stand_in_one_file() -> None:
    values = json.loads((ROOT / "cpl/games/board_style.json").read_text(encoding="utf-8"))
    pieces = [{**piece, "name": "#"} for piece in values["pieces"].values()]
    colours = {colour for part in (values["colours"], *pieces) for colour in part.values()} - {"#"}
    assert colours and all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)
    for file in ("cpl/games/board.py", "cpl/study/views/static/board.js", "docs/site/site.css"):
        text = (ROOT / file).read_text(encoding="utf-8")
        assert [colour for colour in [*colours, values["crown"]["path"]] if colour in text] == [], file
