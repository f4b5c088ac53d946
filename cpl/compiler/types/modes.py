"""Modes of arguments: how arguments are passed to functions that are values.

The mode of a parameter is part of the type of a function (evidence T18). The resolver knows the modes of a function
that is applied by its own name. What else is applied has them from the inference, which tells the functions that it
may be: from core tree to core tree, applications are rewritten to pass their arguments in these modes.

Arguments that are rewritten have other types, so that the inference may tell more: it runs again until it tells nothing
new. In

    let Double[ref a] be a := 2a
    let Call[f] be § let b = 1
                     f[b]
                     WriteLine(b) §
    Call[Double]

`f` may be `Double`, so `f[b]`, in the core an `Apply` to `b`, becomes one to `Reference(b)`, by `reference`.
"""

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from typing import Any

from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.resolver import argument_by, reference_to
from cpl.compiler.source import Span
from cpl.compiler.types.generate import NONE, Inference

_Modes = tuple[str, ...]
_Application = core.Apply | core.Select | core.Juxtapose


def with_modes(program: core.Program) -> core.Program:
    """The program in which arguments are passed as the functions want them that get them. Where several functions may
    be applied that do not agree in this, they stay values: that is a conflict of types.
    """
    top = _modes_of(program.definitions)
    if not any(_are_values(definition, _functions(top, definition)) for definition in program.definitions):
        return program

    modes_at: dict[Span, _Modes] = {}
    while True:
        definitions = [
            _rewritten(definition, modes_at, _functions(top, definition).keys()) for definition in program.definitions
        ]
        rewritten = core.Program(program.source, tuple(definitions))
        new = _modes_found(rewritten, top, modes_at)
        if not new:
            return rewritten
        modes_at |= new


def _modes_found(program: core.Program, top: "_Functions", known: Mapping[Span, _Modes]) -> dict[Span, _Modes]:
    """The modes of applications, by their places, that are not known yet."""
    inference = Inference(program, polymorphic=NONE)
    found: dict[Span, _Modes] = {}
    for definition in program.definitions:
        for node in _applications(definition, _functions(top, definition)):
            if node.span in known:
                continue
            modes = _modes(inference, node)
            if modes:
                found[node.span] = modes
    return found


_Functions = Mapping[core.Variable, _Modes]
"""Functions by their own names, with the modes of their parameters."""


def _functions(top: _Functions, definition: core.Definition) -> ChainMap[core.Variable, _Modes]:
    """The functions that a definition sees: those of the top level and its own."""
    return ChainMap(_modes_of(walk.nodes(definition)), top)  # type: ignore[arg-type]  # which is not written to


def _modes_of(nodes: Iterable[core.Node]) -> dict[core.Variable, _Modes]:
    return {
        function.name: tuple(parameter.mode for parameter in function.parameters)
        for function in nodes
        if isinstance(function, core.Function | core.LetFunction)
    }


def _are_values(definition: core.Definition, functions: _Functions) -> bool:
    """Whether a function whose parameters are not all values is more than applied."""
    for node in walk.nodes(definition):
        named = node.function if isinstance(node, core.Apply) else getattr(node, "name", None)
        for part in walk.parts(node):
            if isinstance(part, core.Variable) and part is not named and any(functions.get(part, ())):
                return True
    return False


def _applications(definition: core.Definition, functions: _Functions) -> Iterator[_Application]:
    """Yield the nodes that may be applications of a function that is not known by name."""
    for node in walk.nodes(definition):
        match node:
            case core.Apply(function=core.Local() | core.Global() as function) if function in functions:
                pass
            case core.Apply(arguments=(_, *_)) | core.Select(of_array=False) | core.Juxtapose():
                yield node


def _parts(node: _Application) -> tuple[core.Expression, tuple[core.Expression, ...]]:
    """Return the function and the arguments of an application."""
    match node:
        case core.Apply(function=function, arguments=arguments) | core.Select(operand=function, indices=arguments):
            return function, arguments
        case core.Juxtapose(left=function, right=argument):
            return function, (argument,)


def _modes(inference: Inference, node: _Application) -> _Modes:
    """The modes of all functions that may be applied here; none if they differ."""
    function, arguments = _parts(node)
    variable = inference.expressions.get(id(function))
    shapes = variable.shapes if variable else []
    several = {shape.modes for shape in shapes if shape.head == "function" and len(shape.inputs) == len(arguments)}
    return several.pop() if len(several) == 1 else ()


def _rewritten(node: Any, modes_at: Mapping[Span, _Modes], functions: Set[core.Expression]) -> Any:
    """A tree in which the applications at these places pass their arguments in these modes. Functions are constant."""
    if not modes_at:
        return node

    def change(node: core.Node) -> core.Node:
        if isinstance(node, core.Function | core.LetFunction | core.Lambda) and not node.by_place:
            return _with_captures_read(node)
        if not isinstance(node, _Application) or node.span not in modes_at:
            return node
        function, arguments = _parts(node)
        modes = modes_at[node.span]
        values = [_argument(mode, argument, functions) for mode, argument in zip(modes, arguments, strict=True)]
        return core.Apply(function, tuple(values), modes=modes, span=node.span)

    return walk.rebuilt(node, change)


def _with_captures_read(function: core.Function | core.LetFunction | core.Lambda) -> core.Node:
    """A function that captures values, not places: references to what it captures are only for reading, as they are
    where the resolver makes them.
    """
    inside = {*function.parameters, *walk.defined_in(function.body)}

    def change(node: core.Node) -> core.Node:
        match node:
            case core.Reference(place=core.Local() | core.Global() as variable) if variable not in inside:
                return core.ReadOnly(variable, span=node.span)
            case _:
                return node

    return replace(function, body=walk.rebuilt(function.body, change))


def _argument(mode: str, argument: core.Expression, functions: Set[core.Expression]) -> core.Expression:
    if mode in ("reference", "place by substitution"):
        argument = reference_to(argument, lambda name: name in functions or isinstance(name, core.Host))
    return argument_by(mode, argument)
