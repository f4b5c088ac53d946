"""What all comparisons share: cases are judged, counted by their kinds, and the smallest of a kind is its witness.

An `Experiment` runs two sides on the same cases: functions of two programs (`behaviour`), or a program under a reading
and another program (`readings_table`). A `Tally` counts its cases, and those of `rules`. Long comparisons are `shared`
between workers.

If the two sides are `F(x) = x > 2 → x*x, 1` and `F(x) = x > 2 → x+x, 1`, for example, and the cases 0, 1, … 9, then 0,
1 and 2 are "same" and seven are "different". The smallest of these is 3, which is the witness: `F(3)` is 9 before, and
6 after.
"""

import os
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import inf
from types import FunctionType
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from cpl.executors import workers
from cpl.limits import MOST_UNFINISHED
from cpl.study.run.record import Call
from cpl.study.run.values import parts, same

Kind = TypeVar("Kind")
Case = TypeVar("Case")
Item = TypeVar("Item")
Question = TypeVar("Question")
Answer = TypeVar("Answer")
Asked = TypeVar("Asked", contravariant=True)  # a Question and an Answer, as the protocol `Task` must declare them
Answered = TypeVar("Answered", covariant=True)

Pair = tuple[Call, Call]
"""The same call on both sides."""

Same = Callable[[Any, Any], bool]
"""Whether two values count as the same."""

Agreement = Literal["same", "different", "before fails", "after fails", "unclear", "refused"]
"""What becomes of a case on the two sides, which are called before and after. It is `unclear` if the results hold
functions, which cannot be compared, and `refused` if both sides fail.
"""

_FAILURES: Final[dict[tuple[bool, bool], Agreement]] = {
    (True, True): "refused",
    (True, False): "before fails",
    (False, True): "after fails",
}
"""What becomes of a case on which a side fails, by whether the first and the second one do."""


@dataclass
class Experiment(Generic[Case]):
    """Two sides that are run on the same cases, until `most_work` is done.

    `run` runs both on a case, and records all inner calls if its second argument is true; it returns None if the case
    has a value that a side does not know. `smaller` yields cases that are a step smaller. `work` counts the calls, and
    one more for every four values in their results, since it takes time to compare large ones. `unfinished` counts the
    cases on which a side did not end.
    """

    run: Callable[[Case, bool], Pair | None]
    smaller: Callable[[Case], Iterable[Case]]
    same: Same
    most_work: float = inf
    work: int = 0
    unfinished: int = 0

    @property
    def is_over(self) -> bool:
        """Whether it is time to stop."""
        return self.work > self.most_work or self.unfinished >= MOST_UNFINISHED

    def pair(self, case: Case) -> Pair | None:
        """Run both sides on a case, and count the work; None if a side does not know a value of the case."""
        pair = self.run(case, False)
        if pair is None:
            return None
        for call in pair:
            values = sum(1 for _ in parts(call.result))
            self.work += call.count + values // 4
        if any(call.is_unfinished for call in pair):
            self.unfinished += 1
        return pair

    def judge(self, case: Case) -> Agreement:
        """Run both sides on a case, and compare what they do."""
        pair = self.pair(case)
        if pair is None:
            return "refused"
        left, right = pair
        if left.is_failed or right.is_failed:
            return _FAILURES[left.is_failed, right.is_failed]
        if differ(left, right, self.same):
            return "different"
        # The results are the same, so the right one has functions at the same places.
        has_function = any(isinstance(part, FunctionType) for part in parts(left.result))
        return "unclear" if has_function else "same"

    def judged(self, cases: Iterable[Case]) -> Iterator[tuple[Agreement, Case]]:
        """Judge one case after the other, until it is time to stop."""
        for case in cases:
            if self.is_over:
                return
            yield self.judge(case), case

    def witness(self, case: Case) -> tuple[Case, tuple[Pair, ...]]:
        """Make a case on which the two sides do not agree as small as it can be made step by step, if each step must
        keep what becomes of it. Return the smallest case, and the calls from the whole run on it down to the first call
        that differs.
        """
        kind = self.judge(case)
        while not self.is_over:
            smaller_case = self._smaller_of_kind(case, kind)
            if smaller_case is None:
                break
            case = smaller_case

        records_inner_calls = True
        pair = self.run(case, records_inner_calls)
        if pair is None:
            return case, ()
        return case, divergence(*pair, self.same)

    def _smaller_of_kind(self, case: Case, kind: Agreement) -> Case | None:
        """Return the first case, a step smaller than this one, of the same kind; None if there is none."""
        for candidate in self.smaller(case):
            if self.judge(candidate) == kind:
                return candidate
        return None


class Tally(Generic[Kind, Case]):
    """Judged cases by their kinds; `size` is the key by which the smallest is found."""

    def __init__(self, judged: Iterable[tuple[Kind, Case]], size: Callable[[Case], Any]) -> None:
        self.size = size
        self.cases: dict[Kind, list[Case]] = {}
        for kind, case in judged:
            self.cases.setdefault(kind, []).append(case)

    @property
    def counts(self) -> Counter[Kind]:
        """The number of cases of each kind."""
        return Counter({kind: len(cases) for kind, cases in self.cases.items()})

    def smallest(self, *kinds: Kind) -> Case | None:
        """Return the smallest case of these kinds, the first if several are equally small; None if there is none."""
        cases = [case for kind in kinds for case in self.cases.get(kind, ())]
        return min(cases, key=self.size, default=None)


