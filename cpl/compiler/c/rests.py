"""Variables that walk through a list: C has the list and a place in it, and makes no list of each rest.

    until Null(L) do § let (f,F) = Next(L) … L := F §

becomes

    whole_list L = …;
    whole L_at = 0;
    while (L->count != L_at) {
        whole f = item_whole_list(L, L_at);
        whole_list F = L;
        whole F_at = after_first(L->count, L_at);
        …
        L = F;
        L_at = F_at;
    }

Where such a variable is used in any other way, C would have to make the rest after all, so that only those walk that
are asked whether they are NIL, for a member or for the rest, are assigned, or are a result. Programs that assign to
members make copies of rests, and none walks there.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from cpl.compiler.semantics import core, walk


def walking(function: core.Function | core.LetFunction) -> set[core.Local]:
    """The variables of a function that walk through a list."""
    mentions: defaultdict[core.Local, int] = defaultdict(int)
    allowed: defaultdict[core.Local, int] = defaultdict(int)
    sources: defaultdict[core.Local, set[core.Local]] = defaultdict(set)  # the variables whose values a variable gets
    walks: set[core.Local] = set()
    for node in walk.nodes(function.body):
        if isinstance(node, core.Local):
            mentions[node] += 1
        for variable in _allowed_in(node):
            allowed[variable] += 1
        for target, value in _definitions(node):
            if _is_rest(value):
                walks.add(target)
            elif isinstance(value, core.Local):
                sources[target].add(value)

        if isinstance(node, core.Lambda | core.LetFunction | core.Reference):  # which may have it at other times, too
            for variable in walk.locals_in(node):
                mentions[variable] += 1
    for parameter in function.parameters:
        if parameter.mode:
            mentions[parameter] += 1  # its place is another's

    walks = {variable for variable in walks if allowed[variable] == mentions[variable]}
    while True:
        more = {target for target, values in sources.items() if not values.isdisjoint(walks)} - walks
        more = {variable for variable in more if allowed[variable] == mentions[variable]}
        if not more:
            return walks
        walks |= more


def _is_rest(value: core.Expression) -> bool:
    """Tell whether a value is the rest of a list."""
    match value:
        case core.Apply(function=core.Host(name="Tail")):
            return True
    return False


def _definitions(node: core.Node) -> Iterator[tuple[core.Local, core.Expression]]:
    """What a command gives variables. The second part of what Next gives is a rest."""
    pairs: Sequence[tuple[core.Node, core.Expression]] = []
    match node:
        case core.Let(target=core.Several(items=items), value=value) if len(items) > 1:
            pairs = _taken_apart(items, value)
        case core.Let(target=target, value=value):
            pairs = [(target, value)]
        case core.Assign(places=places, values=(value,)) if len(places) > 1:
            pairs = _taken_apart(places, value)
        case core.Assign(places=places, values=values):
            pairs = [*zip(places, values, strict=True)]
    for place, given in pairs:
        if isinstance(place, core.Local) and not place.mode:
            yield place, given


def _taken_apart(targets: tuple[core.Node, ...], value: core.Expression) -> list[tuple[core.Node, core.Expression]]:
    """What several targets get of one value."""
    match targets, value:
        case (first, second), core.Apply(function=core.Host(name="Next"), arguments=arguments):
            host = core.Host("Head", span=value.span)
            tail = core.Host("Tail", span=value.span)
            return [
                (first, core.Apply(host, arguments, span=value.span)),
                (second, core.Apply(tail, arguments, span=value.span)),
            ]
        case _, core.Tuple(items=items) if len(items) == len(targets):
            return [*zip(targets, items, strict=True)]
    return []


def _allowed_in(node: core.Node) -> Iterator[core.Local]:
    """The variables that a node mentions directly, in a way that needs no list of the rest."""
    match node:
        case core.Apply(function=core.Host(name="Null" | "Head" | "Tail" | "Next"), arguments=(core.Local() as name,)):
            yield name
        case core.Select(operand=core.Local() as name, indices=(core.Literal(value=int()),)):
            yield name
        case core.Result(value=core.Local() as name):
            yield name
        case core.Let() | core.Assign():
            for target, value in _definitions(node):
                yield target
                if isinstance(value, core.Local):
                    yield value
