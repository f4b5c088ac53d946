"""What two programs do: functions of the same name are run on the same inputs, and their effects compared.

Two loaded programs in; for each function how many results are the same, and where they are not the smallest input that
shows it, with what happened on both sides, out. `cpl diff` calls `explore` and then `compare` for each name.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from types import FunctionType
from typing import Any, Final, Literal

from cpl.draughts.position import Position, is_position
from cpl.kit.divergence import Pair, Same, differ, divergence
from cpl.kit.experiment import shrunk, tally
from cpl.kit.generators import ANY, generate
from cpl.kit.inputs import Arguments, Store, found_by_trial, parameters
from cpl.kit.limits import PATIENCE
from cpl.kit.loaded_program import Foreign, LoadedProgram
from cpl.kit.positions import sample
from cpl.kit.traces import Call
from cpl.kit.values import measure, parts, same

_RECORDED: Final = 500  # calls within a run that may become inputs of others
_CALLS: Final = 20_000  # within a run, at first; for a run that the other side finishes
_PATIENT: Final = 500_000
_WORK: Final = 200_000  # steps in which a function may be tried, and again on which it may be compared
_ENDLESS: Final = 3  # runs without an end after which a function is left
_WITNESS: Final = 50_000  # recorded calls of a run that is shown

Verdict = Literal["same", "different", "untried"]
InputKind = Literal["same", "different", "before fails", "after fails", "unclear", "refused"]
"""What became of one input: `unclear` if the results are functions, `refused` if both sides fail."""


@dataclass(frozen=True)
class Behaviour:
    """How one function behaves on both sides, by its CPL name, in `counts` of inputs.

    `witness` is the smallest input on which results differ, `failure` the smallest on which only one side fails: both
    are pairs of calls, from the function itself down to the first inner call that differs. `natural` is the number of
    natural inputs, `note` the reason why there are none: one is that the functions are `unlike`, as they have different
    numbers of parameters.
    """

    name: str
    counts: Counter[InputKind] = field(default_factory=Counter)
    natural: int = 0
    witness: tuple[Pair, ...] = ()
    failure: tuple[Pair, ...] = ()
    note: str = ""
    parameters: tuple[str, ...] = ()
    unlike: bool = False

    @property
    def failed(self) -> tuple[int, int]:
        """On how many inputs only the first side fails, and only the second."""
        return self.counts["before fails"], self.counts["after fails"]

    @property
    def divergences(self) -> list[Pair]:
        """The calls in which the two sides begin to differ."""
        return [pairs[-1] for pairs in (self.witness, self.failure) if pairs]

    @property
    def culprits(self) -> set[str]:
        """The functions in which the two sides begin to differ."""
        return {pair[0].function for pair in self.divergences}

    @property
    def inputs(self) -> int:
        """How many inputs at least one side accepts."""
        return self.counts.total() - self.counts["refused"]

    @property
    def verdict(self) -> Verdict:
        """Whether the two functions do the same, as far as was seen."""
        if self.counts["different"] or any(self.failed) or self.unlike:
            return "different"
        return "same" if self.counts["same"] else "untried"


_UNREMARKABLE: Final[tuple[InputKind, ...]] = ("same", "unclear", "refused")
_Case = tuple[bool, Arguments]
"""An input: whether it is natural, and what it is."""


def _size(case: _Case) -> Any:
    """By this the smallest case is found, natural ones first."""
    return not case[0], measure(case[1])


class FunctionComparison:
    """Two programs, being compared. The same for the same seed."""

    def __init__(
        self, one: LoadedProgram, other: LoadedProgram, count: int = 200, seed: int = 0, ordered: bool = True
    ) -> None:
        self.one, self.other, self.count = one, other, count
        self._rng = Random(seed)
        self._same: Same = partial(same, ordered=ordered)
        self._shared = [name for name in one.constants if name in other.constants]
        self._boards = self._positions(seed)
        self._pool = generate(one, other, self._rng, self._boards)
        self._sorts = {**parameters(other.meaning), **parameters(one.meaning)}
        self._stores = {name: Store(4 * count, self._rng) for name in self.names}
        self._refusals: dict[str, str] = {}
        for program in (one, other):
            for function, arguments in program.first_calls:
                self._keep(program.cpl_names.get(function, ""), arguments, natural=True)

    @property
    def names(self) -> list[str]:
        """The functions that both have, by their Python names, those of positions first: they show most."""
        shared = [name for name in self.one.functions if name in self.other.functions]
        return sorted(shared, key=lambda name: not (self._boards and self.one.arity(name) == 1))

    def explore(self, name: str) -> None:
        """Find inputs for a function, and for those that it calls."""
        arity, store, work = self.one.arity(name), self._stores[name], _Work()
        if arity != self.other.arity(name):
            return
        for position in self._boards if arity == 1 else ():
            self._try(name, (position,), work, natural=True)
        for arguments in [*store.natural.values()][: self.count] if arity else [()]:
            self._try(name, arguments, work, natural=True)
        if arity and len(store.natural) < self.count // 4:
            sorts = self._sorts.get(self.one.cpl_names[name], [])
            accepts = partial(self._try, name, work=work, natural=False)
            sorts = sorts if len(sorts) == arity else [ANY] * arity
            for _ in found_by_trial(accepts, sorts, self._pool, self._rng, self.count):
                if len(store.tried) >= self.count:
                    break

    def compare(self, name: str) -> Behaviour:
        """Run a function on what was found for it."""
        shown, mine, yours = self.one.cpl_names[name], self.one.arity(name), self.other.arity(name)
        if mine != yours:
            some = f"{mine} argument{'s' if mine != 1 else ''}"
            return Behaviour(shown, unlike=True, note=f"takes {some} on one side, {yours} on the other")
        cases = [*self._cases(name)]
        found = tally(cases, _size, unremarkable=_UNREMARKABLE)
        failures = [found.smallest[kind] for kind in ("before fails", "after fails") if kind in found.smallest]
        behaviour = Behaviour(
            shown,
            found.counts,
            natural=sum(natural for kind, (natural, _) in cases if kind != "refused"),
            witness=self._witness(name, found.smallest.get("different")),
            failure=self._witness(name, min(failures, key=_size, default=None)),
            parameters=self.one.parameters.get(shown, ()),
        )
        if behaviour.inputs:
            return behaviour
        last = f" (at last: {self._refusals[name]})" if self._refusals.get(name) else ""
        return replace(behaviour, note=f"no inputs found that either side accepts{last}")

    def _cases(self, name: str) -> Iterator[tuple[InputKind, _Case]]:
        """Inputs of a function and what becomes of them, as long as there is time."""
        work = _Work()
        for arguments, natural in self._stores[name].chosen(self.count):
            if work.is_enough:
                return
            if pair := self._pair(name, arguments, work):
                yield self._kind(pair), (natural, pair[0].arguments)

    def _try(self, name: str, arguments: Arguments, work: "_Work", *, natural: bool) -> bool:
        """Whether at least one side accepts the arguments; then they are kept, and what they lead to."""
        pair = None if work.is_enough else self._pair(name, arguments, work)
        if pair is None:
            return False
        if all(call.is_failed for call in pair):
            self._refusals[name] = pair[0].fault or ""
            return False
        self._keep(name, arguments, natural=natural)
        self._harvest(pair, natural=natural)
        return True

    def _harvest(self, pair: Pair, *, natural: bool) -> None:
        """Keep the arguments of inner calls, above all where the two sides diverge."""
        for mine, yours in divergence(*pair, self._same):
            kind = "different" if mine.is_failed == yours.is_failed else "failed"
            self._keep(mine.function, mine.arguments, natural=natural, difference=kind)
        for call in pair:
            for inner in call.nested():
                self._keep(inner.function, inner.arguments, natural=natural)

    def _keep(self, function: str, arguments: Arguments, *, natural: bool, difference: str = "") -> None:
        """Keep arguments of a function that both sides have, which goes by its CPL name."""
        name = self.one.python_names.get(function, "")
        if name in self._stores and len(arguments) == self.one.arity(name) == self.other.arity(name):
            self._stores[name].add(arguments, natural=natural, difference=difference)

    def _kind(self, pair: Pair) -> InputKind:
        match [call.is_failed for call in pair]:
            case True, True:
                return "refused"
            case True, False:
                return "before fails"
            case False, True:
                return "after fails"
        if differ(*pair, self._same):
            return "different"
        return "unclear" if any(isinstance(part, FunctionType) for part in parts(pair[0].result)) else "same"

    def _pair(self, name: str, arguments: Arguments, work: "_Work") -> Pair | None:
        """What both sides make of the arguments; None if one cannot be given them."""
        pair = self._run(name, arguments, work)
        if pair and pair[0].is_unfinished != pair[1].is_unfinished:  # it may have been a near thing
            return self._run(name, arguments, work, calls=_PATIENT, seconds=PATIENCE)
        return pair

    def _run(
        self,
        name: str,
        arguments: Arguments,
        work: "_Work",
        *,
        recorded: int = _RECORDED,
        calls: int = _CALLS,
        seconds: float = 0.5,
    ) -> Pair | None:
        """Both sides, each with all variables as they were at first: a function without a name that is passed to one
        may be the other's, and use its variables.
        """
        ran = []
        for program in (self.one, self.other):
            self.one.reset()
            self.other.reset()
            try:
                ran.append(program.run(name, arguments, self._shared, most=recorded, calls=calls, seconds=seconds))
            except Foreign:
                return None
        work.done(*ran)
        return ran[0], ran[1]

    def _witness(self, name: str, case: _Case | None) -> tuple[Pair, ...]:
        """What happens on an input, or on one still smaller that shows the same; run again and traced."""
        if case is None:
            return ()
        natural, arguments = case
        work = _Work()
        if self._boards and len(arguments) == 1 and is_position(arguments[0]):
            arguments = (shrunk(arguments[0], partial(self._effect, name, work), lambda: work.is_enough),)
        pair = self._run(name, arguments, work, recorded=_WITNESS, calls=_PATIENT, seconds=3)
        if pair is None:
            return ()
        self._harvest(pair, natural=natural)
        return divergence(*pair, self._same)

    def _effect(self, name: str, work: "_Work", position: Position) -> Any:
        """In what way two sides differ at a position, if they do."""
        pair = self._pair(name, (position,), work)
        return [call.fault for call in pair] if pair and differ(*pair, self._same) else None

    def _positions(self, seed: int) -> list[Position]:
        """Positions from play by either side's rules, and scattered ones, if both play checkers."""
        found: dict[Position, None] = {}
        for program in (self.one, self.other):
            start: Any = program.constants.get("StartPosition")
            if program.meaning.library.host_part != "checkers" or not is_position(start):
                return []
            found |= dict.fromkeys(sample(partial(_moves, program), start, self.count // 2, seed))
        return list(found)


def _moves(program: LoadedProgram, position: Position) -> list[Position]:
    """The positions that a move leads to, by this program's rules; none where they fail."""
    if "LegalPositionsFrom" not in program.functions:
        return []
    program.reset()
    after = program.run("LegalPositionsFrom", [position], most=0, calls=_CALLS).result
    return list(filter(is_position, after)) if isinstance(after, list) else []


@dataclass
class _Work:
    """How much has been run: calls, and a quarter of the values within results, which are to be compared."""

    steps: int = 0
    endless: int = 0

    def done(self, *calls: Call) -> None:
        self.steps += sum(call.calls + sum(1 for _ in parts(call.result)) // 4 for call in calls)
        self.endless += any(call.is_unfinished for call in calls)

    @property
    def is_enough(self) -> bool:
        return self.steps > _WORK or self.endless >= _ENDLESS
