"""Types as a text declares them (`real`, `integer list`, `real 2 array`, `Tree`), for the inference.

A type is read from its last word: `integer list pointer` is a pointer to a list of integers. The mode of a parameter
stands before: `reference real` is a pointer to a real, and `substitution real` a function without parameters.
"""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Final

from cpl.compiler.semantics import core
from cpl.compiler.source import Span
from cpl.compiler.types.constraints import LISTS, SEQUENCES, Shape, Variable, holder
from cpl.compiler.types.solver import Solver
from cpl.limits import MOST_DIMENSIONS

_BASIC: Final = {
    **{word: word for word in ("integer", "real", "complex", "boolean", "logical", "string")},
    "index": "integer",
}
_WORD: Final = re.compile(r"\w+'*|[^\w\s]")
_KINDS: Final[dict[str, frozenset[object]]] = {
    "list": LISTS,
    **dict.fromkeys(("vector", "matrix"), frozenset({"array"})),
    **dict.fromkeys(("integer", "index", "real", "complex"), frozenset({"number"})),
    "general": SEQUENCES | {"boolean", "logical", "string", "number", "function", "pointer"},
}


def kinds(words: str) -> frozenset[object]:
    """The kinds of value that are of a type."""
    *_, last = words.lower().split()
    return _KINDS.get(last, frozenset({last}))


@dataclass(frozen=True)
class DeclaredTypes:
    """Declares the variables of one program. `types` are the shapes of its own types, by their names; those that are
    `parametric` have a parameter (T17). `letters` are the types that letters stand for.
    """

    solver: Solver
    types: Mapping[str, Shape]
    parametric: Set[core.Global]
    letters: Mapping[str, Variable] = field(default_factory=dict)

    def declare(
        self, variable: Variable, text: str, span: Span, *, converts: bool = True, by_reference: bool = False
    ) -> None:
        """Declare a variable to be of a type: what flows into it needs that type, and what uses it gets it. Numbers are
        converted to it where they are stored, but not in lists and by pointers. The mode of a parameter may stand
        before the type. A `general` one takes every value, and what is read from it may be of any type.
        """
        words = _WORD.findall(text)
        if words and words[-1] in self.letters:
            self.solver.flow(variable, self.letters[words[-1]])
            self.solver.flow(self.letters[words[-1]], variable)
            return
        shape = self._shape(words, span)
        if shape is not None:
            shape.by_reference = by_reference
            shape.unsure = by_reference  # the place may be one of another type of number
            variable.declared = shape
            variable.converts = converts and shape.kind == "number"
            self.solver.flow(shape, variable)
            if shape.head == "node":
                self.solver.flow(Shape(span, "nil"), variable)  # a chain of nodes ends in NIL (S8)

    def named(self, name: core.Global, span: Span, letter: Variable | None = None) -> Shape:
        """The shape of a type of the program, with its parameter if it has one."""
        parameter = (letter or self.solver.variable(),) if name in self.parametric else ()
        return Shape(span, self.types[name.name].head, name, outputs=parameter, inputs=parameter)

    def _shape(self, words: list[str], span: Span) -> Shape | None:
        match words:
            case ["reference", *of] if of:
                contents = self.solver.variable()
                self.declare(contents, " ".join(of), span, converts=False, by_reference=True)
                return holder("pointer", contents, span)
            case ["substitution", *of]:
                return Shape(span, "function", outputs=(self._member(of, span),))
            case ["place", "by", *of]:
                return Shape(span, "function", outputs=(self._member(["reference", *of[1:]], span),))
            case [word] if word.lower() == "general":
                return Shape(span, "general", unchecked=True)
            case [word] if word.lower() in _BASIC:
                return Shape(span, _BASIC[word.lower()])
            case [*of, word] if word in self.types and len(of) <= 1:
                name = self.types[word].name
                return self.named(name, span, self.letters.get("".join(of))) if name else None
            case [*of, "list"]:
                return Shape(span, "list", outputs=(self._member(of, span),))
            case [*of, "pointer"]:
                return holder("pointer", self._member(of, span), span)
            case [*of, "vector"]:
                return self._shape([*of, "1", "array"], span)
            case [*of, "matrix"]:
                return self._shape([*of, "2", "array"], span)
            case [*of, count, "array"] if count.isdecimal():  # `real 2 array` is an array of `real 1 array`
                dimensions = min(int(count), MOST_DIMENSIONS)
                member = [*of, str(dimensions - 1), "array"] if dimensions > 1 else of
                return holder("array", self._member(member, span, converts=True), span)
            case _ if "[" in words:
                return self._function(words, span)
            case _:
                return None

    def _function(self, words: list[str], span: Span) -> Shape | None:
        """`α Function[ ]`, `Routine[α : ∗]`"""
        *of, name = words[: words.index("[")]
        if name not in ("Function", "Routine"):
            return None
        parameter_words = [word for word in words[words.index("[") + 1 : -1] if word not in (":", "×")]
        inputs = []
        for is_comma, parameter in groupby(parameter_words, lambda word: word == ","):
            if not is_comma:
                inputs.append(self._member([*parameter], span))
        return Shape(span, "function", inputs=tuple(inputs), outputs=(self._member(of, span),))

    def _member(self, words: list[str], span: Span, *, converts: bool = False) -> Variable:
        """A variable of the type that these words declare."""
        member = self.solver.variable()
        self.declare(member, " ".join(words), span, converts=converts)
        return member


def letters(texts: Iterable[str]) -> set[str]:
    """The small names in types: what a declaration with a parameter calls it."""
    words = chain.from_iterable(_WORD.findall(text) for text in texts)
    return {word for word in words if re.fullmatch(r"[^\W\d_A-Z]'*", word)}
