"""What is known of a program's values, in two objects: what code may rest on, `Facts.sure`, and what readers see,
`Facts.shown`.

Inference runs at least twice. In the first run all functions are polymorphic: each has the most general type that its
own text allows, and a conflict in this run is an error however the function is used. In the second run no function is
polymorphic: its parameters join all arguments that the program gives it. If that mixes types in some functions, there
is a third run, in which only these are polymorphic. It finds the types that a reader wants to see.

The types of literals, declarations, results of operators, and lists that are written out are sure. So is the type of a
parameter if all calls of its function are known, but not if Python may call the function, with any arguments. A guess
is never sure, such as that a parameter is a number since it is compared with one. For example:

    let F[x] = x + 1
    let n = F[2]

Both operands of + are sure to be numbers, as one of them is. That they are integers is shown, but it is not sure, since
Python may apply `F` to 0.5.
"""

from collections.abc import Iterator, Mapping, Set
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from cpl.compiler.diagnostics import Diagnostic
from cpl.compiler.semantics import core, numbers, walk
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.source import Source, Span
from cpl.compiler.types.constraints import Shape, Variable, fed_by, holds_several, kind_of, kinds_of, variables
from cpl.compiler.types.generate import NONE, Inference
from cpl.compiler.types.readback import Readback
from cpl.compiler.types.report import (
    Conflict,
    disagreements,
    missing_results,
    mixed_functions,
    not_whole,
    type_errors,
    type_warnings,
)
from cpl.compiler.types.types import GENERAL, ArrayOf, Type, Unknown, all_parts, lettered, narrowed

_CONFUSABLE = frozenset({"boolean", "number"})
"""The kinds whose values Python's `==` confuses: to Python, true is 1."""

_MISTAKABLE = _CONFUSABLE | {"logical"}
"""The kinds that operators may mistake for each other; "logical" are bit strings."""

_SIMPLE = _CONFUSABLE | {"string", "logical", "function", "nil"}
"""The kinds of values that hold no others."""


class Facts:
    """What is known of a program, inferred when it is first needed."""

    def __init__(self, program: core.Program) -> None:
        self._program = program
        self._runs = Runs(program)

    @cached_property
    def sure(self) -> "Sure":
        """What code may rest on."""
        return Sure(self._program, self._runs)

    @cached_property
    def shown(self) -> "Types":
        """What readers see: annotations, `--types`, editors."""
        return Types(self._runs)

    @property
    def disagreements(self) -> list[Conflict]:
        """The conflicts of values with their uses, before one place is blamed for several."""
        return disagreements(self._runs.general)

    @cached_property
    def unmet(self) -> Set[Span]:
        """The places of values that may not be of the type that is needed there.

        When a program runs, nothing checks what is stored in a declared variable, unless it is a number that converts.
        So if a value of another type may be stored there, no use of the variable is certain, and the places of all
        expressions to which its value may flow are unmet, too.
        """
        needs: set[Span] = set()
        for conflict in self.disagreements:
            needs.update(conflict.needs_at)
        if not needs:
            return needs

        used = self._runs.used
        declared = (
            variable
            for variable in used.solver.variables
            if variable.declared is not None and variable.declared.span in needs and not variable.converts
        )
        doubtful = {*reachable(declared, lambda variable: variable.above)}
        return needs | {node.span for node in _nodes(self._program) if used.expressions.get(id(node)) in doubtful}

    def findings(self, source: Source) -> Iterator[Diagnostic]:
        """Type errors and warnings, and missing results; only the first finding for each place. If one of several
        places can be blamed, one in `source` is preferred, and the standard library is never blamed.
        """
        functions = [definition for definition in self._program.definitions if isinstance(definition, core.Function)]
        closed = {function.span.source for function in functions if function.name.is_of_library}
        reported: set[Span] = set()
        for finding in chain(
            type_errors(self._runs.general, source, closed),
            not_whole(self._program, self.sure.kind, self.sure.number),
            missing_results(self._program),
            type_warnings(self._runs.general, self._runs.used, closed),
        ):
            related = {span for span, _ in finding.related if span.source not in closed}
            places = {finding.span, *related}
            if not reported & places:
                yield finding
            reported |= places


class Runs:
    """The runs of the inference."""

    def __init__(self, program: core.Program) -> None:
        self._program = program

    @cached_property
    def general(self) -> Inference:
        """The inference of each function by itself: all are polymorphic."""
        return Inference(self._program)

    @cached_property
    def used(self) -> Inference:
        """The inference of each function as the program uses it: none are polymorphic."""
        return Inference(self._program, polymorphic=NONE)

    @cached_property
    def mixed(self) -> set[core.Variable]:
        """The functions that the program uses at several types."""
        return mixed_functions(self.used)

    @cached_property
    def likely(self) -> Inference:
        """The inference of each function as the program uses it: only those that it uses at several types are
        polymorphic.
        """
        return Inference(self._program, polymorphic=self.mixed) if self.mixed else self.used


