"""Two programs, all that is different between them: the facts that `cpl diff` tells as text, JSON or a page.

Two loaded sides, what `changes` and `behaviour` found in; one value out, and its JSON.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from cplrt import show

from cpl.causes import REPAIRED
from cpl.compiler import Meaning
from cpl.diagnostics import printable
from cpl.kit import limits
from cpl.kit.behaviour import Behaviour, Pair, differing_constants
from cpl.kit.changes import Change, changes
from cpl.kit.loaded_program import Side
from cpl.kit.traces import Call


@dataclass(frozen=True)
class Constant:
    """A constant or variable that has other values, as CPL writes them."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Commands:
    """What came of the programs' own commands: what they wrote, and the fault that ended them if one did."""

    before: str
    after: str
    fault_before: str | None
    fault_after: str | None

    @property
    def differ(self) -> bool:
        """Whether it is not the same."""
        return (self.before, self.fault_before) != (self.after, self.fault_after)


@dataclass(frozen=True)
class Difference:
    """What differs between two programs; `names` are theirs, `repairs` say how a text was mended to be read."""

    names: tuple[str, str]
    repairs: tuple[str, ...]
    changes: tuple[Change, ...]
    constants: tuple[Constant, ...]
    commands: Commands
    behaviours: tuple[Behaviour, ...]
    ordered: bool
    seed: int
    checkers: bool

    @property
    def changed(self) -> set[str]:
        """The names of the definitions whose text is changed."""
        return {change.name for change in self.changes if change.kind == "changed"}

    @property
    def texts_differ(self) -> bool:
        """Whether any definition is not the same."""
        return bool(self.changes)

    @property
    def behaviours_differ(self) -> bool:
        """Whether anything that was run came out otherwise."""
        return (
            bool(self.constants) or self.commands.differ or any(each.verdict == "different" for each in self.behaviours)
        )


def difference(
    one: Side,
    other: Side,
    behaviours: Sequence[Behaviour],
    *,
    ordered: bool,
    seed: int,
    names: tuple[str, str] | None = None,
) -> Difference:
    """All that is known put together, the functions in the order of the first text. `names` are given to sides that
    their files do not tell apart.
    """
    meanings = (one.meaning, other.meaning)
    places = {one.cpl_names[name]: place for place, name in enumerate(one.functions)}
    return Difference(
        names or _names(*meanings),
        tuple([text for meaning in meanings for text in _repairs(meaning)]),
        tuple(changes(*meanings)),
        tuple(
            [Constant(name, show(mine), show(yours)) for name, mine, yours in differing_constants(one, other, ordered)]
        ),
        Commands(one.written, other.written, one.fault, other.fault),
        tuple(sorted(behaviours, key=lambda each: places[each.name])),
        ordered,
        seed,
        all(meaning.library.host_part == "checkers" for meaning in meanings),
    )


def _names(one: Meaning, other: Meaning) -> tuple[str, str]:
    """What the sides are called: by their files, if these are not called the same."""
    mine, yours = one.main.source, other.main.source
    if mine.name != yours.name:
        return mine.name, yours.name
    if mine.path != yours.path:
        return printable(mine.shown), printable(yours.shown)
    return f"{mine.name} (first)", f"{yours.name} (second)"


def _repairs(meaning: Meaning) -> Iterator[str]:
    for found in meaning.diagnostics:
        if found.cause is REPAIRED:
            yield f"{found.span.source.name} does not parse, and is read with one sign changed: {found.help}"


def to_json(difference: Difference) -> dict[str, Any]:
    """The same facts as plain data."""
    return {
        "names": list(difference.names),
        "repairs": list(difference.repairs),
        "texts_differ": difference.texts_differ,
        "behaviours_differ": difference.behaviours_differ,
        "seed": difference.seed,
        "ordered": difference.ordered,
        "changes": [_change(change) for change in difference.changes],
        "constants": [asdict(constant) for constant in difference.constants],
        "commands": asdict(difference.commands) | {"differ": difference.commands.differ},
        "functions": [_behaviour(each, difference) for each in difference.behaviours],
    }


def _change(change: Change) -> dict[str, Any]:
    pieces = [{"before": piece.before, "after": piece.after} for piece in change.pieces]
    return {**asdict(replace(change, pieces=())), "pieces": pieces}


def _behaviour(behaviour: Behaviour, difference: Difference) -> dict[str, Any]:
    return {
        "name": behaviour.name,
        "text_changed": behaviour.name in difference.changed,
        "verdict": behaviour.verdict,
        "inputs": behaviour.inputs,
        "natural": behaviour.natural,
        "same": behaviour.same,
        "different": behaviour.different,
        "failed_before": behaviour.failed[0],
        "failed_after": behaviour.failed[1],
        "unclear": behaviour.unclear,
        "refused": behaviour.refused,
        "note": behaviour.note,
        "unlike": behaviour.unlike,
        "witness": [_pair(pair) for pair in behaviour.witness],
        "failure": [_pair(pair) for pair in behaviour.failure],
    }


def _pair(pair: Pair) -> dict[str, Any]:
    one, other = pair
    return {
        "function": one.function,
        "arguments": [show(argument) for argument in one.arguments],
        "before": _came(one),
        "after": _came(other),
        "cut": one.cut or other.cut,
    }


def _came(call: Call) -> dict[str, Any]:
    """What came of a call."""
    return {
        "result": None if call.fault is not None else show(call.result),
        "fault": call.fault,
        "written": call.written,
        "left": [show(argument) for argument in call.after],
        "variables": {name: show(value) for name, value in call.variables},
        "inner_calls": [inner.function for inner in call.inner[:100]],
    }


def outcome_of(call: Call, other: Call) -> str:
    """What came of a call in one line of CPL, with what else is not as on the other side."""
    match call.fault:
        case None:
            text = show(call.result)
        case limits.FINISHES:
            text = call.fault
        case _:
            text = f"fails: {call.fault}"
    if call.written != other.written:
        text += f", writes ‘{call.written.rstrip()}’"
    if call.after and show(call.after) != show(other.after):
        text += f", leaves {show(call.after)}"
    others = {name: show(value) for name, value in other.variables}
    for name, value in call.variables:
        if show(value) != others.get(name):
            text += f", leaves {name} = {show(value)}"
    return text
