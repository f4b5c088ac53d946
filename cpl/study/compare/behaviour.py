"""Compare what two programs do: functions of the same name are run on the same inputs, and their effects compared.

The result says for each function how many inputs give the same, and shows the smallest one that does not, with the
calls of both sides down to the one in which the difference begins.
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
        examples = [
            (f"the results differ on {self.counts['different']} of {self.inputs} inputs", self.witness),
            (f"one side fails on {sum(self.failed)} of {self.inputs} inputs", self.failure),
        ]
        return [(sentence, pairs) for sentence, pairs in examples if pairs]

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
        self._shared = [name for name in self.left.constants if name in self.right.constants]
        self._boards = self._positions(seed)
        self._pool = samples(self.left, self.right, self._rng, self._boards)
        self._sorts = parameter_sorts(left)
        self._stores = {
            name: Store(_ROOM * count, self._rng)
            for name in self.names
            if self.left.arity(name) == self.right.arity(name)
        }
        self._chosen: dict[str, list[Input]] = {}
        self._refusals: dict[str, str] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return FunctionComparison, (self.left.meaning, self.right.meaning, self.count, self.seed, self.ordered)

    @property
    def names(self) -> list[str]:
        """The functions that both have, those of positions first: they show most."""
        return sorted(
            (name for name in self.left.functions if name in self.right.functions),
            key=lambda name: not (self._boards and self.left.arity(name) == 1),
        )

    def explore(self, track: Track = untracked) -> None:
        """Find inputs for all functions, and choose those on which each is compared."""
        for program in (self.left, self.right):
            for function, arguments in program.first_calls:
                self._keep(function, arguments, natural=True)
        for name in track(self.names, "looking for inputs", len(self.names)):
            if name in self._stores:
                self._explore(name, self._stores[name])
        self._chosen = {name: store.chosen(self.count) for name, store in self._stores.items()}

    def _explore(self, name: str, store: Store) -> None:
        """Find inputs for a function, and thereby for those that it calls."""
        arity, experiment = self.left.arity(name), self._experiment(name)
        for position in self._boards if arity == 1 else ():
            self._accepts(name, experiment, (position,), natural=True)
        for arguments in store.natural[: self.count] if arity else [()]:
            self._accepts(name, experiment, arguments, natural=True)
        if arity and len(store.natural) < self.count // 4:
            accepts = partial(self._accepts, name, experiment, natural=False)
            try_samples(accepts, self._sorts.get(name, [ANY] * arity), self._pool, self._rng, self.count)

    def _accepts(self, name: str, experiment: Experiment[Input], arguments: Arguments, *, natural: bool) -> bool:
        """Whether at least one side accepts the arguments; then they are stored, and those of the calls within."""
        pair = None if experiment.is_over else experiment.pair(Input(arguments, natural))
        if pair is None:
            return False
        if all(call.is_failed for call in pair):
            self._refusals[name] = pair[0].fault or ""
            return False
        self._keep(name, arguments, natural=natural)
        for call, _ in divergence(*pair, self._same):
            self._keep(call.function, call.arguments, natural=natural, differs=True)
        for call in (*pair[0].nested(), *pair[1].nested()):
            self._keep(call.function, call.arguments, natural=natural)
        return True

    def _keep(self, name: str, arguments: Arguments, *, natural: bool, differs: bool = False) -> None:
        """Store arguments of a function that both sides have."""
        if name in self._stores and len(arguments) == self.left.arity(name):
            self._stores[name].add(arguments, natural=natural, differs=differs)

    def answer(self, name: str) -> Behaviour:
        """Compare a function of both sides on the inputs that were chosen for it."""
        before, after = self.left.arity(name), self.right.arity(name)
        if before != after:
            takes = f"takes {counted(before, 'argument')} on one side, {after} on the other"
            return Behaviour(name, unlike=True, note=takes)
        if not self._chosen:
            self.explore()
        tally = Tally(self._experiment(name).judged(self._chosen[name]), lambda case: case.size)
        counts = tally.counts
        note = f"{counts['unclear']} results are functions" if counts["unclear"] else ""
        if counts.total() == counts["refused"]:
            last = f" (at last: {self._refusals[name]})" if self._refusals.get(name) else ""
            note = f"no inputs found that either side accepts{last}"
        natural = sum(case.natural for kind, cases in tally.cases.items() if kind != "refused" for case in cases)
        witness, failure = (
            self._experiment(name).witness(case)[1] if case else ()
            for case in (tally.smallest("different"), tally.smallest("before fails", "after fails"))
        )
        return Behaviour(name, counts, natural, witness, failure, note)

    def _experiment(self, name: str) -> Experiment[Input]:
        """Return an experiment that runs a function of both sides."""

        def run(case: Input, recorded: bool) -> Pair | None:
            if recorded:
                return self._pair(name, case, most=MOST_CALLS_RECORDED, calls=MOST_CALLS, seconds=EXPLAINED_SECONDS)
            pair = self._pair(name, case)
            is_near = pair and pair[0].is_unfinished != pair[1].is_unfinished
            return self._pair(name, case, calls=MOST_CALLS, seconds=RUN_SECONDS) if is_near else pair

        def smaller_cases(case: Input) -> Iterator[Input]:
            """Yield cases with a smaller position, on which the pieces remain that another argument names."""
            position, *rest = case.arguments or [None]
            pieces = [argument.bits for argument in rest if isinstance(argument, Logical)]
            for candidate in smaller(position) if self._boards and is_position(position) else ():
                if not any(piece & ~(candidate[0] | candidate[1]).bits for piece in pieces):
                    yield Input((candidate, *rest), case.natural)

        return Experiment(run, smaller_cases, self._same, MOST_CALLS_OF_EXPERIMENT)

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
        one may be the other's, and use its variables. Return None if one cannot be given the arguments.
        """
        pair = []
        for program in (self.left, self.right):
            self.left.reset()
            self.right.reset()
            try:
                pair.append(program.run(name, case.arguments, self._shared, most=most, calls=calls, seconds=seconds))
            except ForeignValue:
                return None
        return pair[0], pair[1]

    def _positions(self, seed: int) -> list[Position]:
        """Return positions from play by either side's rules, and scattered ones, if both play checkers."""
        distinct: dict[Position, None] = {}
        for program in (self.left, self.right):
            start: Any = program.constants.get("StartPosition")
            has_moves = program.meaning.library.host_part == "checkers" and "LegalPositionsFrom" in program.functions
            if not (has_moves and is_position(start)):
                return []
            distinct |= dict.fromkeys(positions(partial(_moves, program), start, self.count // 2, seed))
        return list(distinct)


def _moves(program: LoadedProgram, position: Position) -> list[Position]:
    """Return the positions that a move leads to, by this program's rules; none where they fail."""
    program.reset()
    result = program.run("LegalPositionsFrom", [position], most=0, calls=MOST_CALLS_OF_TRIAL).result
    return list(filter(is_position, result)) if isinstance(result, list) else []
