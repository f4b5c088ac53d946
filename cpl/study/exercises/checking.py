"""The terms in which the checks of exercises are written.

A check gets an answer: the names that somebody has defined, and what the program wrote. It looks at values and results,
not at texts, and raises `NotYet` with advice unless the answer is right.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cplrt

from cpl.compiler.python_errors import in_words


class NotYet(Exception):
    """What is wrong with an answer, in plain words."""


class Missing(NotYet):
    """A name that the answer does not define."""


@dataclass(frozen=True)
class Field:
    """What somebody types into a line of a form: how it is read, and an example of its form."""

    read: Callable[[str], object]
    example: str


@dataclass
class Answer:
    """An answer: the names that it defines, what it wrote, and how the program of 1966 is had."""

    names: Mapping[str, Any]
    written: str = ""
    load_game: Callable[[], Any] = lambda: None

    def __getitem__(self, name: str) -> Any:
        """The value of a name. Raises Missing if the answer does not define it."""
        if name not in self.names:
            raise Missing(f"There is no {name}.")
        value = self.names[name]
        return value.value if isinstance(value, cplrt.Cell) else value  # a variable that was passed by reference

    @cached_property
    def game(self) -> Any:
        """The program of 1966 as a module."""
        return self.load_game()

    @property
    def numbers(self) -> list[list[float]]:
        """The numbers in each line that was written."""
        return [[*map(float, re.findall(r"-?\d+(?:\.\d+)?", line))] for line in self.written.splitlines()]


@dataclass(frozen=True)
class Exercise:
    """An exercise: its name and check, and what an answer to it is.

    An answer has `fields` if values are asked for; else it is a text of CPL, with the names of `libraries`. A notebook
    has its names in a `module` of this name. `asked` are names that the check needs, even if the answer does not use
    them. Unless it `has_advice`, an error in the answer is shown without the words that mend it.
    """

    name: str
    check: Callable[[Answer], None]
    fields: Mapping[str, Field] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    module: str = ""
    asked: tuple[str, ...] = ()
    has_advice: bool = True


class Exercises(list[Exercise]):
    """The exercises of a course, in their order."""

    def add(self, name: str, **settings: Any) -> Callable[[Callable[[Answer], None]], Callable[[Answer], None]]:
        """Make the function below the check of an exercise."""

        def added(check: Callable[[Answer], None]) -> Callable[[Answer], None]:
            self.append(Exercise(name, check, **settings))
            return check

        return added


def advice(exercise: Exercise, answer: Answer, missing: str = "Define it.") -> str | None:
    """What is wrong with an answer, in sentences; None if it is right. `missing` says how to define a name."""
    try:
        exercise.check(answer)
    except Missing as error:
        return f"{error} {missing}"
    except NotYet as error:
        return str(error)
    except (RecursionError, cplrt.TooDeep):
        return "Your function calls itself without end: which case stops it?"
    except Exception as error:  # of the answer, whatever it is
        return f"The run fails: {in_words(error)}"
    return None


def require(holds: object, words: str) -> None:
    """Say what is wrong unless the condition holds."""
    if not holds:
        raise NotYet(words)


def require_written(values: Iterable[object]) -> None:
    """Say what to do unless all values have been filled in: an exercise in Python begins with dots."""
    is_written = not any(value is ... for value in values)
    require(is_written, "Write your answer in place of the dots.")


def require_results(answer: Answer, name: str, results: Sequence[tuple[tuple[Any, ...], Any]]) -> None:
    """Say which result of a function is wrong. `results` are pairs of arguments and what they should give."""
    function = answer[name]
    require(callable(function), f"{name} should be a function: it is {cplrt.show(function)}.")
    for arguments, wanted in results:
        call = f"{name}({', '.join(map(cplrt.show, arguments))})"
        found = function(*arguments)
        is_same = found == wanted and isinstance(found, bool) == isinstance(wanted, bool)
        require(is_same, f"{call} is {cplrt.show(found)}, and should be {cplrt.show(wanted)}.")
