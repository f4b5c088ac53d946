"""Work grows with the text, whatever its shape: counted in calls of functions, not in seconds."""

import sys
from collections.abc import Callable

import pytest
from shapes import SHAPES

import cpl

TIMES, MOST = 4, 4.6
"""How much longer the longer text is, and how much more work it may be."""


def work(command: Callable[[str], object], text: str) -> int:
    """How many calls of functions a command makes, also if it refuses the text."""
    calls = 0

    def profile(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(profile)
    try:
        command(text)
    except cpl.CplError as error:
        str(error)
    finally:
        sys.setprofile(None)
    return calls


CHECKED = (
    "functions in one way or the other",
    "loops over the function before",
    "a variable that functions read",
    "functions of constants",
    "local functions",
    "closures of a loop",
    "applications that never close",
    "unused names",
    "nodes",
    "a switch",
)


@pytest.mark.parametrize("shape", CHECKED)
def test_the_work_of_a_check_grows_with_the_text(shape: str) -> None:
    make, _ = SHAPES[shape]
    cpl.check_text(make(2))
    assert work(cpl.check_text, make(25 * TIMES)) < MOST * work(cpl.check_text, make(25))


COMPILED = ("functions in one way or the other", "several at once", "closures", "labels")


@pytest.mark.parametrize("shape", COMPILED)
def test_the_work_of_compiling_grows_with_the_text(shape: str) -> None:
    def compiled(text: str) -> object:
        return cpl.compile_text(text, pretty=False)

    make, _ = SHAPES[shape]
    compiled(make(2))
    assert work(compiled, make(25 * TIMES)) < MOST * work(compiled, make(25))


def test_optimising_grows_with_the_text() -> None:
    """The functions that end in what a builder of lists gives are found in one walk."""

    def optimised(text: str) -> object:
        return cpl.compile_text(text, pretty=False, optimise=True)

    make, _ = SHAPES["functions in one way or the other"]
    optimised(make(2))
    assert work(optimised, make(20 * TIMES)) < MOST * work(optimised, make(20))
