"""One task with many questions, answered by several workers: `compare_readings` and `diff` share their work so."""

import os
import pickle
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar

from cpl.executors import crew

Question = TypeVar("Question")
Answer = TypeVar("Answer")
Asked = TypeVar("Asked", contravariant=True)
Answered = TypeVar("Answered", covariant=True)


class Task(Protocol[Asked, Answered]):
    """Answers questions, in whatever order and process they are asked."""

    def answer(self, question: Asked, /) -> Answered:
        """The answer, which depends on nothing else."""


def answers(
    task: Task[Question, Answer], questions: Sequence[Question], jobs: int = 1, cluster: str | None = None
) -> Iterator[tuple[Question, Answer]]:
    """The questions with their answers, as they come; `jobs` and `cluster` are those of `cpl.executors.crew`.

    Forked processes have the task with all that it worked out already. Others get a copy.
    """
    if jobs == 1 and not cluster:
        return ((question, task.answer(question)) for question in questions)
    name = os.urandom(8).hex()
    _tasks[name] = task
    workers = crew(jobs, cluster, partial(_receive, name, task))
    found = workers.results(partial(_answer, name), questions)

    def unpacked() -> Iterator[tuple[Question, Answer]]:
        try:
            with workers:
                for question, packed in found:
                    yield question, task.answer(question) if packed is None else pickle.loads(packed)
        finally:
            del _tasks[name]

    return unpacked()


_tasks: dict[str, Task[Any, Any]] = {}


def _receive(name: str, task: Task[Any, Any]) -> None:
    _tasks.setdefault(name, task)


def _answer(name: str, question: Any) -> bytes | None:
    """An answer, packed; None if there is a value of CPL in it that cannot leave its process, such as a function."""
    answer = _tasks[name].answer(question)
    try:
        return pickle.dumps(answer)
    except Exception:  # pickle raises whatever a value makes it raise
        return None
