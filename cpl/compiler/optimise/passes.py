"""The passes in their order, and what runs them."""

from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import replace
from typing import Final

from cpl.compiler.optimise.append import append, append_for_c
from cpl.compiler.optimise.bits import bits
from cpl.compiler.optimise.inline import inline, inline_for_c
from cpl.compiler.optimise.merge import merge
from cpl.compiler.optimise.recursion import loops
from cpl.compiler.optimise.simplify import literals
from cpl.compiler.optimise.specialise import specialise
from cpl.compiler.optimise.trees import unshared, with_changing
from cpl.compiler.semantics import core, walk
from cpl.compiler.source import Span
from cpl.compiler.types.facts import Facts, Sure

Pass = Callable[[core.Program, Sure], core.Program]

Stages = tuple[tuple[tuple[str, Pass], ...], ...]
"""Passes with their names, in their order; a stage of them at a time."""

FOR_READERS: Final[Stages] = (
    (("bits", bits),),
    (("inline", inline),),
    (("append", append), ("loops", loops), ("inline", inline), ("merge", merge)),
)
"""The passes for Python, each with the name that `--without` gives it. Types are inferred once for a stage: what a pass
leaves as it is keeps its type, and of what a pass has made nothing is known until the next stage.
"""

FOR_C: Final[Stages] = (
    (("bits", bits),),
    (("inline", inline_for_c), ("specialise", specialise), ("inline", inline_for_c)),
    (("append", append_for_c), ("loops", loops), ("inline", inline_for_c), ("merge", merge)),
)
"""The passes for C. Copies of functions make it faster."""

_FOR_TRUTH: Final = frozenset({"AND", "OR", "NOT", "EQUIVALENT", "INEQUIVALENT"})
"""Operators for truth values; those for bit strings are others in a program in which it is sure what is one."""


def optimised(
    program: core.Program, facts: Facts, without: Collection[str] = (), stages: Stages = FOR_READERS
) -> core.Program:
    """Return a program that does the same and is faster. `facts` are those of `program`, and `without` names passes
    that are left out.

    Raises ValueError if there is no such pass.
    """
    _check_names(without, stages)

    hosts = (node.name for node in walk.all_nodes(program.definitions) if isinstance(node, core.Host))
    passed_on = frozenset(hosts)
    written = {
        definition.name: definition for definition in program.definitions if isinstance(definition, core.Function)
    }

    sure = facts.sure
    unsettled = sure.unsettled
    for stage in stages:
        for name, run in stage:
            if name not in without:
                program = unshared(run(program, sure))
        if stage is stages[0]:  # bits has renamed what it renames; the next passes ask for the marks
            program = _with_unsettled(with_changing(program), unsettled)
        sure = Facts(program).sure

    program = unshared(_with_doors(program, written))
    return replace(program, in_order=False, passed_on=passed_on)


def _check_names(without: Collection[str], stages: Stages) -> None:
    """Raise ValueError unless these are names of passes."""
    names: dict[str, None] = {}
    for stage in stages:
        names |= dict.fromkeys(name for name, _ in stage)
    for name in without:
        if name not in names:
            raise ValueError(f"unknown pass {name!r}: the passes are {', '.join(names)}")


def _with_unsettled(program: core.Program, places: Set[Span]) -> core.Program:
    """Mark the comparisons in these places, and the functions with other operators in them: where they are written out
    in another function, more is known of what comes in, and they must not do something else.
    """

    def foreign(node: core.Node) -> core.Node:
        if isinstance(node, core.Compare) and node.span in places:
            return replace(node, foreign=True)
        return node

    def is_unsettled(node: core.Node) -> bool:
        is_operator = isinstance(node, core.Binary | core.Unary) and node.operator in _FOR_TRUTH
        return is_operator and node.span in places

    def marked(definition: core.Definition) -> core.Definition:
        definition = walk.rebuilt(definition, foreign)
        if isinstance(definition, core.Function) and any(map(is_unsettled, walk.nodes(definition))):
            return replace(definition, alone=True)
        return definition

    return replace(program, definitions=tuple(map(marked, program.definitions)))


def _with_doors(program: core.Program, written: Mapping[core.Global, core.Function]) -> core.Program:
    """Give each function whose code `bits` has changed a door: a function under its own name, for Python.

        Free = AsLogical(_Free, Function((bits,), bits))

    becomes the function as it was `written`, which in Python is

        @Fast(_Free, Function((bits,), bits))
        def Free(P):

    The door applies the faster function to arguments that have its forms; for others the body runs. Such functions come
    last, but one that captures values stands where the program defines it.
    """
    values = literals(program)
    early: dict[core.Node, core.Function] = {}  # by the name of the faster function
    definitions: list[core.Definition] = []
    for definition in program.definitions:
        match definition:
            case core.Constants(
                target=core.Global() as name,
                value=core.Apply(function=core.Host(name="AsLogical"), arguments=(core.Global() as inner, _)) as edge,
            ) if name in written and written[name].parameters:
                door = replace(edge, function=core.Host("Fast", span=edge.span))
                function = replace(written[name], door=(door,))
                if function.captured:
                    early[inner] = function
                else:
                    definitions.append(function)
            case core.Constants(
                value=core.Apply(
                    function=core.Host(name="AsLogical"),
                    arguments=(core.Global() as inner, core.Host(name="bits") as form),
                ) as edge
            ) if inner in values and not values[inner].value:  # `Logical(0)` says more than `AsLogical(_Zero, bits)`
                definitions.append(replace(definition, value=replace(edge, arguments=(values[inner], form))))
            case _:
                definitions.append(definition)

    ordered: list[core.Definition] = []
    for definition in definitions:
        ordered.append(definition)
        ordered += [early[name] for name in walk.names(definition) if name in early]
    return replace(program, definitions=tuple(ordered))
