"""What a page of lessons asks: whether an answer to an exercise is right."""

from collections.abc import Mapping
from typing import Any

from cpl.compiler import pipeline
from cpl.compiler.pipeline import Options
from cpl.compiler.source import Source
from cpl.games.playable import game_of
from cpl.limits import DEEPEST_IN_PAGE, PAGE_SECONDS
from cpl.study.exercises import EXERCISES
from cpl.study.exercises.checking import Answer, Exercise, NotYet, advice
from cpl.study.run.limited import outcome


def verdict(name: str, text: str, fields: Mapping[str, str]) -> str | None:
    """What is wrong with the answer to an exercise, in sentences; None if it is right.

    An exercise that asks for values gets its `fields` as they were typed, any other the `text` of a program. Raises
    CplError if that has errors.
    """
    exercise = EXERCISES[name]
    if exercise.fields:
        return _of_values(exercise, fields)
    options = Options(libraries=exercise.libraries)
    program = pipeline.executable(Source("program.cpl", text), options, exercise.asked)
    names: dict[str, Any] = {}
    ran = outcome(program.execute_in, [names], seconds=PAGE_SECONDS, deepest=DEEPEST_IN_PAGE)
    if ran.is_failed:
        return f"The run fails: {ran.fault}"
    answer = Answer(names, ran.written, _game)
    checked = outcome(advice, [exercise, answer], seconds=PAGE_SECONDS, deepest=DEEPEST_IN_PAGE)
    return f"The run fails: {checked.fault}" if checked.is_failed else checked.result


def _of_values(exercise: Exercise, fields: Mapping[str, str]) -> str | None:
    if not all(fields.get(name, "").strip() for name in exercise.fields):
        return "Fill in all the fields."
    try:
        values = {name: field.read(fields[name]) for name, field in exercise.fields.items()}
    except NotYet as error:
        return str(error)
    return advice(exercise, Answer(values, load_game=_game))


def _game() -> Any:
    """The program of 1966, which a page has compiled already."""
    return game_of("strachey").program
