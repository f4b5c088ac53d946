"""The passes in their order, and what runs them."""

from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import replace
from typing import Final

from cpl.compiler.optimise.append import append
from cpl.compiler.optimise.bits import bits
from cpl.compiler.optimise.inline import inline, inline_for_c
from cpl.compiler.optimise.loops import loops
from cpl.compiler.optimise.specialise import specialise
from cpl.compiler.optimise.trees import unshared, with_changing
from cpl.compiler.semantics import core, walk
from cpl.compiler.source import Span
from cpl.compiler.types.facts import Facts, Sure

Pass = Callable[[core.Program, Sure], core.Program]

Stages = tuple[tuple[tuple[str, Pass], ...], ...]

FOR_READERS: Final[Stages] = (
    (("bits", bits),),
    (("inline", inline),),
    (("append", append), ("loops", loops), ("inline", inline)),
)
"""The passes for Python, each with the name that `--without` gives it. Types are inferred once for a stage: what a pass
leaves as it is keeps its type, and of what a pass has made nothing is known until the next stage.
"""

FOR_C: Final[Stages] = (
    (("bits", bits),),
    (("inline", inline_for_c), ("specialise", specialise), ("inline", inline_for_c)),
    (("loops", loops), ("inline", inline_for_c)),
)
"""The passes for C. Copies of functions make it faster."""

_FOR_TRUTH: Final = frozenset({"AND", "OR", "NOT", "EQUIVALENT", "INEQUIVALENT"})
"""Operators for truth values; those for bit strings are others in a program in which it is sure what is one."""


def optimised(
    program: core.Program, facts: Facts, without: Collection[str] = (), stages: Stages = FOR_READERS
) -> core.Program:
    """Return a program that does the same and is faster. `facts` are those of the given one, and `without` names
    passes that are left out.

    Raises ValueError if there is no such pass.
    """
    names = [name for stage in stages for name, _ in stage]
    for name in without:
        if name not in names:
            raise ValueError(f"unknown pass {name!r}: the passes are {', '.join(dict.fromkeys(names))}")
    nodes = (node for definition in program.definitions for node in walk.nodes(definition))
    written = {
        definition.name: definition for definition in program.definitions if isinstance(definition, core.Function)
    }
    sure = facts.sure
    unsettled = sure.unsettled
    passed_on = frozenset(node.name for node in nodes if isinstance(node, core.Host))
    for stage in stages:
        for name, run in stage:
            if name not in without:
                program = unshared(run(program, sure))
        if stage is stages[0]:
            program = _with_unsettled(with_changing(program), unsettled)  # the names have their last spelling then
        sure = Facts(program).sure
    program = unshared(_with_doors(program, written))
    return replace(program, in_order=False, passed_on=passed_on)


def _with_unsettled(program: core.Program, places: Set[Span]) -> core.Program:
    """Mark the comparisons in these places, and the functions with other operators in them: where they are written out
    in another function, more is known of what comes in, and they must not do something else.
    """

    def foreign(node: core.Node) -> core.Node:
        if isinstance(node, core.Compare) and node.span in places:
            return replace(node, foreign=True)
        return node

    def marked(definition: core.Definition) -> core.Definition:
        definition = walk.rebuilt(definition, foreign)
        operators = (node for node in walk.nodes(definition) if isinstance(node, core.Binary | core.Unary))
        is_alone = any(node.operator in _FOR_TRUTH and node.span in places for node in operators)
        return replace(definition, alone=True) if is_alone and isinstance(definition, core.Function) else definition

    return replace(program, definitions=tuple(map(marked, program.definitions)))


def _with_doors(program: core.Program, written: Mapping[core.Global, core.Function]) -> core.Program:
    """Let the functions as they are `written` run for arguments for which no faster ones are made. They come last, but
    one that captures values stands where the program defines it.
    """
    early: dict[core.Node, core.Function] = {}
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
            case _:
                definitions.append(definition)

    in_place: list[core.Definition] = []
    for definition in definitions:
        in_place.append(definition)
        in_place += [early[name] for name in walk.names(definition) if name in early]
    return replace(program, definitions=tuple(in_place))
