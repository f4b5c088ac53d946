"""Lists that only get longer, as lists of their own to which members are added.

    let L = NIL … L := Join(L,M) … result is L    the members of M are put behind those of L

That is the same if nothing else holds the list while it gets longer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cpl.optimise.trees import is_plain
from cpl.semantics import core, walk
from cpl.types.facts import Facts
from cpl.types.types import ListOf, TupleOf


def append(program: core.Program, facts: Facts) -> core.Program:
    """The program with members added in place of lists joined."""

    def change(one: core.Definition) -> core.Definition:
        if not isinstance(one, core.Function) or not is_plain(one):
            return one
        growing = {each for each in _candidates(one) if _grows(one.body, each)}
        return replace(one, body=_changed(one.body, growing, facts)) if growing else one  # type: ignore[arg-type]

    return replace(program, definitions=tuple(map(change, program.definitions)))


def _candidates(function: core.Function) -> Iterator[core.Local]:
    """The variables that begin as a list that is written out, in one place."""
    lets = [part for part in walk.nodes(function.body) if isinstance(part, core.Let)]
    targets = [each for let in lets for each in walk.variables(let.target)]
    for let in lets:
        pairs: Sequence[tuple[core.Target, core.Expression]] = [(let.target, let.value)]
        for target, value in pairs:
            if isinstance(target, core.Local) and isinstance(value, core.List) and targets.count(target) == 1:
                yield target


def _grows(body: core.Node, name: core.Local) -> bool:
    """Whether a list gets longer, and is otherwise only tested, gone through, or given as the result."""
    joins = 0
    allowed = 0
    for part in walk.nodes(body):
        match part:
            case core.Assign(places=places, values=values) if name in places:
                if len(places) != len(values) or places.count(name) != 1:
                    return False
                match values[places.index(name)]:
                    case core.Apply(function=core.Host(name="Join"), arguments=(first, second)) if first == name:
                        others = [second, *(each for each in values if each is not values[places.index(name)])]
                        if any(part == name for other in others for part in walk.nodes(other)):
                            return False
                        joins += 1
                        allowed += 2
                    case _:
                        return False
            case core.Let(target=target) if target == name:
                allowed += 1
            case core.Apply(function=core.Host(name="Null"), arguments=(tested,)) if tested == name:
                allowed += 1
            case core.Result(value=value) | core.Conditional(otherwise=value) if value == name:
                allowed += 1
            case core.ForList(members=members) if members == name and not _changes(part, name):
                allowed += 1
            case core.Lambda() | core.LetFunction() if any(each == name for each in walk.nodes(part)):
                return False
    return joins > 0 and allowed == sum(part == name for part in walk.nodes(body))


def _changes(loop: core.Node, name: core.Local) -> bool:
    return name in walk.assigned(loop)


def _changed(node: core.Node, growing: set[core.Local], facts: Facts) -> core.Node:
    match node:
        case core.Block(commands=commands):
            return replace(node, commands=_commands(commands, growing, facts))
        case core.If() | core.While() | core.ForList() | core.ForStep():
            made = walk.with_parts(node, lambda part: part)
            return replace(
                made,
                commands=_commands(made.commands, growing, facts),
                otherwise=_commands(made.otherwise, growing, facts),
            )
        case core.Repeat(commands=commands):
            return replace(node, commands=_commands(commands, growing, facts))
        case _:
            return walk.with_parts(node, lambda part: _changed(part, growing, facts))


def _commands(commands: Sequence[core.Command], growing: set[core.Local], facts: Facts) -> tuple[core.Command, ...]:
    out: list[core.Command] = []
    for command in commands:
        match command:
            case core.Let(target=core.Local() as target, value=core.List(items=items) as value) if target in growing:
                out.append(replace(command, value=replace(value, items=(), growing=True)))
                out += [core.Append(target, item, span=item.span) for item in items]
            case core.Assign(places=places, values=values) if growing & {*places}:
                rest = []
                for place, value in zip(places, values, strict=True):
                    if place in growing and isinstance(place, core.Local) and isinstance(value, core.Apply):
                        out += _appended(place, value.arguments[1], facts)
                    else:
                        rest.append((place, value))
                if rest:
                    left, right = zip(*rest, strict=True)
                    out.append(replace(command, places=left, values=right))
            case _:
                out.append(_changed(command, growing, facts))  # type: ignore[arg-type]
    return tuple(out)


def _appended(name: core.Local, more: core.Expression, facts: Facts) -> list[core.Command]:
    """What is joined to a list, put behind it."""
    match more, facts.of(more):
        case core.List(items=items), _:
            return [core.Append(name, item, span=item.span) for item in items]
        case _, ListOf():
            return [core.Append(name, more, each=True, span=more.span)]
        case _, TupleOf():
            return [core.Append(name, more, span=more.span)]
        case _:
            joined = core.Apply(core.Host("Join", span=more.span), (core.List((), span=more.span), more), span=more.span)
            return [core.Append(name, joined, each=True, span=more.span)]
