"""Lists of what there is of several things, as lists that get longer.

    MinList(a → NIL, x, b → NIL, y)      [], with x unless a, and y unless b or y is in the list

That is the same for tuples of numbers, truth values and strings, which are equal in CPL if they are in Python.
"""

from collections.abc import Sequence
from typing import Final, cast

from cpl.fast.loops import Unsuitable, leaves, ways
from cpl.fast.trees import Fresh, commands_of, each_function
from cpl.records import replace
from cpl.semantics import core, walk
from cpl.types.facts import Facts
from cpl.types.types import Basic, Either, TupleOf, Type

_PLAIN: Final = frozenset({Basic("integer"), Basic("real"), Basic("Boolean"), Basic("string")})
"""Types of which Python's `==` is equality in CPL, if both sides have the same one."""


def gather(program: core.Program, facts: Facts) -> core.Program:
    """The program with members added to lists in place of `MinList`."""

    def change(one: core.Function) -> core.Function:
        fresh = Fresh(one)
        body = core.Block(commands_of(one.body), span=one.body.span) if _is_min_list(one.body) else one.body

        def down(node: core.Node) -> core.Node:  # the outer ones first, as types are known of given nodes
            return walk.with_parts(walk.with_commands(node, lambda each: _gathered(each, fresh, facts)), down)

        return replace(one, body=cast(core.Expression, down(body)))

    return each_function(program, change)


def _gathered(commands: Sequence[core.Command], fresh: Fresh, facts: Facts) -> Sequence[core.Command]:
    """Commands in which a list is made step by step if one of them gives it its name, or as the result."""
    for at, command in enumerate(commands):
        if isinstance(command, core.Result | core.Let) and _is_min_list(command.value):
            name = command.target if isinstance(command, core.Let) else fresh.local("L", command.span)
            if isinstance(name, core.Local) and (made := _made(commands, at, name, facts)):
                return _gathered(made, fresh, facts)
    return commands


def _made(commands: Sequence[core.Command], at: int, name: core.Local, facts: Facts) -> list[core.Command] | None:
    """The commands with a list made step by step; None if it does not consist of what is nothing or a tuple."""
    made = commands[at]
    assert isinstance(made, core.Result | core.Let) and isinstance(made.value, core.Apply)
    items = made.value.arguments
    if not all(facts.heads(leaf) and _is_plain(facts.of(leaf)) for each in items for leaf in leaves(each)):
        return None
    steps: list[tuple[int, core.Expression]] = []  # where each item has its value, and that
    for item in items:
        steps.append(_value(item, commands[:at]) or (at, item))
    places = [place for place, _ in steps]
    if places != sorted(places):
        return None
    out: list[core.Command] = []
    try:
        for place, command in enumerate(commands):
            if place == places[0]:
                out.append(core.Let(name, core.List((), growing=True, span=made.span), span=made.span))
            here = [number for number, step in enumerate(steps) if step[0] == place]
            for number in here:
                is_new = number > 0
                out += ways(steps[number][1], lambda value, new=is_new: _put(value, name, new=new))  # type: ignore[misc]
            if not here:
                out.append(command)
            if place == at and isinstance(made, core.Result):
                out.append(core.Result(name, span=made.span))
    except Unsuitable:
        return None
    return [each for each in out if each is not made]


def _value(item: core.Expression, before: Sequence[core.Command]) -> tuple[int, core.Expression] | None:
    """Where an item gets its value, if it is a variable for just that."""
    if not isinstance(item, core.Local):
        return None
    if sum(part == item for command in before for part in walk.nodes(command)) != 1:
        return None
    return next(
        (
            (place, command.value)
            for place, command in enumerate(before)
            if isinstance(command, core.Let) and command.target == item
        ),
        None,
    )


def _put(value: core.Expression, name: core.Local, *, new: bool) -> list[core.Command]:
    """Put a value into a list; if it must be `new`, unless the list has it."""
    match value:
        case core.List(items=()):
            return []
        case core.Tuple(items=(_, *_)):
            return [core.Append(name, value, new=new, span=value.span)]
        case _:
            raise Unsuitable


def _is_min_list(node: core.Expression) -> bool:
    return isinstance(node, core.Apply) and isinstance(node.function, core.Host) and node.function.name == "MinList"


def _is_plain(type: Type | None) -> bool:
    match type:
        case Either(parts):
            return all(map(_is_plain, parts))
        case TupleOf(parts):
            return all(part in _PLAIN for part in parts)
        case _:
            return type == Basic("NIL")
