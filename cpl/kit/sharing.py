"""One task with many questions, answered by several workers: `compare_readings` and `diff` share their work so."""

import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol, TypeVar

from cpl.executors import workers

Question = TypeVar("Question")
Answer = TypeVar("Answer")
Asked = TypeVar("Asked", contravariant=True)
Answered = TypeVar("Answered", covariant=True)


class Task(Protocol[Asked, Answered]):
    """Answers questions, in whatever order and process they are asked."""

    def answer(self, question: Asked, /) -> Answered:
        """The answer, which depends on nothing else."""


@contextmanager
def shared(
    task: Task[Question, Answer], jobs: int = 1, cluster: str | None = None
) -> Iterator[Callable[[Sequence[Question]], Iterator[tuple[Question, Answer]]]]:
    """Within, a function that asks questions, and gives each with its answer as they come; `jobs` and `cluster` are
    those of `cpl.executors.workers`.

    Forked processes have the task with all that it has worked out before the first question. Others get a copy.
    """
    if jobs == 1 and not cluster:
        yield lambda questions: ((question, task.answer(question)) for question in questions)
        return
    name = os.urandom(8).hex()
    _tasks[name] = task
    answer = partial(_answer, name, pickle.dumps(task))
    try:
        with workers(jobs, cluster) as staff:

            def ask(questions: Sequence[Question]) -> Iterator[tuple[Question, Answer]]:
                for question, answered in zip(questions, staff.map(answer, questions), strict=True):
                    yield question, task.answer(question) if answered is None else pickle.loads(answered)

            yield ask
    finally:
        del _tasks[name]


_tasks: dict[str, Task[Any, Any]] = {}


def _answer(name: str, task: bytes, question: Any) -> bytes | None:
    """An answer, packed; None if there is a value of CPL in it that cannot leave its process, such as a function."""
    if name not in _tasks:
        _tasks[name] = pickle.loads(task)
    answer = _tasks[name].answer(question)
    try:
        return pickle.dumps(answer)
    except Exception:  # pickle raises whatever a value makes it raise
        return None
