"""Why a mutant is well typed, as far as it can be told by experiment: what else may stand where the slip is.

From a mutant and what judges it to a key of `REASONS`. Called by `test_mutants.py` for survivors that are in no list
yet; the word of a person who says otherwise there stands.
"""

import re
from functools import cache
from typing import Final, Protocol

from mutants import Mutant

from cpl.semantics.library import HOST
from cpl.source import Span
from cpl.syntax import nodes
from cpl.syntax.lexer import RAISED

UNKNOWN: Final = "?"
"""The reason of a survivor of which nobody has said why it is well typed; no list may keep it."""

REASONS: Final = {
    "general": "nothing asks of what type this is: a value of any type may stand here (T9)",
    "nil": "a list, a tuple or a node is wanted here, and NIL belongs to them all (S8)",
    "list": "a list is wanted here, and nothing asks of what",
    "either": "values of some types may stand here, and this is of one of them",
    "same": "one type is wanted here, and this is of that type",
    "many": "the function takes any number of arguments",
    "further": "the block gives its result further on",
    "taken": "what is taken apart may have any number of members",
    "asked": "`Is` asks elsewhere of which type these values are, so they may be of several",
    "arity": "the function is a parameter, and this is its only application: it may take so many",
    "declared": "nothing tells the declared type from the other one",
}
"""Why a slip may be well typed, by the key that stands in the lists."""

_LISTS: Final = {"nil", "list", "tuple"}
_VALUES: Final = {
    "number": "1",
    "string": "‘a’",
    "boolean": "true",
    "logical": "Logical(0)",
    "nil": "NIL",
    "list": "[1]",
    "tuple": "(1,true)",
    "function": "Head",
}
"""A value of each type, to be put where a slip is."""

_ODD: Final = ("function", "logical", "boolean")


class Finds(Protocol):
    """What judges mutants."""

    def finds(self, mutant: Mutant) -> bool:
        """Whether an error is found in the mutant."""

    def statement(self, span: Span) -> nodes.Statement:
        """The statement of the outermost level in which this stands."""


def proposed(mutant: Mutant, judge: Finds) -> str:
    """A reason for a survivor, or UNKNOWN."""
    if mutant.operator == "no-result":
        rest = mutant.span.source.text[mutant.span.end : judge.statement(mutant.span).span.end]
        return "further" if re.search(r"result is|result :=", rest) else UNKNOWN
    if mutant.operator in ("fewer-arguments", "more-arguments"):
        [function] = mutant.sites
        return "many" if function.text in HOST and (HOST[function.text].most or 0) > 1000 else UNKNOWN
    reasons = {_reason(mutant, fitting(judge, site)) for site in mutant.sites}
    if len(reasons) > 1:
        reasons.discard("general")
    return reasons.pop() if len(reasons) == 1 else "either" if reasons else UNKNOWN


def _reason(mutant: Mutant, kinds: frozenset[str]) -> str:
    nil = mutant.operator.startswith("nil-")
    if kinds == _VALUES.keys():
        return "general"
    if nil and kinds and kinds <= _LISTS:
        return "nil"
    if len(kinds) <= 1:
        return "same"
    return "list" if kinds <= _LISTS else "either"


@cache
def fitting(judge: Finds, site: Span) -> frozenset[str]:
    """The types of which a value may stand at a site."""
    sign = "↑" if site.text[0] in RAISED else ""

    def may_stand(kind: str) -> bool:
        return not judge.finds(Mutant("tried", site, f"{sign}({_VALUES[kind]})", ""))

    if all(map(may_stand, _ODD)):  # where a function may stand, and a bit string, and a truth value, all may
        return frozenset(_VALUES)
    return frozenset(filter(may_stand, _VALUES))