class Types:
    """The likely types of a program: as it uses its functions, with guesses. A value may have another type when the
    program runs: only readers, and code that checks each value, may ask.
    """

    def __init__(self, runs: Runs) -> None:
        self.runs = runs
        self._types: dict[tuple[Variable | Shape, Variable | Shape | None], Type] = {}

    def type_of(self, name: core.Variable, definition: core.Definition) -> Type | None:
        """The type of a variable in a definition of the top level."""
        return self._type(self.runs.likely.bound(name, definition), self.runs.general.bound(name, definition))

    def of(self, node: core.Expression) -> Type | None:
        """The type of an expression."""
        return self._type(self.runs.likely.expressions.get(id(node)))

    def component(self, type: core.Global, name: str) -> Type | None:
        """The type of a component of a type of nodes."""
        return self._type(self.runs.likely.solver.components.get((type, name)))

    def _type(self, shown: Variable | Shape | None, general: Variable | Shape | None = None) -> Type | None:
        """The type that readers are shown. `general` is the same term in the inference of definitions by themselves."""
        if shown is None:
            return None
        if (shown, general) not in self._types:
            type = Readback(self.runs.likely).of(shown)
            # What the text of a definition tells by itself counts more than how the program happens to use it.
            if general is not None:
                type = narrowed(Readback(self.runs.general, guess=False).of(general), type)
            self._types[shown, general] = lettered(type)
        return self._types[shown, general]


