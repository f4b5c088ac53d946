"""cplrt by itself: what it gives to Python, and what it refuses."""

import contextlib
import io
from typing import Any

import pytest
from cplrt import (
    And,
    CplFault,
    Head,
    Join,
    Juxtapose,
    Logical,
    MinList,
    Next,
    Not,
    Null,
    Or,
    Shift,
    SingleDigitFrom,
    Tail,
    show,
)
from cplrt.checkers import PrintPosition, board
from hypothesis import given
from hypothesis import strategies as st

POSITIONS = st.sets(st.integers(0, 70))
BITS = st.one_of(POSITIONS.map(Logical), POSITIONS.map(lambda each: ~Logical(each)))


@given(POSITIONS, POSITIONS)
def test_bit_strings_are_sets_of_positions(one: set[int], two: set[int]) -> None:
    x, y = Logical(one), Logical(two)
    assert set(x & y) == one & two
    assert set(x | y) == set(x + y) == one | two
    assert set(x - y) == set(x & ~y) == one - two
    assert (x == y) == (one == two)
    assert Null(x) == (not one)
    assert list(x) == sorted(one)


@given(BITS)
def test_a_bit_string_reads_back(x: Logical) -> None:
    assert eval(repr(x)) == x
    assert Logical(int(x)) == x and hash(Logical(x)) == hash(x)
    assert ~~x == x


@given(POSITIONS, st.integers(-80, 80))
def test_shift(positions: set[int], n: int) -> None:
    assert set(Shift(Logical(positions), n)) == {each - n for each in positions if each >= n}


@given(POSITIONS)
def test_single_digit(positions: set[int]) -> None:
    assert set(SingleDigitFrom(Logical(positions))) == ({min(positions)} if positions else set())


def test_bit_strings_sort() -> None:
    assert sorted([Logical(3), Logical(1), Logical(2)]) == [Logical(1), Logical(2), Logical(3)]


@given(st.lists(st.integers()))
def test_lists(members: list[int]) -> None:
    assert Null(members) == (members == [])
    if members:
        assert Join(Head(members), Tail(members)) == members
        assert Next(members) == (Head(members), Tail(members))
    assert Join(members, members) == members * 2
    assert Join((1, 2), members) == [(1, 2), *members]


def test_min_list() -> None:
    assert MinList((3,), [], (1,), Logical(0), (3,), [(2,)]) == [(3,), (1,), [(2,)]]


def test_results_are_lists_of_their_own() -> None:
    given = [1, 2]
    Join(given, []).append(3)
    Tail(given).append(3)
    assert given == [1, 2]


@pytest.mark.parametrize(
    "fault",
    [
        lambda: Head([]),
        lambda: Tail([]),
        lambda: Next(()),
        lambda: Head(3),
        lambda: Null(0),
        lambda: Null("text"),
        lambda: Logical(3) & 1,
        lambda: Logical(3) - [],
        lambda: Shift(5, 1),
        lambda: SingleDigitFrom([1]),
        lambda: Not(1),
    ],
)
def test_faults(fault: Any) -> None:
    with pytest.raises(CplFault):
        fault()


def test_operators_of_unknown_kind() -> None:
    assert Juxtapose(3, 4) == 12
    assert Juxtapose(lambda x: -x, 4) == -4
    assert And(False, lambda: 1 / 0) is False
    assert Or(True, lambda: 1 / 0) is True
    assert And(Logical(6), lambda: Logical(3)) == Logical(2)
    assert Or(Logical(6), lambda: Logical(3)) == Logical(7)
    assert (Not(True), Not(Logical(1))) == (False, ~Logical(1))


def test_show() -> None:
    values = [True, 3, 3.5, "text", [], [1, [2]], (1, False), float("inf"), Logical(5), ~Logical(0), Head]
    assert list(map(show, values)) == [
        "true",
        "3",
        "3.5",
        "‘text’",
        "NIL",
        "[1,[2]]",
        "(1,false)",
        "∞",
        "Logical([0,2])",
        "~Logical(NIL)",
        "Head",
    ]


def test_every_square_is_printed_once() -> None:
    assert len(board) == 32
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        PrintPosition((Logical(board), Logical([]), Logical([5]), -1))
    text = out.getvalue()
    assert text.count("w") == 31 and text.count("W") == 2  # the king, and "White to play."
    assert all(f"{square:2}" in text for square in board)
