"""Compare what two programs do: functions of the same name are run on the same inputs, and their effects compared.

`explore` first runs all functions on all inputs that it can find, with the calls recorded: what they call is run on
inputs that occur. It chooses some inputs for each function. `answer` then compares one function on its inputs. The
result counts how many inputs give the same, and shows the smallest one that does not, with the calls of both sides down
to the one in which the difference begins.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Final, Literal

from cplrt import Logical
from cplrt.checkers import is_position

from cpl.compiler.pipeline import Meaning
from cpl.compiler.wording import counted
from cpl.games.position import Position
from cpl.limits import (
    EXPLAINED_SECONDS,
    MOST_CALLS,
    MOST_CALLS_AS_INPUTS,
    MOST_CALLS_OF_EXPERIMENT,
    MOST_CALLS_OF_TRIAL,
    MOST_CALLS_RECORDED,
    RUN_SECONDS,
    TRIAL_SECONDS,
)
from cpl.study.compare.experiment import Agreement, Experiment, Pair, Same, Tally, Track, divergence, untracked
from cpl.study.compare.inputs import (
    ANY,
    Arguments,
    Input,
    Store,
    parameter_sorts,
    positions,
    samples,
    smaller,
    try_samples,
)
from cpl.study.run.program import ForeignValue, LoadedProgram, load
from cpl.study.run.values import same

_ROOM: Final = 10  # inputs that are stored, for each on which a function is compared

Verdict = Literal["same", "different", "untried"]


@dataclass(frozen=True)
class Behaviour:
    """The behaviour of one function on both sides, by its CPL name, in `counts` of inputs.

    `witness` is the smallest input on which results differ, `failure` the smallest on which only one side fails: both
    are pairs of calls, from the function itself down to the first inner call that differs. `natural` is the number of
    natural inputs. A `note` says why nothing was compared (one reason is that the functions are `unlike`, as they have
    different numbers of parameters), or that some results are functions.
    """

    name: str
    counts: Counter[Agreement] = field(default_factory=Counter)
    natural: int = 0
    witness: tuple[Pair, ...] = ()
    failure: tuple[Pair, ...] = ()
    note: str = ""
    unlike: bool = False

    @property
    def failed(self) -> tuple[int, int]:
        """The number of inputs on which only the first side fails, and only the second."""
        return self.counts["before fails"], self.counts["after fails"]

    @property
    def examples(self) -> list[tuple[str, tuple[Pair, ...]]]:
        """The smallest inputs that show a difference, each with a sentence that says what it shows."""
        examples = []
        if self.witness:
            sentence = f"the results differ on {self.counts['different']} of {self.inputs} inputs"
            examples.append((sentence, self.witness))
        if self.failure:
            sentence = f"one side fails on {sum(self.failed)} of {self.inputs} inputs"
            examples.append((sentence, self.failure))
        return examples

    @property
    def inputs(self) -> int:
        """The number of inputs that at least one side accepts."""
        return self.counts.total() - self.counts["refused"]

    @property
    def verdict(self) -> Verdict:
        """Whether the two functions do the same, as far as was seen."""
        if self.counts["different"] or any(self.failed) or self.unlike:
            return "different"
        return "same" if self.counts["same"] else "untried"


class FunctionComparison:
    """A comparison of two programs. Inputs are found for all functions first; then each is compared by itself, in
    whatever process. The same seed gives the same result.
    """

    def __init__(self, left: Meaning, right: Meaning, count: int = 200, seed: int = 0, ordered: bool = True) -> None:
        self.left, self.right = load(left), load(right)
        self.count, self.seed, self.ordered = count, seed, ordered
        self._rng = Random(seed)
        self._same: Same = partial(same, ordered=ordered)
        self._constants = [name for name in self.left.constants if name in self.right.constants]
        self._positions = self._drawn_positions()
        self._pool = samples(self.left, self.right, self._rng, self._positions)
        self._sorts = parameter_sorts(left)
        self._stores = {
            name: Store(_ROOM * count, self._rng)
            for name in self.names
            if self.left.arity(name) == self.right.arity(name)
        }
        self._chosen: dict[str, list[Input]] = {}
        self._refusals: dict[str, str] = {}  # by function, the last fault of inputs on which both sides fail

    def __reduce__(self) -> tuple[Any, ...]:
        """Make the same again in another process, as modules cannot be pickled."""
        return FunctionComparison, (self.left.meaning, self.right.meaning, self.count, self.seed, self.ordered)

    @property
    def names(self) -> list[str]:
        """The functions that both have, those of positions first: they show most."""
        common = [name for name in self.left.functions if name in self.right.functions]
        if not self._positions:
            return common
        return sorted(common, key=lambda name: self.left.arity(name) != 1)

    def explore(self, track: Track = untracked) -> None:
        """Find inputs for all functions, and choose those on which each is compared."""
        for program in (self.left, self.right):
            for function, arguments in program.first_calls:
                self._store(function, arguments, natural=True)
        for name in track(self.names, "looking for inputs", len(self.names)):
            if name in self._stores:
                self._explore(name, self._stores[name])
        self._chosen = {name: store.chosen(self.count) for name, store in self._stores.items()}

    def _explore(self, name: str, store: Store) -> None:
        """Find inputs for a function, and thereby for those that it calls."""
        experiment = self._experiment(name)
        arity = self.left.arity(name)
        if arity == 0:
            self._try(name, experiment, (), natural=True)
            return

        if arity == 1:
            for position in self._positions:
                self._try(name, experiment, (position,), natural=True)
        for arguments in store.natural[: self.count]:
            self._try(name, experiment, arguments, natural=True)
        if len(store.natural) < self.count // 4:
            accepts = partial(self._try, name, experiment, natural=False)
            sorts = self._sorts.get(name, [ANY] * arity)
            try_samples(accepts, sorts, self._pool, self._rng, self.count)

    def _try(self, name: str, experiment: Experiment[Input], arguments: Arguments, *, natural: bool) -> bool:
        """Run both sides on arguments. If at least one accepts them, store them and those of all inner calls. Return
        whether one does.
        """
        pair = None if experiment.is_over else experiment.pair(Input(arguments, natural))
        if pair is None:
            return False
        left, right = pair
        if left.is_failed and right.is_failed:
            self._refusals[name] = left.fault or ""
            return False

        self._store(name, arguments, natural=natural)
        for call, _ in divergence(left, right, self._same):
            self._store(call.function, call.arguments, natural=natural, differs=True)
        for call in (*left.nested(), *right.nested()):
            self._store(call.function, call.arguments, natural=natural)
        return True

    def _store(self, name: str, arguments: Arguments, *, natural: bool, differs: bool = False) -> None:
        """Store arguments of a function that both sides have."""
        if name in self._stores and len(arguments) == self.left.arity(name):
            self._stores[name].add(arguments, natural=natural, differs=differs)

    def answer(self, name: str) -> Behaviour:
        """Compare a function of both sides on the inputs that were chosen for it."""
        before, after = self.left.arity(name), self.right.arity(name)
        if before != after:
            takes = f"takes {counted(before, 'argument')} on one side, {after} on the other"
            return Behaviour(name, unlike=True, note=takes)

        if not self._chosen:  # in a copy, in another process
            self.explore()
        tally = Tally(self._experiment(name).judged(self._chosen[name]), lambda case: case.size)
        natural = 0
        for kind, cases in tally.cases.items():
            if kind != "refused":
                natural += sum(case.natural for case in cases)
        return Behaviour(
            name,
            tally.counts,
            natural,
            witness=self._witness(name, tally.smallest("different")),
            failure=self._witness(name, tally.smallest("before fails", "after fails")),
            note=self._note(name, tally.counts),
        )

    def _note(self, name: str, counts: Counter[Agreement]) -> str:
        if counts.total() == counts["refused"]:
            last = f" (at last: {self._refusals[name]})" if self._refusals.get(name) else ""
            return f"no inputs found that either side accepts{last}"
        if counts["unclear"]:
            return f"{counts['unclear']} results are functions"
        return ""

    def _witness(self, name: str, case: Input | None) -> tuple[Pair, ...]:
        """Return the calls that show how a function differs in a case, or in a smaller one like it."""
        if case is None:
            return ()
        _, pairs = self._experiment(name).witness(case)
        return pairs

    def _experiment(self, name: str) -> Experiment[Input]:
        """Return an experiment that runs a function of both sides."""

        def run(case: Input, recorded: bool) -> Pair | None:
            if recorded:
                return self._pair(name, case, most=MOST_CALLS_RECORDED, calls=MOST_CALLS, seconds=EXPLAINED_SECONDS)
            pair = self._pair(name, case)
            if pair is not None and pair[0].is_unfinished != pair[1].is_unfinished:
                # One side ends within the limits: the other may need just a little more.
                return self._pair(name, case, calls=MOST_CALLS, seconds=RUN_SECONDS)
            return pair

        return Experiment(run, self._smaller_cases, self._same, MOST_CALLS_OF_EXPERIMENT)

    def _smaller_cases(self, case: Input) -> Iterator[Input]:
        """Yield cases with a smaller position, on which all pieces remain that another argument names."""
        if not self._positions or not case.arguments or not is_position(case.arguments[0]):
            return
        position, *rest = case.arguments
        named = [argument.bits for argument in rest if isinstance(argument, Logical)]
        for candidate in smaller(position):
            own, other, *_ = candidate
            pieces = (own | other).bits
            if all(squares & ~pieces == 0 for squares in named):
                yield Input((candidate, *rest), case.natural)

    def _pair(
        self,
        name: str,
        case: Input,
        *,
        most: int = MOST_CALLS_AS_INPUTS,
        calls: int = MOST_CALLS_OF_TRIAL,
        seconds: float = TRIAL_SECONDS,
    ) -> Pair | None:
        """Run both sides, each with all variables as they were at first: a function without a name that is passed to
        one may be the other's, and use its variables. Return None if the arguments hold a value that a side does not
        know.
        """
        calls_of_both = []
        for program in (self.left, self.right):
            self.left.reset()
            self.right.reset()
            try:
                call = program.run(name, case.arguments, self._constants, most=most, calls=calls, seconds=seconds)
            except ForeignValue:
                return None
            calls_of_both.append(call)
        left, right = calls_of_both
        return left, right

    def _drawn_positions(self) -> list[Position]:
        """Return positions from play by either side's rules, and scattered ones, if both play checkers."""
        distinct: dict[Position, None] = {}
        for program in (self.left, self.right):
            start: Any = program.constants.get("StartPosition")
            is_checkers = program.meaning.library.host_part == "checkers"
            if not is_checkers or "LegalPositionsFrom" not in program.functions or not is_position(start):
                return []
            drawn = positions(partial(_moves, program), start, self.count // 2, self.seed)
            distinct |= dict.fromkeys(drawn)
        return [*distinct]


def _moves(program: LoadedProgram, position: Position) -> list[Position]:
    """Return the positions that a move leads to, by this program's rules; none where they fail."""
    program.reset()
    result = program.run("LegalPositionsFrom", [position], most=0, calls=MOST_CALLS_OF_TRIAL).result
    if not isinstance(result, list):
        return []
    return [*filter(is_position, result)]