class Sure:
    """What code may rest on.

    `runs` and `checked` are not sure. They are only for code that chooses how values are represented and checks each
    value that comes from outside: bit strings as whole numbers (`cpl.compiler.optimise.bits`), and C
    (`cpl.compiler.c`).
    """

    def __init__(self, program: core.Program, runs: Runs) -> None:
        self._program = program
        self.runs = runs
        self.checked = Types(runs)

    def kind(self, node: core.Expression) -> str | None:
        """The kind of an expression, a head of `constraints.Shape` with all numbers in one; None if the text does not
        force it.
        """
        variable = self.runs.general.expressions.get(id(node))
        if variable is None or variable.is_open:
            return None
        needed = {need.kind for need in variable.needs.values() if isinstance(need, Shape)}
        produced: set[str] = set()
        for shape in variable.shapes:
            is_bit_string = shape.zero and needed == {"logical"}  # NIL as the bit string of zeros
            produced.add("logical" if is_bit_string else shape.kind)

        # The lower bounds tell the kind, unless values from outside may come in: then only the upper bounds do.
        is_closed = variable not in self._tainted
        sure = produced if produced and is_closed else needed
        if len(sure) != 1 or not produced <= sure:
            return None
        [kind] = sure
        return kind

    def is_function(self, node: core.Expression) -> bool:
        """Whether an expression is a function for certain."""
        return self.kind(node) == "function"

    def number(self, node: core.Expression) -> str:
        """The type of number that an expression has for certain; "" if there is none."""
        variable = self.runs.general.expressions.get(id(node))
        if variable is None or self.kind(node) != "number":
            return ""
        return self.runs.general.sure_widths.only(variable)

    def converted(self, node: core.Convert) -> core.Expression:
        """What is left of a conversion: the value alone if it is such a number for certain; of a constant, the number
        that it becomes.
        """
        if self.number(node.value) == node.kind:
            return node.value
        return numbers.converted_constant(node)

    def is_given_converted(self, parameter: core.Local, definition: core.Definition) -> bool:
        """Whether all arguments of a parameter are for certain numbers of the type that it is converted to; false if
        Python may call its function.
        """
        variable = self.runs.used.bound(parameter, definition)
        if not isinstance(variable, Variable) or variable in self._entrances or not variable.below:
            return False
        return all(self._is_number(source, parameter.converts_to) for source in variable.below)

    def _is_number(self, variable: Variable, kind: str) -> bool:
        """Whether the values of a variable are numbers of this type for certain, as the program uses its functions."""
        if variable.declared is not None:
            return variable.converts and variable.declared.head == kind
        if variable in self._outside or variable.is_open or {shape.kind for shape in variable.shapes} != {"number"}:
            return False
        return self.runs.used.sure_widths.only(variable) == kind

    def is_integer(self, node: core.Expression) -> bool:
        """Whether a value is an integer for certain."""
        return self.number(node) == "integer" or self.heads(node) == {"integer"}

    def stands_for_integer(self, node: core.Expression) -> bool:
        """Whether an operation at the place of an expression accepts only an integer: any other value is a fault."""
        variable = self.runs.general.expressions.get(id(node))
        needs = variable.needs.values() if variable else ()
        return any(isinstance(need, Shape) and need.head == "integer" and need.span == node.span for need in needs)

    def heads(self, node: core.Expression) -> Set[str]:
        """The heads of all shapes that a value may have, as the program uses its functions; an empty set if they are
        not all known.
        """
        variable = self.runs.used.expressions.get(id(node))
        if variable is None or variable in self._outside or variable.declared is not None or variable.is_open:
            return set()
        return {shape.head for shape in variable.shapes}

    def is_list(self, node: core.Expression) -> bool:
        """Whether the program lets nothing but lists, and NIL among them, come here."""
        return {"list"} <= self.heads(node) <= {"list", "nil"}

    def is_immutable(self, node: core.Expression) -> bool:
        """Whether a value is a number or a bit string for certain, whoever applies the program's functions."""
        if self.number(node):
            return True
        if self.runs.general.expressions.get(id(node)) in self._tainted:
            return False
        kinds = {*map(kind_of, self.heads(node))}
        return kinds in ({"number"}, {"logical"})

    def has_member(self, node: core.Select) -> bool:
        """Whether a list or a tuple has the selected member for certain: the limits of the index are known, and all
        values that come here are long enough.
        """
        if len(node.indices) != 1:
            return False
        limits = _limits(node.indices[0], self._counted)
        if limits is None:
            return False

        variable = self.runs.general.expressions.get(id(node.operand))
        if variable is None or variable in self._tainted or not self.heads(node.operand):
            return False
        sources = reachable([variable], lambda variable: variable.below)
        shapes = chain.from_iterable(source.shapes for source in sources)
        return limits.lowest >= 0 and all(limits.highest < _length(shape) for shape in shapes)

    def is_natural(self, node: core.Expression) -> bool:
        """Whether a value is a whole number for certain, and not negative: its limits are known."""
        limits = _limits(node, self._counted)
        return limits is not None and limits.lowest >= 0

    @cached_property
    def _counted(self) -> "dict[int, _Limits]":
        """The limits of the variables of loops, by the identity of each use in the loop."""
        counted: dict[int, _Limits] = {}
        for definition in self._program.definitions:
            changed = {*walk.changed(definition)}
            for loop in walk.loops(definition):  # outer ones first, as the bounds of inner ones may rest on them
                if not isinstance(loop, core.ForStep) or loop.variable in changed:
                    continue
                first, step, last = [_limits(bound, counted) for bound in (loop.first, loop.step, loop.last)]
                if first is None or step is None or last is None:
                    continue
                if step.lowest > 0:
                    limits = _Limits(first.lowest, last.highest)
                elif step.highest < 0:
                    limits = _Limits(last.lowest, first.highest)
                else:  # it may count up or down
                    continue
                for part in chain.from_iterable(map(walk.nodes, loop.commands)):
                    if part == loop.variable:
                        counted[id(part)] = limits
        return counted

    @cached_property
    def assigned_lists(self) -> Set[Type]:
        """The types of the lists whose members may be assigned; `GENERAL` for a type that is not wholly known."""
        types: set[Type] = set()
        for definition in self._program.definitions:
            for place in walk.places(definition, core.Reference):
                for node in walk.nodes(place):
                    if isinstance(node, core.Select):
                        types.add(self.checked.of(node.operand) or GENERAL)

        of_lists = {type for type in types if not isinstance(type, ArrayOf)}
        return {GENERAL if _has_unknown_part(type) else type for type in of_lists}

    @cached_property
    def _tainted(self) -> set[Variable]:
        """The variables that may get values from outside of a function's text, also as members of what comes in."""
        return {*reachable(self.runs.general.tainted, fed_by)}

    @cached_property
    def _outside(self) -> set[Variable]:
        """The variables that may get values from outside of the program, or from what may hold several types."""
        return {*reachable([*self.runs.used.tainted, *self._entrances], fed_by)} | self._several

    @cached_property
    def _entrances(self) -> set[Variable]:
        """The variables that get values from Python: parameters of each function that it may call, components of nodes
        that it may make, members of arrays that it may change; and what Python's own functions return.

        It may call the functions of the top level, those that it finds in values of the top level or that a function
        returns to it, and those that the program gives to a function of Python's.

        This is a fixpoint over the boundary. What comes in may be a function of Python's: its arguments go out. What
        goes out may be a function of the program's: its arguments come in.
        """
        entrances, exits = self._doors
        entered: set[Variable] = set()
        exited: set[Variable] = set()
        while entrances or exits:
            for variable in [*reachable(entrances, fed_by)]:
                if variable not in entered:
                    entered.add(variable)
                    for need in variable.needs.values():
                        exits += need.inputs

            entrances = []
            for variable in exits:
                if variable not in exited:
                    exited.add(variable)
                    for shape in variable.shapes:
                        entrances += shape.inputs

            leaving_with_these = chain.from_iterable(map(_leaving_with, exits))
            exits = [part for part in leaving_with_these if part not in exited]
        return entered

    @cached_property
    def _doors(self) -> tuple[list[Variable], list[Variable]]:
        """The variables that Python gives values to by a name of the top level, and those whose values it gets."""
        scope = self.runs.used.top_level
        entrances: list[Variable] = []
        exits: list[Variable] = []
        for definition in self._program.definitions:
            for name in walk.names(definition):
                if not (isinstance(name, core.Global) and name.is_public):
                    continue
                if name in scope.functions:
                    shape = scope.functions[name].shape
                    entrances += shape.inputs
                    exits += shape.outputs
                elif name in scope.names:
                    exits.append(scope.names[name])

        components = self.runs.used.solver.components.items()
        entrances += [variable for (type, _), variable in components if type.is_public]

        for node in _nodes(self._program):
            match node:
                case core.Apply(function=core.Host(name="AsLogical" | "Fast"), arguments=(given, _)):
                    # Such a function is applied only to values of the forms that inference has let in, so its
                    # parameters are no entrances.
                    if given in scope.functions:
                        exits += scope.functions[given].shape.outputs  # type: ignore[index]
                    else:
                        exits.append(self.runs.used.expressions[id(given)])
        return entrances, exits

    @cached_property
    def _several(self) -> set[Variable]:
        """The variables that may get the value, or a member of the value, of a variable that is declared to hold values
        of several types.
        """
        declared = (variable for variable in self.runs.used.solver.variables if holds_several(variable))
        return {*reachable(declared, fed_by)}

    def is_told_apart(self, left: core.Expression, right: core.Expression, *, is_own: bool = True) -> bool:
        """Whether Python's `==` of the values of two expressions is CPL's `=`: to Python, true is 1. Without `is_own`
        the comparison may come from the text of another function: what is needed of the expressions is no evidence.
        """
        if _stands_apart(self._constant(left)) or _stands_apart(self._constant(right)):
            return True

        left_kinds = self._confusable(left, is_own)
        right_kinds = self._confusable(right, is_own)
        if not left_kinds or not right_kinds:  # one of them is neither a number nor a truth value
            return True
        is_one_kind = len(left_kinds | right_kinds) == 1
        return is_one_kind and not self._crossed

    @cached_property
    def unsettled(self) -> Set[Span]:
        """The places of operators whose meaning the text does not settle: whether ∧ is that of truth values, or whether
        `=` is Python's `==`. In another text that says more of what comes in, they might do something else.
        """
        return {node.span for node in _nodes(self._program) if not self._does_one_thing(node)}

    def _does_one_thing(self, node: core.Node) -> bool:
        """Whether the text settles what a node does, as it does for all but some operators."""
        match node:
            case core.Binary(operator="AND" | "OR"):
                return self.kind(node) == "boolean" and not self._crossed
            case core.Binary(operator="EQUIVALENT" | "INEQUIVALENT", left=left, right=right):
                return {self.kind(left), self.kind(right)} == {"boolean"} and not self._crossed
            case core.Unary(operator="NOT", operand=operand):
                return (self.kind(node) or self.kind(operand)) == "boolean" and not self._crossed
            case core.Compare(operands=operands, operators=operators):
                return all(
                    operator not in ("EQUAL", "UNEQUAL") or self.is_told_apart(left, right)
                    for operator, left, right in zip(operators, operands, operands[1:], strict=False)
                )
            case _:
                return True

    def _constant(self, node: core.Expression) -> core.Expression:
        """The constant that an expression is or names."""
        return self._constants.get(node, node) if isinstance(node, core.Global) else node

    @cached_property
    def _constants(self) -> dict[core.Target, core.Expression]:
        changed = {*chain.from_iterable(map(walk.changed, self._program.definitions))}
        return {
            definition.target: definition.value
            for definition in self._program.definitions
            if isinstance(definition, core.Constants) and definition.target not in changed
        }

    @cached_property
    def _crossed(self) -> bool:
        """Whether a truth value flows to where a number or a bit string is declared or needed, or the reverse: nothing
        stops it when the program runs, so declarations and needs are no evidence then.
        """
        crossings = _crossings(self.runs.used)
        if not self._has_doors:
            return bool(crossings)
        # A function without bit strings of its own, such as Map, gets whole numbers from the functions within, and bit
        # strings from the same functions as they are written: that is no crossing, and `bits` has made sure that the
        # program itself has none. `likely` has each use of such a function by itself.
        return any("boolean" in kinds for kinds in crossings) or bool(_crossings(self.runs.likely))

    @cached_property
    def _has_doors(self) -> bool:
        """Whether bit strings are whole numbers in some functions, and not in those that Python calls."""
        return any(isinstance(each, core.Function) and each.door for each in self._program.definitions)

    def _confusable(self, node: core.Expression, is_own: bool) -> Set[str]:
        """Those of the kinds `_CONFUSABLE` that a value or a part of it may have."""
        variable = self.runs.used.expressions.get(id(node))
        if variable is None:  # made by the lowering
            is_string = isinstance(node, core.Literal) and isinstance(node.value, str)
            return set() if is_string else _CONFUSABLE

        kind = self.kind(node) if is_own else None
        if kind in _SIMPLE:
            return {kind} & _CONFUSABLE

        kinds: set[str] = set()
        for part in reachable([variable], _declared_or_made):
            if self._is_unknown(part):
                return _CONFUSABLE
            kinds.update(shape.kind for shape in part.shapes)
            if part.declared is not None:
                kinds.add(part.declared.kind)
        return kinds & _CONFUSABLE

    def _is_unknown(self, variable: Variable) -> bool:
        """Whether a variable may hold values of which nothing is known."""
        if variable.declared is not None:
            return variable in self._several
        return variable in self._outside or variable.is_open


