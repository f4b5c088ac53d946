"""Lists that only get longer, as lists of their own to which members are added.

    let L = NIL … L := Join(L,M) … result is L    the members of M are put behind those of L

That is the same if nothing else holds the list while it gets longer.
"""

from collections.abc import Iterator, Sequence

from cpl.fast.trees import each_function
from cpl.records import replace
from cpl.semantics import core, walk
from cpl.types.facts import Facts


def append(program: core.Program, facts: Facts) -> core.Program:
    """The program with members added in place of lists joined."""

    def change(one: core.Function) -> core.Function:
        growing = {each for each in _candidates(one) if _grows(one.body, each)}
        if not growing:
            return one
        body = walk.rebuilt(one.body, lambda node: walk.with_commands(node, lambda each: _added(each, growing, facts)))
        return replace(one, body=body)

    return each_function(program, change)


def _candidates(function: core.Function) -> Iterator[core.Local]:
    """The variables that begin as a list that is written out, in one place."""
    lets = [part for part in walk.nodes(function.body) if isinstance(part, core.Let)]
    targets = [each for let in lets for each in walk.variables(let.target)]
    for let in lets:
        if isinstance(let.target, core.Local) and isinstance(let.value, core.List) and targets.count(let.target) == 1:
            yield let.target


def _grows(body: core.Node, name: core.Local) -> bool:
    """Whether a list gets longer, and is otherwise only tested, gone through, or given as the result."""
    known = 0
    gets_longer = False
    for part in walk.nodes(body):
        match part:
            case core.Assign(places=places) if name in places:
                if not _is_joined(part, name):
                    return False
                gets_longer = True
                known += 2
            case core.Let(target=target) if target == name:
                known += 1
            case core.Apply(function=core.Host(name="Null"), arguments=(tested,)) if tested == name:
                known += 1
            case core.Result(value=value) | core.Conditional(otherwise=value) if value == name:
                known += 1
            case core.ForList(members=members) if members == name and name not in walk.assigned(part):
                known += 1
            case core.Lambda() | core.LetFunction() if name in walk.locals_in(part):
                return False
    return gets_longer and known == sum(part == name for part in walk.nodes(body))


def _is_joined(command: core.Assign, name: core.Local) -> bool:
    """Whether an assignment joins something to a list and uses the list for nothing else."""
    if len(command.places) != len(command.values) or command.places.count(name) != 1:
        return False
    at = command.places.index(name)
    match command.values[at]:
        case core.Apply(function=core.Host(name="Join"), arguments=(first, second)) if first == name:
            others = (second, *command.values[:at], *command.values[at + 1 :])
            return not any(name in walk.locals_in(each) for each in others)
        case _:
            return False


def _added(commands: Sequence[core.Command], growing: set[core.Local], facts: Facts) -> list[core.Command]:
    """Commands that add to the lists that grow."""
    out: list[core.Command] = []
    for command in commands:
        match command:
            case core.Let(target=core.Local() as target, value=core.List(items=items) as first) if target in growing:
                out.append(replace(command, value=replace(first, items=(), growing=True)))
                out += [core.Append(target, item, span=item.span) for item in items]
            case core.Assign(places=places, values=values) if not growing.isdisjoint(places):
                left: list[tuple[core.Place, core.Expression]] = []
                for place, value in zip(places, values, strict=True):
                    match place, value:
                        case core.Local(), core.Apply(arguments=(_, more)) if place in growing:
                            out += _put(place, more, facts)
                        case _:
                            left.append((place, value))
                if left:
                    kept, given = zip(*left, strict=True)
                    out.append(replace(command, places=kept, values=given))
            case _:
                out.append(command)
    return out


def _put(name: core.Local, more: core.Expression, facts: Facts) -> list[core.Command]:
    """What is joined to a list, put behind it."""
    span = more.span
    match more:
        case core.List(items=items):
            return [core.Append(name, item, span=item.span) for item in items]
        case _ if facts.is_list(more):
            return [core.Append(name, more, each=True, span=span)]
        case _ if facts.heads(more) == {"tuple"}:
            return [core.Append(name, more, span=span)]
        case _:
            joined = core.Apply(core.Host("Join", span=span), (core.List((), span=span), more), span=span)
            return [core.Append(name, joined, each=True, span=span)]
