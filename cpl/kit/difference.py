"""All differences between two programs: the facts that `cpl diff` shows as text, as JSON or as a page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import ndiff
from typing import Any, Final

from cplrt import show

from cpl.compiler import Meaning
from cpl.diagnostics import Diagnostic
from cpl.display import drawn_by
from cpl.kit.behaviour import Behaviour
from cpl.kit.limits import Outcome
from cpl.kit.loaded_program import LoadedProgram
from cpl.kit.text_changes import Change, changes
from cpl.kit.traces import Call
from cpl.kit.values import same
from cpl.messages import REPAIRED
from cpl.outside import printable
from cpl.semantics import core

CUT: Final = "It may be a call further inside that differs: there were too many to keep them all."
"""What a report says below calls of which some are not recorded."""


@dataclass(frozen=True, repr=False)
class Difference:
    """What differs between two programs. `names` are theirs, `repairs` say how a text was repaired, `misleading` is
    what else misleads in the texts, `commands` are the outcomes of the programs' own commands, `parameters` what those
    of the first side's functions are called.
    """

    names: tuple[str, str]
    repairs: tuple[str, ...]
    changes: tuple[Change, ...]
    constants: tuple[Change, ...]
    commands: tuple[Outcome, Outcome]
    behaviours: tuple[Behaviour, ...]
    parameters: dict[str, list[str]]
    ordered: bool
    seed: int
    checkers: bool
    misleading: tuple[Diagnostic, ...]

    @property
    def changed(self) -> set[str]:
        """The names of the definitions whose text is changed."""
        return {change.name for change in self.changes if change.kind == "changed"}

    @property
    def differing(self) -> list[Behaviour]:
        """The functions that behave differently."""
        return [each for each in self.behaviours if each.verdict == "different"]

    @property
    def commands_differ(self) -> bool:
        """Whether the programs do different things by themselves."""
        return self.commands[0] != self.commands[1]

    @property
    def behaviours_differ(self) -> bool:
        """Whether any run came out differently."""
        return bool(self.constants or self.commands_differ or self.differing)

    @property
    def text_summary(self) -> str:
        """How many definitions are not the same."""
        counts = Counter(change.kind for change in self.changes)
        listed = ", ".join(f"{counts[kind]} {kind}" for kind in ("changed", "added", "removed") if counts[kind])
        return f"Text of the definitions: {listed}" if listed else "Text: the same definitions."

    @property
    def behaviour_summary(self) -> str:
        """How many functions behave differently."""
        number, differing = len(self.behaviours), len(self.differing)
        if not number:
            return "Behaviour: there is no function of the same name on both sides."
        some = f"{number} functions do" if number > 1 else "1 function does"
        return f"Behaviour: {f'{differing} of {some} something else' if differing else 'no difference was found'}"

    def to_dict(self) -> dict[str, Any]:
        """The same facts as plain data: what `cpl diff --format json` prints."""
        before, after = self.commands
        return {
            "names": list(self.names),
            "repairs": list(self.repairs),
            "texts_differ": bool(self.changes),
            "behaviours_differ": self.behaviours_differ,
            "seed": self.seed,
            "ordered": self.ordered,
            "changes": [_change(change) for change in self.changes],
            "constants": [{"name": each.name, "before": each.before, "after": each.after} for each in self.constants],
            "commands": {
                "before": before.written,
                "after": after.written,
                "fault_before": before.fault,
                "fault_after": after.fault,
                "differ": self.commands_differ,
            },
            "functions": [_behaviour(each, each.name in self.changed) for each in self.behaviours],
        }

    __repr__ = drawn_by("cpl.kit.diff_text:as_summary")
    _repr_html_ = drawn_by("cpl.views.diff_html:as_fragment")


def difference(
    one: LoadedProgram,
    other: LoadedProgram,
    behaviours: Sequence[Behaviour],
    *,
    ordered: bool,
    seed: int,
    typed: Sequence[str] = (),
    readings: bool = False,
) -> Difference:
    """All that is known put together, the functions in the order of the first text. The sides are named by their files
    and, if `readings`, how these are read; if that does not tell them apart, as the user has `typed` them.
    """
    meanings = (one.meaning, other.meaning)
    places = {name: place for place, name in enumerate(one.functions)}
    constants = [
        Change(name, "changed", show(value), show(other.constants[name]))
        for name, value in one.constants.items()
        if name in other.constants and not same(value, other.constants[name], ordered)
    ]
    repairs = [
        f"{found.span.source.name}: {found.message}: {found.help}"
        for meaning in meanings
        for found in meaning.diagnostics
        if found.cause is REPAIRED
    ]
    return Difference(
        _names(meanings, typed, readings),
        tuple(repairs),
        tuple(changes(*meanings)),
        tuple(constants),
        (one.commands, other.commands),
        tuple(sorted(behaviours, key=lambda each: places[each.name])),
        parameters(one.meaning),
        ordered,
        seed,
        all(meaning.library.host_part == "checkers" for meaning in meanings),
        tuple(each for meaning in meanings for each in meaning.misleading if each.cause is not REPAIRED),
    )


def parameters(meaning: Meaning) -> dict[str, list[str]]:
    """What the parameters of a program's functions are called."""
    return {
        found.name.name: [each.name for each in found.parameters]
        for found in meaning.core.definitions
        if isinstance(found, core.Function)
    }


