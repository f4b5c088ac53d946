"""What two programs do: functions of the same name are run on the same inputs, and their results compared.

Two loaded sides in; for each function how many results are the same, and where they are not the smallest input that
shows it, with what happened on both sides, out. `cpl diff` calls it, first `explore` and then `compare` for each name.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from types import FunctionType
from typing import Any, Final, Literal

from cpl.kit import positions
from cpl.kit.generators import pools
from cpl.kit.inputs import ANY, Arguments, Store, found_by_trial, inner_calls, parameters
from cpl.kit.limits import FINISHES, PATIENCE, UNFINISHED
from cpl.kit.loaded_program import Foreign, Side
from cpl.kit.positions import Position, sample, shrinking
from cpl.kit.traces import Call, differ, parting
from cpl.kit.values import measure, parts, same

_RECORDED: Final = 500  # calls within a run that may become inputs of others
_CALLS: Final = 20_000  # within a run, at first; for a run that the other side finishes
_PATIENT: Final = 500_000
_WORK: Final = 200_000  # steps in which a function may be tried, and again on which it may be compared
_ENDLESS: Final = 3  # runs without an end after which a function is left
_WITNESS: Final = 50_000  # recorded calls of a run that is shown

Verdict = Literal["same", "different", "untried"]
Pair = tuple[Call, Call]


@dataclass(frozen=True)
class Behaviour:
    """What came of one function, by its CPL name.

    Of the `inputs` that at least one side accepts, on so many the results are `same`, `different`, or only one side,
    named first, has `failed`; on some the results are functions, `unclear`. Those on which both sides fail are no
    inputs: `refused`.

    `witness` is the smallest input on which results differ, `failure` the smallest on which only one side fails: both
    are pairs of calls, from the function itself down to the first inner call that differs. `natural` says of what kind
    the inputs are, `note` why there are none: one reason is that the functions are `unlike`, of other numbers of
    parameters.
    """

    name: str
    same: int = 0
    different: int = 0
    failed: tuple[int, int] = (0, 0)
    unclear: int = 0
    refused: int = 0
    natural: int = 0
    witness: tuple[Pair, ...] = ()
    failure: tuple[Pair, ...] = ()
    note: str = ""
    parameters: tuple[str, ...] = ()
    unlike: bool = False

    @property
    def inputs(self) -> int:
        """How many inputs at least one side accepts."""
        return self.same + self.different + sum(self.failed) + self.unclear

    @property
    def verdict(self) -> Verdict:
        """Whether the two functions do the same, as far as was seen."""
        if self.different or any(self.failed) or self.unlike:
            return "different"
        return "same" if self.same else "untried"


@dataclass
class Comparison:
    """Two programs, being compared. The same for the same seed."""

    one: Side
    other: Side
    count: int = 200
    seed: int = 0
    ordered: bool = True
    _stores: dict[str, Store] = field(default_factory=dict)
    _boards: list[Position] = field(default_factory=list)
    _refusals: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rng = Random(self.seed)
        self._same: Callable[[Any, Any], bool] = partial(same, ordered=self.ordered)
        self._shared = [name for name in self.one.constants if name in self.other.constants]
        self._boards = self._positions()
        self._pool = pools(self.one, self.other, self._rng, self._boards)
        self._sorts = {**parameters(self.other.meaning), **parameters(self.one.meaning)}
        for name in self.names:
            self._stores[name] = Store(4 * self.count, self._rng)
        for side in (self.one, self.other):
            for call in side.first_calls:
                self._keep(call.function, call.arguments, natural=True)

    @property
    def names(self) -> list[str]:
        """The functions that both have, by their Python names, those of positions first: they show most."""
        others = self.other.functions
        shared = [name for name in self.one.functions if name in others]
        return sorted(shared, key=lambda name: not (self._boards and _arity(self.one, name) == 1))

    def explore(self, name: str) -> None:
        """Find inputs for a function, and for those that it calls."""
        if _arity(self.one, name) != _arity(self.other, name):
            return
        store = self._stores[name]
        work = _Work()
        if _arity(self.one, name) == 1:
            for position in self._boards:
                self._try(name, (position,), work, natural=True)
        for arguments in [*store.natural.values()][: self.count]:
            self._try(name, arguments, work, natural=True)
        if not _arity(self.one, name):
            self._try(name, (), work, natural=True)
        elif len(store.natural) < self.count // 4:
            sorts = self._sorts.get(self.one.cpl_names[name]) or []
            found = found_by_trial(
                lambda arguments: self._try(name, arguments, work, natural=False),
                sorts if len(sorts) == _arity(self.one, name) else [ANY] * _arity(self.one, name),
                self._pool,
                self._rng,
                self.count,
            )
            for _ in found:
                if len(store.tried) >= self.count:
                    break

    def compare(self, name: str) -> Behaviour:
        """Run a function on what was found for it."""
        shown = self.one.cpl_names[name]
        mine, yours = _arity(self.one, name), _arity(self.other, name)
        if mine != yours:
            return Behaviour(shown, unlike=True, note=f"takes {_arguments(mine)} on one side, {yours} on the other")
        found = _Found()
        work = _Work()
        for arguments, natural in self._stores[name].chosen(self.count):
            if work.is_enough:
                break
            pair = self._pair(name, arguments, work)
            if pair is not None:
                found.add(pair, natural, self._same)
        witness = self._witness(name, found.different)
        failure = self._witness(name, found.failed[0] + found.failed[1])
        note = "" if found.inputs else self._refusal(name)
        return Behaviour(
            shown,
            found.same,
            len(found.different),
            (len(found.failed[0]), len(found.failed[1])),
            found.unclear,
            found.refused,
            found.natural,
            witness,
            failure,
            note,
            self.one.parameters.get(shown, ()),
        )

    def _refusal(self, name: str) -> str:
        """That there are no inputs, and what was wrong with the last one."""
        said = "no inputs found that either side accepts"
        return f"{said} (at last: {self._refusals[name]})" if self._refusals.get(name) else said

    def _try(self, name: str, arguments: Arguments, work: "_Work", *, natural: bool) -> bool:
        """Whether at least one side accepts the arguments; then they are kept, and what they lead to."""
        if work.is_enough:
            return False
        pair = self._pair(name, arguments, work)
        if pair is None or all(map(_is_failed, pair)):
            if pair is not None:
                self._refusals[name] = pair[0].fault or ""
            return False
        self._keep(name, arguments, natural=natural)
        self._harvest(pair, natural=natural)
        return True

    def _harvest(self, pair: Pair, *, natural: bool) -> None:
        """Keep what inner functions were given, above all where the two sides part."""
        for mine, yours in parting(*pair, self._same):
            way = "different" if _is_failed(mine) == _is_failed(yours) else "failed"
            self._keep(self.one.python_names.get(mine.function, ""), mine.arguments, natural=natural, telling=way)
        for side, call in zip((self.one, self.other), pair, strict=True):
            for inner in inner_calls(call):
                self._keep(side.python_names.get(inner.function, ""), inner.arguments, natural=natural)

    def _keep(self, name: str, arguments: Arguments, *, natural: bool, telling: str = "") -> None:
        if name in self._stores and len(arguments) == _arity(self.one, name) == _arity(self.other, name):
            self._stores[name].add(arguments, natural=natural, telling=telling)

    def _pair(self, name: str, arguments: Arguments, work: "_Work") -> Pair | None:
        """What both sides make of the arguments; None if one cannot be given them."""
        try:
            mine, yours = self._run(name, arguments, most=_RECORDED, calls=_CALLS, seconds=0.5)
            work.done(mine, yours)
            if _is_unfinished(mine) != _is_unfinished(yours):  # it may have been a near thing
                mine, yours = self._run(name, arguments, most=_RECORDED, calls=_PATIENT, seconds=PATIENCE)
                work.done(mine, yours)
        except Foreign:
            return None
        return mine, yours

    def _run(self, name: str, arguments: Arguments, *, most: int, calls: int, seconds: float) -> Pair:
        """Both sides, each with all variables as they were at first: a function without a name that is passed to one
        may be the other's, and use its variables. Raises Foreign.
        """
        ran = []
        for side in (self.one, self.other):
            self.one.begin_again()
            self.other.begin_again()
            call = side.run(name, arguments, most=most, calls=calls, seconds=seconds)
            ran.append(replace(call, variables=side.left(self._shared)))
        return ran[0], ran[1]

    def _witness(self, name: str, found: Sequence["_Seen"]) -> tuple[Pair, ...]:
        """The smallest of these inputs, or one still smaller that shows the same; run again and traced."""
        if not found:
            return ()
        smallest = min(found, key=_Seen.measure)
        arguments = self._shrunk(name, smallest.arguments)
        try:
            pair = self._run(name, arguments, most=_WITNESS, calls=_PATIENT, seconds=3)
        except Foreign:
            return ()
        self._harvest(pair, natural=smallest.natural)
        return tuple(parting(*pair, self._same))

    def _shrunk(self, name: str, arguments: Arguments) -> Arguments:
        """A position from which as many pieces are taken as can be, the two sides differing as they do."""
        if len(arguments) != 1 or not self._boards or not is_position(arguments[0]) or len(arguments[0]) != 4:
            return arguments
        work = _Work()
        kind = self._kind(self._pair(name, arguments, work))
        steps = shrinking(arguments[0], lambda each: self._kind(self._pair(name, (each,), work)) == kind)
        while not work.is_enough and (position := next(steps, None)) is not None:
            arguments = (position,)
        return arguments

    def _kind(self, pair: Pair | None) -> Any:
        """In what way two sides differ, if they do."""
        if pair is None or not differ(*pair, self._same):
            return None
        return tuple([call.fault for call in pair])

    def _positions(self) -> list[Position]:
        """Positions from play by either side's rules, and scattered ones, if both play checkers."""
        found: dict[Position, None] = {}
        for side in (self.one, self.other):
            start: Any = side.constants.get("StartPosition")
            if side.meaning.library.host_part != "checkers" or not is_position(start):
                return []
            found |= dict.fromkeys(sample(partial(_moves, side), start, self.count // 2, self.seed))
        return list(found)


def is_position(value: Any) -> bool:
    """Whether a value is a position of the 1966 program, between moves or, with Φ as a fifth member, in the middle of
    one.
    """
    return isinstance(value, tuple) and len(value) in (4, 5) and positions.is_position(value[:4])


def _moves(side: Side, position: Position) -> list[Position]:
    """The positions that a move leads to, by this side's rules; none where they fail."""
    if "LegalPositionsFrom" not in side.functions:
        return []
    side.begin_again()
    after = side.run("LegalPositionsFrom", [position], most=0, calls=_CALLS).result
    return [each for each in after if is_position(each) and len(each) == 4] if isinstance(after, list) else []


def _arity(side: Side, name: str) -> int:
    return side.functions[name].__code__.co_argcount


def _arguments(count: int) -> str:
    return f"{count} argument{'s' if count != 1 else ''}"


def _is_failed(call: Call) -> bool:
    """Whether a run came to no end that the program wants."""
    return call.fault is not None and call.fault != FINISHES


def _is_unfinished(call: Call) -> bool:
    """Whether a run was broken off."""
    return call.fault is not None and call.fault.startswith(UNFINISHED)


@dataclass
class _Work:
    """How much has been run: calls, and a quarter of the values within results, which are to be compared."""

    steps: int = 0
    endless: int = 0

    def done(self, *calls: Call) -> None:
        self.steps += sum(call.calls + sum(1 for _ in parts(call.result)) // 4 for call in calls)
        self.endless += any(map(_is_unfinished, calls))

    @property
    def is_enough(self) -> bool:
        return self.steps > _WORK or self.endless >= _ENDLESS


@dataclass(frozen=True)
class _Seen:
    """An input on which the sides differ."""

    arguments: Arguments
    natural: bool

    def measure(self) -> Any:
        return not self.natural, measure(self.arguments)


@dataclass
class _Found:
    """What came of the runs of one function."""

    same: int = 0
    unclear: int = 0
    refused: int = 0
    natural: int = 0
    different: list[_Seen] = field(default_factory=list)
    failed: tuple[list[_Seen], list[_Seen]] = field(default_factory=lambda: ([], []))

    @property
    def inputs(self) -> int:
        return self.same + self.unclear + len(self.different) + len(self.failed[0]) + len(self.failed[1])

    def add(self, pair: Pair, natural: bool, same: Callable[[Any, Any], bool]) -> None:
        one, other = pair
        seen = _Seen(one.arguments, natural)
        if _is_failed(one) and _is_failed(other):
            self.refused += 1
            return
        self.natural += natural
        if _is_failed(one):
            self.failed[0].append(seen)
        elif _is_failed(other):
            self.failed[1].append(seen)
        elif differ(one, other, same):
            self.different.append(seen)
        elif any(isinstance(part, FunctionType) for part in parts(one.result)):
            self.unclear += 1
        else:
            self.same += 1


def differing_constants(one: Side, other: Side, ordered: bool = True) -> Iterator[tuple[str, Any, Any]]:
    """The constants and variables of the same name, in CPL, that have other values, and both."""
    others = other.constants
    for name, value in one.constants.items():
        if name in others and not same(value, others[name], ordered):
            yield one.cpl_names[name], value, others[name]
