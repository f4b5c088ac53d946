"""Compare what two programs do: functions of the same name are run on the same inputs, and their effects compared.

The result says for each function how many inputs give the same, and shows the smallest one that does not, with a trace
of both sides. `cpl diff` calls `explore` for all names, then `choose`, and then `compare` for each, in whatever
order and process: first for those that are `leading`, from which it may `learn`.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from random import Random
from types import FunctionType
from typing import Any, Final, Literal

from cpl.games.position import Position, is_position
from cpl.kit.first_difference import Pair, Same, differ, divergence
from cpl.kit.generators import ANY, generate
from cpl.kit.inputs import Arguments, Input, Store, parameter_sorts, try_arguments
from cpl.kit.limits import PATIENCE
from cpl.kit.loaded_program import ForeignValue, LoadedProgram
from cpl.kit.positions import drawn
from cpl.kit.tally import shrunk, tally
from cpl.kit.traces import MOST_CALLS, MOST_RECORDED
from cpl.kit.values import measure, parts, same

_RECORDED: Final = 500  # calls within a run that may become inputs of others
_CALLS: Final = 20_000  # within a run, unless the other side finishes it
_ROOM: Final = 10  # inputs that are kept, for each on which a function is compared
_WORK: Final = 200_000  # steps in which a function may be tried, and again on which it may be compared
_ENDLESS: Final = 3  # runs without an end after which a function is left

Verdict = Literal["same", "different", "untried"]
InputKind = Literal["same", "different", "before fails", "after fails", "unclear", "refused"]
"""What became of one input: `unclear` if the results are functions, `refused` if both sides fail."""


@dataclass(frozen=True)
class Behaviour:
    """How one function behaves on both sides, by its CPL name, in `counts` of inputs.

    `witness` is the smallest input on which results differ, `failure` the smallest on which only one side fails: both
    are pairs of calls, from the function itself down to the first inner call that differs. `natural` is the number of
    natural inputs. A `note` says why nothing was compared (one reason is that the functions are `unlike`, as they have
    different numbers of parameters), or that some results are functions.
    """

    name: str
    counts: Counter[InputKind] = field(default_factory=Counter)
    natural: int = 0
    witness: tuple[Pair, ...] = ()
    failure: tuple[Pair, ...] = ()
    note: str = ""
    unlike: bool = False

    @property
    def failed(self) -> tuple[int, int]:
        """On how many inputs only the first side fails, and only the second."""
        return self.counts["before fails"], self.counts["after fails"]

    @property
    def examples(self) -> list[tuple[str, tuple[Pair, ...]]]:
        """The smallest inputs that show a difference, each with what it shows."""
        found = [
            (f"the results differ on {self.counts['different']} of {self.inputs} inputs", self.witness),
            (f"one side fails on {sum(self.failed)} of {self.inputs} inputs", self.failure),
        ]
        return [(what, pairs) for what, pairs in found if pairs]

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
_FAILURES: Final[dict[tuple[bool, bool], InputKind]] = {
    (True, True): "refused",
    (True, False): "before fails",
    (False, True): "after fails",
}


def _size(given: Input) -> Any:
    """By this the smallest input is found, natural ones first."""
    return not given.natural, measure(given.arguments)


class FunctionComparison:
    """A comparison of two programs; the same seed gives the same result."""

    def __init__(
        self, one: LoadedProgram, other: LoadedProgram, count: int = 200, seed: int = 0, ordered: bool = True
    ) -> None:
        self.one, self.other, self.count = one, other, count
        self._rng = Random(seed)
        self._same: Same = partial(same, ordered=ordered)
        self._shared = [name for name in one.constants if name in other.constants]
        self._boards = self._positions(seed)
        self._pool = generate(one, other, self._rng, self._boards)
        self._sorts = parameter_sorts(one.meaning)
        self._stores = {
            name: Store(_ROOM * count, self._rng) for name in self.names if one.arity(name) == other.arity(name)
        }
        self._refusals: dict[str, str] = {}
        self._work = 0  # calls, and a quarter of the values within results, which are to be compared
        for program in (one, other):
            for function, arguments in program.first_calls:
                self._keep(function, arguments, natural=True)

    @property
    def names(self) -> list[str]:
        """The functions that both have, those of positions first: they show most."""
        return sorted(
            (name for name in self.one.functions if name in self.other.functions),
            key=lambda name: not (self._boards and self.one.arity(name) == 1),
        )

    def explore(self, name: str) -> None:
        """Find inputs for a function and for those that it calls."""
        if name not in self._stores:
            return
        arity, store = self.one.arity(name), self._stores[name]
        self._work = 0
        for position in self._boards if arity == 1 else ():
            self._try(name, (position,), natural=True)
        for arguments in store.natural[: self.count] if arity else [()]:
            self._try(name, arguments, natural=True)
        if arity and len(store.natural) < self.count // 4:
            sorts = self._sorts.get(name, [ANY] * arity)
            accepts = partial(self._try, name, natural=False)
            try_arguments(accepts, sorts, self._pool, self._rng, self.count)

    @property
    def leading(self) -> list[str]:
        """The functions of positions: what shows that they differ helps to compare those that they call."""
        return [name for name in self.names if self._boards and name in self._stores and self.one.arity(name) == 1]

    def learn(self, name: str, arguments: Arguments) -> None:
        """Find inputs for what is called when a function gets these arguments, which show that it differs."""
        pair = self._run(name, arguments, recorded=MOST_RECORDED, calls=MOST_CALLS, seconds=3)
        if pair:
            self._harvest(pair, natural=True)

    def choose(self) -> None:
        """Choose from what was found the inputs on which each function is compared, whichever others are."""
        self._chosen = {name: store.chosen(self.count) for name, store in self._stores.items()}

    def compare(self, name: str) -> Behaviour:
        """Run a function on what was chosen for it."""
        mine, yours = self.one.arity(name), self.other.arity(name)
        if mine != yours:
            some = f"{mine} argument{'s' if mine != 1 else ''}"
            return Behaviour(name, unlike=True, note=f"takes {some} on one side, {yours} on the other")
        self._work = 0
        cases: list[tuple[InputKind, Input]] = []
        for given in self._chosen[name]:
            if self._work <= _WORK:
                cases.append((self._kind(name, *given.arguments), given))
        found = tally(cases, _size, unremarkable=_UNREMARKABLE)
        failures = [found.smallest[kind] for kind in ("before fails", "after fails") if kind in found.smallest]
        note = f"{found.counts['unclear']} results are functions" if found.counts["unclear"] else ""
        if found.counts.total() == found.counts["refused"]:
            last = f" (at last: {self._refusals[name]})" if self._refusals.get(name) else ""
            note = f"no inputs found that either side accepts{last}"
        return Behaviour(
            name,
            found.counts,
            natural=sum(given.natural for kind, given in cases if kind != "refused"),
            witness=self._witness(name, found.smallest.get("different")),
            failure=self._witness(name, min(failures, key=_size, default=None)),
            note=note,
        )

    def _try(self, name: str, arguments: Arguments, *, natural: bool) -> bool:
        """Whether at least one side accepts the arguments; then they are kept, and what they lead to."""
        pair = None if self._work > _WORK else self._pair(name, arguments)
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
        for call, _ in divergence(*pair, self._same):
            self._keep(call.function, call.arguments, natural=natural, differs=True)
        for call in pair:
            for inner in call.nested():
                self._keep(inner.function, inner.arguments, natural=natural)

    def _keep(self, name: str, arguments: Arguments, *, natural: bool, differs: bool = False) -> None:
        """Keep arguments of a function that both sides have."""
        if name in self._stores and len(arguments) == self.one.arity(name):
            self._stores[name].add(arguments, natural=natural, differs=differs)

    def _kind(self, name: str, *arguments: Any) -> InputKind:
        """What becomes of these arguments."""
        pair = self._pair(name, arguments)
        failed = (pair[0].is_failed, pair[1].is_failed) if pair else (True, True)
        if pair is None or any(failed):
            return _FAILURES[failed]
        if differ(*pair, self._same):
            return "different"
        return "unclear" if any(isinstance(part, FunctionType) for part in parts(pair[0].result)) else "same"

    def _pair(self, name: str, arguments: Arguments) -> Pair | None:
        """What both sides make of the arguments; None if one cannot be given them."""
        pair = self._run(name, arguments)
        if pair and pair[0].is_unfinished != pair[1].is_unfinished:  # it may have been a near thing
            return self._run(name, arguments, calls=MOST_CALLS, seconds=PATIENCE)
        return pair

    def _run(
        self, name: str, arguments: Arguments, *, recorded: int = _RECORDED, calls: int = _CALLS, seconds: float = 0.5
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
            except ForeignValue:
                return None
        self._work += sum(call.calls + sum(1 for _ in parts(call.result)) // 4 for call in ran)
        if any(call.is_unfinished for call in ran):
            self._work += _WORK // _ENDLESS
        return ran[0], ran[1]

    def _witness(self, name: str, given: Input | None) -> tuple[Pair, ...]:
        """What happens on an input, or on one still smaller that shows the same; run again and traced."""
        if given is None:
            return ()
        arguments = given.arguments
        self._work = 0
        if self._boards and len(arguments) == 1 and is_position(arguments[0]):
            arguments = (shrunk(arguments[0], partial(self._kind, name), lambda: self._work > _WORK),)
        pair = self._run(name, arguments, recorded=MOST_RECORDED, calls=MOST_CALLS, seconds=3)
        return divergence(*pair, self._same) if pair else ()

    def _positions(self, seed: int) -> list[Position]:
        """Positions from play by either side's rules, and scattered ones, if both play checkers."""
        found: dict[Position, None] = {}
        for program in (self.one, self.other):
            start: Any = program.constants.get("StartPosition")
            is_checkers = program.meaning.library.host_part == "checkers"
            if not (is_checkers and is_position(start) and "LegalPositionsFrom" in program.functions):
                return []
            found |= dict.fromkeys(drawn(partial(_moves, program), start, self.count // 2, seed))
        return list(found)


def _moves(program: LoadedProgram, position: Position) -> list[Position]:
    """The positions that a move leads to, by this program's rules; none where they fail."""
    program.reset()
    after = program.run("LegalPositionsFrom", [position], most=0, calls=_CALLS).result
    return list(filter(is_position, after)) if isinstance(after, list) else []
