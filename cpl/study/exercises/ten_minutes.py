"""The checks of the tasks in docs/cpl-for-python-programmers.md, "CPL in ten minutes": a comment there names each."""

from typing import Final

from cpl.study.exercises.checking import Answer, Exercises, require, require_results

ALL: Final = Exercises()
"""The tasks, in their order."""


@ALL.add("below")
def _check_below(answer: Answer) -> None:
    lines = [line.strip() for line in answer.written.splitlines()]
    for mark, where in ((12, "above"), (7, "below"), (15, "above"), (9, "below")):
        line = f"{mark} is {where} it"
        require(line in lines, f"The program should write “{line}”.")
        require(lines.count(line) == 1, f"The program should write “{line}” only once.")


@ALL.add("table")
def _check_table(answer: Answer) -> None:
    rows = [row for row in answer.numbers if row]
    require(len(rows) == 5, f"The table should have five lines with numbers: it has {len(rows)}.")
    for number, row in enumerate(rows, 1):
        wanted = [number * other for other in range(1, 6)]
        require(row == wanted, f"Line {number} of the table should be {' '.join(map(str, wanted))}.")


@ALL.add("cube")
def _check_cube(answer: Answer) -> None:
    require_results(answer, "Cube", [((2,), 8), ((5,), 125), ((-1,), -1), ((0,), 0)])


@ALL.add("price")
def _check_price(answer: Answer) -> None:
    for name, wanted in (("Price", 12), ("Count", 3)):
        require(answer[name] == wanted, f"{name} should be {wanted}.")
    require([36] in answer.numbers, "The program should write the product on a line, and nothing else on it.")


@ALL.add("doubles")
def _check_doubles(answer: Answer) -> None:
    found = [number for row in answer.numbers for number in row]
    wanted = [2**power for power in range(7)]
    require(len(found) == len(wanted), f"Seven numbers are wanted, and the program writes {len(found)}.")
    for place, (number, right) in enumerate(zip(found, wanted, strict=True), 1):
        require(number == right, f"Number {place} is {number:g}, and should be {right}.")


@ALL.add("days")
def _check_days(answer: Answer) -> None:
    require_results(answer, "Days", [((1963,), 365), ((1964,), 366), ((1900,), 365), ((2000,), 366)])


@ALL.add("divisors")
def _check_divisors(answer: Answer) -> None:
    require_results(answer, "Divisors", [((12,), [1, 2, 3, 4, 6, 12]), ((7,), [1, 7]), ((1,), [1])])


@ALL.add("collatz")
def _check_collatz(answer: Answer) -> None:
    require_results(answer, "Collatz", [((1,), 0), ((2,), 1), ((6,), 8), ((27,), 111)])


@ALL.add("sums")
def _check_sums(answer: Answer) -> None:
    lines = [row for row in answer.numbers if row]
    for row, wanted in zip(lines, (1, 3, 6, 10), strict=False):
        require(row == [wanted], f"A line has {' '.join(f'{number:g}' for number in row)} where {wanted} is wanted.")
    require(len(lines) == 4, f"Four lines are wanted, and the program writes {len(lines)}.")


@ALL.add("evens")
def _check_evens(answer: Answer) -> None:
    require_results(answer, "Evens", [(([3, 4, 6],), [4, 6]), (([8, 1, 2, 5],), [8, 2]), (([1],), []), (([],), [])])


@ALL.add("double")
def _check_double(answer: Answer) -> None:
    require(callable(answer["Double"]), "Double should be a routine.")
    require(answer["x"] == 8, f"x should be 8 at the end: it is {answer['x']}.")


@ALL.add("mend")
def _check_mend(answer: Answer) -> None:
    require(answer["Total"] == 12, f"Total should be 12 at the end: it is {answer['Total']}.")
    require([12] in answer.numbers, "The program should write Total.")