def _nodes(program: core.Program) -> Iterator[core.Node]:
    return chain.from_iterable(map(walk.nodes, program.definitions))


def _has_unknown_part(type: Type) -> bool:
    return any(isinstance(part, Unknown) for part in all_parts(type))


def _crossings(inference: Inference) -> list[Set[object]]:
    """The kinds of each value, and of what is declared or needed where it comes to, that Python may mistake."""
    crossings: list[Set[object]] = []
    for lower, need in inference.solver.conflicts:
        if isinstance(lower, Shape) and lower.kind in _MISTAKABLE:
            needed = kinds_of(need)
            if needed and needed <= _MISTAKABLE:
                crossings.append(needed | {lower.kind})
    return crossings


def _leaving_with(variable: Variable) -> list[Variable]:
    """The variables of what Python gets with a value: its members, and the results of a function."""
    parts: list[Variable] = []
    for shape in variable.shapes:
        parts += shape.outputs
    if variable.declared is not None:  # what was stored there has parts of its own
        parts += variable.below
    return parts


def _stands_apart(node: core.Expression) -> bool:
    """Whether an expression is a constant that no truth value equals in Python: a string, or a number but 0 and 1."""
    match node:
        case core.Literal(value=value):
            return value not in (0, 1)
        case core.Unary(operator="MINUS", operand=core.Literal(value=value)):
            return value != 0
        case _:
            return False


