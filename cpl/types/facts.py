"""The inferred types of a program, for lowering, annotations, `--types` and findings.

Inference runs at least twice. In the first run every function has the most general type that its own text allows: a
conflict there is one however the function is used, and lowering may rely on what is known. In the second a function's
parameters are what the program gives it: that is the type that a reader wants to see. If that mixes types in some
functions, there is a third run, in which these are general and the others as they are used.
"""

from collections.abc import Iterator, Set
from functools import cached_property
from itertools import chain

from cpl.diagnostics import Diagnostic
from cpl.semantics import core, walk
from cpl.semantics.graphs import reachable
from cpl.source import Source, Span
from cpl.types.constraints import Compared, Shape, Variable, fed_by, holds_several, kind_of, variables
from cpl.types.generate import Inference
from cpl.types.readback import Readback
from cpl.types.report import missing_results, mixed_functions, not_whole, type_errors, type_warnings
from cpl.types.types import GENERAL, ArrayOf, Basic, Type, Unknown, all_parts, lettered, narrowed

_CONFUSABLE = frozenset({"boolean", "number"})


class Facts:
    """The types of a program, inferred when they are first needed."""

    def __init__(self, program: core.Program) -> None:
        self._program = program
        self._types: dict[tuple[Variable | Shape, Variable | Shape | None], Type] = {}

    @cached_property
    def general(self) -> Inference:
        """The inference of each function by itself."""
        return Inference(self._program)

    @cached_property
    def used(self) -> Inference:
        """The inference of each function as the program uses it."""
        return Inference(self._program, polymorphic=())

    @cached_property
    def shown(self) -> Inference:
        """The inference of each function as the program uses it; of one that is used at several types, by itself."""
        mixed = mixed_functions(self.used)
        return Inference(self._program, polymorphic=mixed) if mixed else self.used

    def kind(self, node: core.Expression) -> str | None:
        """The kind of an expression, a head of `constraints.Shape` with all numbers in one; None if the text does not
        force it.
        """
        variable = self.general.expressions.get(id(node))
        if variable is None or variable.is_open:
            return None
        needed = {need.kind for need in variable.needs.values() if isinstance(need, Shape)}
        produced = {"logical" if shape.zero and needed == {"logical"} else shape.kind for shape in variable.shapes}
        sure = produced if produced and variable not in self._tainted else needed
        return next(iter(sure)) if len(sure) == 1 and produced <= sure else None

    def is_function(self, node: core.Expression) -> bool:
        """Whether an expression is a function for certain."""
        return self.kind(node) == "function"

    def number(self, node: core.Expression) -> str:
        """The type of number that an expression has for certain; "" if there is none."""
        variable = self.general.expressions.get(id(node))
        return self.general.sure_widths.only(variable) if variable and self.kind(node) == "number" else ""

    def stands_for_integer(self, node: core.Expression) -> bool:
        """Whether an expression is used, at this place, by what takes integers only; another value is a fault there."""
        variable = self.general.expressions.get(id(node))
        needs = variable.needs.values() if variable else ()
        return any(isinstance(need, Shape) and need.head == "integer" and need.span == node.span for need in needs)

    def heads(self, node: core.Expression) -> Set[str]:
        """The heads of the shapes that a value may have, as the program uses its functions; none if any is unknown."""
        variable = self.used.expressions.get(id(node))
        if variable is None or variable in self._outside or variable.declared is not None or variable.is_open:
            return set()
        return {shape.head for shape in variable.shapes}

    def is_list(self, node: core.Expression) -> bool:
        """Whether the program gives nothing but lists here, and so neither tuples nor other values."""
        return {"list"} <= self.heads(node) <= {"list", "nil"}

    def is_immutable(self, node: core.Expression) -> bool:
        """Whether a value is a number or a bit string for certain, whoever applies the program's functions."""
        variable = self.general.expressions.get(id(node))
        kinds = {*map(kind_of, self.heads(node))} if variable not in self._tainted else set()
        return bool(self.number(node)) or kinds in ({"number"}, {"logical"})

    def has_member(self, node: core.Select) -> bool:
        """Whether a list or a tuple for certain has the member that is selected: its number is written down, and all
        values that come here are long enough.
        """
        variable = self.general.expressions.get(id(node.operand))
        match node.indices:
            case (core.Literal(value=int(index)),) if variable and self.heads(node.operand) and index is not True:
                sources = reachable([variable], lambda node: node.below)
                lists = [shape for source in sources for shape in source.shapes]
                return variable not in self._tainted and all(0 <= index < _length(shape) for shape in lists)
        return False

    @cached_property
    def assigned_lists(self) -> Set[Type]:
        """The types of the lists whose members may be assigned: `GENERAL` if one is not known."""
        definitions = self._program.definitions
        places = (place for definition in definitions for place in walk.places(definition, core.Reference))
        members = (node for place in places for node in walk.nodes(place) if isinstance(node, core.Select))
        types = {self.of(member.operand) or GENERAL for member in members}
        return {
            GENERAL if any(isinstance(part, Unknown) for part in all_parts(type)) else type
            for type in types
            if not isinstance(type, ArrayOf)
        }

    @cached_property
    def _tainted(self) -> set[Variable]:
        """The variables that may get values from outside of a function's text, also as members of what comes in."""
        return {*reachable(self.general.tainted, fed_by)}

    @cached_property
    def _outside(self) -> set[Variable]:
        """The variables that may get values from outside of the program, or from what may hold several types."""
        return {*reachable(self.used.tainted, fed_by)} | self._several

    @cached_property
    def _several(self) -> set[Variable]:
        """The variables that may get what is, or is in, something declared to hold values of several types."""
        declared = (variable for variable in self.used.solver.variables if holds_several(variable))
        return {*reachable(declared, fed_by)}

    def is_told_apart(self, left: core.Expression, right: core.Expression) -> bool:
        """Whether Python's `==` of the values of two expressions is CPL's `=`: to Python, true is 1."""
        pairs = [(one_kind, other) for one_kind in self._confusable(left) for other in self._confusable(right)]
        return not pairs if self._crossed else all(one_kind == other for one_kind, other in pairs)

    @cached_property
    def _crossed(self) -> bool:
        """Whether a truth value flows to where a number is declared, or the reverse: nothing stops it when the program
        runs, so declarations are no evidence then.
        """
        return any(
            isinstance(lower, Shape) and isinstance(need, Shape) and {lower.kind, need.kind} == {"number", "boolean"}
            for lower, need in self.used.solver.conflicts
        )

    def _confusable(self, node: core.Expression) -> Set[str]:
        """Whether a value may be, or hold, a number or a truth value, as the program uses its functions."""
        variable = self.used.expressions.get(id(node))
        if variable is None:  # made by the lowering
            return set() if isinstance(node, core.Literal) and isinstance(node.value, str) else _CONFUSABLE
        if variable in self._several:
            return _CONFUSABLE
        parts = [*all_parts(Readback(self.used).of(variable))]
        if any(isinstance(part, Unknown) for part in parts):
            return _CONFUSABLE
        parts_known = reachable([variable], lambda part: variables(part.shapes))
        kinds = {shape.kind for part in parts_known for shape in part.shapes}
        kinds |= {kind_of(need.head) for need in variable.needs.values() if isinstance(need, Compared)}
        kinds |= {kind_of(part.name.lower()) for part in parts if isinstance(part, Basic)}
        return kinds & _CONFUSABLE

    def findings(self, source: Source) -> Iterator[Diagnostic]:
        """Type errors and warnings, and missing results; only the first finding for each place. Where there is a choice
        of places, one in `source` is taken, and none in the standard library, which is right.
        """
        functions = [definition for definition in self._program.definitions if isinstance(definition, core.Function)]
        closed = {function.span.source for function in functions if function.name.is_of_library}
        reported: set[Span] = set()
        for finding in chain(
            type_errors(self.general, source, closed),
            not_whole(self._program, self.kind, self.number),
            missing_results(self._program),
            type_warnings(self.general, self.used, closed),
        ):
            related = {span for span, _ in finding.related if span.source not in closed}
            places = {finding.span, *related}
            if not reported & places:
                yield finding
            reported |= places

    def type_of(self, name: core.Local | core.Global, definition: core.Definition) -> Type | None:
        """The type of a variable in a definition of the top level."""
        return self._type(self.shown.bound(name, definition), self.general.bound(name, definition))

    def of(self, node: core.Expression) -> Type | None:
        """The type of an expression."""
        return self._type(self.shown.expressions.get(id(node)))

    def component(self, type: core.Global, name: str) -> Type | None:
        """The type of a component of a type of nodes."""
        return self._type(self.shown.solver.components.get((type, name)))

    def _type(self, shown: Variable | Shape | None, general: Variable | Shape | None = None) -> Type | None:
        if shown is None:
            return None
        if (shown, general) not in self._types:
            type = Readback(self.shown).of(shown)
            if general is not None:
                type = narrowed(Readback(self.general, guess=False).of(general), type)
            self._types[shown, general] = lettered(type)
        return self._types[shown, general]


def _length(shape: Shape) -> int:
    """Return the least number of members of a list or a tuple, as far as it is known."""
    return len(shape.outputs if shape.head == "tuple" else shape.items)
