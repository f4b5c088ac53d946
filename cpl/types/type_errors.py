"""The conflicts of the inference as diagnostics, one for each place that is to blame.

Of several places that do not go together the one that disagrees with most of the others is to blame: a NIL that is
needed as a bit string in three places, a pattern that no value fits, an application whose arguments are in the wrong
order.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics.reach import reachable
from cpl.source import Source, Span
from cpl.types import constraints
from cpl.types.constraints import Doubt, Made, Need, OperatorValue, Shape, Variable, undeclared_above
from cpl.types.generate import Inference
from cpl.types.type_words import described_both

_MOST_SHOWN: Final = 4
_MOST_SEARCHED: Final = 2000


@dataclass(frozen=True)
class Conflict:
    """A value and a need that it does not meet; or, as a contradiction, two needs that no value can meet."""

    made: Made | Need
    need: Need
    is_contradiction: bool = False
    is_certain: bool = True

    @property
    def via(self) -> Span | None:
        """The application that brought them together."""
        return self.need.via or (self.made.via if isinstance(self.made, Need) else None)

    @property
    def places(self) -> tuple[Span, ...]:
        """The places that may be to blame: where the value comes from, where it is used, where that is applied."""
        found = [self.made.span, self.need.span, *([self.via] if self.via is not None else [])]
        return tuple(dict.fromkeys(found))


def type_errors(general: Inference, source: Source) -> Iterator[Diagnostic]:
    """The findings, in the text of `source` where they can be put down to it."""
    found: dict[object, Conflict] = {}
    components = general.solver.components.values()
    optional = {variable.declared for variable in (*components, *general.instances.values())}
    mixed = {each for each in components if each.declared is None and constraints.are_mixed([each])}
    for (made, need), at in general.solver.conflicts.items():
        place = need.span, made.span, need.via
        missing = need in optional and isinstance(made, Shape) and made.head == "nil"  # any component may be NIL
        if place not in found and not missing and not _is_allowed(made, need, at, mixed):
            found[place] = Conflict(made, need, is_certain=_is_certain(made, need, at, general))
    declarations = {each.declared.span for each in general.solver.variables if each.declared is not None}
    for each in ([*found.values()], [*_contradictions(general)]):
        for blamed, conflicts in _blamed(each, source, declarations):
            yield _diagnostic(blamed, conflicts)


def _blamed(
    found: Sequence[Conflict], source: Source, declarations: Set[Span]
) -> Iterator[tuple[Span, list[Conflict]]]:
    """The places to blame, each with its conflicts; what one place is blamed for is not reported again. Declarations
    are right.
    """
    at: dict[Span, list[Conflict]] = defaultdict(list)
    for conflict in found:
        for place in conflict.places:
            at[place].append(conflict)

    def rank(place: Span) -> tuple[bool, int, bool]:
        """The least is to blame; what stands first among equals."""
        partners = {(conflict.made.span, conflict.need.span) for conflict in at[place]}
        return place in declarations, -len(partners), place.source is not source

    reported: set[Conflict] = set()
    for blamed in sorted(at, key=rank):
        left = [conflict for conflict in at[blamed] if conflict not in reported]
        if left:
            yield blamed, left
            places = {place for conflict in left for place in conflict.places if place.source is source}
            reported.update(*(at[place] for place in places - declarations | {blamed}))


_SUBSCRIPTED: Final = "a list, an array or a function"
_INSTEAD: Final = {
    **dict.fromkeys(
        ((wanted, "string") for wanted in ("a list", _SUBSCRIPTED)),
        "the list of the symbols of a string s is SymbolsOf(s)",
    ),
    **dict.fromkeys(
        (("an array", kind) for kind in ("list", "tuple")),
        "Copy takes an array; for a copy of a list write: Map(λx.x, L)",
    ),
    **dict.fromkeys(
        (("an array", kind) for kind in ("number", "string", "logical")),
        "Copy takes an array; numbers and strings need no copy",
    ),
}
"""The help where something is needed and a value of some kind is there."""

_JOINED: Final = {
    "string": "to join strings, write: StringOf([s, t])",
    "list": "to join lists, write: Join(L,M)",
    "tuple": "to join lists, write: Join(L,M)",
}


def _diagnostic(place: Span, conflicts: Sequence[Conflict]) -> Diagnostic:
    first = conflicts[0]
    made, need, via = first.made, first.need, first.via
    value, wanted = described_both(made, need)
    cause, help = messages.DISAGREEMENT, None
    if first.is_contradiction:
        cause = messages.CONTRADICTION
    elif isinstance(need, constraints.OneOf) and need.what == "a condition":
        cause = messages.NOT_A_CONDITION
    elif isinstance(made, Shape) and isinstance(need, Shape) and made.head == need.head == "tuple":
        cause, help = messages.WRONG_SHAPE, ""
    elif isinstance(made, Shape) and made.head == "nil" and wanted == "a bit string":
        help = "NIL is the empty list; the bit string without ones is Logical(0), or read the text with nil=zero"
    elif isinstance(made, Shape) and (wanted, made.kind) in _INSTEAD:
        help = _INSTEAD[wanted, made.kind]
    elif isinstance(made, Shape) and need.span.source.text.endswith(("StringOf(", "StringOf["), 0, need.span.start):
        help = "StringOf joins a list of strings; to print numbers and strings side by side, write: Write(‘n is ’, n)"
    elif isinstance(made, Shape) and isinstance(need, constraints.Operand):
        help = _JOINED.get(made.kind) if {*need.overload.root.allowed} == {"number", "logical"} else None
    cause = cause if any(conflict.is_certain for conflict in conflicts) else messages.MAY_DISAGREE
    alike = [each.need.span for each in conflicts if each.made is made and described_both(made, each.need)[1] == wanted]
    labels = dict.fromkeys([*alike[:_MOST_SHOWN], need.span], f"{wanted} is needed here")
    labels[made.span] = f"{value} is needed here" if first.is_contradiction else f"this is {value}"
    if via is not None:
        labels.setdefault(via, "" if via == place else "passed through this call")
    label = labels.pop(place)
    return report(cause, place, label=label, related=[*labels.items()], help=help, made=value, needed=wanted)


# What is allowed


def _is_certain(made: Made, need: Need, at: dict[Variable, None], general: Inference) -> bool:
    """Whether every run that comes to a place faults there: nothing that meets the need may come there, and nothing
    unknown, such as what a parameter may be. (Each application of a function by its name has copies of its own.)
    """

    def is_sure(variable: Variable) -> bool:
        wanted = variable.needs.get(need.key, need)
        pairs = {(shape, wanted) for shape in variable.made if shape is not need}  # which a reference brings back
        return not (variable.is_open or variable in general.doubtful) and general.solver.conflicts.keys() >= pairs

    starts = [  # a declaration has no need itself, but those of the values that flow into it
        value
        for variable in at
        for value in ([variable] if variable.needs.get(need.key) is need else variable.below)
        if value is variable or made.key in value.shapes
    ]
    uses = reachable(starts, lambda each: [above for above in undeclared_above(each) if need.key in above.needs])
    return need.doubt < Doubt.WITHIN and starts != [] and all(map(is_sure, islice(uses, _MOST_SEARCHED)))


def _is_allowed(made: Made, need: Need, at: dict[Variable, None], mixed: Set[Variable]) -> bool:
    """A value may be of several types if the program tests which on the way to where it is needed, or if it was stored
    with others in a component.
    """
    if isinstance(made, OperatorValue):
        return not made.is_open  # already reported through its resolved kind

    def is_made_at(place: Span, variable: Variable) -> bool:  # one of many string constants has lost its text
        return any(shape.span == place for shape in variable.made)

    def beside(variable: Variable) -> Iterator[Variable]:
        yield from (each for each in variable.below if made.key in each.shapes or is_made_at(made.span, each))
        yield from (each for each in variable.above if need.key in each.needs)

    way = islice(reachable(at, beside), _MOST_SEARCHED)
    return any(variable in mixed or _is_tested_for(made, variable) for variable in way)


def _is_tested_for(made: Shape, variable: Variable) -> bool:
    """Whether the program tests if a value of this variable is of this type. Only nodes can be tested for their type of
    node; there, what meets any other need is allowed.
    """
    needs = variable.needs.values()
    tests = [need.tested for need in needs if isinstance(need, constraints.TypeTest)]
    compared = (need for need in needs if isinstance(need, constraints.Compared))
    if any({made.kind, made.name, "anything"} & each or each != {"node"} for each in tests):
        return True
    if any((constraints.kind_of(need.head), need.constant) == (made.kind, made.constant) for need in compared):
        return True
    firm = (need for need in needs if not isinstance(need, constraints.Lenient))
    return bool(tests) and any(may_meet(made, need) for need in firm)


def may_meet(one: Need, other: Need) -> bool:
    """Whether there is a value that may meet both needs; what is in it is not looked at."""
    if not (isinstance(one, Shape) and isinstance(other, Shape)):
        some, others = constraints.kinds_of(one), constraints.kinds_of(other)
        return some is None or others is None or bool(some & others)
    differ = (one.name, len(one.outputs)) != (other.name, len(other.outputs))
    if one.head == other.head in ("tuple", "node") and differ:
        return False
    return constraints.have_common_type(one, other)


def _contradictions(general: Inference) -> Iterator[Conflict]:
    """Parameters, and others of which no value is known, with two needs that no value can meet."""
    for variable in general.solver.variables:
        is_unknown = variable.given or not (variable.shapes or variable.below or variable.empty)
        is_mixed = variable.has(constraints.AnyType | constraints.TypeTest)
        if is_unknown and not is_mixed and variable.declared is None:
            needs = [need for need in variable.needs.values() if constraints.kinds_of(need) is not None]
            needs.sort(key=lambda need: not isinstance(need, Shape))
            pairs = ((one, other) for one in needs for other in needs if not may_meet(one, other))
            yield from (
                Conflict(one, other, is_contradiction=True, is_certain=not (one.doubt and other.doubt))
                for one, other in islice(pairs, 1)
            )
