"""What the inference found not to go together, told as one finding for each place that is to blame.

Of several places that do not go together the one that disagrees with most of the others is to blame: a NIL that is
needed as a bit string in three places, a pattern that no value fits, an application whose arguments are in the wrong
order.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core
from cpl.semantics.inference import terms
from cpl.semantics.inference.definitions import Inference
from cpl.semantics.inference.solver import NILLABLE
from cpl.semantics.inference.terms import Made, Need, Operand, Outcome, Shape, Term, Variable, key
from cpl.source import Source, Span

_WORDS: Final = {
    "boolean": "a truth value",
    "logical": "a bit string",
    "number": "a number",
    "integer": "a number",
    "real": "a number",
    "complex": "a number",
    "string": "a string",
    "list": "a list",
    "array": "an array",
    "pointer": "a pointer",
    "stream": "a stream",
    "type": "a type",
    "nil": "NIL",
    "nothing": "a routine, which has no value",
}
_ALIKE: Final = ("list", "tuple", "array", "nil")
_MOST_SEARCHED: Final = 2000


@dataclass(frozen=True)
class Disagreement:
    """A value and something that it does not meet."""

    made: Made
    need: Need

    @property
    def places(self) -> tuple[Span, ...]:
        """The places that may be to blame: where the value comes from, where it is used, where that is applied."""
        via = self.need.via or self.made_via
        found = [self.made.span, self.need.span] + ([via] if via is not None else [])
        return tuple(dict.fromkeys(found))

    @property
    def made_via(self) -> Span | None:
        """By which application the value comes."""
        return self.made.via if isinstance(self.made, Shape) else None


def disagreements(general: Inference, used: Inference, source: Source) -> list[Diagnostic]:
    """The findings; those that can be put down to the text of `source` are. Whether two values can ever be equal, and
    whether values of several types may come together, is judged by all that the program makes `use` of them.
    """
    found: dict[object, Disagreement] = {}
    for (made, need), at in general.solver.conflicts.items():
        place = need.span, made.span, need.via
        if place not in found and not _is_allowed(made, need, at):
            found[place] = Disagreement(made, need)
    told = [_told(place, ones) for place, ones in _blamed([*found.values()], source)]
    for findings in (_contradictions(general), _arms(general, used), _never_equal(used)):
        told += _not_yet_told(told, findings)
    return told


def _not_yet_told(told: Sequence[Diagnostic], findings: Iterator[Diagnostic]) -> list[Diagnostic]:
    """Those of the findings that tell of none of the places that others told of."""
    seen = {place for one in told for place in _places(one)}
    result = []
    for one in findings:
        if not seen & _places(one):
            result.append(one)
        seen |= _places(one)
    return result


def _places(finding: Diagnostic) -> set[Span]:
    return {finding.span, *(span for span, _ in finding.related)}


def _blamed(found: Sequence[Disagreement], source: Source) -> Iterator[tuple[Span, list[Disagreement]]]:
    """The places to blame, each with what it disagrees with; what one place is blamed for is not told again."""
    waiting = list(found)
    while waiting:
        partners: dict[Span, set[tuple[Span, Span]]] = defaultdict(set)
        for one in waiting:
            for place in one.places:
                partners[place].add((one.made.span, one.need.span))
        blamed = max(partners, key=lambda place: (len(partners[place]), place.source is source))
        ones = [one for one in waiting if blamed in one.places]
        yield blamed, ones
        told = {place for one in ones for place in one.places if place.source is source} | {blamed}
        waiting = [one for one in waiting if not told & {*one.places}]


def _told(place: Span, ones: Sequence[Disagreement]) -> Diagnostic:
    one = ones[0]
    made, needed = _made(one.made), _needed(one.need, one.made)
    cause = causes.DISAGREEMENT
    if isinstance(one.made, Shape) and isinstance(one.need, Shape) and one.made.head == one.need.head == "tuple":
        cause = causes.WRONG_SHAPE
    elif isinstance(one.need, terms.OneOf) and one.need.what == "a condition":
        cause = causes.NOT_A_CONDITION
    via = one.need.via or one.made_via
    related: list[tuple[Span, str]] = []
    if one.made.span != place:
        related.append((one.made.span, f"this is {made}"))
    if one.need.span not in (place, one.made.span):
        related.append((one.need.span, f"{needed} is needed here"))
    if via is not None and via not in (place, one.made.span, one.need.span):
        related.append((via, "by this application"))
    label = (
        f"this is {made}" if one.made.span == place else f"{needed} is needed here" if one.need.span == place else ""
    )
    help = None
    if isinstance(one.made, Shape) and one.made.head == "nil" and needed == "a bit string":
        help = "NIL is the empty list; the bit string without ones is Logical(0), or read the text with nil=zero"
    return report(cause, place, label=label, related=related, help=help, made=made, needed=needed)


# What is no finding


def _is_allowed(made: Made, need: Need, at: dict[Variable, None]) -> bool:
    """A value may be of several types if it is asked of which one it is, on its way to where it is needed."""
    if isinstance(need, Shape) and need.soft:
        return True
    if isinstance(made, Outcome):
        return not made.is_open  # its kind is known, and has its own say
    return any(_is_asked_for(made, variable) for variable in _way(at, made))


def _is_asked_for(made: Shape, variable: Variable) -> bool:
    """Whether it is asked of what comes to a variable if it is of this kind, or of another and this one is of use."""
    asked = [need.kinds for need in variable.needs.values() if isinstance(need, terms.Asked) and need.kinds]
    kinds = {made.kind, made.name, "anything"}
    compared = [need for need in variable.needs.values() if isinstance(need, Shape) and need.soft]
    if any(kinds & each for each in asked) or any(_is_told_apart(made, need) for need in compared):
        return True
    hard = (need for need in variable.needs.values() if not isinstance(need, terms.Asked | terms.Softened))
    return bool(asked) and any(may_meet(made, need) for need in hard)


def _is_told_apart(made: Shape, need: Shape) -> bool:
    """Whether what is compared with a constant is told from that: of strings, if it is the same one."""
    return made.kind == need.kind and made.constant == need.constant


def _way(at: dict[Variable, None], made: Made) -> Iterator[Variable]:
    """The variables through which a value may have come."""
    seen = {*at}
    waiting = [*at]
    while waiting and len(seen) < _MOST_SEARCHED:
        variable = waiting.pop()
        yield variable
        for below in variable.below:
            if below not in seen and key(made) in below.shapes:
                seen.add(below)
                waiting.append(below)


def may_meet(shape: Shape, need: Need) -> bool:
    """Whether a shape is of a kind that a need is for; their parts are not looked at."""
    match need:
        case Shape() if shape.head == "nil":
            return need.head in NILLABLE or (need.head == "logical" and shape.zero)
        case Shape(head="tuple") if shape.head == "tuple":
            return len(shape.members) == len(need.members)
        case Shape():
            return shape.kind == need.kind or {shape.head, need.head} <= {*_ALIKE} or _are_nodes(shape, need)
        case Operand(kinds=kinds):
            found = kinds.find()
            return shape.kind in ((found.kind,) if found.kind else found.allowed)
        case terms.OneOf(kinds=kinds):
            return shape.kind in kinds
        case terms.Member(kinds=kinds):
            return shape.kind in kinds
        case terms.Rest():
            return shape.head in ("list", "tuple", "nil")
        case terms.Joined():
            return True
        case terms.Beside(subscript=True):
            return shape.head in (*_ALIKE, "function")
        case terms.Beside():
            return shape.kind in ("number", "function")
        case terms.Component():
            return shape.head in ("node", "element", "nil")
        case _:
            return True


def _are_nodes(shape: Shape, need: Shape) -> bool:
    return {shape.head, need.head} <= {"node", "element"} and (shape.head != "node" or shape.name == need.name)


def _contradictions(general: Inference) -> Iterator[Diagnostic]:
    """Parameters, and others of which no value is known, of which two things are needed that no value can be."""
    for variable in general.solver.variables:
        if variable.declared is None and (variable.given or not (variable.shapes or variable.below)):
            needs = [*variable.needs.values()]
            hard = [need for need in needs if not isinstance(need, terms.Asked) and not _is_soft(need)]
            if len(hard) == len(needs) - sum(map(_is_soft, needs)):
                yield from _contradicting(hard)


def _contradicting(needs: Sequence[Need]) -> Iterator[Diagnostic]:
    for one in needs:
        for other in needs:
            if isinstance(one, Shape) and not may_meet(one, other):
                first, second = _needed(one, one), _needed(other, one)
                related = [(one.span, f"and {first} here")]
                related += [(each.via, "by this application") for each in (one, other) if each.via is not None]
                label = f"{second} is needed here"
                yield report(causes.CONTRADICTION, other.span, label=label, related=related, first=first, second=second)
                return


def _is_soft(need: Need) -> bool:
    return isinstance(need, Shape) and need.soft


def _arms(general: Inference, used: Inference) -> Iterator[Diagnostic]:
    """Conditionals and blocks whose values are of several types, though nothing asks of which."""
    doubtful = general.doubtful(given=True)
    for meeting, other in zip(general.meetings, used.meetings, strict=True):
        needs = other.variable.needs.values()
        if any(isinstance(need, terms.Asked) or _is_soft(need) for need in needs):
            continue
        values = [(span, _shapes(term)) for term, span in meeting.values if term not in doubtful]
        known = [(span, shapes) for span, shapes in values if shapes]
        for (first, some), (second, others) in pairwise(known):
            if not any(_may_equal(one, each) for one in some for each in others):
                words = {"first": _made(some[0]), "second": _made(others[0])}
                related = [(first, f"this is {words['first']}")]
                yield report(causes.ARMS_DISAGREE, second, related=related, **words)
                break


def _never_equal(used: Inference) -> Iterator[Diagnostic]:
    """Comparisons of values that are of different kinds, whatever they are."""
    doubtful = used.doubtful(given=False)
    for ends in used.comparisons:
        sides = [(node, _shapes(term)) for node, term in ends if term not in doubtful]
        if len(sides) < 2 or not all(shapes for _, shapes in sides):
            continue
        (left, some), (right, others) = sides
        if not any(isinstance(other, Shape) and _may_equal(one, other) for one in some for other in others):
            related = [(left.span, f"this is {_made(some[0])}"), (right.span, f"this is {_made(others[0])}")]
            yield report(causes.NEVER_EQUAL, left.span.to(right.span), related=related)


def _shapes(term: Term) -> list[Shape]:
    """What a value may be; nothing if some of it is not known."""
    shapes = [term] if isinstance(term, Shape) else [*term.shapes.values()]
    if any(isinstance(shape, Outcome) and shape.is_open for shape in shapes):
        return []
    return [shape for shape in shapes if isinstance(shape, Shape)]


def _may_equal(one: Shape, other: Shape) -> bool:
    return (
        one.soft
        or other.soft
        or one.kind == other.kind
        or {one.head, other.head} <= {"list", "tuple", "nil"}
        or {one.head, other.head} <= {"node", "element", "nil"}
        or {one.head, other.head} <= {"function", "type"}
        or any(
            a.head == "nil" and (b.head in NILLABLE or (a.zero and b.head == "logical"))
            for a, b in ((one, other), (other, one))
        )
        or "element" in (one.head, other.head)
    )


# In words


def _made(made: Made) -> str:
    match made:
        case Outcome(kinds=kinds):
            return _one_of(kinds.find().allowed)
        case Shape(head="tuple", members=members):
            return f"a list of {len(members)}"
        case Shape(head="function", members=members):
            return _function(len(members) - 1)
        case Shape(head="node" | "element", name=core.Global(name=name)):
            return f"a {name}"
        case Shape(head=head):
            return _WORDS[head]


def _needed(need: Need, made: Made) -> str:
    match need:
        case Shape():
            return _made(need)
        case Operand(kinds=kinds):
            found = kinds.find()
            return _WORDS[found.kind] if found.kind else _one_of(found.allowed)
        case terms.OneOf(what=what):
            return what
        case terms.Member(index=int(index)) if isinstance(made, Shape) and made.head == "tuple":
            return f"a member number {index}"
        case terms.Joined():
            return "a list or a bit string"
        case terms.Beside(subscript=True):
            return "a list, an array or a function"
        case terms.Beside():
            return "a function or a number"
        case terms.Component(component=name):
            return f"a node with {name}"
        case _:
            return "a list"


def _function(count: int) -> str:
    return f"a function of {count} argument{'s' if count != 1 else ''}"


def _one_of(kinds: Sequence[str]) -> str:
    *some, last = [_WORDS[kind] for kind in kinds]
    return f"{', '.join(some)} or {last}" if some else last
