"""Conversions of numbers: the pass that says in the core tree where a value becomes a number of a declared type (T10).

    real x = 1                         let x = Convert(real, 1)
    x := f[y]                          x := Convert(real, f[y])
    integer n, i := p                  n, i := ConvertParts((integer, integer), p)
    let real (x,(y,z)) = p             let x,(y,z) = ConvertParts((real, (real, real)), p)
    real function F[real a] = a + n    F[a converts to real] = Convert(real, a + n)

A place converts what is stored in it, and a function its result, whatever comes: here that is written down once. Who
runs or compiles the program does what the nodes say, and asks no declaration. What needs no conversion, or can be
converted when the program is compiled, `Sure.converted` of `cpl.compiler.types.facts` tells.

Three kinds of place convert by themselves, as they are reached from elsewhere too: the members of arrays, the
components of nodes, and the boxes of variables (`cpl.compiler.semantics.boxes`), to which references lead.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cpl.compiler.semantics import core, numbers, walk


def with_conversions(program: core.Program) -> core.Program:
    """The program with its conversions. A definition in which nothing is declared to be a number stays the same."""
    definitions = [
        _converting(definition) if _declares(definition) else definition for definition in program.definitions
    ]
    return replace(program, definitions=tuple(definitions))


def _declares(definition: core.Definition) -> bool:
    """Whether something in a definition is declared to be a number."""
    return any(_declared_type(node) in numbers.TYPES for node in walk.nodes(definition))


def _declared_type(node: core.Node) -> str:
    match node:
        case core.Local(declared=words) | core.Global(declared=words):
            return words
        case core.Function(result=words) | core.LetFunction(result=words):
            return words
        case _:
            return ""


def _converting(node: Any) -> Any:
    """A node with its conversions."""
    node = walk.with_parts(node, _converting)
    match node:
        case core.Let(target=target, value=value) | core.Constants(target=target, value=value):
            targets = target.items if isinstance(target, core.Several) else (target,)
            [stored] = _stored(targets, (value,))
            return node if stored is value else replace(node, value=stored)
        case core.Assign(places=places, values=values):
            several = _stored(places, values)
            return node if several == values else replace(node, values=several)
        case core.Choice(place=first, otherwise=second):
            return replace(node, kinds=(numbers.declared(first), numbers.declared(second)))
        case core.Function() | core.LetFunction() | core.Lambda():
            return _converting_function(node)
        case _:
            return node


def _stored(places: Sequence[core.Node], values: tuple[core.Expression, ...]) -> tuple[core.Expression, ...]:
    """Values, converted to what the places hold. One value for several places is taken apart."""
    kinds = tuple(map(_kinds, places))
    if not any(kinds):
        return values
    if len(values) == len(places):
        return tuple(map(_converted, kinds, values))
    [whole] = values
    return (_converted(kinds, whole),)


def _kinds(place: core.Node) -> core.Kinds:
    """The type of number to which a place converts, those of its parts if it has parts; "" if nothing converts."""
    if not isinstance(place, core.Several):
        return numbers.declared(place)
    parts = tuple(map(_kinds, place.items))
    return parts if any(parts) else ""


def _converted(kinds: core.Kinds, value: core.Expression) -> core.Expression:
    if not kinds:
        return value
    if isinstance(kinds, str):
        return core.Convert(kinds, value, span=value.span)
    if isinstance(value, core.Tuple) and len(value.items) == len(kinds):
        # The parts are written out: each is converted where it stands, unless one of them is itself taken apart.
        items = tuple(map(_converted, kinds, value.items))
        if not any(isinstance(item, core.ConvertParts) for item in items):
            return replace(value, items=items)
    return core.ConvertParts(kinds, value, span=value.span)


def _converting_function(function: Any) -> Any:
    """A function that converts what its parameters get, and its result."""
    parameters = tuple(map(_converting_parameter, function.parameters))
    result = "" if isinstance(function, core.Lambda) else numbers.TYPES.get(function.result, "")
    return replace(function, parameters=parameters, body=_converted(result, function.body))


def _converting_parameter(parameter: core.Local) -> core.Local:
    kind = numbers.declared(parameter)
    return replace(parameter, converts_to=kind) if kind else parameter


Change = Callable[[core.Convert], core.Expression]


def at_results(conversion: core.Convert, change: Change = lambda conversion: conversion) -> core.Expression:
    """The same value, converted where it arises: in each arm of a conditional, at each result of a block. A `change`
    may make something simpler of each of the conversions.

        Convert(real, b → 1, x)      becomes      b → Convert(real, 1), Convert(real, x)
    """
    value = conversion.value

    def inner(part: core.Expression) -> core.Expression:
        return at_results(core.Convert(conversion.kind, part, span=part.span), change)

    def in_command(command: core.Command) -> core.Command:
        if isinstance(command, core.Result):
            return replace(command, value=inner(command.value))
        return walk.with_commands(command, in_commands)

    def in_commands(commands: Sequence[core.Command]) -> list[core.Command]:
        return [in_command(command) for command in commands]

    match value:
        case core.Conditional(arms=arms, otherwise=otherwise):
            converted_arms = [(test, inner(arm)) for test, arm in arms]
            return replace(value, arms=tuple(converted_arms), otherwise=inner(otherwise))
        case core.Block(routine=False):
            return walk.with_commands(value, in_commands)
        case _:
            return change(conversion)
