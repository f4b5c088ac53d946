"""Exercises: an answer goes in, and what is wrong with it comes out, in words for whom it is by.

`checking` has the terms in which checks are written. `ten_minutes` has the checks of
docs/cpl-for-python-programmers.md, and `two_hours` those of the class with the program of 1966. `notebook` asks them in
a notebook, the site in its worker. What an exercise says stands in that page and in notebook 7.
"""

from types import MappingProxyType
from typing import Final

from cpl.study.exercises import ten_minutes, two_hours
from cpl.study.exercises.checking import Exercise

EXERCISES: Final = MappingProxyType({exercise.name: exercise for exercise in (*ten_minutes.ALL, *two_hours.ALL)})
"""All exercises by their names."""


def libraries_of(name: str) -> tuple[str, ...]:
    """The packaged programs whose names an answer may use; none if there is no such exercise."""
    return EXERCISES[name].libraries if name in EXERCISES else ()


def may_advise(name: str) -> bool:
    """Whether an error in an answer may come with the words that mend it: there are exercises in finding them."""
    return name not in EXERCISES or EXERCISES[name].has_advice


__all__ = ["EXERCISES", "Exercise", "libraries_of", "may_advise"]