def divergence(left: Call, right: Call, same: Same = same) -> tuple[Pair, ...]:
    """Follow two calls that differ in effect down to the first inner calls that do, the outermost pair first. Return
    nothing if the two calls do not differ.

    Inner calls are compared in the order in which they were made, as long as they are of the same function with the
    same arguments. If none of those differ, the difference begins in the function itself.
    """
    pairs: list[Pair] = []
    current: Pair | None = None
    if differ(left, right, same):
        current = left, right
    while current is not None:
        pairs.append(current)
        current = _first_that_differs(*current, same)
    return tuple(pairs)


def _first_that_differs(left: Call, right: Call, same: Same) -> Pair | None:
    """Return the first inner calls that differ in effect; None if the two sides make other calls before that."""
    for pair in zip(left.inner, right.inner, strict=False):
        if not _are_same_calls(*pair, same):
            return None
        if differ(*pair, same):
            return pair
    return None


def differ(left: Call, right: Call, same: Same = same) -> bool:
    """Whether two calls differ in effect: in result, fault, output, or how they leave arguments and variables."""
    if left.fault != right.fault or left.written != right.written:
        return True
    has_result = left.fault is None
    if has_result and not same(left.result, right.result):
        return True
    return not same(left.after, right.after) or not same(left.variables, right.variables)


def _are_same_calls(left: Call, right: Call, same: Same) -> bool:
    """Whether two calls are of one function on the same arguments.

    Functions are the `same` if they have the same name. That does not tell λs apart, nor functions that are defined
    within others: where such a function is an argument, both calls must have that very function.
    """
    if left.function != right.function or not same(left.arguments, right.arguments):
        return False
    # `parts` goes once through a list that stands at several places, so one side may have fewer functions.
    pairs = zip(_functions_in(left.arguments), _functions_in(right.arguments), strict=False)
    for function, other in pairs:
        is_named_at_top = "<" not in function.__qualname__  # else it is `<lambda>`, or `F.<locals>.G`
        if not is_named_at_top and _origin(function) is not _origin(other):
            return False
    return True


def _functions_in(value: Any) -> Iterator[FunctionType]:
    return (part for part in parts(value) if isinstance(part, FunctionType))


def _origin(function: FunctionType) -> Any:
    """Return the function that a watcher of a recorded run watches (see `record_call`); any other one itself."""
    return getattr(function, "__wrapped__", function)


class Track(Protocol):
    """A display of the progress of a job, which counts the items that the job works on. The commands draw a bar."""

    def __call__(self, items: Iterable[Item], activity: str, total: int, /) -> Iterable[Item]:
        """Yield the items one by one; `activity` is a word or two, and `total` the number of items."""


def untracked(items: Iterable[Item], activity: str, total: int) -> Iterable[Item]:
    """Return the items, and show nothing."""
    return items


class Task(Protocol[Asked, Answered]):
    """A task that answers questions, in whatever order and process they are asked."""

    def answer(self, question: Asked, /) -> Answered:
        """Return the answer, which depends on nothing else."""


Ask = Callable[[Sequence[Question]], Iterator[tuple[Question, Answer]]]
"""A function that asks questions, and yields each with its answer, in their order."""

_tasks: dict[str, Task[Any, Any]] = {}
"""The tasks that this process knows, by name: those that it shares itself, those that the process had from which it was
forked, and those that were sent to it.
"""


@contextmanager
def shared(task: Task[Question, Answer], jobs: int = 1, cluster: str | None = None) -> Iterator[Ask[Question, Answer]]:
    """Share a task between workers. The context is a function that asks them; `jobs` and `cluster` are those of
    `cpl.executors.workers`.

    A worker finds the task by its name. A forked process has it already, with all that it has worked out before. Any
    other process finds no task of this name, and unpickles the copy that comes with each question: once.
    """
    if jobs == 1 and not cluster:

        def ask_here(questions: Sequence[Question]) -> Iterator[tuple[Question, Answer]]:
            for question in questions:
                yield question, task.answer(question)

        yield ask_here
        return

    name = os.urandom(8).hex()  # used nowhere else: the workers of a cluster may serve several processes
    _tasks[name] = task
    answer = partial(_pickled_answer, name, pickle.dumps(task))
    try:
        with workers(jobs, cluster) as staff:

            def ask(questions: Sequence[Question]) -> Iterator[tuple[Question, Answer]]:
                for question, pickled in zip(questions, staff.map(answer, questions), strict=True):
                    if pickled is None:  # the answer cannot be sent: it is worked out here
                        yield question, task.answer(question)
                    else:
                        yield question, pickle.loads(pickled)

            yield ask
    finally:
        del _tasks[name]


def _pickled_answer(name: str, task: bytes, question: Any) -> bytes | None:
    """Return the answer of a task, pickled; None if it has a value of CPL that cannot leave its process, such as a
    function. `task` is a pickled copy, for a process that does not know the task.
    """
    if name not in _tasks:
        _tasks[name] = pickle.loads(task)
    answer = _tasks[name].answer(question)
    try:
        return pickle.dumps(answer)
    except Exception:  # pickle raises whatever a value makes it raise
        return None
