"""The types of a whole program: what kind each expression is of, what type each definition; for lowering and `check`.

Inference is done twice. In the first every function is of the most general type that its own text allows: what
disagrees there disagrees however the function is used, and lowering may rely on what is known. In the second a
function's parameters are what the program gives it: that is the type that a reader wants to see.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from cpl.diagnostics import Diagnostic
from cpl.semantics import core
from cpl.semantics.missing_results import missing_results
from cpl.source import Source, Span
from cpl.types.constraints import Outcome, Shape, Term, Variable, width
from cpl.types.disagreements import disagreements
from cpl.types.generalize import shape_of
from cpl.types.generate import Inference
from cpl.types.mixtures import mixed_functions, mixtures
from cpl.types.readback import Signatures, lettered, narrowed
from cpl.types.types import GENERAL, Basic, Type, Unknown, all_parts

Kind = Literal["boolean", "logical", "number", "string", "array"]
_NUMBERS = {"number", "integer", "index", "real", "complex", "general"}
_TRUTHS = {"Boolean", "general"}
_COMPARED = {"boolean": "Boolean", "number": "real"}
_KINDS = ("boolean", "logical", "number", "string", "array")


class Facts:
    """What is known of the types of a program."""

    def __init__(self, program: core.Program) -> None:
        self._program = program
        self._types: dict[tuple[core.Local | core.Global, int], Type | None] = {}

    @cached_property
    def general(self) -> Inference:
        """Every function by itself."""
        return Inference(self._program)

    @cached_property
    def used(self) -> Inference:
        """Every function as the program uses it."""
        return Inference(self._program, polymorphic=())

    @cached_property
    def shown(self) -> Inference:
        """Every function as the program uses it, if it is used at one type."""
        mixed = mixed_functions(self.used)
        return Inference(self._program, polymorphic=mixed) if mixed else self.used

    def kind(self, node: core.Expression) -> Kind | None:
        """The kind of an expression, None if the text does not force it."""
        term = self.general.terms.get(id(node))
        found = self._kind(term) if term is not None else None
        return found if found in _KINDS else None  # type: ignore[return-value]

    def is_function(self, node: core.Expression) -> bool:
        """Whether the text makes sure that an expression is a function."""
        term = self.general.terms.get(id(node))
        return term is not None and self._kind(term) == "function"

    def is_integer(self, node: core.Expression) -> bool:
        """Whether the text makes sure that an expression is an integer, whatever is declared."""
        term = self.general.terms.get(id(node))
        if isinstance(term, Shape):
            return term.head == "integer"
        doubtful = self.general.doubtful
        if term is None or term.declared is not None or term in doubtful:
            return False
        return self._kind(term) == "number" and width(term, doubtful) == "integer"

    def _kind(self, term: Term) -> str | None:
        if isinstance(term, Shape):
            return term.kind
        needed = {need.kind for need in term.needs.values() if isinstance(need, Shape) and not need.soft}
        if any(isinstance(shape, Outcome) and shape.is_open for shape in term.shapes.values()):
            return None
        shapes = [shape for shape in term.shapes.values() if isinstance(shape, Shape)]
        made = {"logical" if shape.zero and needed == {"logical"} else shape.kind for shape in shapes}
        sure = made if made and term not in self.general.doubtful else needed
        return next(iter(sure)) if len(sure) == 1 and len(made | sure) == 1 else None

    def is_told_apart(self, left: core.Expression, right: core.Expression) -> bool:
        """Whether Python's `==` of the values of two expressions is CPL's `=`: to Python, true is 1."""
        some, others = self._basic(left), self._basic(right)
        if self._crossed and some & (_NUMBERS | _TRUTHS) and others & (_NUMBERS | _TRUTHS):
            return False
        return not ((some & _NUMBERS and others & _TRUTHS) or (some & _TRUTHS and others & _NUMBERS))

    @cached_property
    def _crossed(self) -> bool:
        """Whether a truth value comes where a number is declared, or a number where a truth value is: nothing stops it
        when the program runs, so declarations tell nothing then.
        """
        return any(
            isinstance(made, Shape) and isinstance(need, Shape) and {made.kind, need.kind} == {"number", "boolean"}
            for made, need in self.used.solver.conflicts
        )

    def _basic(self, node: core.Expression) -> set[str]:
        """The names of all basic types that the value may be of, or may have within, as the program uses its
        functions.
        """
        term = self.used.terms.get(id(node))
        doubts = (self.used.doubtful_in_use, frozenset[Term]())
        types = [GENERAL] if term is None else [Signatures(each).of(term) for each in doubts]
        parts = [part for type in types for part in all_parts(type)]
        parts += [Basic(_COMPARED.get(need.kind, "")) for need in _soft_needs(term)]  # of several, a type has but one
        return {
            "general" if isinstance(part, Unknown) else part.name for part in parts if isinstance(part, Basic | Unknown)
        }

    def findings(self, source: Source) -> Iterator[Diagnostic]:
        """What disagrees, in places of the text of `source` where that can be, and the results that are missing; of
        each place only what is found first.
        """
        told: set[Span] = set()
        for finding in self._findings(source):
            places = {finding.span, *(span for span, _ in finding.related)}
            if not told & places:
                yield finding
            told |= places

    def _findings(self, source: Source) -> Iterator[Diagnostic]:
        yield from disagreements(self.general, source)
        yield from missing_results(self._program)
        yield from mixtures(self.general, self.used)

    def type_of(self, name: core.Local | core.Global, within: core.Definition) -> Type | None:
        """The type of a variable in a definition of the outermost level."""
        key = name, id(within)
        if key not in self._types:
            self._types[key] = self._type_of(name, within)
        return self._types[key]

    def _type_of(self, name: core.Local | core.Global, within: core.Definition) -> Type | None:
        types = []
        for inference in (self.general, self.shown):
            scope = inference.outermost if isinstance(name, core.Global) else inference.scopes[id(within)]
            if name in scope.functions:
                types.append(self._signatures(inference).of(shape_of(scope.functions[name])))
            elif name in scope.names:
                types.append(self._signatures(inference).of(scope.names[name]))
            else:
                return None
        return lettered(narrowed(*types))

    def _signatures(self, inference: Inference) -> Signatures:
        doubtful = inference.doubtful if inference is self.general else inference.doubtful_in_use
        return Signatures(doubtful, inference.alternatives)

    def of(self, node: core.Expression) -> Type | None:
        """The type of an expression."""
        term = self.shown.terms.get(id(node))
        return None if term is None else lettered(self._signatures(self.shown).of(term))

    def component(self, type: core.Global, name: str) -> Type | None:
        """The type of a component of a type of nodes."""
        known = self.shown.solver.components.get((type, name))
        return None if known is None else lettered(self._signatures(self.shown).of(known))


def _soft_needs(term: Term | None) -> list[Shape]:
    """The constants that a value is compared with."""
    needs = term.needs.values() if isinstance(term, Variable) else ()
    return [need for need in needs if isinstance(need, Shape) and need.soft]
