"""What the inference found not to go together, told as one finding for each place that is to blame.

Of several places that do not go together the one that disagrees with most of the others is to blame: a NIL that is
needed as a bit string in three places, a pattern that no value fits, an application whose arguments are in the wrong
order.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.source import Source, Span
from cpl.types import constraints
from cpl.types.constraints import Made, Need, Operand, Outcome, Shape, Variable, key
from cpl.types.generate import Inference
from cpl.types.solver import NILLABLE
from cpl.types.wording import made_of, needed

_ALIKE: Final = ("list", "tuple", "array", "nil")
_MOST_SHOWN: Final = 4
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


def disagreements(general: Inference, source: Source) -> Iterator[Diagnostic]:
    """The findings; those that can be put down to the text of `source` are."""
    found: dict[object, Disagreement] = {}
    components = general.solver.components.values()
    optional = {variable.declared for variable in components}
    general_ones = {each for each in components if each.declared is None and len({*_kinds(each)}) > 1}
    for (made, need), at in general.solver.conflicts.items():
        place = need.span, made.span, need.via
        missing = need in optional and isinstance(made, Shape) and made.head == "nil"  # any component may be NIL
        if place not in found and not missing and not _is_allowed(made, need, at, general_ones):
            found[place] = Disagreement(made, need)
    yield from (_told(place, ones) for place, ones in _blamed([*found.values()], source, general.solver.declarations))
    yield from _contradictions(general, source)


def _blamed(
    found: Sequence[Disagreement], source: Source, declarations: Set[Span]
) -> Iterator[tuple[Span, list[Disagreement]]]:
    """The places to blame, each with what it disagrees with; what one place is blamed for is not told again. What is
    declared is right.
    """
    at: dict[Span, list[int]] = defaultdict(list)
    partners: dict[Span, Counter[tuple[Span, Span]]] = defaultdict(Counter)
    waiting = dict(enumerate(found))
    for number, one in waiting.items():
        for place in one.places:
            at[place].append(number)
            partners[place][one.made.span, one.need.span] += 1

    def rank(place: Span) -> tuple[bool, int, bool, int, int]:
        """The least is to blame; what stands first among equals."""
        first = next(number for number in at[place] if number in waiting)
        inside = place.source is source
        return place in declarations, -len(partners[place]), not inside, first, found[first].places.index(place)

    ranks = [(rank(place), place) for place in at]
    heapq.heapify(ranks)
    while ranks:
        known, blamed = heapq.heappop(ranks)
        at[blamed] = [number for number in at[blamed] if number in waiting]
        if not at[blamed]:
            continue
        if (now := rank(blamed)) != known:  # it rises, as others have been told
            heapq.heappush(ranks, (now, blamed))
            continue
        ones = [waiting[number] for number in at[blamed]]
        yield blamed, ones
        told = {place for one in ones for place in one.places if place.source is source} - declarations | {blamed}
        for number in [number for place in told for number in at[place]]:
            if number in waiting:
                one = waiting.pop(number)
                pair = one.made.span, one.need.span
                for place in one.places:
                    partners[place][pair] -= 1
                    if not partners[place][pair]:
                        del partners[place][pair]


def _told(place: Span, ones: Sequence[Disagreement]) -> Diagnostic:
    one = ones[0]
    made, wanted = made_of(one.made), needed(one.need, one.made)
    cause = messages.DISAGREEMENT
    if isinstance(one.made, Shape) and isinstance(one.need, Shape) and one.made.head == one.need.head == "tuple":
        cause = messages.WRONG_SHAPE
    elif isinstance(one.need, constraints.OneOf) and one.need.what == "a condition":
        cause = messages.NOT_A_CONDITION
    via = one.need.via or one.made_via
    alike = [each.need.span for each in ones if each.made is one.made and needed(each.need, each.made) == wanted]
    labels = dict.fromkeys([*alike[:_MOST_SHOWN], one.need.span], f"{wanted} is needed here")
    labels[one.made.span] = f"this is {made}"
    if via is not None:
        labels.setdefault(via, "by this application")
    label = "" if place == via else labels[place]
    del labels[place]
    help = None
    if isinstance(one.made, Shape) and one.made.head == "nil" and wanted == "a bit string":
        help = "NIL is the empty list; the bit string without ones is Logical(0), or read the text with nil=zero"
    return report(cause, place, label=label, related=[*labels.items()], help=help, made=made, needed=wanted)


# What is no finding


def _is_allowed(made: Made, need: Need, at: dict[Variable, None], general_ones: Set[Variable]) -> bool:
    """A value may be of several types if it is asked of which one it is, on its way to where it is needed, or if it
    comes from where such values are kept.
    """
    if isinstance(need, Shape) and need.soft:
        return True
    if isinstance(made, Outcome):
        return not made.is_open  # its kind is known, and has its own say
    return any(variable in general_ones or _is_asked_for(made, variable) for variable in _way(at, made))


def _kinds(variable: Variable) -> Iterator[str]:
    """The kinds of value that come to a variable, but for NIL."""
    return (made.kind for made in variable.shapes.values() if isinstance(made, Shape) and made.head != "nil")


def _is_asked_for(made: Shape, variable: Variable) -> bool:
    """Whether it is asked of what comes to a variable of which type it is. Of which type of nodes may only be asked of
    one; but what is of use beside is allowed.
    """
    asked = [need.kinds for need in variable.needs.values() if isinstance(need, constraints.Asked) and need.kinds]
    kinds = {made.kind, made.name, "anything"}
    compared = [need for need in variable.needs.values() if isinstance(need, Shape) and need.soft]
    if any(kinds & each or each != {"node"} for each in asked) or any(_is_told_apart(made, need) for need in compared):
        return True
    hard = (need for need in variable.needs.values() if not isinstance(need, constraints.Asked | constraints.Softened))
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
        case constraints.OneOf(kinds=kinds):
            return shape.kind in kinds
        case constraints.Member(kinds=kinds):
            return shape.kind in kinds
        case constraints.Rest():
            return shape.head in ("list", "tuple", "nil")
        case constraints.Joined():
            return True
        case constraints.Beside(subscript=True):
            return shape.head in (*_ALIKE, "function")
        case constraints.Beside():
            return shape.kind in ("number", "function")
        case constraints.Component():
            return shape.head in ("node", "element", "nil")
        case _:
            return True


def _are_nodes(shape: Shape, need: Shape) -> bool:
    return {shape.head, need.head} <= {"node", "element"} and (shape.head != "node" or shape.name == need.name)


def _contradictions(general: Inference, source: Source) -> Iterator[Diagnostic]:
    """Parameters, and others of which no value is known, of which two things are needed that no value can be."""
    for variable in general.solver.variables:
        alone = not (variable.shapes or variable.below or variable.empty)
        if variable.declared is None and (variable.given or alone):
            needs = [*variable.needs.values()]
            hard = [need for need in needs if not isinstance(need, constraints.Asked) and not _is_soft(need)]
            if len(hard) == len(needs) - sum(map(_is_soft, needs)):
                yield from _contradicting(hard, source)


def _contradicting(needs: Sequence[Need], source: Source) -> Iterator[Diagnostic]:
    shapes_first = sorted(needs, key=lambda need: not isinstance(need, Shape))
    pairs = ((one, other) for one in shapes_first for other in needs if not _may_both_be_met(one, other))
    for one, other in pairs:
        made = one if isinstance(one, Shape) else Shape(one.span, "boolean")
        words = {_place(each, source): needed(each, made) for each in (one, other)}
        place = max(words, key=lambda each: each.source is source)
        *_, first = [word for span, word in words.items() if span != place] or [needed(one, made)]
        labels = {span: f"and {word} here" for span, word in words.items() if span != place}
        for each in (one, other):
            labels.setdefault(each.span, f"{needed(each, made)} is needed here")
            if each.via is not None:
                labels.setdefault(each.via, "by this application")
        label = labels.pop(place, "")
        second = words[place]
        yield report(messages.CONTRADICTION, place, label=label, related=[*labels.items()], first=first, second=second)
        return


def _may_both_be_met(one: Need, other: Need) -> bool:
    match one:
        case Shape():
            return may_meet(one, other)
        case constraints.OneOf(kinds=kinds):
            return any(may_meet(Shape(one.span, kind), other) for kind in kinds)
        case _:
            return True


def _place(need: Need, source: Source) -> Span:
    """Where something is needed, or else in this text the application by which it is."""
    inside = need.span.source is source or need.via is None or need.via.source is not source
    return need.span if inside else need.via or need.span


def _is_soft(need: Need) -> bool:
    return isinstance(need, Shape) and need.soft
