"""The checks in a notebook: the names of a cell go in, a sentence about the answer comes out."""

from collections.abc import Callable
from typing import Any

from cpl.study.exercises import EXERCISES
from cpl.study.exercises.checking import Answer, advice


class Class:
    """The exercises of notebook 7 in a shell of IPython. `load_game` gives the program of 1966."""

    def __init__(self, shell: Any, load_game: Callable[[], Any]) -> None:
        self._shell = shell
        self._load_game = load_game
        self._has_failed = False
        shell.events.register("post_run_cell", self._note)

    def _note(self, result: Any) -> None:
        """Remember whether the cell of CPL that ran last has failed."""
        if result.info.raw_cell.startswith("%%cpl"):
            self._has_failed = not result.success

    def verdict(self, number: int) -> str:
        """Whether the answer to an exercise is right, and if not, what is wrong."""
        exercise = EXERCISES[f"class-{number}"]
        if not exercise.fields and self._has_failed:
            wrong: str | None = "The cell above ends with an error. Read its message, and mend it first."
        else:
            names = self._shell.user_ns
            if exercise.module:
                names = vars(names[exercise.module]) if exercise.module in names else {}
            answer = Answer(names, load_game=self._load_game)
            wrong = advice(exercise, answer, missing="Write it in the cell above, and run that cell.")
        return f"Exercise {number}: not yet. {wrong}" if wrong else f"Exercise {number}: right."
