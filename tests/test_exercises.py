"""Exercises: no check passes on the program with which a lesson begins, all pass on the stored solutions, and a wrong
answer is told what is wrong. The lessons are those that the site cuts out of the page and of notebook 7.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

import lessons
import pytest
from test_class import NUMBERS, solutions

from cpl import CplError, Source, load
from cpl.compiler import pipeline
from cpl.editors.browser.answers import answer
from cpl.study.exercises import EXERCISES, ten_minutes, two_hours
from cpl.study.exercises.two_hours import _KINGS as KINGS

TASKS = {lesson.name: lesson for lesson in lessons.ten_minutes()}
CLASS = {lesson.name: lesson for lesson in lessons.two_hours()}
LESSONS = {**TASKS, **CLASS}
SOLVED = dict(solutions())
"""The answer to each exercise of the class, as its page has it."""
BY_VALUES = [name for name, exercise in EXERCISES.items() if exercise.fields]

WRONG = {
    "below": ("for x = [12,7,15,9] do WriteLine(x, ‘ is above it’)", "“7 is below it”"),
    "table": ("for i = 1 to 5 do WriteLine(i)", "Line 1 of the table should be 1 2 3 4 5"),
    "cube": ("Cube(x) = 3x", "Cube(2) is 6, and should be 8"),
    "price": ("let Price, Count = 12, 4\nWriteLine(36)", "Count should be 3"),
    "doubles": ("for i = 1 to 7 do WriteLine(2i)", "Number 1 is 2, and should be 1"),
    "days": ("Days(y) = Remainder(y,4) = 0 → 366, 365", "Days(1900) is 366, and should be 365"),
    "divisors": ("Divisors(n) = [1,n]", "Divisors(12) is [1,12], and should be [1,2,3,4,6,12]"),
    "collatz": ("Collatz(n) = Collatz(n)", "calls itself without end"),
    "sums": ("for i = 1 to 4 do WriteLine(i)", "A line has 2 where 3 is wanted"),
    "evens": ("Evens(L) = L", "Evens([3,4,6]) is [3,4,6], and should be [4,6]"),
    "double": ("let x = 8", "There is no Double"),
    "mend": ("let Total = 12", "The program should write Total"),
}


def ask(question: str, **given: Any) -> Any:
    """What a page is told."""
    return json.loads(answer(json.dumps({"ask": question, **given})))


def verdict(name: str, text: str = "", fields: Mapping[str, str] | None = None) -> Any:
    return ask("verdict", name=name, text=text, fields=fields or {})


def test_lessons_and_checks_belong_together() -> None:
    assert [*TASKS] == [exercise.name for exercise in ten_minutes.ALL]
    assert [*CLASS] == [exercise.name for exercise in two_hours.ALL] == [f"class-{number}" for number in NUMBERS]
    assert 10 <= len(TASKS) <= 12
    notebook = json.loads(lessons.NOTEBOOK.read_text(encoding="utf-8"))
    cells = {tag: cell for cell in notebook["cells"] for tag in cell["metadata"].get("tags", ())}
    for name, lesson in CLASS.items():
        assert (lesson.program is None) == (name in BY_VALUES)
        if name in BY_VALUES:
            assert lessons.fields_of(cells[f"answer-{name.removeprefix('class-')}"]) == [*EXERCISES[name].fields]


def test_the_first_loops_count_and_go_through_a_list() -> None:
    loops = [line for lesson in TASKS.values() for line in re.findall(r"\bfor .*? do\b", lesson.program or "")]
    assert loops[:3] == ["for x = Marks do", "for i = 1 to n do", 'for x = ["pen", "ink"] do']


@pytest.mark.parametrize("name", [name for name in LESSONS if name not in BY_VALUES])
def test_no_check_passes_on_the_program_to_begin_with(name: str) -> None:
    found = verdict(name, LESSONS[name].program or "")
    assert found.get("error") or found["answer"]


@pytest.mark.parametrize("name", BY_VALUES)
def test_no_check_passes_on_empty_fields(name: str) -> None:
    assert verdict(name)["answer"] == "Fill in all the fields."


@pytest.mark.parametrize("name", TASKS)
def test_the_solution_of_a_task_is_right(name: str) -> None:
    assert verdict(name, TASKS[name].solution) == {"answer": None}


@pytest.mark.parametrize("name", CLASS)
def test_the_solution_of_an_exercise_is_right(name: str) -> None:
    solution = SOLVED[int(name.removeprefix("class-"))]
    fields = dict(re.findall(r"^(\w+) = (.*)$", solution, re.MULTILINE)) if name in BY_VALUES else {}
    if name not in BY_VALUES and LESSONS[name].call:
        assert solution.rstrip().endswith(LESSONS[name].call)
        solution = solution.rstrip().removesuffix(LESSONS[name].call)
    assert verdict(name, solution, fields) == {"answer": None}


@pytest.mark.parametrize("name", TASKS)
def test_a_wrong_answer_is_told_what_is_wrong(name: str) -> None:
    text, advice = WRONG[name]
    assert advice in verdict(name, text)["answer"]


@pytest.mark.parametrize(
    ("name", "fields", "advice"),
    [
        ("class-2", {"X": "5, 16", "Y": "25 30 39", "K": "16 39", "sigma": "white"}, "X and Y are exchanged"),
        ("class-2", {"X": "25", "Y": "5", "K": "16", "sigma": "me"}, "“me” is not a side"),
        ("class-2", {"X": "25 or 30", "Y": "5", "K": "16", "sigma": "White"}, "“25 or 30” is not a list of squares"),
        ("class-3", {"man_on_11": "15", "king_on_25": "20"}, "The man on 11 goes elsewhere"),
        ("class-4", {"chosen": "two", "its_value": "5"}, "“two” is not a number"),
        ("class-4", {"chosen": "2", "its_value": "−5"}, "minus the value of the position"),
    ],
)
def test_what_is_typed_into_fields_is_read(name: str, fields: dict[str, str], advice: str) -> None:
    assert advice in verdict(name, fields=fields)["answer"]


def test_the_misprint_is_not_mended_at_once() -> None:
    """The exercise is to find the bracket: neither the page nor the cell of the notebook says where it is missing."""
    name, text = "class-5", LESSONS["class-5"].program
    [finding] = ask("check", name=name, text=text, reading="set")["answer"]["diagnostics"]
    assert finding["message"] == "this ( is never closed"
    assert (finding["help"], finding["fixes"]) == (None, [])
    [advised] = ask("check", name="", text=text, reading="set")["answer"]["diagnostics"]
    assert advised["fixes"]
    notebook = json.loads(lessons.NOTEBOOK.read_text(encoding="utf-8"))
    [cell] = [cell for cell in notebook["cells"] if "answer-5" in cell["metadata"].get("tags", ())]
    shown = json.dumps(cell["outputs"])
    assert "never closed" in shown
    assert "insert" not in shown


def test_an_answer_may_use_the_program_of_1966_and_is_called() -> None:
    text = LESSONS["class-8"].program
    found = ask("run", name="class-8", text=text, reading="set", call=LESSONS["class-8"].call)["answer"]
    assert found["boards"]
    assert ask("check", name="class-8", text=text, reading="set")["answer"]["diagnostics"] == []


def test_the_kings_of_exercise_7_are_those_of_both_programs() -> None:
    """Its check works out a line of each text: the whole texts put the kings on the same squares."""
    lines = load(Source("kings.cpl", KINGS))
    original = load("strachey-original.cpl", repair=True, reading="nil=zero")
    for program, function in ((original, lines.AsPrinted), (load("strachey.cpl"), lines.AsCorrected)):
        game: Any = program
        king = game.Logical([8])
        moved = game.MakeMove((king, game.Zero, king, game.White), game.NonCapture, -4, king)
        assert {*moved[2]} == {*function(king, king, game.Zero, game.Logical([12]))}


def test_what_the_page_shows_is_what_its_programs_write() -> None:
    """The lessons show what the build finds. It is what the page has below the same programs."""
    text = lessons.PAGE.read_text(encoding="utf-8")
    for lesson in TASKS.values():
        console = text.partition(f"```cpl\n{lesson.program}```\n\n```console\n")[2].partition("```")[0]
        shown = console.partition("$ cpl run mine.cpl\n")[2].partition("$ ")[0]
        if lesson.name == "mend":
            with pytest.raises(CplError):
                pipeline.compile_text(lesson.program or "")
            continue
        found = ask("run", name="", text=lesson.program, reading="set", call="")["answer"]
        assert shown and shown == found["written"], lesson.name