def _names(meanings: Sequence[Meaning], typed: Sequence[str], readings: bool) -> tuple[str, str]:
    """What the two sides are called: the first way that tells them apart."""
    texts = [meaning.main for meaning in meanings]
    files = [text.source.name for text in texts]
    ways = [
        [f"{text.source.name} ({text.reading.name})" for text in texts] if readings else (),
        files,
        () if readings else typed,
        [printable(text.source.shown) for text in texts],
        [f"{file} ({which})" for file, which in zip(files, ("first", "second"), strict=True)],
    ]
    one, other = next(way for way in ways if len({*way}) > 1)
    return one, other


def _change(change: Change) -> dict[str, Any]:
    return vars(change) | {"pieces": [{"before": piece.before, "after": piece.after} for piece in change.pieces]}


def _behaviour(behaviour: Behaviour, text_changed: bool) -> dict[str, Any]:
    return {
        "name": behaviour.name,
        "text_changed": text_changed,
        "verdict": behaviour.verdict,
        "inputs": behaviour.inputs,
        "natural": behaviour.natural,
        "same": behaviour.counts["same"],
        "different": behaviour.counts["different"],
        "failed_before": behaviour.counts["before fails"],
        "failed_after": behaviour.counts["after fails"],
        "unclear": behaviour.counts["unclear"],
        "refused": behaviour.counts["refused"],
        "note": behaviour.note,
        "unlike": behaviour.unlike,
        "witness": [_pair(*pair) for pair in behaviour.witness],
        "failure": [_pair(*pair) for pair in behaviour.failure],
    }


def _pair(one: Call, other: Call) -> dict[str, Any]:
    return {
        "function": one.function,
        "arguments": [show(argument) for argument in one.arguments],
        "before": _outcome(one),
        "after": _outcome(other),
        "cut": one.cut or other.cut,
    }


def _outcome(call: Call) -> dict[str, Any]:
    return {
        "result": None if call.fault is not None else show(call.result),
        "fault": call.fault,
        "written": call.written,
        "left": [show(argument) for argument in call.after],
        "variables": {name: show(value) for name, value in call.variables},
        "inner_calls": [inner.function for inner in call.inner[:100]],
    }


def outcome_of(call: Call, other: Call) -> str:
    """The outcome of a call in one line of CPL, with whatever else differs from the other side."""
    text = f"fails: {call.fault}" if call.is_failed else call.fault or show(call.result)
    if call.written != other.written:
        text += f", writes ‘{call.written.rstrip()}’"
    if call.after and show(call.after) != show(other.after):
        text += f", leaves {show(call.after)}"
    others = {name: show(value) for name, value in other.variables}
    left = [f", leaves {name} = {show(value)}" for name, value in call.variables if show(value) != others.get(name)]
    return text + "".join(left)


def transcript(found: Outcome) -> str:
    """What a program writes by itself, and the fault that ends it, if one does."""
    return "\n".join([*found.written.splitlines(), *([f"fails: {found.fault}"] if found.fault else [])])


def marked(before: str, after: str) -> list[str]:
    """The lines of both texts, each behind a minus, a plus, or a blank if both have it."""
    return [
        line
        for line in ndiff(printable(before).splitlines(), printable(after).splitlines())
        if not line.startswith("?")
    ]


def shortened(text: str, longest: int) -> str:
    """A text of at most so many characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
