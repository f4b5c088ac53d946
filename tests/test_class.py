"""The exercises for a class: no check passes before the exercise is solved, and all pass with the solutions."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import nbformat
import pytest
from conftest import ROOT
from kernels import executed

NOTEBOOK = ROOT / "notebooks/7-two-hours-with-a-program-of-1966.ipynb"
SOLUTIONS = (ROOT / "docs/class-solutions.md").read_text(encoding="utf-8")
NUMBERS = range(1, 13)

WRONG = {
    1: "direction_after_5, direction_after_4, direction_after_minus_4 = 4, -4, 5",
    2: "X, Y, K, sigma = [5, 16], [25, 30, 39], [16, 39], game.White",
    3: "man_on_11, king_on_25 = 15, [29, 30]",
    4: "chosen, its_value = 2, -5",
    5: "%%cpl mended --library strachey.cpl\nPartialPositionList(P,C,s,L) = NIL\nMoves = NIL",
    6: "first, second, third = 10, 18, 8",
    7: "kings_as_printed, kings_as_corrected = [12], [12]",
    8: "%%cpl changed --library strachey.cpl\nDepthLimit = 1",
    9: "%%cpl\nSign(x) = x > 0 → 1, -1",
    10: "%%cpl\nCount(x,L) = Count(x,L)",
    11: "%%cpl\nPowers(n) = value of\n  § let L, k = NIL, 1\n    while k < n do\n"
    "      § L, k := Join(L, [k]), 2k §|\n    result is L §|",
    12: "%%cpl\nWins(n) = n = 0 → 0, 1",
}
ADVICE = {
    1: "NextMoveDirection(-4) is not 5",
    2: "X and Y are exchanged",
    3: "Write the squares as a list",
    4: "minus the value of the position",
    5: "in the right place",
    6: "Value 2 is not 18",
    7: "By the printed text the kings are not on [12]",
    8: "still chooses the first",
    9: "Sign(0) is -1, and should be 0",
    10: "calls itself without end",
    11: "Powers(32) is [1,2,4,8,16], and should be [1,2,4,8,16,32]",
    12: "Wins(0) is 0, and should be false",
}


def solutions() -> Iterator[tuple[int, str]]:
    """The answer to each exercise, as the page has it, without the first line of a cell of CPL."""
    for number, _, text in re.findall(
        r"^## Exercise (\d+)\n\n```(python|cpl)\n(.*?)^```", SOLUTIONS, re.MULTILINE | re.DOTALL
    ):
        yield int(number), text


def checked(answers: Mapping[int, str]) -> dict[int, str]:
    """What each check says of these answers. A cell of CPL keeps its first line."""
    notebook: Any = nbformat.read(NOTEBOOK, 4)
    for cell in notebook.cells:
        for number, answer in answers.items():
            if f"answer-{number}" in cell.metadata.get("tags", ()):
                magic = cell.source.partition("\n")[0] if cell.source.startswith("%%cpl") else ""
                cell.source = answer if answer.startswith("%%cpl") or not magic else f"{magic}\n{answer}"
    said = {}
    for cell in executed(notebook, NOTEBOOK.parent, allow_errors=True):
        for tag in cell.metadata.get("tags", ()):
            if tag.startswith("check-"):
                # What one `print` writes may come in several pieces on a busy machine.
                assert {output.name for output in cell.outputs} == {"stdout"}
                said[int(tag.removeprefix("check-"))] = "".join(output.text for output in cell.outputs).strip()
    return said


@pytest.mark.filterwarnings("ignore")
def test_no_check_passes_before_the_exercise_is_solved() -> None:
    said = checked({})
    assert [*said] == [*NUMBERS]
    for number in NUMBERS:
        assert said[number].startswith(f"Exercise {number}: not yet. "), said[number]
        assert re.search("in place of the dots|the cell above|The cell above|the first of the best", said[number]), (
            said[number]
        )


@pytest.mark.filterwarnings("ignore")
def test_all_checks_pass_with_the_solutions() -> None:
    answers = dict(solutions())
    assert [*answers] == [*NUMBERS]
    assert checked(answers) == {number: f"Exercise {number}: right." for number in NUMBERS}


@pytest.mark.filterwarnings("ignore")
def test_a_check_says_what_is_wrong() -> None:
    said = checked(WRONG)
    for number in NUMBERS:
        assert said[number].startswith(f"Exercise {number}: not yet. ") and ADVICE[number] in said[number], said[number]


@pytest.mark.filterwarnings("ignore")
def test_an_older_answer_is_not_checked_in_place_of_one_with_an_error() -> None:
    right = dict(solutions())
    said = checked({9: f"{right[9]}\n{right[10]}", 10: "Count(x,L) = (x"})
    assert said[9] == "Exercise 9: right."
    assert said[10].startswith("Exercise 10: not yet. The cell above ends with an error.")