def _declared_or_made(variable: Variable) -> list[Variable]:
    """The variables that are parts of the declared shape of a variable, or, if it has none, of the shapes of its
    values.
    """
    return variables([variable.declared] if variable.declared is not None else variable.shapes)


class _Limits(NamedTuple):
    """What a whole number is at least and at most."""

    lowest: int
    highest: int


def _limits(node: core.Expression, counted: Mapping[int, _Limits]) -> _Limits | None:
    """The limits of a whole number that is a literal, the variable of a loop, or a sum or a difference of such. None if
    they are not known.
    """
    match node:
        case core.Literal(value=int() as value) if not isinstance(value, bool):
            return _Limits(value, value)
        case core.Local():
            return counted.get(id(node))
        case core.Unary(operator="MINUS", operand=operand):
            limits = _limits(operand, counted)
            return limits and _Limits(-limits.highest, -limits.lowest)
        case core.Binary(operator=operator, left=left, right=right):
            first, second = _limits(left, counted), _limits(right, counted)
            if first and second and operator in ("PLUS", "SUM"):
                return _Limits(first.lowest + second.lowest, first.highest + second.highest)
            if first and second and operator in ("MINUS", "DIFFERENCE"):
                return _Limits(first.lowest - second.highest, first.highest - second.lowest)
    return None


def _length(shape: Shape) -> int:
    """Return the least number of members of a list or a tuple, as far as it is known."""
    return len(shape.outputs if shape.head == "tuple" else shape.items)
