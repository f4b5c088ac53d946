"""The diagnostics of types: errors, warnings, and blocks that may end without a result.

A conflict of the inference is an error, reported once for each place that is to blame. Of several places that do not
go together the one that disagrees with most of the others is to blame: a NIL that is needed as a bit string in three
places, a pattern that no value fits, an application whose arguments are in the wrong order.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import chain, combinations, islice, pairwise, product
from typing import Final, NamedTuple

from cplrt.show import AS_LIST

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.source import Source, Span
from cpl.compiler.types import constraints
from cpl.compiler.types.builtins import whole_parameters
from cpl.compiler.types.constraints import (
    Doubt,
    LowerBound,
    Mixed,
    Need,
    Operand,
    OperatorValue,
    Shape,
    Variable,
    have_common_type,
    undeclared_above,
)
from cpl.compiler.types.generate import Inference
from cpl.compiler.wording import counted, listed
from cpl.limits import MOST_CHARACTERS_SEEN, MOST_PARTS_OF_TYPE, MOST_VARIABLES_TRACED

_PLACES_SHOWN: Final = 4
"""Places with the same need that a diagnostic shows."""


@dataclass(frozen=True)
class Conflict:
    """A value and a need that it does not meet; or, as a contradiction, two needs that no value can meet."""

    lower: LowerBound | Need
    need: Need
    is_contradiction: bool = False
    is_certain: bool = True

    @property
    def via(self) -> Span | None:
        """The application of a function whose type one of the two comes from, if it is such a type."""
        if self.need.via is not None:
            return self.need.via
        return self.lower.via if isinstance(self.lower, Need) else None

    @property
    def needs_at(self) -> list[Span]:
        """The places whose needs are not met. A place that needs a list of another length is not one of them: Python
        checks the length itself.
        """
        match self.lower, self.need:
            case Shape(head="list" | "tuple" | "nil"), Shape(head="tuple"):
                return []
            case Shape() | OperatorValue(), _:
                return [self.need.span]
            case _:  # two needs
                return [self.need.span, self.lower.span]

    def concerns(self, kind: str) -> bool:
        """Whether the value may be of this kind, or what is needed."""
        if isinstance(self.lower, OperatorValue):
            return True
        found, needed = constraints.kinds_of(self.lower), constraints.kinds_of(self.need)
        return found is None or needed is None or kind in found or kind in needed

    @property
    def places(self) -> tuple[Span, ...]:
        """The places that may be to blame: where the value comes from, where it is used, where that is applied."""
        spans = [self.lower.span, self.need.span]
        if self.via is not None:
            spans.append(self.via)
        return tuple(dict.fromkeys(spans))


def type_errors(general: Inference, source: Source, closed: Set[Source]) -> Iterator[Diagnostic]:
    """Yield an error for each place to blame: in the text of `source` if a place there may be to blame, and never in a
    library that is `closed` to the user.
    """
    declarations = {variable.declared.span for variable in general.solver.variables if variable.declared is not None}
    for group in (_disagreements(general), [*_contradictions(general)]):
        called = [_called_list(conflict) for conflict in group]
        lists = {found.list for found in called if found is not None}
        reported: set[object] = set()
        for blamed, conflicts in _blamed(group, source, declarations | lists, closed):
            keys = [_key_of_operand(blamed, conflict) for conflict in conflicts]
            if None in keys or not reported.issuperset(keys):
                yield _diagnostic(blamed, conflicts)
            reported.update(keys)


def _key_of_operand(blamed: Span, conflict: Conflict) -> object:
    """The same for operands of a line of which one is reported for all, as in `"a" + "b" + "c"`; None for a conflict
    that is reported in any case.
    """
    lower, need = conflict.lower, conflict.need
    if not isinstance(need, Operand) or blamed != lower.span:
        return None
    return blamed.source, blamed.line, described(lower, need), described(need, lower), conflict.is_certain


def disagreements(general: Inference) -> list[Conflict]:
    """All that `type_errors` reports, before one place is blamed for several."""
    return [*_disagreements(general), *_contradictions(general)]


def _disagreements(general: Inference) -> list[Conflict]:
    """The values that do not meet a need, one conflict for each pair of places."""
    found: dict[object, Conflict] = {}
    components = general.solver.components.values()
    declarations = {variable.declared for variable in (*components, *general.instances.values())}
    mixed = {component for component in components if component.declared is None and constraints.are_mixed([component])}

    for (lower, need), at in general.solver.conflicts.items():
        place = need.span, lower.span, need.via
        if place in found:
            continue
        is_nil_in_component = need in declarations and isinstance(lower, Shape) and lower.head == "nil"
        if is_nil_in_component:  # any component may be NIL, whatever its declaration says
            continue
        if _is_allowed(lower, need, at, mixed):
            continue
        found[place] = Conflict(lower, need, is_certain=_is_certain(lower, need, at, general))
    return [*found.values()]


def _blamed(
    conflicts: Sequence[Conflict], source: Source, presumed_right: Set[Span], closed: Set[Source]
) -> Iterator[tuple[Span, list[Conflict]]]:
    """Yield the places to blame, each with its conflicts, until every conflict is explained. The places that are
    `presumed_right`, such as declarations, are blamed last.
    """
    at: dict[Span, list[Conflict]] = defaultdict(list)
    for conflict in conflicts:
        for place in conflict.places:
            if place.source not in closed:
                at[place].append(conflict)

    def rank(place: Span) -> tuple[bool, int, bool, bool]:
        """The least is to blame: what disagrees with most others, then what stands in `source`, then what was typed
        rather than read from a file; what stands first among equals.
        """
        partners = {(conflict.lower.span, conflict.need.span) for conflict in at[place]}
        is_in_file = not place.source.path.startswith("<")
        return place in presumed_right, -len(partners), place.source is not source, is_in_file

    reported: set[Conflict] = set()
    for blamed in sorted(at, key=rank):
        left = [conflict for conflict in at[blamed] if conflict not in reported]
        if not left:
            continue
        yield blamed, left

        # Its partners in this text are explained with it: they need no report of their own.
        explained = {blamed}
        for conflict in left:
            explained.update(
                place for place in conflict.places if place.source is source and place not in presumed_right
            )
        for place in explained:
            reported.update(at[place])


_SUBSCRIPTED: Final = "a list, an array or a function"
_COPY_OF_LIST: Final = "Copy takes an array; for a copy of a list write: Map(λx.x, L)"
_NO_COPY: Final = "Copy takes an array; numbers and strings need no copy"
_INSTEAD: Final = {
    ("a list", "string"): AS_LIST["string"],
    (_SUBSCRIPTED, "string"): AS_LIST["string"],
    ("a list", "array"): AS_LIST["array"],
    ("a list or a bit string", "array"): AS_LIST["array"],
    ("an array", "list"): _COPY_OF_LIST,
    ("an array", "tuple"): _COPY_OF_LIST,
    ("an array", "number"): _NO_COPY,
    ("an array", "string"): _NO_COPY,
    ("an array", "logical"): _NO_COPY,
}
"""The help by what is needed, in words, and by the kind of the value that is there."""


class _CalledList(NamedTuple):
    """A list or an array of which a member is written as a call, `L(0)`: where it is, and the help."""

    list: Span
    help: str


def _called_list(conflict: Conflict) -> _CalledList | None:
    """The list that is called, if that is the conflict: one of its sides is a list, the other an application."""
    return _called_list_of(conflict.lower, conflict.need) or _called_list_of(conflict.need, conflict.lower)


def _called_list_of(value: LowerBound | Need, use: LowerBound | Need) -> _CalledList | None:
    """The value, if it is a list or an array, and the place of its `use` is a call with one argument."""
    call = _CALL.match(use.span.source.text, use.span.start)
    if call is None or described(use) not in ("a function of 1 argument", "a function or a number"):
        return None
    name, argument = call.groups()
    made = described(value, use)
    if made == "an array":
        return _CalledList(value.span, f"an element is selected with square brackets: {name}[{argument}]")
    if made.startswith("a list"):
        return _CalledList(
            value.span,
            f"a member is selected with square brackets, and the first one has number 0: {name}[{argument}]",
        )
    return None


_CALL: Final = re.compile(r"([\w'′]+)[ \t]*\(([^()\r\n]+)\)")
"""A call with one argument: the function, and the argument."""
_BOUND: Final = re.compile(r"\b(?:Array|Newarray)[ \t]*[\[(][^\[\]]*,\s*\Z")
"""The text before a bound of an array."""

_JOINED: Final = {
    "string": "to join strings, write: StringOf([s, t])",
    "list": "to join lists, write: Join(L,M)",
    "tuple": "to join lists, write: Join(L,M)",
}
"""The help where values of a kind are operands of + as if it joined them."""


def _diagnostic(place: Span, conflicts: Sequence[Conflict]) -> Diagnostic:
    """The diagnostic for a place, by the first of its conflicts; the others may add places that are shown."""
    first = conflicts[0]
    lower, need, via = first.lower, first.need, first.via
    value, needed = described(lower, need), described(need, lower)

    cause, help = _cause_and_help(first, needed)
    if not any(conflict.is_certain for conflict in conflicts):
        cause = messages.MAY_DISAGREE
    called = _called_list(first)
    if called is not None:
        help = called.help

    alike = [
        conflict.need.span
        for conflict in conflicts
        if conflict.lower is lower and described(conflict.need, lower) == needed
    ]
    labels = dict.fromkeys([*alike[:_PLACES_SHOWN], need.span], f"{needed} is needed here")
    labels[lower.span] = f"{value} is needed here" if first.is_contradiction else f"this is {value}"
    if via is not None:
        labels.setdefault(via, "" if via == place else "passed through this call")
    label = labels.pop(place)
    return report(cause, place, label=label, related=[*labels.items()], help=help, made=value, needed=needed)


def _cause_and_help(conflict: Conflict, needed: str) -> tuple[messages.Cause, str | None]:
    """The cause of a conflict, and the help if it is a known mistake. None leaves the help of the cause, an empty text
    means that there is none.
    """
    lower, need = conflict.lower, conflict.need
    text, start = need.span.source.text, need.span.start
    before = text[max(0, start - MOST_CHARACTERS_SEEN) : start]
    cause, help = messages.DISAGREEMENT, None
    match lower, need:
        case _ if conflict.is_contradiction:
            cause = messages.CONTRADICTION
        case Shape(), Shape(head="tuple") if needed == "a list of 2" and _BOUND.search(before):
            help = f"give the lower and the upper bound: (1,{need.span.text})"
        case _, constraints.OneOf(what="a condition"):
            cause = messages.NOT_A_CONDITION
        case Shape(head="tuple"), Shape(head="tuple"):
            cause, help = messages.WRONG_SHAPE, ""
        case Shape(head="nil"), _ if needed == "a bit string":
            help = "NIL is the empty list; the bit string without ones is Logical(0), or read the text with nil=zero"
        case Shape(), _ if before.endswith(("ListOf(", "ListOf[")):
            help = (
                "ListOf makes a list of an array; the symbols of a string are SymbolsOf(s), and a list is one already"
            )
        case Shape(kind=kind), _ if (needed, kind) in _INSTEAD:
            help = _INSTEAD[needed, kind]
        case Shape(), _ if before.endswith(("StringOf(", "StringOf[")):
            help = "StringOf joins a list of strings; a string of several things is AsWritten(‘n is ’, n)"
        case Shape(kind=kind), Operand(overload=overload) if {*overload.root.allowed} == {"number", "logical"}:
            help = _JOINED.get(kind)
    return cause, help


# What is allowed


def _is_certain(lower: LowerBound, need: Need, at: dict[Variable, None], general: Inference) -> bool:
    """Whether every run that reaches the place of the need fails there. This is so if none of the values that may reach
    it meets the need, and if all of them are known: what a parameter may be is not. (An application of a function by
    its name has variables of its own, so that the values of other applications do not count.)

    `at` are the variables in which the solver found the conflict.
    """
    if need.doubt >= Doubt.WITHIN:
        return False

    starts: list[Variable] = []
    for variable in at:
        if variable.needs.get(need.key) is need:
            starts.append(variable)
        else:  # a declaration has no need itself, but those of the values that flow into it
            starts += [below for below in variable.below if lower.key in below.bounds]

    def needing_above(variable: Variable) -> list[Variable]:
        return [above for above in undeclared_above(variable) if need.key in above.needs]

    def always_fails(variable: Variable) -> bool:
        """Whether every value that comes to a variable is in conflict with the need."""
        if variable.is_open or variable in general.tainted:
            return False
        need_here = variable.needs.get(need.key, need)
        # A shape that is the need itself is what a reference brings back.
        pairs = {(shape, need_here) for shape in variable.shapes if shape is not need}
        return general.solver.conflicts.keys() >= pairs  # every value here is in conflict with the need

    uses = islice(reachable(starts, needing_above), MOST_VARIABLES_TRACED)
    return bool(starts) and all(map(always_fails, uses))


def _is_allowed(lower: LowerBound, need: Need, at: dict[Variable, None], mixed: Set[Variable]) -> bool:
    """Whether a conflict is no error: a value may be of several types if the program tests which before it is needed,
    or if it was stored with others in a component.
    """
    if isinstance(lower, OperatorValue):
        return not lower.is_open  # if its kind is known, there is a shape of it, which is reported

    def has_value(variable: Variable) -> bool:
        # A string that stands for many constants has lost its text, and so its key, but not its place.
        return lower.key in variable.bounds or any(shape.span == lower.span for shape in variable.shapes)

    def neighbours(variable: Variable) -> list[Variable]:
        """The variables below, from which the value comes, and those above, where it is needed."""
        sources = [below for below in variable.below if has_value(below)]
        uses = [above for above in variable.above if need.key in above.needs]
        return sources + uses

    path = islice(reachable(at, neighbours), MOST_VARIABLES_TRACED)
    return any(variable in mixed or _is_tested_for(lower, variable) for variable in path)


def _is_tested_for(lower: Shape, variable: Variable) -> bool:
    """Whether the program tests the values of this variable for their type, or compares them with the same constant, or
    asks by Null whether they are NIL. A test that only tells nodes from other values (`{"node"}`) is enough if the
    value is a node, or if it meets another need of the variable.
    """
    needs = variable.needs.values()
    if lower.kind == "nil" and any(constraints.kinds_of(need) == constraints.NULLABLE for need in needs):
        return True

    tests = [need.tested for need in needs if isinstance(need, constraints.TypeTest)]
    if any(tested != {"node"} for tested in tests) or (tests and lower.kind == "node"):
        return True

    compared = (need for need in needs if isinstance(need, constraints.Compared))
    if any((constraints.kind_of(need.head), need.constant) == (lower.kind, lower.constant) for need in compared):
        return True

    strict = (need for need in needs if not isinstance(need, constraints.Lenient))
    return bool(tests) and any(may_meet(lower, need) for need in strict)


def may_meet(first: Need, other: Need) -> bool:
    """Whether there is a value that may meet both needs; what is in it is not looked at."""
    if not (isinstance(first, Shape) and isinstance(other, Shape)):
        kinds, other_kinds = constraints.kinds_of(first), constraints.kinds_of(other)
        return kinds is None or other_kinds is None or not kinds.isdisjoint(other_kinds)
    differ = (first.name, len(first.outputs)) != (other.name, len(other.outputs))
    if first.head == other.head in ("tuple", "node") and differ:
        return False
    return have_common_type(first, other)


def _contradictions(general: Inference) -> Iterator[Conflict]:
    """Yield the conflicts of two needs that no value can meet. Only variables of which no value is known have them,
    such as parameters: for the others a value is in conflict with one of the needs.
    """
    for variable in general.solver.variables:
        has_source = variable.bounds or variable.below or variable.empty
        is_unknown = variable.external or not has_source
        is_mixed = variable.has(constraints.AnyType | constraints.TypeTest)
        if not is_unknown or is_mixed or variable.declared is not None:
            continue
        pair = _contradicting_needs(variable)
        if pair is not None:
            first, other = pair
            is_certain = not (first.doubt and other.doubt)
            yield Conflict(first, other, is_contradiction=True, is_certain=is_certain)


def _contradicting_needs(variable: Variable) -> tuple[Need, Need] | None:
    """The first two needs of a variable that no value can meet, shapes first."""
    needs = [need for need in variable.needs.values() if constraints.kinds_of(need) is not None]
    needs.sort(key=lambda need: not isinstance(need, Shape))
    for first, other in combinations(needs, 2):
        if not may_meet(first, other):
            return first, other
    return None


# Warnings


def type_warnings(general: Inference, used: Inference, closed: Set[Source]) -> Iterator[Diagnostic]:
    """Yield warnings of values of several types where none is tested for: in the arms of a conditional, in one
    variable, in a comparison. Such a program can be compiled and may be meant. A value whose type is tested, or that is
    compared with a constant, or only written, may be of several.

    What a value is comes from the definitions in `general`, and whether anything tests its type from the whole program
    in `used`. A comparison in one of the `closed` libraries is reported where its values come from, if that is known.
    """
    yield from _joins(general, used)
    yield from _variables(general, used)
    yield from _comparisons(used, closed)
    for function, span in general.endless:
        yield report(messages.ENDLESS, span, name=function.text)


def mixed_functions(used: Inference) -> set[core.Variable]:
    """The functions that a program gives values of several types."""
    scopes = (used.top_level, *used.scopes.values())
    return {name for scope in scopes for name, scheme in scope.functions.items() if _takes_several(scheme.shape)}


def _takes_several(function: Shape) -> bool:
    """Whether a parameter, or a part of one, gets values of several types that the program does not distinguish."""
    parts = reachable(function.inputs, lambda variable: constraints.variables(variable.shapes))
    return any(
        not variable.has(constraints.Distinguished) and not constraints.are_alike(_known_shapes(variable))
        for variable in islice(parts, MOST_PARTS_OF_TYPE)
    )


def _joins(general: Inference, used: Inference) -> Iterator[Diagnostic]:
    """Conditionals and blocks whose values are of several types."""
    for (_, nodes), (variable, _) in zip(general.joins, used.joins, strict=True):
        values = [(node.span, _known(general, node)) for node in nodes]
        if not variable.has(Mixed):
            yield from _mixture(messages.ARMS_DISAGREE, values)


def _variables(general: Inference, used: Inference) -> Iterator[Diagnostic]:
    """Variables that are given values of several types."""
    scopes = ((general.top_level, used.top_level), *zip(general.scopes.values(), used.scopes.values(), strict=True))
    for scope, other in scopes:
        for name, variable in scope.names.items():
            if variable.declared is None and not other.names[name].has(Mixed):
                values = [(shape.span, [shape]) for shape in _known_shapes(variable)]
                yield from _mixture(messages.MIXED, values, name=name.name)


def _mixture(cause: messages.Cause, values: list[tuple[Span, list[Shape]]], **words: str) -> Iterator[Diagnostic]:
    """Warn of the first value that has no type in common with the value before it. `values` are their places and their
    shapes; a value without shapes is not known, and left out.
    """
    known = [(span, shapes) for span, shapes in values if shapes]
    for (first, shapes), (second, other_shapes) in pairwise(known):
        pairs = product(shapes, other_shapes)
        if first != second and not any(have_common_type(shape, other) for shape, other in pairs):
            descriptions = {"first": described(shapes[0]), "second": described(other_shapes[0])}
            yield report(cause, second, related=[(first, f"this is {descriptions['first']}")], **descriptions, **words)
            return


def _comparisons(used: Inference, closed: Set[Source]) -> Iterator[Diagnostic]:
    """Warn of comparisons whose sides have no type in common, so that they are never equal."""
    for nodes in used.comparisons:
        values = [(node.span, _known(used, node)) for node in nodes]
        all_shapes = chain.from_iterable(shapes for _, shapes in values)
        has_nil = any(shape.head == "nil" for shape in all_shapes)
        if has_nil and any(isinstance(node, core.Component) for node in nodes):  # a component may be NIL
            continue
        if nodes[0].span.source in closed:  # then the place of a value is blamed, one of the user's if there is any
            origins = [(shapes[0].span, shapes) for _, shapes in values if shapes]
            values = sorted(origins, key=lambda origin: origin[0].source not in closed)
        if not values:
            continue
        reported, _ = values[-1]
        if reported.source not in closed:
            yield from _mixture(messages.NEVER_EQUAL, values)


def _known_shapes(variable: Variable) -> list[Shape]:
    """The shapes of the values of a variable; none if an operator may make others, and none that is unchecked."""
    if variable.is_open:
        return []
    return [shape for shape in variable.shapes if not shape.unchecked]


def _known(inference: Inference, node: core.Expression) -> list[Shape]:
    """The shapes that the value of an expression may have; none if some of them are not known."""
    variable = inference.expressions[id(node)]
    return [] if variable.is_open or variable in inference.tainted else variable.shapes


# Words for shapes and needs

_WORDS: Final[dict[object, str]] = {
    "boolean": "a truth value",
    "logical": "a bit string",
    **dict.fromkeys(constraints.NUMBERS, "a number"),
    "string": "a string",
    "list": "a list",
    "array": "an array",
    "pointer": "a pointer",
    "stream": "a stream",
    "type": "a type",
    "nil": "NIL",
    "general": "a value of any type",
    "nothing": "a routine, which has no value",
}

_MODES: Final = {"": "value", "reference": "reference"}
"""The words for the modes of parameters; all others are by substitution."""
_NUMBERS: Final = {"integer": "an integer", "real": "a real number", "complex": "a complex number"}
"""The words for numbers that disagree with other numbers, where `a number` would not tell them apart."""


def described(term: LowerBound | Need, value: LowerBound | Need | None = None) -> str:
    """Describe a value or a need, with an article. A need is told with regard to the `value` that does not meet it: the
    same one is an integer to another number, and a number to a list.
    """
    is_tuple = isinstance(value, Shape) and value.head == "tuple"
    match term:
        case Shape(head="tuple", outputs=members):
            return f"a list of {len(members)}"
        case Shape(head="function", any_number=True):
            return "a function of any number of arguments"
        case Shape(head="function", inputs=parameters, modes=modes):
            words = " and ".join(dict.fromkeys([_MODES.get(mode, "substitution") for mode in modes]))
            return f"{_function_of(len(parameters))} by {words}" if words else _function_of(len(parameters))
        case constraints.Juxtaposed(arity=count) if isinstance(value, Shape) and value.head == "function":
            return _function_of(count)
        case Shape(head="node" | "element", name=core.Global(name=name)):
            return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
        case Shape(head=head) if isinstance(value, Shape) and term.kind == value.kind:
            return _NUMBERS.get(head, _WORDS[head])
        case Shape(head=head):
            return _WORDS[head]
        case OperatorValue(overload=overload) | Operand(overload=overload):
            root = overload.root
            kinds = [root.kind] if root.kind else root.allowed
            return listed([_WORDS[kind] for kind in kinds], "or")
        case constraints.OneOf(what=words):
            return words
        case constraints.Member(inputs=(_,)):
            return "an array or a list in square brackets"
        case constraints.Member(index=int(index)) | constraints.Juxtaposed(index=int(index)) if is_tuple:
            return f"a list with a member number {index}"
        case constraints.Joined():
            return "a list or a bit string"
        case constraints.Juxtaposed(subscript=True):
            return "a list, an array or a function"
        case constraints.Juxtaposed():
            return "a function or a number"
        case constraints.HasComponent(component=name):
            return f"a node with {name}"
        case _:
            return "a list"


def _function_of(arguments: int) -> str:
    return f"a function of {counted(arguments, 'argument')}"


# Real numbers where whole ones are needed


def not_whole(
    program: core.Program, kind: Callable[[core.Expression], str | None], number: Callable[[core.Expression], str]
) -> Iterator[Diagnostic]:
    """Yield an error for each real number where only a whole one will do: as a subscript, a bound of an array, or an
    argument of a function such as Remainder. `kind` and `number` tell what a value is for certain.
    """
    for node in _nodes(program):
        for value in _needed_whole(node, kind):
            match value:
                case core.Binary(operator="DIVIDE", left=left, right=right):
                    help = messages.WHOLE_QUOTIENT.format(a=left.span.text, b=right.span.text)
                case _ if number(value) in ("real", "complex"):
                    help = messages.WHOLE_PART.format(x=value.span.text)
                case _:
                    continue
            place = _with_brackets(value.span)
            yield report(messages.DISAGREEMENT, place, help=help, needed="a whole number", made="a real number")


def _nodes(program: core.Program) -> Iterator[core.Node]:
    return chain.from_iterable(map(walk.nodes, program.definitions))


def _with_brackets(span: Span) -> Span:
    """The place of an expression with the brackets that its first or last operand stands in: all of `(x + 1)/2`."""
    text, start, end = span.source.text, span.start, span.end
    while text[start:end].count(")") > text[start:end].count("(") and text[start - 1 : start] == "(":
        start -= 1
    while text[start:end].count("(") > text[start:end].count(")") and text[end : end + 1] == ")":
        end += 1
    return Span(span.source, start, end)


def _needed_whole(node: core.Node, kind: Callable[[core.Expression], str | None]) -> Sequence[core.Expression]:
    """The expressions in this place whose values must be whole numbers."""
    match node:
        case core.Select(operand=operand, indices=indices) if kind(operand) in ("list", "tuple", "array"):
            return indices
        case core.Apply(function=core.Host(name="Array"), arguments=(_, *bounds)):
            pairs = [bound.items for bound in bounds if isinstance(bound, core.Tuple)]
            return [*chain.from_iterable(pairs)]
        case core.Apply(function=core.Host(name=name), arguments=arguments):
            return [arguments[place] for place in whole_parameters(name) if place < len(arguments)]
        case _:
            return []


# Missing results


def missing_results(program: core.Program) -> Iterator[Diagnostic]:
    """Yield warnings of value blocks that may end before they have given a result, in the order of the text."""
    for block in _nodes(program):
        if isinstance(block, core.Block) and not (block.routine or walk.ends(block.commands)):
            end = Span(block.span.source, block.span.end - 1, block.span.end)
            conditions = [part for part in block.commands if isinstance(part, core.If) and not part.otherwise]
            related = [(condition.test.span, "if this does not hold") for condition in conditions[-1:]]
            yield report(messages.MISSING_RESULT, end, related=related)
